"""Which rolling balls can be followed from frame to frame without searching the table anew.

A ball that rolls alone is where it was going to be. The namer, shown that place, says whether it is and where exactly;
the finder, which costs ten times as much, is left for what nobody foresaw: a ball that starts, that meets another or
a pocket, a hand, a cue.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.table import Table
from models.loading import STRIDE
from vision.change import Cells

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_ALONE: Final = 2.2
"""Ball diameters to the next ball, from here or from where it will be, at least."""
_REACH: Final = 1.3
"""Ball diameters round a ball within which a change is its own: itself, its shadow."""
_MOST_LOOKS: Final = 15
"""Looks in a row that a ball is followed before the finder sees it again."""
_LONGEST: Final = 0.05
"""Seconds between two looks within which the way a ball goes on can be foreseen."""
_POCKET_REACH: Final = 1.5
_SAME: Final = 1.0
"""Ball diameters between where a ball was foreseen and where one was found, at most, for them to be the same."""


@dataclass(frozen=True, eq=False)
class Course:
    """Where known balls are and how they go; rows as the eye keeps them.

    Attributes:
        xy: (N, 2) places on the table, metres.
        way: (N, 2) velocities, metres a second; zero where none is known.
        looks: (N,) looks in a row since the finder last saw each.
    """

    xy: Floats
    way: Floats
    looks: npt.NDArray[np.int64]

    def foreseen(self, dt: float) -> Floats:
        """Places (N, 2) after `dt` seconds; where they are, if that is too long to foresee."""
        return self.xy + self.way * dt if 0 < dt <= _LONGEST else self.xy


def can_follow(course: Course, dt: float, table: Table) -> Flags:
    """Which balls (N,) may be followed to where they are foreseen: those alone, on the cloth, not followed too long."""
    if not 0 < dt <= _LONGEST:
        return np.zeros(len(course.xy), dtype=bool)
    there = course.foreseen(dt)
    apart = np.minimum(_gaps(there, course.xy), _gaps(there, there))
    half = np.array([table.length, table.width]) / 2 - table.ball_radius
    inside = (np.abs(there) < half).all(axis=1)
    pockets = np.array([pocket.centre for pocket in table.pockets.values()])
    radii = np.array([pocket.radius for pocket in table.pockets.values()])
    away = np.hypot(*(there[:, None] - pockets[None]).transpose(2, 0, 1)) - radii
    clear = away.min(axis=1, initial=np.inf) > _POCKET_REACH * table.ball_diameter
    return np.asarray(
        (apart > _ALONE * table.ball_diameter) & inside & clear & (course.looks < _MOST_LOOKS), dtype=bool
    )


def _gaps(a: Floats, b: Floats) -> Floats:
    """Distance (N,) of each of `a` to the nearest of `b` that is another ball (another row)."""
    away = np.hypot(*(a[:, None] - b[None]).transpose(2, 0, 1))
    np.fill_diagonal(away, np.inf)
    return np.asarray(away.min(axis=1, initial=np.inf))


def stirs(changed: Cells, places: Floats, ball_pixels: float) -> Flags:
    """Whether a cell within reach of each of the top-view places (N, 2) has changed (N,)."""
    reach = int(np.ceil(_REACH * ball_pixels / STRIDE))
    middles = np.round((places - (STRIDE - 1) / 2) / STRIDE).astype(int)
    return np.array(
        [changed[max(v - reach, 0) : v + reach + 1, max(u - reach, 0) : u + reach + 1].any() for u, v in middles],
        dtype=bool,
    )


def zone(places: Floats, shape: tuple[int, int], ball_pixels: float) -> Cells:
    """Cells (rows, columns) within reach of top-view places (N, 2)."""
    cells = np.zeros(shape, dtype=bool)
    reach = _REACH * ball_pixels / STRIDE
    for u, v in (places - (STRIDE - 1) / 2) / STRIDE:
        top, left = max(int(v - reach), 0), max(int(u - reach), 0)
        rows = np.arange(top, min(int(v + reach) + 2, shape[0]))
        columns = np.arange(left, min(int(u + reach) + 2, shape[1]))
        if len(rows) and len(columns):
            near = (rows[:, None] - v) ** 2 + (columns[None] - u) ** 2 <= reach**2
            cells[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] |= near
    return cells


def ways_of(found: Floats, before: Course, dt: float, diameter: float) -> Floats:
    """Velocities (N, 2) of balls found at places (N, 2): since the look before, where one was foreseen close by."""
    ways = np.zeros_like(found)
    if not 0 < dt <= _LONGEST or not len(before.xy) or not len(found):
        return ways
    away = np.hypot(*(found[:, None] - before.foreseen(dt)[None]).transpose(2, 0, 1))
    nearest = away.argmin(axis=1)
    same = away.min(axis=1) < _SAME * diameter
    ways[same] = (found[same] - before.xy[nearest[same]]) / dt
    return ways
