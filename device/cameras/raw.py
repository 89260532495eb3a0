"""A frame as a camera gave it: colour is only worked out for frames that are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame

Picture = npt.NDArray[np.uint8]

Layout = Literal["bgr", "i420"]
"""`bgr`: (h, w, 3). `i420`: (h · 3/2, stride) luma above the two chroma planes, as libcamera's YUV420 and FFmpeg's
yuv420p lie in memory; the first `w` columns are the picture.

libcamera's names are the wrong way round: its "RGB888" lies in memory as blue, green, red. Here only memory order
counts, and an adapter states it by one of these two names.
"""


@dataclass(frozen=True, eq=False)
class RawFrame:
    """One frame: `t` seconds since the source's first frame, `index` how many came before, `size` width and height."""

    t: float
    index: int
    data: Picture
    layout: Layout
    size: tuple[int, int]

    @cached_property
    def luma(self) -> Picture:
        """Brightness (h, w), without a colour conversion of the frame (of BGR: its green channel)."""
        width, height = self.size
        return self.data[:height, :width] if self.layout == "i420" else self.data[:, :, 1]

    @cached_property
    def frame(self) -> Frame:
        """The frame in BGR, converted the first time it is asked for."""
        if self.layout == "bgr":
            return Frame(self.t, self.data, self.index)
        whole = cv2.cvtColor(self.data, cv2.COLOR_YUV2BGR_I420)
        return Frame(self.t, np.asarray(whole[:, : self.size[0]], dtype=np.uint8), self.index)

    def at(self, t: float, index: int) -> RawFrame:
        """The same picture at another time."""
        return RawFrame(t, index, self.data, self.layout, self.size)
