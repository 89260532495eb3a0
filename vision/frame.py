"""A picture with its own time: what every camera and file hands on. Colour is worked out only where it is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Maps = npt.NDArray[np.float32]

Layout = Literal["bgr", "i420"]
"""`bgr`: (h, w, 3). `i420`: (h · 3/2, stride), luma above the two chroma planes, as libcamera's YUV420 and FFmpeg's
yuv420p lie in memory; the first columns are the picture. Only memory order counts: libcamera's "RGB888" is `bgr`.
"""


@dataclass(frozen=True, eq=False)
class Frame:
    """One frame as the sensor gave it.

    Attributes:
        t: seconds since the source's first frame, by the frame's own timestamp (middle of the exposure).
        data: the picture, 8 bit, as `layout` says.
        index: how many frames the source gave before this one.
        width: of the picture, where the rows of `data` are longer.
    """

    t: float
    data: Picture
    index: int
    layout: Layout = "bgr"
    width: int | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, pixels."""
        rows, columns = self.data.shape[:2]
        return (self.width or columns, rows if self.layout == "bgr" else rows * 2 // 3)

    @cached_property
    def pixels(self) -> Picture:
        """The whole picture (h, w, 3) in BGR, converted the first time it is asked for."""
        if self.layout == "bgr":
            return self.data
        whole = cv2.cvtColor(self.data, cv2.COLOR_YUV2BGR_I420)
        return np.asarray(whole[:, : self.size[0]], dtype=np.uint8)

    @cached_property
    def luma(self) -> Picture:
        """Brightness (h, w), without converting anything (of BGR: its green channel)."""
        width, height = self.size
        return self.data[:, :, 1] if self.layout == "bgr" else self.data[:height, :width]

    @cached_property
    def chroma(self) -> tuple[Picture, Picture]:
        """The two chroma planes (h/2, w/2) of an `i420` frame."""
        (width, height), stride = self.size, self.data.shape[1]
        planes = self.data[height:].reshape(2, height // 2, stride // 2)
        return planes[0, :, : width // 2], planes[1, :, : width // 2]

    def part(self, left: int, top: int, right: int, bottom: int) -> Picture:
        """A part of the picture in BGR. The sides must be even for an `i420` frame."""
        if self.layout == "bgr":
            return self.data[top:bottom, left:right]
        half = (slice(top // 2, bottom // 2), slice(left // 2, right // 2))
        return _bgr(self.luma[top:bottom, left:right], *(plane[half] for plane in self.chroma))

    def at(self, t: float, index: int) -> Frame:
        """The same picture at another time."""
        return Frame(t, self.data, index, self.layout, self.width)


class Lookup:
    """What a frame shows at each place of a grid: `cv2.remap` made ready for both layouts.

    Args:
        x, y: picture coordinates (rows, columns), both numbers of sides multiples of 4.
    """

    def __init__(self, x: Maps, y: Maps) -> None:
        self._full = cv2.convertMaps(x, y, cv2.CV_16SC2)
        where, shares = cv2.convertMaps(_halved(x), _halved(y), cv2.CV_16SC2)
        self._halves = where.astype(np.int16), shares.astype(np.uint16)

    def __call__(self, frame: Frame) -> Picture:
        """The grid's colours (rows, columns, 3) in BGR; black where the frame does not reach."""
        return self.part(frame, slice(None), slice(None))

    def part(self, frame: Frame, rows: slice, columns: slice) -> Picture:
        """The colours of a part of the grid, whose edges lie at even rows and columns."""
        where, shares = (one[rows, columns] for one in self._full)
        if frame.layout == "bgr":
            return np.asarray(cv2.remap(frame.data, where, shares, cv2.INTER_LINEAR), dtype=np.uint8)
        luma = cv2.remap(frame.luma, where, shares, cv2.INTER_LINEAR, borderValue=16)
        where, shares = (one[_half(rows), _half(columns)] for one in self._halves)
        chroma = [cv2.remap(plane, where, shares, cv2.INTER_LINEAR, borderValue=128) for plane in frame.chroma]
        return _bgr(np.asarray(luma, dtype=np.uint8), *(np.asarray(plane, dtype=np.uint8) for plane in chroma))


def _half(part: slice) -> slice:
    """The same part of a plane of half the size."""
    return slice(*(None if edge is None else edge // 2 for edge in (part.start, part.stop)))


def _bgr(luma: Picture, u: Picture, v: Picture) -> Picture:
    """Three planes as one picture."""
    rows = np.concatenate([u.ravel(), v.ravel()]).reshape(-1, luma.shape[1])
    return np.asarray(cv2.cvtColor(np.concatenate([luma, rows]), cv2.COLOR_YUV2BGR_I420), dtype=np.uint8)


def _halved(coordinates: Maps) -> Maps:
    """The middle of each 2 × 2 places of the grid, in coordinates of a plane of half the size."""
    rows, columns = coordinates.shape
    means = coordinates.reshape(rows // 2, 2, columns // 2, 2).mean(axis=(1, 3))
    return np.ascontiguousarray((means - 0.5) / 2, dtype=np.float32)
