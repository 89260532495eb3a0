"""Positions of known balls, frame by frame, as a source of detections: event inference without any picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.table import Table
from vision.detections import BALL_NAMES, Cover, Detections

Floats = npt.NDArray[np.float64]

OPEN: Final = 0.5
"""A ball is seen where at least this share of its disc is visible."""
SURE: Final = 0.97
"""Probability of the name that a position comes with."""
_CELL: Final = 0.025


class BadPositionsError(ValueError):
    """Arrays that are no positions of balls."""


@dataclass(frozen=True, eq=False)
class Positions:
    """Where balls were, as arrays over frames.

    Attributes:
        t: (N,) times of the frames, seconds, rising.
        balls: B names, of `BALL_NAMES` or anonymous (`?1`).
        xy: (N, B, 2) centres, metres, table frame; NaN where a ball was not seen or not there.
        visible: (N, B) share of the ball's disc that nothing hides.
        late: (N, B) seconds by which each place is later than its frame (rolling shutter); None where none is.
        named_from: B times from which on each ball's looks tell its name; None where all always do.
    """

    t: Floats
    balls: tuple[str, ...]
    xy: Floats
    visible: Floats
    late: Floats | None = None
    named_from: Floats | None = None

    def __post_init__(self) -> None:
        count, balls = len(self.t), len(self.balls)
        if self.xy.shape != (count, balls, 2):
            raise BadPositionsError(f"xy must have shape ({count}, {balls}, 2), not {self.xy.shape}")
        if self.visible.shape != (count, balls):
            raise BadPositionsError(f"visible must have shape ({count}, {balls}), not {self.visible.shape}")
        if not np.isfinite(self.t).all() or (np.diff(self.t) <= 0).any():
            raise BadPositionsError("t must be finite and rise from frame to frame")
        if len(set(self.balls)) != balls:
            raise BadPositionsError("balls must name each ball once")


def detections(table: Table, positions: Positions, sigma: float) -> Iterator[Detections]:
    """Each frame as vision would hand it over; `sigma`: standard error of a coordinate, metres."""
    looks = np.array([_look(ball) for ball in positions.balls]).reshape(-1, len(BALL_NAMES) + 1)
    blank = np.full(len(BALL_NAMES) + 1, 1.0 / (len(BALL_NAMES) + 1))
    for k, t in enumerate(positions.t):
        there = np.isfinite(positions.xy[k, :, 0])
        seen = there & (positions.visible[k] >= OPEN)
        count = int(seen.sum())
        names = looks[seen].copy()
        if positions.named_from is not None:
            names[positions.named_from[seen] > t] = blank
        yield Detections(
            float(t),
            np.zeros((count, 2)),
            positions.xy[k, seen],
            np.tile(np.eye(2) * sigma**2, (count, 1, 1)),
            names,
            1.0 - positions.visible[k, seen],
            _cover(table, positions.xy[k, there & ~seen]),
            None if positions.late is None else positions.late[k, seen],
        )


def _look(ball: str) -> Floats:
    row = np.full(len(BALL_NAMES) + 1, (1.0 - SURE) / len(BALL_NAMES))
    if ball in BALL_NAMES:
        row[BALL_NAMES.index(ball)] = SURE
        return row
    return np.full(len(BALL_NAMES) + 1, 1.0 / (len(BALL_NAMES) + 1))


def _cover(table: Table, hidden: Floats) -> Cover | None:
    """Something lies over every ball that is on the table and not seen."""
    if not len(hidden):
        return None
    shape = (int(np.ceil(table.width / _CELL)) + 8, int(np.ceil(table.length / _CELL)) + 8)
    origin = (-table.length / 2 - 4 * _CELL, -table.width / 2 - 4 * _CELL)
    row, column = np.indices(shape)
    x, y = origin[0] + (column + 0.5) * _CELL, origin[1] + (row + 0.5) * _CELL
    near = np.zeros(shape, dtype=np.bool_)
    for px, py in hidden:
        near |= np.hypot(x - px, y - py) < 1.5 * table.ball_diameter
    return Cover(near.astype(np.float32), origin, _CELL)
