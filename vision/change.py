"""The cheap look: which cells of the top view are no longer as they were when they were last looked at thoroughly.

Each cell is compared with its own last thorough look, not with the frame before, so that a ball that creeps is seen
to have moved as soon as it has.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from models.loading import STRIDE

Small = npt.NDArray[np.float32]
Cells = npt.NDArray[np.bool_]
Tiles = npt.NDArray[np.bool_]

CELL: Final = STRIDE
"""Top-view pixels to a side of a compared cell."""
TILE_CELLS: Final = 16
TILE: Final = CELL * TILE_CELLS
"""Top-view pixels to a side of a tile."""
_SPARSE: Final = 4
"""Every so many cells each way are enough for a median."""
_THIRD: Final = 3
_STILL: Final = 6.0
_SUDDEN: Final = 6.0
"""A repeat changes less than `_STILL` grey levels, and so many times less than the frame before it did."""
_MOST_REPEATS: Final = 3
_SIGMAS: Final = 7.0
_LEAST: Final = 5.0
"""Grey levels that a cell's mean must change by, at least."""


def noise_between(a: Small, b: Small) -> float:
    """Standard deviation of a cell's change between two frames where nothing moves (most cells)."""
    return 1.4826 * float(np.median(np.abs(a[::_SPARSE, ::_SPARSE] - b[::_SPARSE, ::_SPARSE])))


def stir_between(a: Small, b: Small) -> float:
    """How much the third most changed cell has changed between two frames, grey levels: a ball that rolls changes
    some cells by tens, noise none by so much."""
    change = np.abs(a - b).max(axis=2).ravel()
    return float(np.partition(change, -_THIRD)[-_THIRD])


class Repeats:
    """Tells pictures that a source hands out twice, encoded anew or not, while something moves."""

    def __init__(self) -> None:
        self._stir = 0.0
        self._count = 0

    def again(self, stir: float) -> bool:
        """Whether a frame that has changed by `stir` (see `stir_between`) is the one before it once more.

        What moves does not stand still from one frame to the next and go on as it went.
        """
        same = stir < _STILL and stir * _SUDDEN < self._stir and self._count < _MOST_REPEATS
        self._count = self._count + 1 if same else 0
        if not same:
            self._stir = stir
        return same


def changed_cells(now: Small, reference: Small, noise: float) -> Cells:
    """Cells (rows, columns) whose colour differs from the reference beyond the camera's noise.

    A change of the whole picture's brightness (a lamp, the exposure) is taken out first.
    """
    difference = now - reference
    difference -= np.median(difference[::_SPARSE, ::_SPARSE].reshape(-1, 3), axis=0)
    most = max(_LEAST, _SIGMAS * noise)
    return np.asarray(((difference > most) | (difference < -most)).any(axis=2))


def tiles_with(cells: Cells) -> Tiles:
    """Tiles (rows, columns) that hold one of the cells."""
    rows, columns = cells.shape
    down, across = -(-rows // TILE_CELLS), -(-columns // TILE_CELLS)
    padded = np.zeros((down * TILE_CELLS, across * TILE_CELLS), dtype=bool)
    padded[:rows, :columns] = cells
    return np.asarray(padded.reshape(down, TILE_CELLS, across, TILE_CELLS).any(axis=(1, 3)))


def tile_of(places: npt.NDArray[np.float64], tiles: tuple[int, ...]) -> tuple[npt.NDArray[np.int64], ...]:
    """Row and column (N,) of the tiles that top-view pixels (N, 2) lie in, or are nearest to."""
    return (
        np.clip(places[:, 1] // TILE, 0, tiles[0] - 1).astype(np.int64),
        np.clip(places[:, 0] // TILE, 0, tiles[1] - 1).astype(np.int64),
    )
