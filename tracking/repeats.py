"""Cameras that hand out the same picture twice: nothing new was seen, whatever its time stamp says."""

from __future__ import annotations

from typing import Final

import numpy as np

from tracking.samples import Floats

MOST: Final = 3
"""At most so many pictures in a row are taken for repeats; beyond that the scene may really be that still."""


class Repeats:
    """Tells whether detections are those of the picture before."""

    def __init__(self) -> None:
        self._previous: Floats | None = None
        self._count = 0

    def again(self, xy: Floats) -> bool:
        """Whether `xy` (N, 2) is exactly what the frame before showed."""
        same = self._previous is not None and len(xy) > 0 and bool(np.array_equal(self._previous, xy))
        self._count = self._count + 1 if same else 0
        self._previous = xy
        return same and self._count <= MOST
