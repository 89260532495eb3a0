"""Which balls touch each other or a rail in a layout, as far as the places tell."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np

from calibration.table import RAILS, Table
from record.names import Ball, Layout, RailName
from tracking.rails import clearance, mouth

TOUCHING: Final = 0.0015
"""Places of resting balls are known within a millimetre: closer than this counts as touching."""


def touching(table: Table, layout: Layout) -> list[tuple[Ball, Ball | RailName]]:
    """Pairs of balls, and balls with rails, that lie against each other."""
    pairs: list[tuple[Ball, Ball | RailName]] = []
    for a, b in combinations(sorted(layout), 2):
        apart = np.hypot(layout[a][0] - layout[b][0], layout[a][1] - layout[b][1])
        if apart < table.ball_diameter + TOUCHING:
            pairs.append((a, b))
    for ball, place in sorted(layout.items()):
        here = np.array(place)
        pairs += [(ball, r) for r in RAILS if clearance(table, r, here) < TOUCHING and mouth(table, r, here) is None]
    return pairs
