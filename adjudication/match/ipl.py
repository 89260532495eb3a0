"""IPL: nine games in three sets, a bonus point, lateness by the five minutes (IPL Match, Players, Hosts, Toss)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from adjudication.match.scoresheet import (
    SIDES,
    Line,
    MatchError,
    Note,
    Scoresheet,
    forfeits,
    known_pairing,
    opponent,
    pairings,
    players_of,
    present,
    racks_of,
    tosses_of,
)
from record.match import Arrival, Match, Pairing, Reschedule, Side

STEP: Final = 300.0
"""A game is forfeited for every so many seconds after the start."""

GIVE_UP: Final = 1800.0
"""The match is forfeited so many seconds after the start."""

NOTICE: Final = 48 * 3600.0
"""Seconds before the start until which another date may be asked for."""

FEWEST: Final = 3
_BONUS_AT: Final = 6
_GAMES: Final = 9
_SETS: Final = 3


def games_forfeited(late: float) -> int:
    """Games that a team has lost that comes `late` seconds after the start (18 minutes: three)."""
    return max(0, math.floor(late / STEP))


def score(match: Match) -> Scoresheet:
    """The match as it stands: a point a game, and a bonus point from six.

    Options: `games` (nine), `sets` (three), `bonus_at` (six).

    Raises:
        MatchError: an entry that the format does not allow.
    """
    known_pairing(match)
    games = _option(match, "games", _GAMES)
    notes = _asked_late(match)
    walked = _match_forfeit(match)
    if walked is not None:
        return _ten_nil(match, walked, games, notes)
    lines = [_line(match, pairing) for pairing in pairings(match)]
    _check(match, lines, games)
    lines = _forfeited(match, lines, notes)
    notes += _toss_notes(match, lines)
    points = {side: sum(line.winner == side for line in lines) for side in SIDES}
    over = match.status == "over" or (len(lines) == games and all(line.winner is not None for line in lines))
    leader: Side = "home" if points["home"] >= points["visitors"] else "visitors"
    earned = over and points[leader] >= _option(match, "bonus_at", _BONUS_AT)
    bonus = leader if earned else None
    level = points["home"] == points["visitors"]
    winner = None if not over or level else leader
    return Scoresheet(tuple(lines), points["home"], points["visitors"], bonus, winner, over, tuple(notes))


def referee_of(game: int) -> Side:
    """Who provides the referee: the home team for the first game, then in turn (IPL Hosts)."""
    return "home" if game % 2 else "visitors"


def caller_of(game: int) -> Side:
    """Who calls the toss: the visitors in the first game, then in turn (IPL Toss)."""
    return "visitors" if game % 2 else "home"


def _option(match: Match, name: str, default: int) -> int:
    value = match.options.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise MatchError(f"the option {name!r} must be a whole number from 1, not {value!r}")
    return value


def _line(match: Match, pairing: Pairing) -> Line:
    racks = racks_of(match, pairing.number)
    if len(racks) > 1:
        raise MatchError(f"game {pairing.number} was played twice")
    winner = racks[0].winner if racks else None
    held = tosses_of(match, pairing.number)
    breaks = held[-1].breaks if held and winner is None else None
    return Line(
        pairing,
        int(winner == "home"),
        int(winner == "visitors"),
        winner,
        "open" if winner is None else "played",
        breaks,
    )


def _check(match: Match, lines: list[Line], games: int) -> None:
    """Nine games, three a set, nobody twice in a set."""
    a_set = games // _option(match, "sets", _SETS)
    seen: dict[tuple[int, Side, str], int] = {}
    for line in lines:
        number = line.pairing.number
        if number > games:
            raise MatchError(f"game {number} of a match of {games}")
        in_set = line.pairing.set or (number - 1) // a_set + 1
        for side in SIDES:
            for player in players_of(line.pairing, side):
                if (in_set, side, player) in seen:
                    games_of_player = f"games {seen[in_set, side, player]} and {number}"
                    raise MatchError(f"{player} of the {side} plays twice in set {in_set} ({games_of_player})")
                seen[in_set, side, player] = number


def _match_forfeit(match: Match) -> Side | None:
    """The side that forfeits the match: by declaration, or fewer than three players half an hour after the start."""
    whole = next((entry.side for entry in forfeits(match) if entry.pairing is None), None)
    if whole is not None:
        return whole
    now = max((entry.t for entry in match.entries), default=0.0)
    if now < GIVE_UP or not any(isinstance(entry, Arrival) for entry in match.entries):
        return None
    missing = [side for side in SIDES if _shown_up(match, side) >= GIVE_UP]
    return missing[0] if len(missing) == 1 else None


def _shown_up(match: Match, side: Side) -> float:
    """When a side had three players there, seconds after the start; infinite where it never had."""
    times = sorted({entry.t for entry in match.entries if isinstance(entry, Arrival) and entry.side == side})
    return next((t for t in times if len(present(match, side, t)) >= FEWEST), math.inf)


def _ten_nil(match: Match, loser: Side, games: int, notes: list[Note]) -> Scoresheet:
    """A forfeited match: all games and the bonus point for the others, 10 to 0."""
    side = opponent(loser)
    name = (match.home if loser == "home" else match.visitors).name
    notes.append(Note("IPL Match", f"{name} forfeits the match: {games} games and the bonus point to the others"))
    home, visitors = (games, 0) if side == "home" else (0, games)
    return Scoresheet((), home, visitors, side, side, True, tuple(notes))


def _forfeited(match: Match, lines: list[Line], notes: list[Note]) -> list[Line]:
    """Games lost by lateness (the first ones), and games forfeited by declaration."""
    given = {entry.pairing: entry.side for entry in forfeits(match) if entry.pairing is not None}
    watched = any(isinstance(entry, Arrival) for entry in match.entries)
    now = max((entry.t for entry in match.entries), default=0.0)
    late = {side: games_forfeited(min(_shown_up(match, side), now)) for side in SIDES} if watched else {}
    for side, count in late.items():
        other_late = late[opponent(side)]
        if count > other_late:
            notes.append(Note("IPL Match", f"the {side} came late: games 1 to {count} are forfeited"))
            given.update(dict.fromkeys(range(1, count + 1), side))
    found = []
    for line in lines:
        side_out = given.get(line.pairing.number)
        if side_out is not None and line.how == "open":
            winner = opponent(side_out)
            home, visitors = int(winner == "home"), int(winner == "visitors")
            line = replace(line, home=home, visitors=visitors, winner=winner, how="forfeit", breaks=None)
        found.append(line)
    return found


def _asked_late(match: Match) -> list[Note]:
    """Another date must be asked for 48 hours before (IPL Players)."""
    asked = [entry for entry in match.entries if isinstance(entry, Reschedule) and entry.t > -NOTICE]
    text = "asked for another date less than 48 hours before: the others need not agree"
    return [Note("IPL Players", f"the {entry.side} {text}") for entry in asked]


def _toss_notes(match: Match, lines: list[Line]) -> list[Note]:
    notes = []
    for line in lines:
        number = line.pairing.number
        wrong = [toss for toss in tosses_of(match, number) if toss.caller not in (None, caller_of(number))]
        if wrong:
            notes.append(Note("IPL Toss", f"game {number}: the {caller_of(number)} call the toss"))
    return notes
