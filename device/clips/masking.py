"""What lies beyond the rails is blackened: faces do not belong into clips."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.calibration import Calibration

Picture = npt.NDArray[np.uint8]

_RAIL: Final = 0.20
"""Metres beyond the nose lines that are still shown: the rails and a hand on them."""


def mask_of(calibration: Calibration) -> Callable[[Picture], Picture]:
    """A function that blackens all but the table with its rails; for pictures of any size of the same camera."""
    table, (width, height) = calibration.table, calibration.camera.size
    x, y = table.length / 2 + _RAIL, table.width / 2 + _RAIL
    corners = [(-x, -y), (-x, y), (x, y), (x, -y)]
    outline = np.asarray(calibration.camera.project_at(corners, table.nose_height), dtype=np.float64)
    shown: dict[tuple[int, int], Picture] = {}

    def masked(pixels: Picture) -> Picture:
        rows, columns = pixels.shape[:2]
        if (rows, columns) not in shown:
            scaled = outline * (columns / width, rows / height)
            stencil = np.zeros((rows, columns), np.uint8)
            cv2.fillConvexPoly(stencil, np.round(scaled).astype(np.int32), 255)
            shown[rows, columns] = stencil
        return np.asarray(cv2.bitwise_and(pixels, pixels, mask=shown[rows, columns]), dtype=np.uint8)

    return masked
