"""A ball's sightings in time order: the raw material of its path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Samples:
    """Sightings of one ball.

    Attributes:
        t: (N,) times, seconds, strictly rising.
        xy: (N, 2) centres, metres, table frame.
        sigma: (N,) standard error of a coordinate, metres.
        covered: (N,) share of the disc that something hides.
        looks: (N, 17) name probabilities, as in `Detections.names`.
    """

    t: Floats
    xy: Floats
    sigma: Floats
    covered: Floats
    looks: Floats

    def __len__(self) -> int:
        return len(self.t)

    def where(self, keep: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Samples:
        return Samples(self.t[keep], self.xy[keep], self.sigma[keep], self.covered[keep], self.looks[keep])

    def between(self, start: float, end: float) -> Samples:
        return self.where((self.t >= start) & (self.t <= end))

    def joined(self, later: Samples) -> Samples:
        return Samples(
            np.concatenate([self.t, later.t]),
            np.concatenate([self.xy, later.xy]),
            np.concatenate([self.sigma, later.sigma]),
            np.concatenate([self.covered, later.covered]),
            np.concatenate([self.looks, later.looks]),
        )


@dataclass(frozen=True, eq=False)
class Sighting:
    """One detection as a track keeps it; fields as in `Samples`, for one frame.

    `clarity`: 1 for a ball in the open, a half for a sharp one beside a hand or a cue, 0 for what may be either;
    `again`: nobody looked anew, the place is repeated from the look before; `late`: seconds by which its row was
    exposed later than `t`, the frame's own time.
    """

    t: float
    x: float
    y: float
    sigma: float
    covered: float
    look: Floats
    clarity: float = 1.0
    again: bool = False
    late: float = 0.0


def flat(look: Floats) -> bool:
    """A look that tells nothing: every name is as likely."""
    return float(np.ptp(look)) < 1e-9


def gathered(sightings: Iterable[Sighting]) -> Samples:
    """Sightings in time order → arrays."""
    rows = list(sightings)
    numbers = np.array([(s.t + s.late, s.x, s.y, s.sigma, s.covered) for s in rows], dtype=np.float64).reshape(-1, 5)
    looks = np.array([s.look for s in rows], dtype=np.float64).reshape(-1, 17)
    return Samples(numbers[:, 0], numbers[:, 1:3], numbers[:, 3], numbers[:, 4], looks)
