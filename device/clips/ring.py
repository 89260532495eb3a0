"""The ring: the last seconds of the camera as JPEG pictures, bounded in bytes and in time."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Still:
    """One frame, compressed; `t` in the camera's own time, seconds."""

    t: float
    jpeg: bytes


class Ring:
    """Holds at most `seconds` and at most `most_bytes`; the oldest frames go first.

    Frames are made smaller to `width` pixels before they are compressed: a clip is for people's eyes.
    """

    def __init__(self, seconds: float, most_bytes: int, width: int = 1280, quality: int = 80) -> None:
        self._seconds, self._most, self._width, self._quality = seconds, most_bytes, width, quality
        self._stills: deque[Still] = deque()
        self._bytes = 0
        self._lock = threading.Lock()

    def add(self, t: float, pixels: npt.NDArray[np.uint8]) -> None:
        """Keep a frame; one that is not newer than the last is left out."""
        height, width = pixels.shape[:2]
        if width > self._width:
            size = (self._width, round(height * self._width / width) // 2 * 2)
            pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        if not done:
            return
        with self._lock:
            if self._stills and t <= self._stills[-1].t:
                return
            self._stills.append(Still(t, data.tobytes()))
            self._bytes += len(data)
            while self._stills and (self._bytes > self._most or t - self._stills[0].t > self._seconds):
                self._bytes -= len(self._stills.popleft().jpeg)

    def cut(self, start: float, end: float) -> list[Still]:
        """The frames of a span of time that are still held."""
        with self._lock:
            return [still for still in self._stills if start <= still.t <= end]

    @property
    def size(self) -> int:
        """Bytes held."""
        return self._bytes

    def last(self) -> Still | None:
        with self._lock:
            return self._stills[-1] if self._stills else None
