"""The struck ball's way up to a moment: where it was heading, how fast, and how surely that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tracking.motions import Bend, Knot, Motion
from tracking.samples import Floats

RECENT: Final = 0.3
"""Only so many seconds of a way tell where it leads: spin bends it."""
BEND: Final = 1.5
"""Expected size of an acceleration on the way, m/s²."""
PACE: Final = 0.25
"""A start tells the speed to this share of it, before any sighting does."""
REST: Final = 0.0005
"""Standard error of a resting ball's place, metres."""
START: Final = 0.008
"""Standard error of the time of a start, seconds, as far as an approach may lean on it."""


@dataclass(frozen=True, eq=False)
class Approach:
    """Place and velocity at a time `t`, in a frame along the way and across it.

    Attributes:
        t: seconds.
        axes: (2, 2) unit vectors along and across, as rows.
        mean: (2, 2) place and velocity (columns) along and across (rows), metres and metres a second.
        covariance: (2, 2, 2) of place and velocity, along and across.
        seen: number of sightings that it rests on.
    """

    t: float
    axes: Floats
    mean: Floats
    covariance: Floats
    seen: int

    @property
    def place(self) -> Floats:
        return np.asarray(self.mean[:, 0] @ self.axes)

    @property
    def velocity(self) -> Floats:
        return np.asarray(self.mean[:, 1] @ self.axes)

    def drawn(self, standard: Floats) -> tuple[Floats, Floats]:
        """Places and velocities (S, 2) for standard normal draws (S, 4)."""
        parts = []
        for axis in range(2):
            root = np.linalg.cholesky(self.covariance[axis])
            parts.append(self.mean[axis] + standard[:, 2 * axis : 2 * axis + 2] @ root.T)
        along, across = parts
        places = along[:, :1] * self.axes[0] + across[:, :1] * self.axes[1]
        velocities = along[:, 1:] * self.axes[0] + across[:, 1:] * self.axes[1]
        return places, velocities


def approach_to(striker: Motion, t: float, turns: Sequence[Knot]) -> Approach | None:
    """How the striker came to a touch at about `t`; `turns` are the knots at which its way is known to have turned.

    None where it had not started by then.
    """
    frame = striker.frame
    begin = max((k for k in turns if k.t < t - 0.2 * frame), key=lambda k: k.t, default=None)
    if begin is None:
        return None
    samples, noise = striker.samples, striker.noise
    used = (samples.t > max(begin.t + 0.3 * frame, t - RECENT)) & (samples.t < t - 0.3 * frame)
    u, xy, weight = samples.t[used] - t, samples.xy[used], noise[used] ** -2.0
    anchored = begin.t > t - RECENT
    way = (xy[-1] if len(xy) else striker.path.place(t)) - begin.place
    if not anchored and len(xy) > 1:
        way = xy[-1] - xy[0]
    size = float(np.hypot(*way))
    if size < 1e-4:
        way, size = begin.leaving, max(float(np.hypot(*begin.leaving)), 1e-6)
    along = way / size
    axes = np.array([along, [-along[1], along[0]]])
    speed = max(float(begin.leaving @ along), 0.1)
    mean, covariance = np.zeros((2, 2)), np.zeros((2, 2, 2))
    for axis in range(2):
        rows = [np.stack([np.ones_like(u), u, 0.5 * u * u], axis=1)]
        values, weights = [xy @ axes[axis]], [weight]
        if anchored:
            late = begin.t - t
            error = REST if begin.kind is Bend.START else 0.003
            error = float(np.hypot(error, speed * max(begin.sigma, START))) if axis == 0 else error
            rows.append(np.array([[1.0, late, 0.0]]))
            values.append(np.array([begin.place @ axes[axis]]))
            weights.append(np.array([error**-2.0]))
        rows.append(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
        values.append(np.array([speed if axis == 0 else 0.0, 0.0]))
        weights.append(np.array([(PACE * speed) ** -2.0, BEND**-2.0]))
        a, y, w = np.concatenate(rows), np.concatenate(values), np.concatenate(weights)
        inverse = np.linalg.inv(a.T @ (w[:, None] * a) + 1e-3 * np.eye(3))
        mean[axis] = (inverse @ (a.T @ (w * y)))[:2]
        covariance[axis] = inverse[:2, :2]
    return Approach(t, axes, mean, covariance, int(used.sum()))
