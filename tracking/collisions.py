"""Equal balls on straight ways, played forward for many guesses at once: who touches whom, when, and what comes of it.

Over some hundredths of a second friction hardly bends a way; between touches every ball goes straight on. A touch
passes on momentum along the line of centres (equal masses, restitution), nothing across it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tracking.samples import Floats

Ints = npt.NDArray[np.int64]

MOST: Final = 14
"""Touches followed in one replay; later ones do not matter to what is asked."""


@dataclass(frozen=True, eq=False)
class Replay:
    """S replays of N balls in K stretches.

    Attributes:
        begins: (K, S) when each stretch begins, seconds.
        places, velocities: (K, S, N, 2) at the beginning of each stretch.
        touched: (K, S, 2) the pair whose touch began it, -1 where none did.
        first: (S,) the ball that ball 0 touched first, -1 for none; `first_t` (S,) when, inf for never.
    """

    begins: Floats
    places: Floats
    velocities: Floats
    touched: Ints
    first: Ints
    first_t: Floats

    def at(self, ball: int, times: Floats) -> Floats:
        """Places (S, M, 2) of a ball at times (M,)."""
        stretch = np.sum(self.begins[:, :, None] <= times, axis=0) - 1
        stretch = np.maximum(stretch, 0)
        rows = np.arange(self.begins.shape[1])[:, None]
        since = times - self.begins[stretch, rows]
        return np.asarray(self.places[stretch, rows, ball] + self.velocities[stretch, rows, ball] * since[..., None])


def replayed(start: float, until: float, places: Floats, velocity: Floats, bounce: Floats, diameter: float) -> Replay:
    """Play on from `start` to `until`.

    Args:
        places: (S, N, 2) at `start`; all balls but ball 0 lie still.
        velocity: (S, 2) of ball 0.
        bounce: (S,) restitution.
    """
    count, balls = places.shape[:2]
    a, b = np.triu_indices(balls, 1)
    rows = np.arange(count)
    p, v = places.copy(), np.zeros_like(places)
    v[:, 0] = velocity
    now = np.full(count, start)
    begins, all_p, all_v = [now.copy()], [p.copy()], [v.copy()]
    touched = [np.full((count, 2), -1, dtype=np.int64)]
    first, first_t = np.full(count, -1, dtype=np.int64), np.full(count, np.inf)
    for _ in range(MOST):
        wait, pair = _next(p, v, a, b, diameter)
        live = now + wait < until
        if not live.any():
            break
        wait = np.where(live, wait, 0.0)
        p = p + v * wait[:, None, None]
        now = now + wait
        i, j = a[pair], b[pair]
        line = p[rows, j] - p[rows, i]
        line = line / np.maximum(np.hypot(line[:, 0], line[:, 1]), 1e-9)[:, None]
        closing = np.sum((v[rows, i] - v[rows, j]) * line, axis=1)
        push = np.where(live, 0.5 * (1.0 + bounce) * closing, 0.0)[:, None] * line
        v[rows, i] -= push
        v[rows, j] += push
        new = live & (i == 0) & (first < 0)
        first, first_t = np.where(new, j, first), np.where(new, now, first_t)
        begins.append(np.where(live, now, np.inf))
        all_p.append(p.copy())
        all_v.append(v.copy())
        touched.append(np.where(live[:, None], np.stack([i, j], axis=1), -1))
    return Replay(np.array(begins), np.array(all_p), np.array(all_v), np.array(touched), first, first_t)


def _next(p: Floats, v: Floats, a: Ints, b: Ints, diameter: float) -> tuple[Floats, Ints]:
    """(S,) seconds until the next touch in each replay, inf for none, and the pair that touches."""
    apart, speed = p[:, b] - p[:, a], v[:, b] - v[:, a]
    square = np.sum(speed * speed, axis=2)
    closing = np.sum(apart * speed, axis=2)
    over = np.sum(apart * apart, axis=2) - diameter**2
    root = closing * closing - square * over
    meets = (closing < -1e-9) & (root >= 0.0)
    times = np.where(meets, (-closing - np.sqrt(np.maximum(root, 0.0))) / np.maximum(square, 1e-12), np.inf)
    times = np.where(meets, np.maximum(times, 0.0), np.inf)
    pair = np.argmin(times, axis=1)
    return times[np.arange(len(p)), pair], pair
