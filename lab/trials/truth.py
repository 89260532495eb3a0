"""A played shot as the record would have it if everything were known exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from lab.shot import Happening, PlayedShot
from record.events import BallContact, CameToRest, Event, Jump, OffTable, Pocketed, RailContact, SideCrossing, Strike
from record.shot import Shot

_TOUCHING: Final = 0.0004
"""Gaps below this, metres, count as touching."""


def as_shot(played: PlayedShot, index: int = 0) -> Shot:
    """The record's shot, with exact events and no doubt about any."""
    events = [_event(e) for e in played.events]
    events += _crossings(played)
    return Shot(
        index=index,
        player="A",
        t_strike=played.t_strike,
        t_rest=max(played.t_rest, played.t_strike),
        layout_before=dict(played.layout_before),
        layout_after=played.layout_after,
        frozen=_frozen(played),
        events=sorted(events, key=lambda e: e.t),
    )


def _event(e: Happening) -> Event:
    match e.type:
        case "strike":
            return Strike(t=e.t, ball=_name(e.ball))
        case "ball_contact":
            assert e.balls is not None
            return BallContact(t=e.t, balls=e.balls)
        case "rail_contact":
            assert e.rail is not None
            return RailContact(t=e.t, ball=_name(e.ball), rail=e.rail, jaw=e.jaw or None, frozen=e.frozen or None)
        case "pocketed":
            assert e.pocket is not None
            return Pocketed(t=e.t, ball=_name(e.ball), pocket=e.pocket)
        case "off_table":
            return OffTable(t=e.t, ball=_name(e.ball))
        case "jump":
            return Jump(t=e.t, ball=_name(e.ball), over=_name(e.over))
        case "came_to_rest":
            return CameToRest(t=e.t, ball=_name(e.ball))


def _name(ball: str | None) -> str:
    assert ball is not None
    return ball


def _crossings(played: PlayedShot) -> list[Event]:
    """Object balls whose whole body passes the line through the side pockets."""
    times = np.arange(played.t_strike, played.t_rest, 0.001)
    found: list[Event] = []
    for ball, way in played.ways.items():
        side = np.sign(played.layout_before[ball][0]) or 1.0
        past = np.flatnonzero(-side * way(times)[:, 0] > played.table.ball_radius)
        if ball != "cue" and len(past):
            found.append(SideCrossing(t=float(times[past[0]]), ball=ball))
    return found


def _frozen(played: PlayedShot) -> list[tuple[str, str]]:
    layout: Mapping[str, tuple[float, float]] = played.layout_before
    names = sorted(layout)
    table = played.table
    pairs: list[tuple[str, str]] = [
        (a, b)
        for k, a in enumerate(names)
        for b in names[k + 1 :]
        if np.hypot(layout[a][0] - layout[b][0], layout[a][1] - layout[b][1]) < table.ball_diameter + _TOUCHING
    ]
    for ball in names:
        for rail in ("head", "foot", "left", "right"):
            if table.rail_distance(rail, *layout[ball]) - table.ball_radius < _TOUCHING:
                pairs.append((ball, rail))
    return pairs
