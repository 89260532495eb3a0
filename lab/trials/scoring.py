"""What was told of a shot against what is true of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from adjudication.certainty import Finding, Thresholds
from adjudication.facts import ShotFacts
from adjudication.predicates import count_to_rails, no_rail
from lab.shot import PlayedShot
from lab.trials.rulings import Judgement, judgements
from lab.trials.telling import Told
from lab.trials.truth import as_shot
from record.events import BallContact, RailContact
from record.shot import Shot

SAME: Final = 0.1
"""A touch told within so many seconds of a true one is that one."""
LIKELY: Final = 0.5
"""What is told with at least this confidence counts as told."""
NEEDED: Final = 4
"""Balls to a rail that make a break legal: beyond them nobody counts."""
_THRESHOLDS: Final = Thresholds()


@dataclass(frozen=True)
class Call:
    """A question with a true answer, and the answer given: `right` is None where none was given."""

    right: bool | None
    true: Any
    told: Any


@dataclass(frozen=True)
class Score:
    """One shot.

    Attributes:
        kind, number: which shot it is.
        shots: how many were told (one is right).
        first: the first ball hit; `gap` the seconds to the cue ball's next contact with another, `late` the error of
            the time told, seconds, where the ball is right.
        rails: touches of rails found, missed and invented.
        some_rail: whether a rail was touched after the first contact.
        fates: what was pocketed and what left the table.
        to_rails: balls to a rail, up to the number that a rule asks for, on a break; None on other shots.
        judged: every league's word.
        beliefs: (kind, confidence, right) of every event told.
        watching, reading: seconds of processor.
        early: the first ball hit as told while the shot went on; `known_after` the seconds from the hit to that.
    """

    kind: str
    number: int
    shots: int
    first: Call
    gap: float
    late: float
    rails: tuple[int, int, int]
    some_rail: Call
    fates: Call
    to_rails: Call | None
    judged: tuple[Judgement, ...]
    beliefs: tuple[tuple[str, float, bool], ...]
    watching: float
    reading: float
    early: Call
    known_after: float
    notes: tuple[str, ...] = field(default=())


def scored(kind: str, number: int, played: PlayedShot, told: Told) -> Score:
    """Compare a told shot with the played one."""
    true = as_shot(played)
    shot = max(told.shots, key=lambda s: len(s.events), default=_nothing(true))
    facts, exact = (ShotFacts.of(s, _THRESHOLDS) for s in (shot, true))
    first = _first(exact, facts)
    rails, believed = _rails(true, shot)
    return Score(
        kind,
        number,
        len(told.shots),
        first,
        _gap(exact),
        facts.first_contacts[0].t - exact.first_contacts[0].t if first.right and exact.first_contacts else np.nan,
        rails,
        _answer(no_rail(exact), no_rail(facts)),
        _fates(true, shot),
        _to_rails(exact, facts) if kind.startswith("break") else None,
        tuple(judgements(played.table, true, shot if told.shots else None)),
        tuple(believed + _contact_beliefs(true, shot) + _fall_beliefs(true, shot)),
        told.watching,
        told.reading,
        Call(told.early[0] == first.true if told.early else None, first.true, told.early and told.early[0]),
        told.early[1] - exact.first_contacts[0].t if told.early and exact.first_contacts else np.nan,
        tuple(shot.notes),
    )


def _nothing(true: Shot) -> Shot:
    """What is left where no shot was told."""
    return true.model_copy(update={"events": [], "layout_after": true.layout_before, "notes": ["no shot was told"]})


def _first(exact: ShotFacts, facts: ShotFacts) -> Call:
    """The first ball hit; undecided where two may have been, or where the hit is in doubt."""
    balls = {c.ball for c in exact.first_contacts}
    true = exact.first_contacts[0].ball if exact.first_contacts else None
    candidates = {c.ball for c in facts.first_contacts}
    if not candidates:
        return Call(true is None, true, None)
    opening = facts.first_contacts[0]
    sure = opening.sure >= _THRESHOLDS.sure and len(candidates) == 1
    right = opening.ball in balls if sure else None
    return Call(right, true, "/".join(sorted(candidates)))


def _gap(exact: ShotFacts) -> float:
    first = exact.cue_contacts[0] if exact.cue_contacts else None
    return next((c.t - first.t for c in exact.cue_contacts[1:] if first and c.ball != first.ball), float("inf"))


def _answer(true: Finding, told: Finding) -> Call:
    return Call(None if told.holds is None else told.holds == true.holds, true.holds, told.holds)


def _counted(shot: Shot) -> list[RailContact]:
    return [e for e in shot.events if isinstance(e, RailContact) and not e.frozen]


def _rails(true: Shot, shot: Shot) -> tuple[tuple[int, int, int], list[tuple[str, float, bool]]]:
    """Found, missed, invented; and every touch told, with whether there was one."""
    left = _counted(true)
    found = invented = 0
    beliefs: list[tuple[str, float, bool]] = []
    for told in sorted(_counted(shot), key=lambda e: -e.sure):
        same = [e for e in left if (e.ball, e.rail) == (told.ball, told.rail) and abs(e.t - told.t) < _same(told)]
        beliefs.append(("rail contact", told.sure, bool(same)))
        if told.sure < LIKELY:
            continue
        if same:
            left.remove(min(same, key=lambda e: abs(e.t - told.t)))
            found += 1
        else:
            invented += 1
    return (found, len(left), invented), beliefs


def _same(event: BallContact | RailContact) -> float:
    return max(SAME, 2.0 * event.sigma)


def _contact_beliefs(true: Shot, shot: Shot) -> list[tuple[str, float, bool]]:
    exact = [e for e in true.events if isinstance(e, BallContact)]
    return [
        ("ball contact", e.sure, any(set(o.balls) == set(e.balls) and abs(o.t - e.t) < _same(e) for o in exact))
        for e in shot.events
        if isinstance(e, BallContact)
    ]


def _fall_beliefs(true: Shot, shot: Shot) -> list[tuple[str, float, bool]]:
    exact = {(e.type, e.ball, getattr(e, "pocket", None)) for e in true.events if e.type in ("pocketed", "off_table")}
    return [
        (e.type, e.sure, (e.type, e.ball, getattr(e, "pocket", None)) in exact)
        for e in shot.events
        if e.type in ("pocketed", "off_table")
    ]


def _fates(true: Shot, shot: Shot) -> Call:
    """What became of the balls: who fell and where, who left the table."""
    fates = [
        sorted(
            (e.type, e.ball, getattr(e, "pocket", ""))
            for e in s.events
            if e.type in ("pocketed", "off_table") and e.sure >= LIKELY
        )
        for s in (true, shot)
    ]
    doubted = [e for e in shot.events if e.type in ("pocketed", "off_table") and e.sure < _THRESHOLDS.sure]
    right = None if doubted or any("was last seen" in note for note in shot.notes) else fates[0] == fates[1]
    return Call(right, fates[0], fates[1])


def _to_rails(exact: ShotFacts, facts: ShotFacts) -> Call:
    true = min(count_to_rails(exact)[0], NEEDED)
    low, high = (min(count, NEEDED) for count in count_to_rails(facts))
    return Call(low == true if low == high else None, true, f"{low}-{high}")


def missed_balls(scores: Sequence[Score]) -> Counter[str]:
    """Kinds of shot by how often the first ball was told wrong."""
    return Counter(s.kind for s in scores if s.first.right is False)
