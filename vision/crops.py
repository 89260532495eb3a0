"""Balls cut out of a frame; of a frame in luma and chroma only their surroundings are converted."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from models.rectified import CROP_SIZE, cut
from vision.frame import Frame, Picture

Floats = npt.NDArray[np.float64]

_BESIDE: Final = 2
_CORNERS: Final = np.array([(0, 0, 1), (CROP_SIZE, 0, 1), (0, CROP_SIZE, 1), (CROP_SIZE, CROP_SIZE, 1)], dtype=float)


def crops_of(frame: Frame, placements: Floats) -> Picture:
    """As `models.rectified.cut`: crops (N, CROP_SIZE, CROP_SIZE, 3) in BGR, one for each placement (N, 2, 3)."""
    if frame.layout == "bgr" or not len(placements):
        return cut(frame.pixels, placements)
    found = [_crop(frame, placement) for placement in placements]
    return np.concatenate(found)


def _crop(frame: Frame, placement: Floats) -> Picture:
    width, height = frame.size
    reached = _CORNERS @ placement.T
    left, top = (_even_below(value, side) for value, side in zip(reached.min(axis=0), (width, height), strict=True))
    right, bottom = (_even_above(value, side) for value, side in zip(reached.max(axis=0), (width, height), strict=True))
    # A ball at or beyond the picture's edge: the nearest pixels stand for what is not seen.
    left, top = min(left, right - 2), min(top, bottom - 2)
    moved = placement.copy()
    moved[:, 2] -= (left, top)
    return cut(frame.part(left, top, right, bottom), moved[None])


def _even_below(value: float, side: int) -> int:
    return min(max(int(value) - _BESIDE, 0), side - 2) // 2 * 2


def _even_above(value: float, side: int) -> int:
    return max(min((int(value) + _BESIDE + 2) // 2 * 2, side), 2)
