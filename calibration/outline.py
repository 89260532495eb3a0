"""A mask's outline as a quadrilateral: four straight sides fitted past the bites of the pockets."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def quadrilateral(mask: npt.NDArray[np.uint8]) -> Floats | None:
    """Corners (4, 2) of the sides around a mask, in pixels; None where the mask has no four sides.

    They come counter-clockwise as seen in the picture (y down), starting anywhere.
    """
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))[:, 0].astype(np.float64)
    if len(hull) < 4:
        return None
    box = np.asarray(cv2.boxPoints(cv2.minAreaRect(hull.astype(np.float32))), dtype=np.float64)
    sides = [_side(_walk(hull), box, k) for k in range(4)]
    lines = [side for side in sides if side is not None]
    if len(lines) < 4:
        return None
    corners = np.array([_crossing(lines[k - 1], lines[k]) for k in range(4)])
    return corners[::-1] if _area(corners) > 0 else corners


def _walk(hull: Floats) -> Floats:
    """Points one pixel apart along a closed polygon."""
    closed = np.vstack([hull, hull[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.arange(0.0, along[-1], 1.0)
    return np.column_stack([np.interp(at, along, closed[:, 0]), np.interp(at, along, closed[:, 1])])


def _side(points: Floats, box: Floats, k: int) -> tuple[Floats, float] | None:
    """A line n·p = c through the outline's points near one side of its bounding box, by robust total least squares."""
    start, end = box[k], box[(k + 1) % 4]
    length = float(np.linalg.norm(end - start))
    depth = 0.12 * min(float(np.linalg.norm(box[1] - box[0])), float(np.linalg.norm(box[2] - box[1])))
    if length < 8 or depth <= 0:
        return None
    along = (end - start) / length
    normal = np.array([-along[1], along[0]])
    share = (points - start) @ along / length
    near = points[(share > 0.15) & (share < 0.85) & (np.abs((points - start) @ normal) < depth)]
    if len(near) < 8:
        return None
    weight = np.ones(len(near))
    for _ in range(10):
        middle = weight @ near / weight.sum()
        spread = ((near - middle) * weight[:, None]).T @ (near - middle)
        normal = np.linalg.eigh(spread)[1][:, 0]
        weight = 1 / (1 + ((near - middle) @ normal) ** 2)
    return normal, float(normal @ middle)


def _crossing(a: tuple[Floats, float], b: tuple[Floats, float]) -> Floats:
    return np.asarray(np.linalg.lstsq(np.array([a[0], b[0]]), np.array([a[1], b[1]]), rcond=None)[0])


def _area(corners: Floats) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2)
