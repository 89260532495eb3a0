"""The cheap look: which tiles of the top view are no longer as they were when they were last looked at thoroughly.

Each tile is compared with its own last thorough look, not with the frame before, so that a ball that creeps is seen
to have moved as soon as it has.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Small = npt.NDArray[np.float32]
Tiles = npt.NDArray[np.bool_]

CELL: Final = 4
"""Top-view pixels to a side of a compared cell."""
TILE_CELLS: Final = 16
TILE: Final = CELL * TILE_CELLS
"""Top-view pixels to a side of a tile."""
_SPARSE: Final = 4
"""Every so many cells each way are enough for a median."""
_SIGMAS: Final = 7.0
_LEAST: Final = 5.0
"""Grey levels that a cell's mean must change by, at least."""


def shrunk(top_view: Picture) -> Small:
    """Cell means (rows / 4, columns / 4, 3) of a top view."""
    rows, columns = top_view.shape[:2]
    small = cv2.resize(top_view, (columns // CELL, rows // CELL), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)


def noise_between(a: Small, b: Small) -> float:
    """Standard deviation of a cell's change between two frames where nothing moves (most cells)."""
    return 1.4826 * float(np.median(np.abs(a[::_SPARSE, ::_SPARSE] - b[::_SPARSE, ::_SPARSE])))


def changed_tiles(now: Small, reference: Small, noise: float) -> Tiles:
    """Tiles (rows, columns) with a cell whose colour differs from the reference beyond the camera's noise.

    A change of the whole picture's brightness (a lamp, the exposure) is taken out first.
    """
    difference = now - reference
    difference -= np.median(difference[::_SPARSE, ::_SPARSE].reshape(-1, 3), axis=0)
    differs = np.abs(difference).max(axis=2) > max(_LEAST, _SIGMAS * noise)
    rows, columns = differs.shape
    down, across = -(-rows // TILE_CELLS), -(-columns // TILE_CELLS)
    padded = np.zeros((down * TILE_CELLS, across * TILE_CELLS), dtype=bool)
    padded[:rows, :columns] = differs
    return np.asarray(padded.reshape(down, TILE_CELLS, across, TILE_CELLS).any(axis=(1, 3)))
