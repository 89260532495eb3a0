"""What a few pictures of the table tell of focus, light and flicker."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Luma = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

_LOWEST_WAVES, _MOST_WAVES = 1.5, 40.0
_CLIPPED: Final = 250


def sharpness(luma: Luma) -> float:
    """How much edge a picture loses by being blurred a little: about 10 when it is sharp, 3 when it is out of focus.

    The variance of the Laplacian, over that of the same picture blurred by two pixels: so neither the light nor what is
    in the picture counts. Take a median of several frames, since noise looks like edges. Seen on nine clips: 10 to 19
    as they are, 4.6 to 7.4 with a blur of one pixel, 2.7 to 3.6 with two.
    """
    plain = cv2.GaussianBlur(luma.astype(np.float32), (3, 3), 0)
    edges, fewer = (cv2.Laplacian(one, cv2.CV_32F) for one in (plain, cv2.GaussianBlur(plain, (0, 0), 2.0)))
    return float(np.var(edges) / max(float(np.var(fewer)), 1e-9))


def brightness(luma: Luma) -> tuple[float, float]:
    """Median grey level (0 to 255) and the share of pixels that are burnt out."""
    return float(np.median(luma)), float(np.mean(luma >= _CLIPPED))


def banding(pictures: npt.NDArray[np.uint8]) -> float:
    """Depth of dark bands across pictures (n, h, w) taken at rest, as a share of the brightness; 0.01 is 1 %.

    Lamps on alternating current flicker, and a rolling shutter draws that as a wave along the rows, which wanders from
    picture to picture while the scene stays: each picture is divided by their mean and its rows' means are searched for
    a wave.
    """
    stack = pictures.astype(np.float64) + 1.0
    rows = (stack / stack.mean(axis=0)).mean(axis=2)
    rows = rows - rows.mean(axis=1, keepdims=True)
    count = rows.shape[1]
    spectrum = np.abs(np.fft.rfft(rows * np.hanning(count), axis=1)) * 4 / count
    waves = np.arange(spectrum.shape[1])
    in_band = (waves >= _LOWEST_WAVES) & (waves <= _MOST_WAVES)
    if not in_band.any():
        return 0.0
    peaks = spectrum[:, in_band].max(axis=1)
    floor = float(np.median(spectrum[:, in_band]))
    depth = float(np.median(peaks))
    return depth if depth > 6 * floor else 0.0


def lux(level: float, exposure: float, gain: float, aperture: float = 2.0) -> float:
    """Roughly how brightly the cloth is lit: grey level (0 to 255), seconds, gain, f-number; within a factor of two.

    From the photometer's formula N²/t = E·S/C (ISO 2720, C = 250 for incident light), taking a sensor's base
    sensitivity as ISO 100 and a mid-grey cloth that comes out at 118.
    """
    relative: float = (max(level, 1.0) / 118.0) ** 2.2
    return 250.0 * aperture**2 / (exposure * 100.0 * gain) * relative
