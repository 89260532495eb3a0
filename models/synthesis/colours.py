"""Colours as light: BGR, linear, 1 = a white surface under the scene's normal light."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Colour = npt.NDArray[np.floating[Any]]


def colour(red: int, green: int, blue: int) -> Colour:
    """Linear BGR (3,) of a colour given as a screen shows it (sRGB, 0 to 255)."""
    value = np.array([blue, green, red], dtype=np.float64) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


def varied(base: Colour, rng: np.random.Generator, hue: float, saturation: float, value: float) -> Colour:
    """A colour beside `base`: hue (turns), saturation and value (shares) moved by about that much."""
    b, g, r = (float(c) for c in base)
    h, s, v = colorsys.rgb_to_hsv(r, g, b)
    h = (h + rng.normal(0, hue)) % 1.0
    s = float(np.clip(s * (1 + rng.normal(0, saturation)), 0, 1))
    v = float(np.clip(v * np.exp(rng.normal(0, value)), 0.002, 0.95))
    return np.array(colorsys.hsv_to_rgb(h, s, v)[::-1], dtype=np.float32)


CLOTHS: Final[Mapping[str, Colour]] = MappingProxyType(
    {
        "green": colour(18, 112, 62),
        "bright green": colour(14, 150, 52),
        "dark green": colour(16, 82, 52),
        "pale green": colour(104, 150, 128),
        "teal": colour(14, 168, 142),
        "tournament blue": colour(34, 124, 186),
        "electric blue": colour(14, 84, 200),
        "navy": colour(26, 50, 110),
        "red": colour(178, 26, 34),
        "burgundy": colour(112, 22, 48),
        "grey": colour(106, 108, 106),
        "tan": colour(196, 162, 110),
        "black": colour(38, 38, 40),
        "purple": colour(84, 50, 130),
        "camel": colour(160, 118, 70),
    }
)

_STANDARD: Final = (
    colour(244, 196, 16),
    colour(20, 62, 168),
    colour(206, 28, 30),
    colour(82, 38, 128),
    colour(240, 104, 24),
    colour(16, 104, 60),
    colour(122, 24, 34),
    colour(20, 20, 22),
)
_TELEVISION: Final = (
    colour(248, 186, 20),
    colour(24, 84, 170),
    colour(218, 16, 44),
    colour(226, 112, 164),
    colour(242, 92, 30),
    colour(20, 122, 74),
    colour(176, 112, 58),
    colour(18, 20, 28),
)
_PURPLE_TELEVISION: Final = (*_TELEVISION[:3], colour(104, 66, 160), *_TELEVISION[4:])
_DEEP: Final = (
    colour(236, 180, 30),
    colour(18, 44, 122),
    colour(174, 22, 26),
    colour(64, 32, 96),
    colour(226, 84, 30),
    colour(10, 74, 50),
    colour(104, 32, 28),
    colour(14, 14, 16),
)
_NAVY: Final = (
    colour(246, 184, 24),
    colour(30, 84, 176),
    colour(196, 26, 38),
    colour(40, 36, 88),
    colour(238, 96, 30),
    colour(14, 92, 62),
    colour(92, 24, 34),
    colour(16, 16, 18),
)
_SNOOKER: Final = (
    colour(250, 184, 10),
    colour(20, 104, 184),
    colour(206, 14, 40),
    colour(236, 128, 138),
    colour(228, 100, 40),
    colour(16, 126, 122),
    colour(132, 66, 26),
    colour(24, 20, 26),
)

BALL_SETS: Final[Mapping[str, tuple[Colour, ...]]] = MappingProxyType(
    {
        "standard": _STANDARD,
        "television": _TELEVISION,
        "purple television": _PURPLE_TELEVISION,
        "deep": _DEEP,
        "navy": _NAVY,
        "snooker": _SNOOKER,
    }
)
"""Colours of the solids 1 to 8 of each make; a stripe n + 8 has the colour of n."""

IVORY: Final = colour(240, 232, 208)
WHITE: Final = colour(244, 242, 236)
YELLOWED: Final = colour(240, 226, 172)
SPOT_RED: Final = colour(200, 24, 30)

SKINS: Final = (colour(236, 188, 160), colour(210, 156, 122), colour(160, 108, 78), colour(96, 62, 44))
SLEEVES: Final = (
    colour(22, 22, 26),
    colour(230, 230, 228),
    colour(40, 60, 120),
    colour(130, 30, 36),
    colour(30, 110, 60),
    colour(110, 110, 114),
    colour(60, 30, 60),
    colour(190, 170, 130),
)
RAILS: Final = (
    colour(118, 74, 42),
    colour(84, 46, 30),
    colour(160, 112, 64),
    colour(30, 30, 32),
    colour(52, 50, 48),
    colour(92, 30, 26),
    colour(90, 88, 84),
)
FLOORS: Final = (
    colour(34, 32, 34),
    colour(90, 74, 58),
    colour(196, 180, 154),
    colour(48, 60, 78),
    colour(110, 110, 112),
)
