"""Where balls lie: scattered, in clusters, racked, frozen to rails, hanging in pockets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.table import Table

Floats = npt.NDArray[np.float64]

_GAP: Final = 1.0005
_ROW: Final = np.sqrt(3) / 2


def rack(table: Table, rows: Sequence[int]) -> Floats:
    """A tight rack (N, 2) with its first ball on the foot spot and so many balls in each row."""
    d = table.ball_diameter * _GAP
    x, y = table.foot_spot
    return np.array([[x + k * d * _ROW, y + (j - (n - 1) / 2) * d] for k, n in enumerate(rows) for j in range(n)])


NINE_BALL: Final = (1, 2, 3, 2, 1)
TRIANGLE: Final = (1, 2, 3, 4, 5)


def _free(place: Floats, taken: list[Floats], table: Table) -> bool:
    r = table.ball_radius
    if (np.abs(place) > np.array([table.length, table.width]) / 2 - r).any():
        return False
    return all(float(np.hypot(*(place - other))) >= 2 * r for other in taken)


def _touching(other: Floats, table: Table, rng: np.random.Generator) -> Floats:
    angle = rng.uniform(0, 2 * np.pi)
    gap = table.ball_diameter * (_GAP + (rng.exponential(0.1) if rng.random() < 0.5 else 0))
    return np.asarray(other + gap * np.array([np.cos(angle), np.sin(angle)]))


def _at_rail(table: Table, rng: np.random.Generator) -> Floats:
    half = np.array([table.length, table.width]) / 2 - table.ball_radius
    place = rng.uniform(-1, 1, 2) * half
    axis = rng.integers(2)
    place[axis] = half[axis] * rng.choice([-1, 1])
    return np.asarray(place)


def _in_jaws(table: Table, rng: np.random.Generator) -> Floats:
    pocket = list(table.pockets.values())[rng.integers(6)]
    mouth = np.asarray(pocket.mouth_centre)
    inward = -mouth / np.linalg.norm(mouth) if mouth[0] else np.array([0, -np.sign(mouth[1])])
    return np.asarray(mouth + inward * rng.uniform(0.0, 1.0) * table.ball_radius + rng.normal(0, 0.006, 2))


def _jaw_place_is_free(place: Floats, taken: list[Floats], table: Table) -> bool:
    return all(float(np.hypot(*(place - other))) >= table.ball_diameter for other in taken)


def scatter(table: Table, count: int, rng: np.random.Generator, cluster: float = 0.3) -> Floats:
    """Places (N, 2) for up to `count` balls; `cluster` is the share that touches or nearly touches another."""
    taken: list[Floats] = []
    half = np.array([table.length, table.width]) / 2 - table.ball_radius
    for _ in range(count * 12):
        if len(taken) == count:
            break
        pick = rng.random()
        if pick < cluster and taken:
            place = _touching(taken[rng.integers(len(taken))], table, rng)
        elif pick < cluster + 0.10:
            place = _at_rail(table, rng)
        elif pick < cluster + 0.14:
            place = _in_jaws(table, rng)
            if _jaw_place_is_free(place, taken, table):
                taken.append(place)
            continue
        else:
            place = rng.uniform(-1, 1, 2) * half
        if _free(place, taken, table):
            taken.append(place)
    return np.array(taken).reshape(-1, 2)
