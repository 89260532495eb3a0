"""A record judged under another league of the same game, each shot in the game as it was played.

The leagues would have let the rack go on differently (another player at the table, a re-rack), so what another league
would have ruled is asked shot by shot: the game before each entry is that of the record's own league.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from adjudication.errors import IllegalEntryError
from adjudication.judge import Judge, UnjudgeableError, UnknownLeagueError, adjudicate
from adjudication.leagues import BOOKS
from record.entries import Declaration, Entry, Observation
from record.lag import Lag
from record.rack import RackRecord
from record.ruling import Ruling
from record.shot import Shot

_OWN: Final = ("clock", "cautioned", "used", "warned", "fouls_in_row", "visits")
"""What each league counts for itself."""


class OtherGameError(ValueError):
    """The other league plays another game."""


@dataclass(frozen=True)
class Parting:
    """An entry on which two leagues do not agree: its number, and each league's ruling."""

    entry: int
    of: Entry
    first: Ruling | None
    second: Ruling | None


def rejudged(record: RackRecord, rules: str) -> RackRecord:
    """The record with the rulings of the league `rules`.

    Raises:
        UnknownLeagueError: no such league.
        OtherGameError: it plays another game.
        UnjudgeableError: some entry cannot be judged under the record's own rules.
    """
    wanted = record.model_copy(update={"rules": rules})
    if record.rules not in BOOKS or rules == record.rules:
        return adjudicate(wanted)
    own, other = Judge.of(record), Judge.of(wanted)
    if own.league.balls != other.league.balls:
        raise OtherGameError(f"{other.league.title} is another game than {own.league.title}, which was played")
    done: list[Entry] = []
    for number, entry in enumerate(record.entries):
        kept = {name: getattr(other.state, name) for name in _OWN}
        other.memory = replace(own.memory, state=own.state.but(**kept))
        try:
            own.add(entry)
        except IllegalEntryError as error:
            judged = wanted.model_copy(update={"entries": done})
            raise UnjudgeableError(f"entry {number} cannot be judged: {error}", judged, number) from None
        done.append(_as_other(other, entry))
    return wanted.model_copy(update={"entries": done})


def _as_other(other: Judge, entry: Entry) -> Entry:
    """An entry under the other league; what that league does not know has no ruling."""
    try:
        return other.add(entry).entry
    except IllegalEntryError:
        return entry.model_copy(update={"ruling": None}) if isinstance(entry, Shot | Declaration) else entry


def partings(record: RackRecord, first: str, second: str) -> list[Parting]:
    """Where two leagues part over a record.

    Raises:
        UnknownLeagueError, OtherGameError, UnjudgeableError: as `rejudged`.
    """
    for name in (first, second):
        if name not in BOOKS:
            raise UnknownLeagueError(f"unknown rules {name!r}: known are {', '.join(sorted(BOOKS))}")
    one, two = rejudged(record, first), rejudged(record, second)
    found = []
    for number, (a, b) in enumerate(zip(one.entries, two.entries, strict=True)):
        of_a, of_b = ruling_of(a), ruling_of(b)
        if _what_follows(of_a) != _what_follows(of_b):
            found.append(Parting(number, a, of_a, of_b))
    return found


def ruling_of(entry: Entry) -> Ruling | None:
    return entry.ruling if isinstance(entry, Shot | Declaration | Observation | Lag) else None


def _what_follows(ruling: Ruling | None) -> object:
    """What two leagues must agree on: the call, the fouls, who plays and how, what is spotted."""
    if ruling is None:
        return None
    codes = sorted(foul.code for foul in ruling.fouls)
    return (
        ruling.call,
        codes,
        ruling.next,
        ruling.winner,
        ruling.spot,
        ruling.restore,
        ruling.groups,
        ruling.needs_review,
    )
