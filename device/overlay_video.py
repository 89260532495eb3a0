"""overlay.mp4: the frames with what was seen drawn over them."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import av
import cv2
import numpy as np

from calibration.calibration import Calibration
from device.diagram import ball_colour
from tracking.tracks import Ball
from vision.detections import Detections
from vision.frame import Frame

_TICKS: Final = 90_000
_WIDEST: Final = 1280


class OverlayVideo:
    """Writes the overlay beside its final name and moves it there when it is whole; without a path it does nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._part = None if path is None else path.with_name(f".{path.stem}.part.mp4")
        self._container: av.container.OutputContainer | None = None
        self._stream: av.VideoStream | None = None

    def __enter__(self) -> Self:
        return self

    def add(self, frame: Frame, seen: Detections, balls: list[Ball], calibration: Calibration) -> None:
        if self._part is None:
            return
        picture = annotated(frame, seen, balls, calibration)
        if self._container is None or self._stream is None:
            self._open(picture.shape[1], picture.shape[0])
        assert self._stream is not None
        assert self._container is not None
        shown = av.VideoFrame.from_ndarray(picture, format="bgr24")
        shown.pts, shown.time_base = round(frame.t * _TICKS), Fraction(1, _TICKS)
        for packet in self._stream.encode(shown):
            self._container.mux(packet)

    def _open(self, width: int, height: int) -> None:
        assert self._part is not None
        self._part.parent.mkdir(parents=True, exist_ok=True)
        self._container = av.open(str(self._part), "w")
        self._stream = self._container.add_stream("libx264", rate=Fraction(30))
        self._stream.width, self._stream.height = width, height
        self._stream.pix_fmt, self._stream.time_base = "yuv420p", Fraction(1, _TICKS)
        self._stream.codec_context.time_base = Fraction(1, _TICKS)
        self._stream.options = {"crf": "23", "preset": "veryfast"}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._container is None or self._stream is None or self._part is None or self._path is None:
            return
        if kind is None:
            for packet in self._stream.encode(None):
                self._container.mux(packet)
        self._container.close()
        if kind is None:
            os.replace(self._part, self._path)
        else:
            self._part.unlink(missing_ok=True)


def annotated(
    frame: Frame, seen: Detections, balls: list[Ball], calibration: Calibration
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The frame with each known ball ringed and named, and what hides the cloth tinted."""
    picture = frame.pixels.copy()
    camera, radius = calibration.camera, calibration.table.ball_radius
    for x, y in seen.px:
        cv2.circle(picture, (round(float(x)), round(float(y))), 2, (255, 255, 255), -1, cv2.LINE_AA)
    for ball in balls:
        edge = camera.project([(*ball.at, radius), (ball.at[0] + radius, ball.at[1], radius)])
        centre = (round(float(edge[0, 0])), round(float(edge[0, 1])))
        size = round(float(np.hypot(*(edge[1] - edge[0])))) + 3
        red, green, blue = ball_colour(ball.name)
        cv2.circle(picture, centre, size, (blue, green, red), 2, cv2.LINE_AA)
        place = (centre[0] + size, centre[1] - size)
        cv2.putText(picture, ball.name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3, cv2.LINE_AA)
        cv2.putText(picture, ball.name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    height, width = picture.shape[:2]
    scale = min(1.0, _WIDEST / width)
    size_out = (round(width * scale / 2) * 2, round(height * scale / 2) * 2)
    return np.asarray(cv2.resize(picture, size_out, interpolation=cv2.INTER_AREA), dtype=np.uint8)
