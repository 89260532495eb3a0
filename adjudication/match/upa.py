"""UPA: the lower Speed breaks first, breaks alternate; fifteen minutes to begin (UPA 2.0, 9.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

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
    present,
    racks_of,
    rating,
)
from adjudication.match.series import alternation_notes, first_breaker, line_of
from record.match import Match, Pairing, Side

WAIT: Final = 900.0
"""Seconds that a side has to begin."""


def score(match: Match) -> Scoresheet:
    """The night as it stands; each pairing won is a point.

    Raises:
        MatchError: an entry that the format does not allow.
    """
    known_pairing(match)
    notes: list[Note] = []
    lines = [_line(match, pairing, notes) for pairing in pairings(match)]
    lines = _late(match, _forfeited(match, lines), notes)
    return by_pairings(match, lines, notes)


def _line(match: Match, pairing: Pairing, notes: list[Note]) -> Line:
    first = opening_breaker(match, pairing, notes)
    for text in alternation_notes(match, pairing, first):
        notes.append(Note("UPA 2.0", text + ", though the other's turn to break"))
    return line_of(match, pairing, first, race_of(match, pairing))


def opening_breaker(match: Match, pairing: Pairing, notes: list[Note]) -> Side | None:
    """The lower Speed; equal Speeds lag for it."""
    home, visitors = rating(match, pairing, "home"), rating(match, pairing, "visitors")
    if home != visitors:
        return "home" if home < visitors else "visitors"
    lagged = first_breaker(match, pairing)
    if lagged is None:
        notes.append(Note("UPA 2.0", f"pairing {pairing.number}: equal Speeds, a lag decides who breaks first"))
    return lagged


def race_of(match: Match, pairing: Pairing) -> dict[Side, int] | None:
    """Racks that each side needs: the pairing's own, else the match's option `race`; None where nothing is set."""
    if pairing.race is not None:
        return pairing.race
    race = match.options.get("race")
    if race is None:
        return None
    if not isinstance(race, int) or race < 1:
        raise MatchError(f"the option 'race' must be a whole number from 1, not {race!r}")
    return {"home": race, "visitors": race}


def _forfeited(match: Match, lines: list[Line]) -> list[Line]:
    """Lines forfeited by declaration, or with the whole match."""
    given = {entry.pairing: entry.side for entry in forfeits(match)}
    found = []
    for line in lines:
        side = given.get(line.pairing.number, given.get(None))
        if side is not None and line.winner is None:
            line = replace(line, winner=opponent(side), how="forfeit", breaks=None)
        found.append(line)
    return found


def _late(match: Match, lines: list[Line], notes: list[Note]) -> list[Line]:
    """A side that has not begun fifteen minutes after the start forfeits the first match (UPA 9.1)."""
    if not lines or lines[0].winner is not None or racks_of(match, lines[0].pairing.number):
        return lines
    now = max((entry.t for entry in match.entries), default=0.0)
    missing = [side for side in SIDES if not present(match, side, WAIT)]
    if now <= WAIT or len(missing) != 1:
        return lines
    late = missing[0]
    notes.append(Note("UPA 9.1", f"the {late} had not come within 15 minutes: the first match is forfeited"))
    return [replace(lines[0], winner=opponent(late), how="forfeit", breaks=None), *lines[1:]]
