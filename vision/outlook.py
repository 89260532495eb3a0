"""The table from above as one calibrated camera shows it: coarsely for every frame, finely where it is asked for."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from models.loading import STRIDE
from models.rectified import TopView
from vision.change import Small
from vision.frame import Frame, Lookup, Maps, Picture

_SAMPLES: Final = 2
"""Samples along a side of a cell that the coarse look takes."""


class Outlook:
    """Top views of one camera's frames."""

    def __init__(self, view: TopView, maps: tuple[Maps, Maps]) -> None:
        """`maps` are the view's own: picture x and y at each of its pixels."""
        columns, rows = view.size
        self.cells = (rows // STRIDE, columns // STRIDE)
        self._fine = Lookup(*maps)
        side = (columns * _SAMPLES // STRIDE, rows * _SAMPLES // STRIDE)
        x, y = (cv2.resize(one, side, interpolation=cv2.INTER_AREA).astype(np.float32) for one in maps)
        self._coarse = Lookup(x, y)

    def coarse(self, frame: Frame) -> Small:
        """Mean colour of each of the finder's cells (rows / 4, columns / 4, 3)."""
        rows, columns = self.cells
        seen = self._coarse(frame)
        return np.asarray(cv2.resize(seen, (columns, rows), interpolation=cv2.INTER_AREA), dtype=np.float32)

    def whole(self, frame: Frame) -> Picture:
        """The whole top view (rows, columns, 3)."""
        return self._fine(frame)

    def window(self, frame: Frame, top: int, left: int, side: int) -> Picture:
        """A square part of the top view; its sides multiples of 4."""
        return self._fine.part(frame, slice(top, top + side), slice(left, left + side))
