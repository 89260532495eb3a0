"""Where the cloth is in a picture, with no assumption about its colour.

The cloth is the commonest colour of the picture's middle; lamps make it brighter and darker, so its colour is
modelled as a smooth field. Several masks are offered, from wary to generous: which of them fits a table is for the
outline to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.uint8]
Picture = npt.NDArray[np.uint8]
Lab = npt.NDArray[np.float32]

WORKING_WIDTH: Final = 640
_LEAST_SPREAD: Final = np.array([2.5, 1.2, 1.2])
_SHARE_AT_LEAST: Final = 0.06


def working_copy(picture: Picture) -> tuple[Lab, float]:
    """The picture, smoothed and `WORKING_WIDTH` wide, as CIE Lab (h, w, 3), and its scale to the picture."""
    scale = WORKING_WIDTH / picture.shape[1]
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    smooth = cv2.GaussianBlur(small, (0, 0), 1.2).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB), dtype=np.float32), scale


def commonest_colour(lab: Lab) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Lab colour that fills most of the picture's middle, and its spread, each (3,)."""
    height, width = lab.shape[:2]
    middle = lab[height // 4 : -height // 4, width // 4 : -width // 4].reshape(-1, 3)
    counts, edges = np.histogramdd(middle, bins=(25, 64, 64), range=((0, 100), (-128, 128), (-128, 128)))
    peak = np.unravel_index(np.argmax(counts), counts.shape)
    mode = np.array([(edge[k] + edge[k + 1]) / 2 for edge, k in zip(edges, peak, strict=True)])
    near = middle
    for _ in range(5):
        inside = (np.abs(middle - mode) < (14, 9, 9)).all(axis=1)
        near = middle[inside]
        mode = np.median(near, axis=0).astype(np.float64)
    spread = 1.4826 * np.median(np.abs(near - mode), axis=0)
    return mode, np.maximum(spread, _LEAST_SPREAD)


def cloth_masks(lab: Lab) -> Iterator[Mask]:
    """Masks (h, w) of 0 and 1 of what may be the cloth with its cushions, the most generous first."""
    mode, spread = commonest_colour(lab)
    seed = _largest_piece(_alike(lab - mode.astype(np.float32), spread, 6.0, 6.0))
    if seed.mean() < _SHARE_AT_LEAST:
        return
    grown = [_grow(lab, seed, tolerance) for tolerance in (6.0, 4.0, 2.8)]
    for mask in (*grown, seed):
        if mask.mean() >= _SHARE_AT_LEAST:
            yield mask


def _alike(difference: Lab, spread: npt.NDArray[np.float64], chroma: float, lightness: float) -> Mask:
    z = difference / spread.astype(np.float32)
    alike = (np.hypot(z[..., 1], z[..., 2]) < chroma) & (np.abs(z[..., 0]) < lightness)
    return alike.astype(np.uint8)


def _largest_piece(mask: Mask) -> Mask:
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened)
    if count < 2:
        return np.zeros_like(mask)
    return np.asarray(labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])), dtype=np.uint8)


def _grow(lab: Lab, seed: Mask, tolerance: float) -> Mask:
    """Grow a mask with a quadratic field of colour over the picture, refitted four times."""
    height, width = seed.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    mask = seed
    for _ in range(4):
        chosen = np.flatnonzero(mask)[::7]
        if len(chosen) < 100:
            return mask
        field, *_ = np.linalg.lstsq(terms.reshape(-1, 6)[chosen], lab.reshape(-1, 3)[chosen], rcond=None)
        rest = lab - terms @ field
        spread = 1.4826 * np.median(np.abs(rest.reshape(-1, 3)[chosen]), axis=0)
        alike = _alike(rest, np.maximum(spread, (1.5, 1.0, 1.0)), tolerance, tolerance + 1)
        closed = cv2.morphologyEx(alike, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        mask = _largest_piece(np.asarray(cv2.morphologyEx(closed, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))))
    return mask
