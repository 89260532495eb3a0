"""What a user would pick instead: OpenCV's HoughCircles, and a YOLO-sized network (for its cost alone)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnxruntime as ort

from lab.eyes.counting import Seen, ball_pixels
from lab.eyes.labelled import Labelled

SIDE: Final = 640
"""Side of the square picture that YOLO networks take."""
_BEYOND: Final = 0.5


def hough(picture: Labelled) -> Seen:
    """Circles of about a ball's size on the cloth, as most tutorials find balls; told the size and the table.

    The radius may be 0.75 to 1.3 of the true one; the other numbers were chosen once on drawn pictures.
    """
    diameter = ball_pixels(picture)
    grey = cv2.medianBlur(cv2.cvtColor(picture.picture, cv2.COLOR_BGR2GRAY), 5)
    found = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT,
        dp=1.2,
        minDist=0.8 * diameter,
        param1=100,
        param2=16,
        minRadius=round(0.375 * diameter),
        maxRadius=round(0.65 * diameter),
    )
    px = np.zeros((0, 2)) if found is None else found.reshape(-1, 3)[:, :2].astype(np.float64)
    table = picture.calibration.table
    xy = picture.calibration.camera.at_height(px, table.ball_radius) if len(px) else px
    half = np.array([table.length, table.width]) / 2 + _BEYOND * table.ball_diameter
    return Seen(px[(np.abs(xy) < half).all(axis=1)] if len(px) else px)


class SquareNetwork:
    """A network of somebody else's in an ONNX file that takes one 640 × 640 picture; only its time is of interest."""

    def __init__(self, path: Path) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session: Any = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def look(self, picture: Labelled) -> None:
        """One picture, from camera pixels to the raw answer: scaled into the square as such networks are fed."""
        height, width = picture.picture.shape[:2]
        scale = SIDE / max(height, width)
        small = cv2.resize(picture.picture, (round(width * scale), round(height * scale)))
        square = np.full((SIDE, SIDE, 3), 114, dtype=np.uint8)
        square[: small.shape[0], : small.shape[1]] = small
        planes = square[:, :, ::-1].transpose(2, 0, 1)[None].astype(np.float32) / 255
        self._session.run(None, {self._input: planes})
