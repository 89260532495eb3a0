"""Do the balls look as large as the told table makes them? All tables have one shape; only balls tell their size."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.calibration import Calibration
from models.rectified import CROP_BALL_PIXELS, CROP_SIZE, crop_placements, cut
from vision.detections import Detections
from vision.frame import Frame

Floats = npt.NDArray[np.float64]

_LEAST_BALLS: Final = 2
_ALONE: Final = 1.7
"""Ball diameters to the nearest other ball."""


def apparent_size(frame: Frame, calibration: Calibration, seen: Detections) -> float | None:
    """Median of the balls' diameters over what the calibration expects; None where too few balls stand alone."""
    table = calibration.table
    rows = [k for k in range(len(seen)) if _stands_alone(seen, k, calibration)]
    if not rows:
        return None
    crops = cut(frame.pixels, crop_placements(calibration.camera, seen.xy[rows], table.ball_diameter))
    sizes = [size for size in (_diameter(crop.astype(np.float64)) for crop in crops) if size is not None]
    return float(np.median(sizes)) / CROP_BALL_PIXELS if len(sizes) >= _LEAST_BALLS else None


def _stands_alone(seen: Detections, k: int, calibration: Calibration) -> bool:
    table = calibration.table
    x, y = seen.xy[k]
    inside = abs(x) < table.length / 2 - 2 * table.ball_diameter and abs(y) < table.width / 2 - 2 * table.ball_diameter
    away = np.delete(np.hypot(*(seen.xy - seen.xy[k]).T), k)
    return bool(inside and seen.covered[k] < 0.05 and away.min(initial=1.0) > _ALONE * table.ball_diameter)


def _diameter(crop: Floats) -> float | None:
    """Twice the radius at which a ball in a crop gives way to cloth: half way down the fall of the colour difference.

    Lit and shaded halves differ, and shadows lie on one side: each of sixteen directions is measured, the median told.
    """
    middle = (CROP_SIZE - 1) / 2
    ring = np.hypot(*np.meshgrid(np.arange(CROP_SIZE) - middle, np.arange(CROP_SIZE) - middle))
    border = crop[ring > middle - 1.5]
    cloth = np.median(border, axis=0)
    spread = np.median(np.abs(border - cloth)) + 2.0
    differs = np.linalg.norm(crop - cloth, axis=2)
    radii = np.arange(3.0, middle - 0.5, 0.25)
    found = []
    for angle in np.arange(16) * np.pi / 8:
        x, y = middle + radii * np.cos(angle), middle + radii * np.sin(angle)
        profile = _bilinear(differs, x, y)
        steep = -np.gradient(profile)
        k = int(np.argmax(steep))
        if profile[: k + 1].max() > 5 * spread and 0 < k < len(radii) - 1:
            found.append(radii[k])
    return 2 * float(np.median(found)) if len(found) >= 10 else None


def _bilinear(image: Floats, x: Floats, y: Floats) -> Floats:
    u, v = np.floor(x).astype(int), np.floor(y).astype(int)
    a, b = x - u, y - v
    return np.asarray(
        image[v, u] * (1 - a) * (1 - b)
        + image[v, u + 1] * a * (1 - b)
        + image[v + 1, u] * (1 - a) * b
        + image[v + 1, u + 1] * a * b
    )
