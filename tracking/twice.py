"""Two balls that part do not meet again by themselves: what turned one round in between is a cushion close by.

A ball struck into a rail an inch away comes back within a frame or two and meets the other again; its turn is not seen
as a bend of its path, but it must have been there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from calibration.table import RAILS, RailName, Table
from record.events import BallContact, Event, RailContact
from record.names import Ball
from tracking.motions import Motion
from tracking.rails import clearance, mouth
from tracking.samples import Floats

_LONGEST: Final = 0.4
"""Seconds between the two meetings, at most: a ball that spins forward may catch up with one that slows down."""
_NEAR: Final = 0.02
"""Metres to a nose line within which one of the two comes in between, as its fitted path has it."""
_LIKELY, _PERHAPS = 0.6, 0.25
"""The first and the second meeting must be at least so sure."""
_SURE: Final = 0.9


def turned_between(
    table: Table, events: Sequence[Event], motions: Mapping[Ball, Motion], still: Mapping[Ball, Floats]
) -> list[RailContact]:
    """Touches of rails that must have been between two meetings of the same two balls."""
    found = []
    for first, second in _again(events):
        near = _nearest(table, first, second, motions, still)
        if near is not None:
            ball, rail, t = near
            sigma, sure = 0.25 * (second.t - first.t), _SURE * min(first.sure, second.sure)
            found.append(
                RailContact(t=round(t, 4), t_sigma=round(sigma, 4), confidence=round(sure, 3), ball=ball, rail=rail)
            )
    return found


def _again(events: Sequence[Event]) -> Iterator[tuple[BallContact, BallContact]]:
    """Meetings of the same two balls with nothing that happened to either in between."""
    contacts = [e for e in events if isinstance(e, BallContact)]
    for pair in {frozenset(e.balls) for e in contacts}:
        about = sorted(
            (
                e
                for e in events
                if (isinstance(e, BallContact) and pair & set(e.balls))
                or (isinstance(e, RailContact) and e.ball in pair)
            ),
            key=lambda e: e.t,
        )
        for a, b in pairwise(about):
            if not isinstance(a, BallContact) or not isinstance(b, BallContact):
                continue
            likely = a.sure >= _LIKELY and b.sure >= _PERHAPS and 0 < b.t - a.t < _LONGEST
            if likely and frozenset(a.balls) == frozenset(b.balls) == pair:
                yield a, b


def _nearest(
    table: Table,
    first: BallContact,
    second: BallContact,
    motions: Mapping[Ball, Motion],
    still: Mapping[Ball, Floats],
) -> tuple[Ball, RailName, float] | None:
    """Which of the two came nearest to which rail, and when."""
    times = np.linspace(first.t, second.t, 15)[1:-1]
    best: tuple[float, Ball, RailName, float] | None = None
    for ball in first.balls:
        way = motions[ball].path.at(times) if ball in motions else np.tile(still[ball], (len(times), 1))
        for rail in RAILS:
            gaps = [clearance(table, rail, place) for place in way]
            k = int(np.argmin(gaps))
            close = gaps[k] < _NEAR and mouth(table, rail, way[k]) is None
            if close and (best is None or gaps[k] < best[0]):
                best = gaps[k], ball, rail, float(times[k])
    return None if best is None else best[1:]
