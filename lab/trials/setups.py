"""Layouts for trials: where the balls lie before a stroke."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.table import POCKETS, Table

Floats = npt.NDArray[np.float64]
Layout = dict[str, tuple[float, float]]
Random = np.random.Generator

_APART: Final = 0.005
_ROW: Final = float(np.sqrt(3) / 2)
_RACKS: Final = {9: (1, 2, 3, 2, 1), 15: (1, 2, 3, 4, 5)}


def somewhere(table: Table, rng: Random, margin: float = 0.004) -> Floats:
    """A place at which a ball can lie, `margin` off the cushions at least."""
    half = np.array([table.length, table.width]) / 2 - table.ball_radius - margin
    return np.asarray(rng.uniform(-half, half))


def scattered(
    table: Table, rng: Random, names: list[str], given: Layout | None = None, apart: float = _APART
) -> Layout:
    """`names` at places drawn by chance, beside those `given`, none nearer to another than `apart` between surfaces."""
    layout = dict(given or {})
    for name in names:
        if name in layout:
            continue
        while True:
            place = somewhere(table, rng)
            if all(np.hypot(*(place - np.array(p))) > table.ball_diameter + apart for p in layout.values()):
                layout[name] = (float(place[0]), float(place[1]))
                break
    return layout


def open_layout(table: Table, rng: Random, given: Layout | None = None, balls: int | None = None) -> Layout:
    """A cue ball and some of the nine or the fifteen, with those `given`."""
    most = 9 if rng.random() < 0.6 else 15
    count = balls if balls is not None else int(rng.integers(2, min(most, 10) + 1))
    numbers = [str(n) for n in sorted(rng.choice(np.arange(1, most + 1), count, replace=False).tolist())]
    return scattered(table, rng, ["cue", *(n for n in numbers if n not in (given or {}))], given)


def racked(table: Table, rng: Random, balls: int) -> Layout:
    """A rack of 9 or 15 on the foot spot, the cue ball behind the head string."""
    gap = float(rng.uniform(2e-5, 4e-4))
    d = table.ball_diameter + gap
    x0 = table.foot_spot[0]
    rows = _RACKS[balls]
    spots = [(x0 + k * d * _ROW, (j - (n - 1) / 2) * d) for k, n in enumerate(rows) for j in range(n)]
    names = [str(n) for n in range(1, balls + 1)]
    order = [n for n in names if n not in ("1", "9", "8")]
    rng.shuffle(order)
    fixed = {0: "1", 4: "9"} if balls == 9 else {4: "8"}
    rest = iter([*order, *(n for n in ("1", "9", "8") if n in names and n not in fixed.values())])
    placed = [fixed.get(k) or next(rest) for k in range(balls)]
    jitter = rng.uniform(-gap / 4, gap / 4, (balls, 2))
    layout = {n: (float(x + dx), float(y + dy)) for n, (x, y), (dx, dy) in zip(placed, spots, jitter, strict=True)}
    layout["cue"] = (float(table.head_string - rng.uniform(0.02, 0.2)), float(rng.uniform(-0.3, 0.3) * table.width))
    return layout


def beside(place: Floats, table: Table, rng: Random, gap: float) -> Floats:
    """A place `gap` (between surfaces) from a ball, in a direction drawn by chance."""
    turn = rng.uniform(0, 2 * np.pi)
    return np.asarray(place + (table.ball_diameter + gap) * np.array([np.cos(turn), np.sin(turn)]))


def cluster(table: Table, rng: Random, names: list[str], gaps: tuple[float, float]) -> Layout:
    """Balls grown onto one another with gaps between their surfaces drawn from `gaps`."""
    half = np.array([table.length, table.width]) / 2 - table.ball_radius
    placed: list[Floats] = [somewhere(table, rng, 0.15)]
    while len(placed) < len(names):
        spot = beside(placed[int(rng.integers(len(placed)))], table, rng, float(rng.uniform(*gaps)))
        free = all(np.hypot(*(spot - p)) >= table.ball_diameter + gaps[0] - 1e-9 for p in placed)
        if free and (np.abs(spot) < half).all():
            placed.append(spot)
    return {n: (float(p[0]), float(p[1])) for n, p in zip(names, placed, strict=True)}


def at_rail(table: Table, rng: Random, gap: float) -> Floats:
    """A place `gap` off a nose line, clear of the pockets."""
    half = np.array([table.length, table.width]) / 2
    axis = int(rng.random() < 0.6)
    place = np.zeros(2)
    place[axis] = rng.choice([-1, 1]) * (half[axis] - table.ball_radius - gap)
    along = 1 - axis
    while True:
        place[along] = rng.uniform(-1, 1) * (half[along] - 0.15)
        if along == 1 or abs(place[0]) > 0.12:
            return place


def over_pocket(table: Table, rng: Random, radius: float = 0.060) -> Floats:
    """A place at a pocket's edge: the ball hangs."""
    pocket = table.pockets[POCKETS[int(rng.integers(6))]]
    centre, inward = np.array(pocket.centre), -np.array(pocket.centre)
    if pocket.name.startswith("side"):
        inward = np.array([rng.normal(0, 0.01), -np.sign(centre[1])])
    else:
        inward = -np.sign(centre) + rng.normal(0, 0.1, 2)
    inward = inward / np.hypot(*inward)
    return np.asarray(centre + inward * (radius + rng.uniform(0.004, 0.02)))
