"""A match's score as it stands: a line a pairing, points, and what the rules have to say about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from record.match import Arrival, Forfeit, Lineup, Match, Pairing, Person, Rack, Side, Toss

SIDES: tuple[Side, Side] = ("home", "visitors")


class MatchError(ValueError):
    """An entry that the league's format does not allow; the message says which and why."""


@dataclass(frozen=True)
class Note:
    """What a clause says about the match."""

    clause: str
    text: str


@dataclass(frozen=True)
class Line:
    """One pairing: racks won, racks given as handicap, and how it ended."""

    pairing: Pairing
    home: int
    visitors: int
    winner: Side | None
    how: Literal["open", "played", "clock", "forfeit"] = "open"
    breaks: Side | None = None
    spot: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Scoresheet:
    """The whole match. `breaks` of an open line says who breaks its next rack."""

    lines: tuple[Line, ...]
    home: int
    visitors: int
    bonus: Side | None = None
    winner: Side | None = None
    over: bool = False
    notes: tuple[Note, ...] = ()

    def points(self, side: Side) -> int:
        return (self.home if side == "home" else self.visitors) + int(self.bonus == side)


def by_pairings(match: Match, lines: Sequence[Line], notes: Sequence[Note], lost_by: Side | None = None) -> Scoresheet:
    """The sheet of a format in which each pairing won is a point and the most points win; `lost_by`: a side that has
    forfeited the match whatever its points."""
    home, visitors = (sum(line.winner == side for line in lines) for side in SIDES)
    over = match.status == "over" or (bool(lines) and all(line.winner is not None for line in lines))
    winner: Side | None = None
    if lost_by is not None:
        over, winner = True, opponent(lost_by)
    elif over and home != visitors:
        winner = "home" if home > visitors else "visitors"
    return Scoresheet(tuple(lines), home, visitors, None, winner, over, tuple(notes))


def opponent(side: Side) -> Side:
    return "visitors" if side == "home" else "home"


def pairings(match: Match) -> list[Pairing]:
    """The pairings in order of their numbers.

    Raises:
        MatchError: a number twice, or a player who is in no team.
    """
    found = sorted((entry for entry in match.entries if isinstance(entry, Pairing)), key=lambda one: one.number)
    for before, after in pairwise(found):
        if before.number == after.number:
            raise MatchError(f"there are two pairings with the number {after.number}")
    for pairing in found:
        for side in SIDES:
            for player in players_of(pairing, side):
                person(match, side, player)
    return found


def players_of(pairing: Pairing, side: Side) -> list[str]:
    return pairing.home if side == "home" else pairing.visitors


def person(match: Match, side: Side, player: str) -> Person:
    """A player of a side.

    Raises:
        MatchError: there is none of that id.
    """
    team = match.home if side == "home" else match.visitors
    found = next((one for one in team.players if one.id == player), None)
    if found is None:
        raise MatchError(f"{player!r} is no player of {team.name}")
    return found


def rating(match: Match, pairing: Pairing, side: Side) -> float:
    """The rating of a side's player.

    Raises:
        MatchError: it is not known.
    """
    player = person(match, side, players_of(pairing, side)[0])
    if player.rating is None:
        raise MatchError(f"{player.name} has no rating, which the format needs")
    return player.rating


def racks_of(match: Match, number: int) -> list[Rack]:
    """A pairing's racks in the order in which they were played."""
    return [entry for entry in match.entries if isinstance(entry, Rack) and entry.pairing == number]


def tosses_of(match: Match, number: int) -> list[Toss]:
    return [entry for entry in match.entries if isinstance(entry, Toss) and entry.pairing == number]


def forfeits(match: Match) -> list[Forfeit]:
    return [entry for entry in match.entries if isinstance(entry, Forfeit)]


def lineup(match: Match, side: Side) -> list[str] | None:
    """The last line-up that a side handed in."""
    found = [entry.players for entry in match.entries if isinstance(entry, Lineup) and entry.side == side]
    return found[-1] if found else None


def present(match: Match, side: Side, t: float) -> set[str]:
    """Who of a side had arrived by `t`."""
    came = [entry for entry in match.entries if isinstance(entry, Arrival) and entry.side == side and entry.t <= t]
    return {player for entry in came for player in entry.players}


def won(racks: Sequence[Rack], side: Side) -> int:
    return sum(rack.winner == side for rack in racks)


def known_pairing(match: Match) -> None:
    """Racks, tosses and forfeits must be of a pairing that there is.

    Raises:
        MatchError: one is not.
    """
    numbers = {pairing.number for pairing in pairings(match)}
    for entry in match.entries:
        number = getattr(entry, "pairing", None)
        if number is not None and number not in numbers:
            raise MatchError(f"a {entry.type} is of pairing {number}, which there is not")
