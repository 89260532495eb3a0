"""Is this the table that was told? Its balls say so: all sizes of table have one shape, but balls have one size."""

from __future__ import annotations

from typing import Final

from calibration.calibration import Calibration, CalibrationError
from calibration.table import SIZES
from models.loading import Finder, Namer
from vision.ball_size import apparent_size
from vision.eye import Eye
from vision.frame import Frame

_USUAL: Final = 0.965
"""Blur makes balls measure a little small."""
_FITS: Final = (0.87, 1.055)


def check_ball_size(frame: Frame, calibration: Calibration) -> None:
    """Compare the balls in a picture with the told table; with fewer than two clear balls nothing is said.

    Raises:
        CalibrationError: the balls are too large or too small for it.
    """
    seen = Eye(calibration, Finder(), Namer()).look(frame)
    size = apparent_size(frame, calibration, seen)
    if size is None or _FITS[0] <= size <= _FITS[1]:
        return
    table = calibration.table
    true_length = table.length * _USUAL / size
    name = min(SIZES, key=lambda known: abs(SIZES[known][0] - true_length))
    raise CalibrationError(
        f"the balls look {size:.2f} times the size they would have on a {table.length:g} × {table.width:g} m table: "
        f"check --table (with these balls, {name} would fit) and --ball"
    )
