"""UPL: racks spotted from ratings, a 30-minute clock, line-ups within limits (UPL Handicap, Roster, Roster size)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from adjudication.match import upa
from adjudication.match.scoresheet import (
    SIDES,
    Line,
    Note,
    Scoresheet,
    by_pairings,
    known_pairing,
    lineup,
    opponent,
    pairings,
    person,
    racks_of,
    rating,
)
from adjudication.match.series import alternation_notes, first_breaker, line_of
from record.match import Forfeit, Match, Offence, Pairing, Rack, Side

CLOCK: Final = 1800.0
"""Length of a pairing, seconds."""

_STEP: Final = 40
_MOST: Final = 4
_ROSTER: Final = 8


def racks_spotted(better: float, other: float) -> int:
    """Racks that the better player gives: one for every 40 points of difference, four at most."""
    return min(_MOST, math.floor(abs(better - other) / _STEP))


def lineup_faults(ratings: list[float]) -> list[str]:
    """Why a line-up is not allowed; empty where it is.

    One player of 700 or more and then nobody else from 600; else at most two from 600; one of 450 or less.
    """
    top = sum(value >= 700 for value in ratings)
    high = sum(value >= 600 for value in ratings)
    faults = []
    if top > 1:
        faults.append("more than one player is rated 700 or more")
    elif top == 1 and high > 1:
        faults.append("beside a player rated 700 or more another is rated 600 or more")
    elif high > 2:
        faults.append("more than two players are rated 600 or more")
    if not any(value <= 450 for value in ratings):
        faults.append("nobody is rated 450 or less")
    return faults


def score(match: Match) -> Scoresheet:
    """The night as it stands; each pairing won is a point.

    Raises:
        MatchError: an entry that the format does not allow.
    """
    known_pairing(match)
    notes = [*_roster_notes(match), *_conduct_notes(match)]
    lines = [_line(match, pairing, notes) for pairing in pairings(match)]
    return by_pairings(match, lines, notes)


def _line(match: Match, pairing: Pairing, notes: list[Note]) -> Line:
    """A pairing with its spotted racks; when its clock has run out the leader wins."""
    home, visitors = rating(match, pairing, "home"), rating(match, pairing, "visitors")
    given = racks_spotted(home, visitors)
    spot = (given, 0) if home < visitors else (0, given)
    first = first_breaker(match, pairing)
    racks, end = racks_of(match, pairing.number), pairing.t + CLOCK
    for text in alternation_notes(match, pairing, first):
        notes.append(Note("UPL Break", text + ", though breaks alternate"))
    late = [rack for rack in racks if rack.t > end]
    if late:
        notes.append(Note("UPL Handicap", f"pairing {pairing.number}: {len(late)} rack(s) ended after the clock"))
    counted = match.model_copy(update={"entries": [entry for entry in match.entries if entry not in late]})
    line = line_of(counted, pairing, first, upa.race_of(match, pairing), spot)
    gone = next((e.side for e in match.entries if isinstance(e, Forfeit) and e.pairing in (None, pairing.number)), None)
    if gone is not None and line.winner is None:
        return replace(line, winner=opponent(gone), how="forfeit", breaks=None)
    return _by_clock(match, line, end, notes)


def _by_clock(match: Match, line: Line, end: float, notes: list[Note]) -> Line:
    own = [entry.t for entry in match.entries if isinstance(entry, Rack) and entry.pairing == line.pairing.number]
    now = max((entry.t for entry in match.entries), default=0.0)
    if line.winner is not None or (now < end and match.status != "over") or (match.status == "over" and not own):
        return line
    if line.home == line.visitors:
        notes.append(Note("UPL Handicap", f"pairing {line.pairing.number} is level at 0:00; the rules name no winner"))
        return line
    ahead: Side = "home" if line.home > line.visitors else "visitors"
    return replace(line, winner=ahead, how="clock", breaks=None)


def _roster_notes(match: Match) -> list[Note]:
    notes = []
    for side in SIDES:
        team = match.home if side == "home" else match.visitors
        if len(team.players) > _ROSTER:
            notes.append(Note("UPL Roster size", f"{team.name} has {len(team.players)} players; eight are allowed"))
        playing = lineup(match, side)
        if playing is not None:
            known = [person(match, side, player).rating for player in playing]
            faults = lineup_faults([value for value in known if value is not None])
            notes += [Note("UPL Roster", f"{team.name}'s line-up: {fault}") for fault in faults]
    return notes


def _conduct_notes(match: Match) -> list[Note]:
    """A second offence of conduct forfeits the match, of coaching the rack (UPL Sportsmanship, UPL Coaching)."""
    notes = []
    for side in SIDES:
        own = [entry for entry in match.entries if isinstance(entry, Offence) and entry.side == side]
        for about, clause, penalty in (
            ("conduct", "UPL Sportsmanship", "the match is forfeited"),
            ("coaching", "UPL Coaching", "the rack is lost"),
        ):
            count = sum(entry.about == about for entry in own)
            if count > 1:
                notes.append(Note(clause, f"{side}: offence {count} of {about} in this match: {penalty}"))
    return notes
