"""What lies about a table: chalk, a triangle, a bridge stick, drinks, a telephone, a napkin."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration.table import Table
from models.synthesis.colours import Colour, colour, varied
from models.synthesis.people import Limb, Slab, cue_stick

Floats = npt.NDArray[np.float64]

_RAIL: float = 0.036
"""Height of the rails' tops, metres."""


def _turned(points: npt.ArrayLike, angle: float, place: Floats) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(np.asarray(points) @ np.array([[c, s], [-s, c]]) + place)


def _box(width: float, height: float, angle: float, place: Floats) -> Floats:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    return _turned(corners, angle, place)


def _circle(radius: float, place: Floats) -> Floats:
    angle = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    return np.asarray(place + radius * np.column_stack([np.cos(angle), np.sin(angle)]))


def _any_tone(rng: np.random.Generator) -> Colour:
    return varied(colour(*rng.integers(10, 250, 3)), rng, 0.05, 0.3, 0.3)


def chalk(place: Floats, base: float, rng: np.random.Generator) -> list[Limb | Slab]:
    """A cube of chalk, its used side up or not."""
    blue = colour(60, 110, 190) if rng.random() < 0.6 else _any_tone(rng)
    angle, top = rng.uniform(0, np.pi), base + 0.022
    cube = Slab(_box(0.022, 0.022, angle, place), top, blue, np.asarray(blue * 0.6), base)
    worn = Slab(_circle(0.008, place), top + 0.0005, np.asarray(blue * rng.uniform(0.7, 1.3)), blue, top)
    return [cube, worn] if rng.random() < 0.6 else [cube]


def drink(place: Floats, base: float, rng: np.random.Generator) -> list[Limb | Slab]:
    """A glass, a cup or a bottle from above."""
    radius, height = rng.uniform(0.025, 0.045), base + rng.uniform(0.06, 0.18)
    rim, inside = _any_tone(rng), _any_tone(rng)
    return [
        Slab(_circle(radius, place), height, rim, np.asarray(rim * 0.5), base),
        Slab(_circle(radius * rng.uniform(0.5, 0.9), place), height + 0.001, inside, rim, height),
    ]


def telephone(place: Floats, base: float, rng: np.random.Generator) -> list[Limb | Slab]:
    shell, angle = _any_tone(rng), rng.uniform(0, np.pi)
    glass = colour(14, 14, 18) if rng.random() < 0.6 else _any_tone(rng)
    return [
        Slab(_box(0.155, 0.076, angle, place), base + 0.009, shell, np.asarray(shell * 0.6), base),
        Slab(_box(0.145, 0.068, angle, place), base + 0.0095, glass, shell, base + 0.009),
    ]


def napkin(place: Floats, base: float, rng: np.random.Generator) -> list[Limb | Slab]:
    """A piece of paper or cloth, crumpled or flat."""
    tone = varied(colour(236, 232, 224), rng, 0.05, 0.3, 0.2)
    size = rng.uniform(0.04, 0.14, 2)
    return [
        Slab(_box(size[0], size[1], rng.uniform(0, np.pi), place), base + 0.004, tone, np.asarray(tone * 0.7), base)
    ]


def triangle(place: Floats, rng: np.random.Generator) -> list[Limb | Slab]:
    """The wooden or plastic frame that balls are racked with, where it was left or round the balls."""
    side = rng.uniform(0.27, 0.31)
    angle = rng.choice([0.0, rng.uniform(0, 2 * np.pi)])
    corners = _turned([[-side * 0.577, 0], [side * 0.289, side / 2], [side * 0.289, -side / 2]], angle, place)
    tone = varied(colour(*((120, 80, 48), (24, 24, 26), (150, 40, 30))[rng.integers(3)]), rng, 0.02, 0.2, 0.3)
    closed = np.column_stack([np.concatenate([corners, corners[:1]]), np.full(4, rng.uniform(0.02, 0.05))])
    return [Limb(closed, np.full(4, rng.uniform(0.006, 0.011)), tone, 0.5)]


def bridge(place: Floats, rng: np.random.Generator) -> list[Limb | Slab]:
    """A mechanical bridge: a stick with a notched head."""
    angle = rng.uniform(0, 2 * np.pi)
    back = np.array([np.cos(angle), np.sin(angle), 0.0])
    head, side = np.array([*place, 0.03]), np.array([-np.sin(angle), np.cos(angle), 0.0])
    tone = _any_tone(rng)
    bar = Limb(np.array([head - 0.05 * side, head + 0.05 * side]), np.array([0.014, 0.014]), tone, 0.4)
    return [*cue_stick(head, back, rng), bar]


def random_things(table: Table, rng: np.random.Generator) -> tuple[Limb | Slab, ...]:
    """Some of these on the rails of a table, seldom on its cloth."""
    found: list[Limb | Slab] = []
    half = np.array([table.length, table.width]) / 2
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.45, 0.3, 0.15, 0.1]))):
        place, base = rng.uniform(-1, 1, 2) * half, 0.0
        if rng.random() < 0.8:
            axis = int(rng.integers(2))
            place[axis] = rng.choice([-1, 1]) * (half[axis] + rng.uniform(0.0, 0.16))
            base = _RAIL
        makers = (chalk, chalk, drink, telephone, napkin)
        found += makers[rng.integers(len(makers))](place, base, rng)
    if rng.random() < 0.06:
        spot = np.add(table.foot_spot, (0.12, 0.0))
        found += triangle(spot if rng.random() < 0.5 else rng.uniform(-0.9, 0.9, 2) * half, rng)
    if rng.random() < 0.04:
        found += bridge(rng.uniform(-0.8, 0.8, 2) * half, rng)
    return tuple(found)
