"""Where a ball meets the cushions: nose lines, pocket mouths and their jaws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.table import RAILS, PocketGeometry, RailName, Table
from tracking.samples import Floats

INWARD: Final[dict[RailName, tuple[float, float]]] = {
    "head": (1.0, 0.0),
    "foot": (-1.0, 0.0),
    "left": (0.0, -1.0),
    "right": (0.0, 1.0),
}
"""Unit normals of the nose lines, into the table."""
FAR: Final = 0.05
"""A ball so far from a nose line, metres, does not touch it whatever the error."""
FROZEN: Final = 0.002
"""A ball that has not left a rail by so much has not left it (DESIGN, events)."""
SHALLOW: Final = 0.005
"""Jaws are rounded, and no two pockets are cut alike: a ball that touches may seem so far from a jaw's tip, metres."""
KEPT: Final = 0.9
"""A jaw takes more of the speed than this leaves; a ball that begins to fall keeps it, or gains."""


@dataclass(frozen=True)
class Meeting:
    """A ball at a cushion: which rail, whether at a pocket's jaw, and how badly it fits (χ²)."""

    rail: RailName
    jaw: bool
    cost: float


def clearance(table: Table, rail: RailName, place: Floats) -> float:
    """Metres between a ball at `place` and a nose line; zero when it touches."""
    return table.rail_distance(rail, float(place[0]), float(place[1])) - table.ball_radius


def lowest_clearance(table: Table, place: Floats) -> float:
    """Clearance from the nearest nose line; negative beyond it."""
    return min(clearance(table, rail, place) for rail in RAILS)


def nearest_rail(table: Table, place: Floats) -> RailName:
    return min(RAILS, key=lambda rail: clearance(table, rail, place))


def mouth(table: Table, rail: RailName, place: Floats) -> PocketGeometry | None:
    """The pocket whose mouth interrupts that nose line beside `place`, if any."""
    for pocket in table.pockets.values():
        (ax, ay), (bx, by) = pocket.jaws
        x, y = float(place[0]), float(place[1])
        if abs(x - pocket.centre[0]) > 0.16 or abs(y - pocket.centre[1]) > 0.16:
            continue
        if rail in ("head", "foot"):
            low = min(abs(ay), abs(by))
            inside = abs(y) > low and abs(ax - bx) > 1e-6
        elif pocket.name.startswith("side"):
            inside = min(ax, bx) < x < max(ax, bx)
        else:
            inside = abs(x) > min(abs(ax), abs(bx))
        if inside:
            return pocket
    return None


def meetings(table: Table, place: Floats, arriving: Floats, leaving: Floats, sigma: float) -> list[Meeting]:
    """Cushions that would explain a jump of velocity at `place`; `sigma`: standard error of the place, metres."""
    jump = leaving - arriving
    jolt = float(np.hypot(*jump))
    if jolt < 1e-6:
        return []
    found: list[Meeting] = []
    for rail in RAILS:
        normal = np.array(INWARD[rail])
        into, out = float(arriving @ normal), float(leaving @ normal)
        gap = clearance(table, rail, place)
        if gap > FAR or into > -0.01 or out < -0.02 or mouth(table, rail, place) is not None:
            continue
        along = np.arccos(np.clip(float(jump @ normal) / jolt, -1.0, 1.0))
        cost = (gap / np.hypot(0.003, sigma)) ** 2 + (along / 0.5) ** 2
        found.append(Meeting(rail, False, float(cost)))
    best: dict[RailName, Meeting] = {}
    for meeting in sorted([*found, *_jaw(table, place, arriving, leaving, sigma)], key=lambda m: m.cost):
        best.setdefault(meeting.rail, meeting)
    return list(best.values())


def _jaw(table: Table, place: Floats, arriving: Floats, leaving: Floats, sigma: float) -> list[Meeting]:
    """Beside a pocket the ball meets a rounded jaw: the push points away from one of the two nose tips' cushions."""
    scale = table.ball_diameter / 0.05715
    for pocket in table.pockets.values():
        tips = [np.array(tip) for tip in pocket.jaws]
        away = [float(np.hypot(*(place - tip))) for tip in tips]
        near = int(np.argmin(away))
        depth = away[near] - table.ball_radius
        if depth > 0.03 * scale + 2 * sigma:
            continue
        tip = tips[near]
        rails = [r for r in RAILS if abs(table.rail_distance(r, *map(float, tip))) < 1e-6]
        jump = leaving - arriving
        normal = (place - tip) / max(away[near], 1e-6)
        off = float(np.arccos(np.clip(jump @ normal / float(np.hypot(*jump)), -1.0, 1.0)))
        into, out = -float(arriving @ normal), float(leaving @ normal)
        onward = max(0.1 * into - out, 0.0) / (0.3 * abs(into) + 0.05)
        kept = float(np.hypot(*leaving)) / max(float(np.hypot(*arriving)), 1e-6)
        cost = 2.0 + (max(depth - SHALLOW * scale, 0.0) / np.hypot(0.006 * scale, sigma)) ** 2 + (off / 0.8) ** 2
        cost += onward**2 + (max(kept - KEPT, 0.0) / 0.1) ** 2
        return [Meeting(min(rails, key=lambda r: clearance(table, r, place)), True, cost)]
    return []
