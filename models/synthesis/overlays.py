"""Graphics that a broadcaster or a recorder lays over the picture: names and scores, clocks, marks, the date."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.synthesis.render import Truth

Picture = npt.NDArray[np.uint8]
Field = npt.NDArray[np.floating[Any]]

_SHARE: Final = 0.12
_WORDS: Final = ("KUN LIN 2", "RACE TO 9", "00:30", "LIVE", "TABLE 4", "2026-03-14 20:15:09", "8", "PLAYER A  5")
_ROOM: Final = 6


def with_graphics(picture: Picture, truth: Truth, rng: np.random.Generator) -> tuple[Picture, Truth]:
    """Now and then the picture with graphics over it, none over a ball; they hide the cloth as a hand does."""
    if rng.random() > _SHARE:
        return picture, truth
    shown = picture.copy()
    hidden = np.zeros(picture.shape[:2], dtype=np.uint8)
    for _ in range(int(rng.integers(1, 5))):
        layer, mask = shown.copy(), np.zeros_like(hidden)
        _item(layer, mask, rng)
        if _over_a_ball(mask, truth):
            continue
        see = rng.choice([1.0, 0.8])
        weight = (mask.astype(np.float32) / 255 * see)[..., None]
        shown = np.asarray(shown + (layer.astype(np.float32) - shown) * weight, dtype=np.uint8)
        hidden = np.maximum(hidden, mask)
    cover = np.maximum(truth.cover, hidden.astype(np.float32) / 255)
    return shown, replace(truth, cover=cover)


def _item(layer: Picture, mask: npt.NDArray[np.uint8], rng: np.random.Generator) -> None:
    """Draws one piece into both."""
    height, width = mask.shape
    x = int(rng.choice([rng.uniform(0.01, 0.2), rng.uniform(0.01, 0.9)]) * width)
    y = int(rng.choice([rng.uniform(0.02, 0.12), rng.uniform(0.85, 0.97), rng.uniform(0.05, 0.95)]) * height)
    ground, ink = (tuple(int(v) for v in rng.integers(0, 256, 3)) for _ in range(2))
    word, size = str(rng.choice(_WORDS)), rng.uniform(0.35, 1.0) * height / 720
    (w, h), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    if rng.random() < 0.3:
        radius = int(rng.uniform(0.012, 0.045) * height)
        line = -1 if rng.random() < 0.5 else max(2, radius // 5)
        cv2.circle(layer, (x, y), radius, ground, line, cv2.LINE_AA)
        cv2.circle(mask, (x, y), radius, 255, line, cv2.LINE_AA)
    elif rng.random() < 0.7:
        corners = (x - 4, y - h - 5), (x + w + 5, y + 6)
        cv2.rectangle(layer, *corners, ground, -1)
        cv2.rectangle(mask, *corners, 255, -1)
    cv2.putText(layer, word, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1 + int(size > 0.8), cv2.LINE_AA)
    cv2.putText(mask, word, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, 255, 1 + int(size > 0.8), cv2.LINE_AA)


def _over_a_ball(mask: npt.NDArray[np.uint8], truth: Truth) -> bool:
    reach = max(mask.shape[1] // 60, _ROOM)
    for x, y in truth.px:
        left, top = int(x) - reach, int(y) - reach
        part = mask[max(top, 0) : max(top + 2 * reach, 0), max(left, 0) : max(left + 2 * reach, 0)]
        if part.size and part.any():
            return True
    return False
