"""What happened in a shot, as the rules ask it: plain questions over a shot's events."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

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
    """Questions about one shot. Answers do not depend on the order of simultaneous events in the record."""

    shot: Shot
    thresholds: Thresholds

    @cached_property
    def events(self) -> tuple[Event, ...]:
        return tuple(sorted(self.shot.events, key=lambda event: (event.t, event.model_dump_json())))

    @cached_property
    def cue_contacts(self) -> tuple[Contact, ...]:
        """The cue ball's contacts with other balls, in time order."""
        found = []
        for event in self.events:
            if isinstance(event, BallContact) and CUE in event.balls:
                other = event.balls[1] if event.balls[0] == CUE else event.balls[0]
                found.append(Contact(other, event.t, event.sigma, event.sure))
        return tuple(found)

    @cached_property
    def first_contacts(self) -> tuple[Contact, ...]:
        """The first ball hit, and every other ball hit so soon after that the order cannot be told."""
        if not self.cue_contacts:
            return ()
        first = self.cue_contacts[0]
        near = [first]
        for contact in self.cue_contacts[1:]:
            if contact.ball != first.ball and contact.t - first.t <= self.split_window(first, contact):
                near.append(contact)
        return tuple(near)

    def split_window(self, a: Contact, b: Contact) -> float:
        """How far apart in time two contacts must be for their order to be told, seconds."""
        return self.thresholds.split_sigmas * float((a.sigma**2 + b.sigma**2) ** 0.5)

    @cached_property
    def rail_contacts(self) -> tuple[RailContact, ...]:
        """Touches of rails that count: not those of a ball that lay frozen against the rail."""
        return tuple(e for e in self.events if isinstance(e, RailContact) and not e.frozen)

    @cached_property
    def pocketed(self) -> tuple[Pocketed, ...]:
        """Balls that fell and stayed down (a ball still on the table afterwards bounced out)."""
        return tuple(e for e in self.events if isinstance(e, Pocketed) and e.ball not in self.shot.layout_after)

    @cached_property
    def off_table(self) -> tuple[OffTable, ...]:
        return tuple(e for e in self.events if isinstance(e, OffTable))

    @cached_property
    def side_crossings(self) -> tuple[SideCrossing, ...]:
        return tuple(e for e in self.events if isinstance(e, SideCrossing))

    @cached_property
    def jumps(self) -> tuple[Jump, ...]:
        return tuple(e for e in self.events if isinstance(e, Jump))

    @cached_property
    def double_hits(self) -> tuple[DoubleHit, ...]:
        return tuple(e for e in self.events if isinstance(e, DoubleHit))

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
