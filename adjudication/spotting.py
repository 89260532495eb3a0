"""Where a ball goes that comes back: on the foot spot, or as close as possible to it on the long string.

Every league spots on the foot spot; where it is taken, the ball goes on the line from the spot to the foot rail, and
where that is full, on the line from the spot to the head rail (UPL Eight on the break; IPL Break jump: straight back;
UPA and NAPA name the foot spot only and follow the world-standardised rules for the rest).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from record.names import CUE, Layout, Place
from record.rack import TableSize

_GAP: Final = 0.0005
"""Left between a spotted ball and its neighbour, metres: as close as possible without a push."""

_DIGITS: Final = 4


def places(spot: Collection[str], layout: Layout, table: TableSize) -> dict[str, Place]:
    """Places of all balls to be spotted, lowest number first, among the balls of `layout`."""
    lying: dict[str, Place] = {ball: at for ball, at in layout.items() if ball not in spot}
    found: dict[str, Place] = {}
    for ball in sorted(spot, key=_number):
        place = spotting_place(lying, table)
        if place is not None:
            found[ball] = lying[ball] = place
    return found


def spotting_place(lying: Mapping[str, Place], table: TableSize) -> Place | None:
    """The free place for one ball; None where the whole long string is taken."""
    spot = table.length / 4
    end = table.length / 2 - table.ball_diameter / 2
    behind = _first_free(spot, end, lying, table.ball_diameter)
    place = behind if behind is not None else _first_free(spot, -end, lying, table.ball_diameter)
    return None if place is None else (round(place, _DIGITS), 0.0)


def _first_free(start: float, end: float, lying: Mapping[str, Place], diameter: float) -> float | None:
    """The first x from `start` to `end` on the long string where a ball touches no other."""
    step = 1.0 if end > start else -1.0
    x = start
    for ball, (bx, by) in sorted(lying.items(), key=lambda item: step * item[1][0]):
        needed = diameter + (_GAP if ball != CUE else 2 * _GAP)
        if abs(by) < diameter and (bx - x) ** 2 + by**2 < diameter**2:
            x = bx + step * (needed**2 - by**2) ** 0.5
    return x if step * x <= step * end else None


def _number(ball: str) -> int:
    return int(ball) if ball.isdigit() else 99
