"""Camera modules and their modes, as their makers state them (Raspberry Pi camera documentation)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True)
class SensorMode:
    """One mode of a sensor.

    Attributes:
        size: picture size, pixels.
        rate: frames a second.
        line_time: seconds between two rows; 0 for a global shutter.
        pitch: metres of the sensor that one pixel of this mode stands for.
        focal: focal length in metres of the lens that comes with it; None where the lens is chosen apart.
    """

    size: tuple[int, int]
    rate: float
    line_time: float
    pitch: float
    focal: float | None = None


def _focal(width: float, degrees: float) -> float:
    """The focal length that shows a sensor's whole width under an angle."""
    return width / 2 / math.tan(math.radians(degrees) / 2)


_IMX708: Final = _focal(4608 * 1.4e-6, 66)
_IMX708_WIDE: Final = _focal(4608 * 1.4e-6, 102)
_IMX219: Final = _focal(3280 * 1.12e-6, 62.2)

SENSORS: Final[Mapping[str, SensorMode]] = MappingProxyType(
    {
        "imx296": SensorMode((1456, 1088), 60.0, 0.0, 3.45e-6),
        "imx708": SensorMode((2304, 1296), 56.0, 13.4e-6, 2.8e-6, _IMX708),
        "imx708-wide": SensorMode((2304, 1296), 56.0, 13.4e-6, 2.8e-6, _IMX708_WIDE),
        "imx708-fast": SensorMode((1536, 864), 120.0, 13.4e-6, 2.8e-6, _IMX708),
        "imx708-fast-wide": SensorMode((1536, 864), 120.0, 13.4e-6, 2.8e-6, _IMX708_WIDE),
        "imx477": SensorMode((2028, 1080), 50.0, 18.5e-6, 3.1e-6),
        "imx219": SensorMode((1640, 1232), 41.0, 18.9e-6, 2.24e-6, _IMX219),
    }
)
"""`-fast` reads out only the sensor's middle; `-wide` is the module with the wide lens. The IMX219's 1080p mode shows
only the middle 60 % of its width: the mode that shows all is taken."""
