"""What was seen in a labelled picture against what is there: found, false, how far off, named rightly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from lab.eyes.labelled import Labelled
from vision.detections import Detections
from vision.naming import jointly_named

Floats = npt.NDArray[np.float64]

_SAME: Final = 0.5
"""Ball diameters within which something seen is the ball that was marked."""
_MAY_BE: Final = 0.8


@dataclass(frozen=True, eq=False)
class Seen:
    """Balls that somebody's eyes saw in a picture: centres (N, 2), pixels, and names where they give any."""

    px: Floats
    names: Sequence[str] = ()

    @classmethod
    def of(cls, seen: Detections) -> Seen:
        """What our own saw, each name given once."""
        return cls(seen.px, [name for name, _ in jointly_named(seen.names)])


@dataclass
class Count:
    """Sums over pictures. `errors` in ball diameters; `false_in` where false balls were seen."""

    pictures: int = 0
    balls: int = 0
    found: int = 0
    false: int = 0
    named: int = 0
    named_right: int = 0
    errors: list[float] = field(default_factory=list)
    false_in: list[str] = field(default_factory=list)
    missed_in: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)

    def add(self, picture: Labelled, seen: Seen) -> None:
        """Counts one picture."""
        self.pictures += 1
        diameter = ball_pixels(picture)
        px = _without(seen.px, picture.loose, _MAY_BE * diameter)
        if picture.px is None:
            self._false(picture, max(0, len(px) - picture.count))
            return
        self.balls += len(picture.px)
        pairs = _pairs(picture.px, seen.px, _SAME * diameter)
        self.found += len(pairs)
        if len(pairs) < len(picture.px):
            lost = sorted(set(range(len(picture.px))) - {true for true, _ in pairs})
            self.missed_in += [f"{picture.where}: {np.round(picture.px[k]).astype(int).tolist()}" for k in lost]
        self._false(picture, max(0, len(px) - len(pairs)))
        for true, told in pairs:
            self.errors.append(float(np.hypot(*(picture.px[true] - seen.px[told]))) / diameter)
            name = picture.names[true]
            if name is not None and len(seen.names):
                self.named += 1
                self.named_right += seen.names[told] == name
                if seen.names[told] != name:
                    self.misnamed.append(f"{picture.where}: {name} called {seen.names[told]}")

    def _false(self, picture: Labelled, count: int) -> None:
        self.false += count
        if count:
            self.false_in.append(f"{picture.where}: {count}")


def ball_pixels(picture: Labelled) -> float:
    """Diameter of a ball in the picture's middle, pixels."""
    known = picture.calibration
    radius = known.table.ball_radius
    ends = known.camera.project_at([[-radius, 0.0], [radius, 0.0]], radius)
    return float(np.hypot(*(ends[1] - ends[0])))


def _without(px: Floats, places: Floats, near: float) -> Floats:
    if not len(places) or not len(px):
        return px
    away = np.hypot(*(px[:, None] - places[None]).transpose(2, 0, 1)).min(axis=1)
    return np.asarray(px[away > near])


def _pairs(true: Floats, told: Floats, most: float) -> list[tuple[int, int]]:
    """The one-to-one pairs of a marked ball and a seen one with the least distance in all, none above `most`."""
    if not len(true) or not len(told):
        return []
    away = np.hypot(*(true[:, None] - told[None]).transpose(2, 0, 1))
    rows, columns = linear_sum_assignment(np.minimum(away, 4 * most))
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if away[i, j] <= most]
