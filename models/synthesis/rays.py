"""Lines of sight of a camera's pixels, fast: the lens is undone on a coarse grid and interpolated in between."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera

Field = npt.NDArray[np.floating[Any]]

_STEP: Final = 8
_BEYOND: Final = 3
"""Grid cells kept beyond the picture's edges: balls are drawn across them."""


class Rays:
    """Directions from the camera's centre, table frame, at any place in the picture (not of unit length)."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.centre = camera.centre.astype(np.float32)
        width, height = camera.size
        columns, rows = width // _STEP + 2 + 2 * _BEYOND, height // _STEP + 2 + 2 * _BEYOND
        u, v = np.meshgrid(np.arange(columns) - _BEYOND, np.arange(rows) - _BEYOND)
        px = np.column_stack([u.ravel(), v.ravel()]).astype(np.float64).reshape(-1, 1, 2) * _STEP
        flat = cv2.undistortPoints(px, camera.K, camera.dist).reshape(-1, 2)
        directions = np.column_stack([flat, np.ones(len(flat))]) @ camera.R
        self._grid = directions.astype(np.float32).reshape(rows, columns, 3)

    def patch(self, left: int, top: int, width: int, height: int, fine: int = 1) -> Field:
        """Directions (height·fine, width·fine, 3) of a window of the picture, `fine` samples to a pixel's side."""
        offsets = (np.arange(fine, dtype=np.float32) + 0.5) / fine - 0.5
        x = (left + np.arange(width, dtype=np.float32)[:, None] + offsets).ravel()
        y = (top + np.arange(height, dtype=np.float32)[:, None] + offsets).ravel()
        map_x, map_y = np.meshgrid(x / _STEP + _BEYOND, y / _STEP + _BEYOND)
        return np.asarray(cv2.remap(self._grid, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))

    def whole(self) -> Field:
        """Directions (H, W, 3) of every pixel."""
        width, height = self.camera.size
        return self.patch(0, 0, width, height)

    def on_plane(self, directions: Field, z: float) -> Field:
        """Where lines of sight (…, 3) meet the plane at height `z`: table x, y (…, 2)."""
        down = np.minimum(directions[..., 2:], np.float32(-1e-3))
        reach = np.float32(z - self.centre[2]) / down
        return self.centre[:2] + reach * directions[..., :2]
