"""Is this the layout of a rack about to be broken, and at which end of the table does it stand?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import numpy as np

from calibration.table import Table
from record.names import CUE, Place

_LEAST: Final = 8
_TIGHT: Final = 1.2
"""In a rack each ball's nearest neighbour lies within this many diameters (they should touch)."""


def racked(table: Table, layout: Mapping[str, Place]) -> bool:
    """At least eight object balls stand tight together by the foot spot."""
    return rack_end(table, [place for ball, place in layout.items() if ball != CUE]) == "foot"


def rack_end(table: Table, places: Sequence[Place]) -> Literal["head", "foot"] | None:
    """The end of the table (as calibrated) at which a rack stands; None where there is no rack."""
    if len(places) < _LEAST:
        return None
    points = np.array(places)
    apart = np.linalg.norm(points[:, None] - points[None, :], axis=2)
    np.fill_diagonal(apart, np.inf)
    tight = points[apart.min(axis=1) < _TIGHT * table.ball_diameter]
    if len(tight) < max(_LEAST, 0.85 * len(points)):
        return None
    middle = tight.mean(axis=0)
    if np.abs(tight - middle).max() > 3.2 * table.ball_diameter or abs(middle[1]) > 0.1 * table.width:
        return None
    spot, distance = table.foot_spot[0], 2.5 * table.ball_diameter
    if abs(middle[0] - spot) < distance + table.ball_diameter:
        return "foot"
    return "head" if abs(middle[0] + spot) < distance + table.ball_diameter else None
