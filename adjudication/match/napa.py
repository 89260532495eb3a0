"""NAPA: lateness and the forfeits that follow it, one table size a session (NAPA Late, Forfeits, Tables)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from adjudication.match import upa
from adjudication.match.scoresheet import (
    SIDES,
    Line,
    MatchError,
    Note,
    Scoresheet,
    by_pairings,
    forfeits,
    known_pairing,
    opponent,
    pairings,
    players_of,
    present,
    racks_of,
)
from adjudication.match.series import first_breaker, line_of
from record.match import Match, Rack, Side

WAIT: Final = 900.0
"""Seconds within which one player of a team must have come."""

SIZES: Final[dict[str, float]] = {"7ft": 1.9812, "8ft": 2.2352, "8ft-pro": 2.3368, "9ft": 2.54}
"""Lengths of the tables that may be played on, metres."""

_NEAR: Final = 0.03


def score(match: Match) -> Scoresheet:
    """The night as it stands; each pairing won is a point.

    Raises:
        MatchError: an entry that the format does not allow, such as a rack on another size of table.
    """
    known_pairing(match)
    _one_size(match)
    notes: list[Note] = []
    lines = [line_of(match, one, first_breaker(match, one), upa.race_of(match, one)) for one in pairings(match)]
    lines = _forfeited(match, lines, notes)
    absent = _absent_team(match)
    if absent is not None:
        notes.append(Note("NAPA Late", f"nobody of the {absent} had come within 15 minutes: the team forfeits"))
    return by_pairings(match, lines, notes, absent)


def _one_size(match: Match) -> None:
    """Every rack on the session's size of table."""
    session = match.options.get("table")
    if session is not None and session not in SIZES:
        raise MatchError(f"no table of {session!r} is played on: {', '.join(SIZES)} are")
    expected = None if session is None else SIZES[session]
    for rack in (entry for entry in match.entries if isinstance(entry, Rack)):
        if rack.table_length is None:
            continue
        found = f"a rack was played on a table {rack.table_length:.2f} m long"
        if not any(abs(rack.table_length - size) < _NEAR for size in SIZES.values()):
            raise MatchError(f"{found}; 7, 8 and 9 foot are played on")
        expected = rack.table_length if expected is None else expected
        if abs(rack.table_length - expected) >= _NEAR:
            raise MatchError(f"{found}; the session is played on {expected:.2f} m")


def _absent_team(match: Match) -> Side | None:
    """The side of which nobody had come in time, or which refused to play short."""
    whole = next((entry.side for entry in forfeits(match) if entry.pairing is None), None)
    if whole is not None:
        return whole
    now = max((entry.t for entry in match.entries), default=0.0)
    missing = [side for side in SIDES if not present(match, side, WAIT)]
    watched = any(entry.type == "arrival" for entry in match.entries)
    return missing[0] if watched and now > WAIT and len(missing) == 1 else None


def _forfeited(match: Match, lines: list[Line], notes: list[Note]) -> list[Line]:
    """A forfeited pairing forfeits the later ones too; all who are present play before it."""
    given = {entry.pairing: entry.side for entry in forfeits(match) if entry.pairing is not None}
    fallen: Side | None = None
    found = []
    for line in lines:
        side = given.get(line.pairing.number, fallen)
        if side is not None and line.winner is None and not racks_of(match, line.pairing.number):
            if fallen is None:
                _must_have_played(match, lines, side, line, notes)
            fallen = side
            line = replace(line, winner=opponent(side), how="forfeit", breaks=None)
        found.append(line)
    return found


def _must_have_played(match: Match, lines: list[Line], side: Side, at: Line, notes: list[Note]) -> None:
    """Players who are there and have not played may not be passed over for a forfeit."""
    if not any(entry.type == "arrival" for entry in match.entries):
        return
    before = [line for line in lines if line.pairing.number < at.pairing.number]
    played = {player for line in before for player in players_of(line.pairing, side)}
    idle = sorted(present(match, side, float("inf")) - played - set(players_of(at.pairing, side)))
    if idle:
        text = f"{', '.join(idle)} of the {side} must play before pairing {at.pairing.number} is forfeited"
        notes.append(Note("NAPA Forfeits", text))
