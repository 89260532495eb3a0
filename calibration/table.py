"""The pool table: sizes, rails, pockets, strings and spots, in the table frame (metres, origin in the middle)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final, Literal

RailName = Literal["head", "foot", "left", "right"]
PocketName = Literal["head_left", "head_right", "side_left", "side_right", "foot_left", "foot_right"]

RAILS: Final[tuple[RailName, ...]] = ("head", "foot", "left", "right")
POCKETS: Final[tuple[PocketName, ...]] = (
    "head_left",
    "head_right",
    "side_left",
    "side_right",
    "foot_left",
    "foot_right",
)

BALL_DIAMETER: Final = 0.05715
BALL_MASS: Final = 0.170
NOSE_HEIGHT_RATIO: Final = 0.635
"""Nose height over ball diameter: 62.5 % to 64.5 % (WPA equipment specification)."""

SIZES: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "7ft": (1.9812, 0.9906),
        "8ft": (2.2352, 1.1176),
        "8ft-pro": (2.3368, 1.1684),
        "9ft": (2.54, 1.27),
    }
)

_CORNER_MOUTH: Final = 0.1158
_SIDE_MOUTH: Final = 0.130


class UnknownTableError(ValueError):
    """A table name or size that cannot be read."""


@dataclass(frozen=True)
class PocketGeometry:
    """One pocket: where its hole is and the two nose tips (jaws) that bound its mouth.

    `centre` and `radius` describe the hole at slate height; `jaws` are the ends of the two nose lines.
    """

    name: PocketName
    centre: tuple[float, float]
    radius: float
    jaws: tuple[tuple[float, float], tuple[float, float]]

    @property
    def mouth_centre(self) -> tuple[float, float]:
        (ax, ay), (bx, by) = self.jaws
        return ((ax + bx) / 2, (ay + by) / 2)


@dataclass(frozen=True)
class Table:
    """A table's playing surface (nose to nose), its ball and its nose height, all in metres."""

    length: float
    width: float
    ball_diameter: float = BALL_DIAMETER
    nose_height: float = field(default=math.nan)

    def __post_init__(self) -> None:
        if not (0.5 <= self.width < self.length <= 4.0):
            raise UnknownTableError(
                f"a table of {self.length} × {self.width} m is none: length must be the longer side, 0.5 to 4 m"
            )
        if not 0.03 <= self.ball_diameter <= 0.08:
            raise UnknownTableError(f"a ball of {self.ball_diameter} m is none: give its diameter, 0.03 to 0.08 m")
        if math.isnan(self.nose_height):
            object.__setattr__(self, "nose_height", NOSE_HEIGHT_RATIO * self.ball_diameter)

    @property
    def ball_radius(self) -> float:
        return self.ball_diameter / 2

    @property
    def head_string(self) -> float:
        """x of the head string."""
        return -self.length / 4

    @property
    def foot_spot(self) -> tuple[float, float]:
        return (self.length / 4, 0.0)

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Corners of the playing surface: head_left, head_right, foot_right, foot_left."""
        x, y = self.length / 2, self.width / 2
        return ((-x, y), (-x, -y), (x, -y), (x, y))

    @cached_property
    def diamonds(self) -> tuple[tuple[float, float], ...]:
        """Feet of the 18 diamonds on the nose lines: three each side of the side pockets, three on each end rail."""
        along = [self.length * k / 8 for k in (-3, -2, -1, 1, 2, 3)]
        across = [self.width * k / 4 for k in (-1, 0, 1)]
        y, x = self.width / 2, self.length / 2
        sides = [(a, s * y) for s in (1, -1) for a in along]
        ends = [(s * x, a) for s in (-1, 1) for a in across]
        return tuple(sides + ends)

    @cached_property
    def pockets(self) -> Mapping[PocketName, PocketGeometry]:
        """The six pockets; corner mouths and side mouths of a league table, scaled with the ball."""
        scale = self.ball_diameter / BALL_DIAMETER
        x, y = self.length / 2, self.width / 2
        cut = scale * _CORNER_MOUTH / math.sqrt(2)
        half = scale * _SIDE_MOUTH / 2
        out = scale * 0.017
        found: dict[PocketName, PocketGeometry] = {}
        corners: tuple[tuple[PocketName, int, int], ...] = (
            ("head_left", -1, 1),
            ("head_right", -1, -1),
            ("foot_left", 1, 1),
            ("foot_right", 1, -1),
        )
        for name, sx, sy in corners:
            found[name] = PocketGeometry(
                name,
                (sx * (x + out), sy * (y + out)),
                scale * 0.060,
                ((sx * (x - cut), sy * y), (sx * x, sy * (y - cut))),
            )
        sides: tuple[tuple[PocketName, int], ...] = (("side_left", 1), ("side_right", -1))
        for name, sy in sides:
            found[name] = PocketGeometry(
                name, (0.0, sy * (y + scale * 0.055)), scale * 0.062, ((-half, sy * y), (half, sy * y))
            )
        return MappingProxyType({name: found[name] for name in POCKETS})

    def rail_distance(self, rail: RailName, x: float, y: float) -> float:
        """Distance from a point to a rail's nose line, positive inside the playing surface."""
        match rail:
            case "head":
                return x + self.length / 2
            case "foot":
                return self.length / 2 - x
            case "left":
                return self.width / 2 - y
            case "right":
                return y + self.width / 2


def table_named(name: str, ball_diameter: float = BALL_DIAMETER) -> Table:
    """A table from its name (`9ft`) or its size in metres (`1.881x0.943`).

    Raises:
        UnknownTableError: the text is neither a known name nor LENGTHxWIDTH.
    """
    if name in SIZES:
        return Table(*SIZES[name], ball_diameter)
    try:
        length, width = (float(part) for part in name.lower().replace("×", "x").split("x"))
    except ValueError:
        raise UnknownTableError(
            f"unknown table {name!r}: give one of {', '.join(SIZES)} or LENGTHxWIDTH in metres, such as 1.881x0.943"
        ) from None
    return Table(length, width, ball_diameter)
