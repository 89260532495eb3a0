"""Equal balls on straight ways, played forward for many guesses at once: who touches what, when, and what comes of it.

Over some hundredths of a second friction hardly bends a way; between touches every ball goes straight on. Two balls
that touch pass on momentum along the line of centres (equal masses, restitution), nothing across it; a cushion turns
a ball back at its nose line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.table import RAILS, RailName, Table
from tracking.samples import Floats

Ints = npt.NDArray[np.int64]

MOST: Final = 14
"""Touches followed in one replay; later ones do not matter to what is asked."""
RAIL_BOUNCE: Final = 0.72
RAIL_GRIP: Final = 0.85
"""What a cushion leaves of the speed into it, and along it."""


@dataclass(frozen=True, eq=False)
class Noses:
    """The four nose lines, in the order of `RAILS`.

    Attributes:
        normal: (4, 2) unit normals into the table.
        reach: (4,) normal · centre of a ball that touches.
        along: (4, 2) unit vectors along them.
        gaps: (4, G, 2) stretches along them that are no cushion but a pocket's mouth: centre and half length.
    """

    normal: Floats
    reach: Floats
    along: Floats
    gaps: Floats

    @staticmethod
    def of(table: Table) -> Noses:
        x, y = table.length / 2, table.width / 2
        normal = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])
        reach = table.ball_radius - np.array([x, x, y, y])
        along = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
        corner = x - abs(table.pockets["foot_left"].jaws[0][0])
        side = abs(table.pockets["side_left"].jaws[0][0])
        long = [[-x, corner], [x, corner], [0.0, side]]
        short = [[-y, corner], [y, corner], [y, corner]]
        return Noses(normal, reach, along, np.array([short, short, long, long]))


@dataclass(frozen=True, eq=False)
class Replay:
    """S replays of N balls in K stretches.

    Attributes:
        begins: (K, S) when each stretch begins, seconds.
        places, velocities: (K, S, N, 2) at the beginning of each stretch.
        touched: (K, S, 2) what touched at its beginning: two balls, or a ball and N + rail; -1 where nothing did.
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

    def rail(self, touched: int) -> RailName | None:
        """The rail that a number of `touched` means, None for a ball."""
        balls = self.places.shape[2]
        return RAILS[touched - balls] if touched >= balls else None


def replayed(
    start: float, until: float, places: Floats, velocity: Floats, bounce: Floats, diameter: float, noses: Noses
) -> Replay:
    """Play on from `start` to `until`.

    Args:
        places: (S, N, 2) at `start`; all balls but ball 0 lie still.
        velocity: (S, 2) of ball 0.
        bounce: (S,) restitution of two balls.
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
        wait, pair = _next_ball(p, v, a, b, diameter)
        rail_wait, ball, rail = _next_rail(p, v, noses)
        at_rail = rail_wait < wait
        wait = np.where(at_rail, rail_wait, wait)
        live = now + wait < until
        if not live.any():
            break
        wait = np.where(live, wait, 0.0)
        p = p + v * wait[:, None, None]
        now = now + wait
        i, j = np.where(at_rail, ball, a[pair]), np.where(at_rail, balls + rail, b[pair])
        hit, turn = live & ~at_rail, live & at_rail
        _collide(p, v, rows[hit], i[hit], j[hit], bounce[hit])
        _turn_back(v, rows[turn], ball[turn], rail[turn], noses)
        new = hit & (i == 0) & (first < 0)
        first, first_t = np.where(new, j, first), np.where(new, now, first_t)
        begins.append(np.where(live, now, np.inf))
        all_p.append(p.copy())
        all_v.append(v.copy())
        touched.append(np.where(live[:, None], np.stack([i, j], axis=1), -1))
    return Replay(np.array(begins), np.array(all_p), np.array(all_v), np.array(touched), first, first_t)


def _collide(p: Floats, v: Floats, rows: Ints, i: Ints, j: Ints, bounce: Floats) -> None:
    line = p[rows, j] - p[rows, i]
    line = line / np.maximum(np.hypot(line[:, 0], line[:, 1]), 1e-9)[:, None]
    closing = np.sum((v[rows, i] - v[rows, j]) * line, axis=1)
    push = (0.5 * (1.0 + bounce) * closing)[:, None] * line
    v[rows, i] -= push
    v[rows, j] += push


def _turn_back(v: Floats, rows: Ints, ball: Ints, rail: Ints, noses: Noses) -> None:
    normal, along = noses.normal[rail], noses.along[rail]
    into, past = np.sum(v[rows, ball] * normal, axis=1), np.sum(v[rows, ball] * along, axis=1)
    v[rows, ball] = -RAIL_BOUNCE * into[:, None] * normal + RAIL_GRIP * past[:, None] * along


def _next_ball(p: Floats, v: Floats, a: Ints, b: Ints, diameter: float) -> tuple[Floats, Ints]:
    """(S,) seconds until two balls touch in each replay, inf for never, and the pair that does."""
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


def _next_rail(p: Floats, v: Floats, noses: Noses) -> tuple[Floats, Ints, Ints]:
    """(S,) seconds until a ball touches a nose line, inf for never; which ball and which rail."""
    into = -(v @ noses.normal.T)
    off = p @ noses.normal.T - noses.reach
    nearing = into > 1e-6
    times = np.where(nearing, np.maximum(off, 0.0) / np.where(nearing, into, 1.0), np.inf)
    where = p @ noses.along.T + (v @ noses.along.T) * np.where(np.isfinite(times), times, 0.0)
    gap = np.abs(where[..., None] - noses.gaps[None, None, :, :, 0]) < noses.gaps[None, None, :, :, 1]
    times = np.where(gap.any(axis=3), np.inf, times).reshape(len(p), -1)
    best = np.argmin(times, axis=1)
    return times[np.arange(len(p)), best], best // len(RAILS), best % len(RAILS)
