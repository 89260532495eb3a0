"""First camera poses from four corners, and the two ways round that a table can lie."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import Table

Floats = npt.NDArray[np.float64]
PictureEnd = Literal["left", "right", "top", "bottom"]

TYPICAL_FOCAL_RATIO: Final = 0.8
"""Focal length over picture width of a camera whose field just holds a table from a room's ceiling."""


def intrinsics(size: tuple[int, int], focal: float) -> Floats:
    """K (3, 3) with the principal point in the picture's middle."""
    width, height = size
    return np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])


def camera_from_corners(
    corners: Floats, table: Table, size: tuple[int, int], *, beyond: float = 0.0, focal: float | None = None
) -> Camera | None:
    """A camera that sees the four corners at these pixels.

    Args:
        corners: (4, 2) pixels in the order head_left, head_right, foot_right, foot_left.
        beyond: how far outside the nose lines the corners lie, metres (0: corners of the playing surface).
        focal: focal length in pixels; without it a typical one.
    """
    xy = np.array(table.corners)
    xy = xy + beyond * np.sign(xy)
    points = np.column_stack([xy, np.full(4, table.nose_height)])
    K = intrinsics(size, focal or TYPICAL_FOCAL_RATIO * max(size))
    found, rvec, t = cv2.solvePnP(points, corners.reshape(-1, 1, 2), K, np.zeros(5), flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None
    R, _ = cv2.Rodrigues(rvec)
    camera = Camera(K, np.zeros(5), np.asarray(R, dtype=np.float64), np.asarray(t, dtype=np.float64).reshape(3), size)
    return camera if camera.centre[2] > 0.3 else None


def ordered(corners: Floats) -> Floats:
    """Turn a counter-clockwise quadrilateral so that it starts at head_left, with the head end taken as the
    picture's left end, or its bottom end where the table stands upright in the picture."""
    first = np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[3] - corners[2])
    second = np.linalg.norm(corners[2] - corners[1]) + np.linalg.norm(corners[0] - corners[3])
    turned = corners if first < second else np.roll(corners, -1, axis=0)
    head, foot = turned[:2].mean(axis=0), turned[2:].mean(axis=0)
    upright = abs(head[1] - foot[1]) > abs(head[0] - foot[0])
    wrong = head[1] < foot[1] if upright else head[0] > foot[0]
    return np.roll(turned, 2, axis=0) if wrong else turned


def turned_round(camera: Camera) -> Camera:
    """The same camera over the table with its head and foot ends exchanged."""
    return replace(camera, R=camera.R @ np.diag([-1.0, -1.0, 1.0]))


def head_end(camera: Camera, table: Table) -> PictureEnd:
    """Which end of the picture the head rail lies at."""
    head, foot = camera.project_at([(-table.length / 2, 0.0), (table.length / 2, 0.0)], table.nose_height)
    dx, dy = head - foot
    if abs(dx) >= abs(dy):
        return "left" if dx < 0 else "right"
    return "top" if dy < 0 else "bottom"
