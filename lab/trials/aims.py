"""Strokes for trials: how the cue ball is aimed and struck."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration.table import Table
from lab.shot import Stroke
from lab.trials.setups import Layout, Random

Floats = npt.NDArray[np.float64]


def spot(layout: Layout, ball: str) -> Floats:
    return np.array(layout[ball])


def towards(layout: Layout, target: Floats, speed: float, follow: float = 0.0, english: float = 0.0) -> Stroke:
    """The cue ball sent through `target`."""
    way = target - spot(layout, "cue")
    way = way / max(float(np.hypot(*way)), 1e-9) * speed
    return Stroke((float(way[0]), float(way[1])), follow, english)


def any_speed(rng: Random, low: float = 0.5, high: float = 5.0) -> float:
    """Soft strokes are as common as hard ones: drawn evenly in the logarithm."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def ghost(table: Table, ball: Floats, target: Floats) -> Floats:
    """Where the cue ball's centre must be to send `ball` to `target`."""
    line = target - ball
    return np.asarray(ball - line / max(float(np.hypot(*line)), 1e-9) * table.ball_diameter)


def cut(table: Table, layout: Layout, ball: str, rng: Random, widest: float = 0.95) -> Floats:
    """A target that hits `ball` with a fullness drawn by chance; `widest` in diameters off its centre."""
    place, cue = spot(layout, ball), spot(layout, "cue")
    way = (place - cue) / max(float(np.hypot(*(place - cue))), 1e-9)
    side = np.array([-way[1], way[0]])
    return np.asarray(place + side * rng.uniform(-widest, widest) * table.ball_diameter)


def mirrored(table: Table, place: Floats, axis: int, side: int) -> Floats:
    """The image of a place in a rail: `axis` 0 for the end rails, 1 for the long ones."""
    image = place.copy()
    half = (table.length, table.width)[axis] / 2 - table.ball_radius
    image[axis] = side * 2 * half - place[axis]
    return image


def mouth(table: Table, rng: Random) -> Floats:
    """A pocket's mouth, and a little beside it."""
    pocket = list(table.pockets.values())[int(rng.integers(6))]
    return np.asarray(np.array(pocket.mouth_centre) + rng.normal(0, 0.008, 2))


def lowest(layout: Layout) -> str:
    return str(min(int(name) for name in layout if name != "cue"))


def numbered(layout: Layout, rng: Random) -> str:
    """An object ball drawn by chance."""
    names = [name for name in layout if name != "cue"]
    return names[int(rng.integers(len(names)))]
