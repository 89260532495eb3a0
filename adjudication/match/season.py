"""A season's table from its matches, with what a league says of teams that drop out and of who may play."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from adjudication.match.leagues import score_of
from adjudication.match.scoresheet import SIDES, Note, players_of
from record.match import Match, Pairing, Side, Team


@dataclass(frozen=True)
class Standing:
    """One team: matches played, won, lost, level, points, and the match dropped from the total if one was."""

    team: str
    played: int
    won: int
    lost: int
    level: int
    points: int
    dropped: int | None = None


@dataclass(frozen=True)
class Table:
    """The teams, best first, with what the rules have to say about the season."""

    standings: tuple[Standing, ...]
    notes: tuple[Note, ...] = ()


def standings(matches: Sequence[Match], dropped_out: Collection[str] = ()) -> Table:
    """The table of one league's matches. `dropped_out` names teams that left during the season.

    Raises:
        MatchError: a match that its league's format does not allow.
        ValueError: matches of different leagues, or a match twice.
    """
    _one_season(matches)
    teams = dict.fromkeys(team.name for match in matches for team in (match.home, match.visitors))
    notes: list[Note] = []
    found = [_standing(name, matches, dropped_out, notes) for name in teams if name not in dropped_out]
    found.sort(key=lambda one: (-one.points, -one.won, one.team))
    return Table(tuple(found), (*notes, *_player_notes(matches)))


def _one_season(matches: Sequence[Match]) -> None:
    leagues = {match.league for match in matches}
    if len(leagues) > 1:
        raise ValueError(f"these matches are of different leagues: {', '.join(sorted(leagues))}")
    ids = [match.match_id for match in matches]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise ValueError(f"the match {twice!r} is there twice")


def _standing(name: str, matches: Sequence[Match], dropped_out: Collection[str], notes: list[Note]) -> Standing:
    own = [match for match in matches if name in (match.home.name, match.visitors.name)]
    played = [match for match in own if match.status != "scheduled"]
    scores = [_score(match, name) for match in played]
    results = [_result(match, name) for match in played]
    waiting = [match for match in own if match.status == "scheduled" and _against(match, name) in dropped_out]
    lowest = min(scores, default=None) if dropped_out and not waiting else None
    if waiting:
        count = len(waiting)
        notes.append(Note("IPL Season", f"{name}: {count} match(es) against a team that dropped out score 0"))
    return Standing(
        name,
        len(played),
        results.count("won"),
        results.count("lost"),
        results.count("level"),
        sum(scores) - (lowest or 0),
        lowest,
    )


def _side(match: Match, name: str) -> Side:
    return "home" if match.home.name == name else "visitors"


def _against(match: Match, name: str) -> str:
    return match.visitors.name if match.home.name == name else match.home.name


def _score(match: Match, name: str) -> int:
    return score_of(match).points(_side(match, name))


def _result(match: Match, name: str) -> str:
    winner = score_of(match).winner
    if winner is None:
        return "level"
    return "won" if winner == _side(match, name) else "lost"


def games_of(matches: Sequence[Match]) -> dict[str, dict[str, set[str]]]:
    """Dates on which each player played, by team."""
    found: dict[str, dict[str, set[str]]] = {}
    for match in matches:
        played = {line.pairing.number for line in score_of(match).lines if line.how == "played"}
        for pairing in (entry for entry in match.entries if isinstance(entry, Pairing) and entry.number in played):
            for side in SIDES:
                team: Team = match.home if side == "home" else match.visitors
                for player in players_of(pairing, side):
                    found.setdefault(player, {}).setdefault(team.name, set()).add(match.date)
    return found


def eligible(matches: Sequence[Match], team: str) -> list[str]:
    """Players who have played in two matches on two dates for a team (IPL Players)."""
    return sorted(player for player, teams in games_of(matches).items() if len(teams.get(team, ())) >= 2)


def _player_notes(matches: Sequence[Match]) -> list[Note]:
    """One game binds a player to a team for the season."""
    if not matches or matches[0].league != "ipl-8ball":
        return []
    bound = {player: list(teams) for player, teams in games_of(matches).items() if len(teams) > 1}
    return [Note("IPL Players", f"{player} has played for {', '.join(teams)}") for player, teams in bound.items()]
