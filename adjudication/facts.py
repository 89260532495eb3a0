"""What happened in a shot, as the rules ask it: plain questions over a shot's events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from adjudication.certainty import Thresholds
from record.events import BallContact, CameToRest, DoubleHit, Event, Jump, OffTable, Pocketed, RailContact, SideCrossing
from record.names import CUE
from record.shot import Shot


@dataclass(frozen=True)
class Contact:
    """The cue ball's contact with another ball."""

    ball: str
    t: float
    sigma: float
    sure: float


@dataclass(frozen=True, eq=False)
class ShotFacts:
    """Questions about one shot. Answers do not depend on the order of simultaneous events in the record.

    Attributes:
        events: in time order.
        cue_contacts: the cue ball's contacts with other balls, in time order.
        first_contacts: the first ball hit, and every other hit so soon after that the order cannot be told.
        rail_contacts: touches of rails that count: not those of a ball that lay frozen against the rail.
        pocketed: balls that fell and stayed down (a ball still on the table afterwards bounced out).
    """

    shot: Shot
    thresholds: Thresholds
    events: tuple[Event, ...]
    cue_contacts: tuple[Contact, ...]
    first_contacts: tuple[Contact, ...]
    rail_contacts: tuple[RailContact, ...]
    pocketed: tuple[Pocketed, ...]
    off_table: tuple[OffTable, ...]
    side_crossings: tuple[SideCrossing, ...]
    jumps: tuple[Jump, ...]
    double_hits: tuple[DoubleHit, ...]

    @staticmethod
    def of(shot: Shot, thresholds: Thresholds) -> ShotFacts:
        """The facts of a shot, its events sorted by kind once."""
        events = in_time_order(shot.events)
        contacts = tuple(_contact(e) for e in events if isinstance(e, BallContact) and CUE in e.balls)
        return ShotFacts(
            shot,
            thresholds,
            events,
            contacts,
            _nearest(contacts, thresholds),
            tuple(e for e in events if isinstance(e, RailContact) and not e.frozen),
            tuple(e for e in events if isinstance(e, Pocketed) and e.ball not in shot.layout_after),
            tuple(e for e in events if isinstance(e, OffTable)),
            tuple(e for e in events if isinstance(e, SideCrossing)),
            tuple(e for e in events if isinstance(e, Jump)),
            tuple(e for e in events if isinstance(e, DoubleHit)),
        )

    def hung(self, fall: Pocketed) -> float | None:
        """How long a ball lay still before it fell, seconds; None where it fell while it moved."""
        rests = [e.t for e in self.events if isinstance(e, CameToRest) and e.ball == fall.ball and e.t <= fall.t]
        return fall.t - max(rests) if rests else None

    def rail_probability(self, ball: str) -> float:
        """Probability that a ball met a rail at least once."""
        missed = 1.0
        for event in self.rail_contacts:
            if event.ball == ball:
                missed *= 1 - event.sure
        return 1 - missed


def in_time_order(events: Sequence[Event]) -> tuple[Event, ...]:
    """Events by time; simultaneous ones in an order of their own, whatever the record's was."""
    found = sorted(events, key=lambda event: event.t)
    if any(a.t == b.t for a, b in pairwise(found)):
        found.sort(key=lambda event: (event.t, event.model_dump_json()))
    return tuple(found)


def split_window(a: Contact, b: Contact, thresholds: Thresholds) -> float:
    """How far apart in time two contacts must be for their order to be told, seconds."""
    return thresholds.split_sigmas * float((a.sigma**2 + b.sigma**2) ** 0.5)


def _contact(event: BallContact) -> Contact:
    ball = event.balls[1] if event.balls[0] == CUE else event.balls[0]
    return Contact(ball, event.t, event.sigma, event.sure)


def _nearest(contacts: tuple[Contact, ...], thresholds: Thresholds) -> tuple[Contact, ...]:
    """The first contact and those of other balls that cannot be told apart from it in time."""
    if not contacts:
        return ()
    first = contacts[0]
    near = (c for c in contacts[1:] if c.ball != first.ball and c.t - first.t <= split_window(first, c, thresholds))
    return (first, *near)
