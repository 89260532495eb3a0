"""From light to a picture file's numbers: exposure, colour, lens, sensor, compression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

Field = npt.NDArray[np.floating[Any]]
Picture = npt.NDArray[np.uint8]

_LEVELS: Final = 4096
_BRIGHTEST: Final = 1.6
"""Linear light at which the tone table ends; all above is white."""


@dataclass(frozen=True, eq=False)
class Development:
    """How a camera turns light into numbers.

    `balance` (3,) are gains for B, G, R; `noise` is the standard deviation at mid grey in levels of 255; `banding`
    the share by which mains light makes rows differ, `band_rows` the rows of one period; `softness` a blur's sigma in
    pixels; `quality` JPEG's, 0 for none.
    """

    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gamma: float = 1.0
    shoulder: float = 0.3
    saturation: float = 1.0
    vignette: float = 0.2
    softness: float = 0.5
    sharpen: float = 0.0
    noise: float = 2.0
    banding: float = 0.0
    band_rows: float = 300.0
    band_phase: float = 0.0
    black: float = 0.0
    quality: int = 90


def _tone(development: Development) -> Picture:
    light = np.linspace(0, _BRIGHTEST, _LEVELS)
    k = development.shoulder
    knee = 1 - k
    soft = np.where(light > knee, knee + k * (1 - np.exp(-(light - knee) / max(k, 1e-3))), light)
    shown = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055)
    shown = np.clip(shown, 0, 1) ** development.gamma
    return np.clip(255 * (development.black + (1 - development.black) * shown), 0, 255).astype(np.uint8)


def _falloff(shape: tuple[int, int], development: Development) -> Field:
    rows, columns = shape
    y, x = np.linspace(-1, 1, rows, dtype=np.float32), np.linspace(-1, 1, columns, dtype=np.float32)
    lens = 1 - development.vignette * (x[None, :] ** 2 + y[:, None] ** 2) / 2
    wave = np.sin(2 * np.pi * (np.arange(rows) / development.band_rows + development.band_phase))
    return np.asarray(lens * (1 + development.banding * wave[:, None]) * development.exposure, dtype=np.float32)


def develop(light: Field, development: Development, rng: np.random.Generator) -> Picture:
    """Linear light (H, W, 3) → the camera's picture (H, W, 3), BGR, 0 to 255."""
    gain = _falloff(light.shape[:2], development)[..., None] * np.array(development.balance, dtype=np.float32)
    exposed = np.asarray(light * gain, dtype=np.float32)
    if development.softness > 0.2:
        exposed = np.asarray(cv2.GaussianBlur(exposed, (0, 0), development.softness), dtype=np.float32)
    index = np.clip(exposed * ((_LEVELS - 1) / _BRIGHTEST), 0, _LEVELS - 1).astype(np.uint16)
    picture = np.asarray(_tone(development)[index], dtype=np.uint8)
    if development.sharpen > 0:
        smooth = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = np.asarray(cv2.addWeighted(picture, 1 + development.sharpen, smooth, -development.sharpen, 0))
    if abs(development.saturation - 1) > 0.02:
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        picture = np.asarray(cv2.addWeighted(picture, development.saturation, grey, 1 - development.saturation, 0))
    picture = _with_noise(np.asarray(picture, dtype=np.uint8), development.noise, rng)
    if development.quality:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, development.quality])
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
    return picture


def _with_noise(picture: Picture, sigma: float, rng: np.random.Generator) -> Picture:
    if sigma < 0.2:
        return picture
    cv2.setRNGSeed(int(rng.integers(1 << 31)))
    grain = np.empty(picture.shape, dtype=np.int16)
    cv2.randn(grain, np.zeros(3), np.full(3, sigma * 16))
    if sigma > 3:
        grain = np.asarray(cv2.GaussianBlur(grain, (3, 3), 0.6), dtype=np.int16) * 2
    noisy = picture.astype(np.int16) * 16 + grain + 8
    return np.asarray(np.clip(noisy >> 4, 0, 255), dtype=np.uint8)
