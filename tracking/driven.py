"""A ball driven into a cushion close by has touched it, though no frame shows it on its way.

Struck along the line of centres, a ball at rest an inch from a rail is at the rail and back within a frame or two. How
fast it was driven is told by the ball that struck it; nothing on so short a way could have stopped it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from calibration.table import RAILS, RailName, Table
from record.events import BallContact, Event, RailContact
from record.names import Ball
from tracking.motions import Motion
from tracking.rails import INWARD, clearance, mouth
from tracking.samples import Floats

_PASSED_ON: Final = 0.97
"""Share of the speed along the line of centres that a struck ball takes over."""
_FRAMES: Final = 2.5
"""Ways that take longer than so many frames are seen for themselves."""
_SLOWING: Final = 3.0
"""No cloth takes more than this from a ball, m/s²."""
_ENOUGH: Final = 4.0
"""The ball must be fast enough to roll so many times as far as the rail is."""
_WELL_BEFORE: Final = 0.005
_LIKELY: Final = 0.4
_SURE: Final = 0.97
_SQUARE: Final = 0.3
"""Cosine between the way and the rail's normal, at least: a ball that runs along a rail may miss it."""


def driven_touches(
    table: Table, events: Sequence[Event], motions: Mapping[Ball, Motion], lay: Mapping[Ball, Floats]
) -> list[RailContact]:
    """Touches that must follow from contacts and are not told; `lay` is where each ball lay before the shot."""
    found = []
    for contact in [e for e in events if isinstance(e, BallContact) and e.sure >= _LIKELY]:
        for hitter, struck in (contact.balls, contact.balls[::-1]):
            touch = _touch(table, contact, hitter, struck, events, motions, lay)
            if touch is not None:
                found.append(touch)
    return found


def _touch(
    table: Table,
    contact: BallContact,
    hitter: Ball,
    struck: Ball,
    events: Sequence[Event],
    motions: Mapping[Ball, Motion],
    lay: Mapping[Ball, Floats],
) -> RailContact | None:
    if hitter not in motions or struck not in lay or _moved_before(struck, contact.t, events):
        return None
    path = motions[hitter].path
    before = contact.t - _WELL_BEFORE
    velocity = path.speed_on(path.stretch(before), before)
    line = lay[struck] - path.place(contact.t)
    line = line / max(float(np.hypot(*line)), 1e-9)
    speed = _PASSED_ON * float(velocity @ line)
    near = _rail_ahead(table, lay[struck], line)
    if near is None or speed <= 0.0:
        return None
    rail, way = near
    takes = way / speed
    if takes > _FRAMES * motions[hitter].frame or speed**2 / (2 * _SLOWING) < _ENOUGH * way:
        return None
    if _told(struck, rail, contact.t, takes, events):
        return None
    t, sigma = contact.t + takes, max(contact.sigma, 0.3 * takes)
    sure = round(_SURE * contact.sure, 3)
    return RailContact(t=round(t, 4), t_sigma=round(sigma, 4), confidence=sure, ball=struck, rail=rail)


def _rail_ahead(table: Table, place: Floats, line: Floats) -> tuple[RailName, float] | None:
    """The rail that a ball runs into along `line`, and how far it is, metres."""
    ahead: list[tuple[float, RailName]] = []
    for rail in RAILS:
        facing = -float(line @ np.array(INWARD[rail]))
        gap = max(clearance(table, rail, place), 0.0)
        if facing > _SQUARE and mouth(table, rail, place + line * (gap / facing)) is None:
            ahead.append((gap / facing, rail))
    if not ahead:
        return None
    way, rail = min(ahead)
    return rail, way


def _moved_before(ball: Ball, t: float, events: Sequence[Event]) -> bool:
    """Something had happened to the ball before: it did not lie where it had lain."""
    return any(
        e.t < t - 1e-6 and ball in (e.balls if isinstance(e, BallContact) else (e.ball,))
        for e in events
        if isinstance(e, BallContact | RailContact) or e.type == "strike"
    )


def _told(ball: Ball, rail: RailName, t: float, takes: float, events: Sequence[Event]) -> bool:
    """This touch is told already, or something else comes first."""
    for e in events:
        if isinstance(e, RailContact) and e.ball == ball and e.rail == rail and abs(e.t - t - takes) < 0.1:
            return True
        if isinstance(e, BallContact) and ball in e.balls and t + 1e-6 < e.t < t + takes:
            return True
    return False
