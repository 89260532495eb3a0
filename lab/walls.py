"""What a ball can bounce off: the noses, the facings of the pockets' jaws, and the jaws' tips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.table import RAILS, PocketName, RailName, Table

Floats = npt.NDArray[np.float64]

_CORNER_TURN: Final = np.deg2rad(38.0)
_SIDE_TURN: Final = np.deg2rad(76.0)
"""How far a pocket's facing turns away from the nose line (142° and 104° between them)."""
_FACING: Final = 0.075


@dataclass(frozen=True, eq=False)
class Walls:
    """Straight walls `start` (W, 2) to `end` (W, 2) with unit normals into the table (W, 2), then tips (T, 2).

    `rails` names the rail of each wall and tip (W + T); `jaws` says which of them belong to a jaw.
    """

    start: Floats
    end: Floats
    normal: Floats
    tips: Floats
    rails: tuple[RailName, ...]
    jaws: npt.NDArray[np.bool_]

    @property
    def count(self) -> int:
        return len(self.start)


def _inward(rail: RailName) -> Floats:
    return np.array({"head": [1.0, 0.0], "foot": [-1.0, 0.0], "left": [0.0, -1.0], "right": [0.0, 1.0]}[rail])


def _rail_of(table: Table, jaw: Floats) -> RailName:
    return min(RAILS, key=lambda rail: abs(table.rail_distance(rail, float(jaw[0]), float(jaw[1]))))


def walls_of(table: Table) -> Walls:
    """The walls of a table, in the order noses, facings, tips."""
    jaws: dict[RailName, list[tuple[Floats, PocketName]]] = {rail: [] for rail in RAILS}
    for pocket in table.pockets.values():
        for jaw in pocket.jaws:
            place = np.asarray(jaw, dtype=np.float64)
            jaws[_rail_of(table, place)].append((place, pocket.name))
    noses: list[tuple[Floats, Floats, Floats, RailName]] = []
    facings: list[tuple[Floats, Floats, Floats, RailName]] = []
    tips: list[tuple[Floats, RailName]] = []
    for rail, ends in jaws.items():
        ends.sort(key=lambda end: (end[0][0], end[0][1]))
        inward = _inward(rail)
        for (a, name_a), (b, name_b) in zip(ends[::2], ends[1::2], strict=True):
            noses.append((a, b, inward, rail))
            for tip, other, name in ((a, b, name_a), (b, a, name_b)):
                facings.append(_facing(tip, other, inward, name, rail))
                tips.append((tip, rail))
    straight = noses + facings
    return Walls(
        np.array([w[0] for w in straight]),
        np.array([w[1] for w in straight]),
        np.array([w[2] for w in straight]),
        np.array([t[0] for t in tips]),
        tuple(w[3] for w in straight) + tuple(t[1] for t in tips),
        np.array([False] * len(noses) + [True] * (len(facings) + len(tips))),
    )


def _facing(
    tip: Floats, other: Floats, inward: Floats, pocket: PocketName, rail: RailName
) -> tuple[Floats, Floats, Floats, RailName]:
    onward = (tip - other) / np.linalg.norm(tip - other)
    turn = _SIDE_TURN if "side" in pocket else _CORNER_TURN
    along = np.cos(turn) * onward - np.sin(turn) * inward
    normal = np.sin(turn) * onward + np.cos(turn) * inward
    return tip, tip + _FACING * along, normal, rail
