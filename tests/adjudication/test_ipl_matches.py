"""IPL: nine games, sets, bonus, lateness, tosses, and the season's table."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.match.ipl import caller_of, games_forfeited, referee_of
from adjudication.match.leagues import score_of
from adjudication.match.scoresheet import MatchError
from adjudication.match.season import eligible, standings
from record.match import Match
from tests.adjudication.matches import arrive, forfeit, match, pairing, racks

IPL = "ipl-8ball"


def _nine(winners: str, **more: Any) -> Match:
    """A whole match: players 1, 2, 3 of each side in each set."""
    games = [pairing(k + 1, f"h{k % 3 + 1}", f"v{k % 3 + 1}") for k in range(9)]
    played = [rack for k, one in enumerate(winners) for rack in racks(k + 1, one, k)]
    return match(IPL, *games, *played, **more)


@pytest.mark.clause("IPL Match")
@pytest.mark.parametrize(
    ("winners", "home", "visitors", "bonus"),
    [
        ("hhhhhvvvv", 5, 4, None),
        ("hhhhhhvvv", 7, 3, "home"),
        ("vvvvvvvvv", 0, 10, "visitors"),
    ],
)
def test_a_point_a_game_and_a_bonus_from_six(winners: str, home: int, visitors: int, bonus: str | None) -> None:
    sheet = score_of(_nine(winners))
    assert (sheet.points("home"), sheet.points("visitors"), sheet.bonus) == (home, visitors, bonus)
    assert sheet.over
    assert sheet.winner == ("home" if home > visitors else "visitors")


@pytest.mark.clause("IPL Match")
def test_there_is_no_bonus_before_the_match_is_over() -> None:
    sheet = score_of(_nine("hhhhhh"))
    assert (sheet.points("home"), sheet.over) == (6, False)
    closed = score_of(_nine("hhhhhh", status="over"))
    assert closed.points("home") == 7


@pytest.mark.clause("IPL Match")
def test_nobody_plays_twice_in_a_set() -> None:
    with pytest.raises(MatchError, match="h1 of the home plays twice in set 1"):
        score_of(match(IPL, pairing(1, "h1", "v1"), pairing(3, "h1", "v2")))
    assert score_of(match(IPL, pairing(1, "h1", "v1"), pairing(4, "h1", "v1"))).lines


@pytest.mark.clause("IPL Match")
def test_a_match_has_nine_games_unless_the_format_says_otherwise() -> None:
    with pytest.raises(MatchError, match="game 10"):
        score_of(match(IPL, pairing(10, "h1", "v1")))
    assert score_of(match(IPL, pairing(10, "h1", "v1"), options={"games": 15})).lines


@pytest.mark.clause("IPL Match")
@pytest.mark.parametrize(("minutes", "games"), [(0, 0), (4.9, 0), (5, 1), (18, 3), (29, 5)])
def test_a_late_team_loses_a_game_every_five_minutes(minutes: float, games: int) -> None:
    assert games_forfeited(minutes * 60) == games
    entries = [arrive("visitors", 0, "v1", "v2", "v3"), arrive("home", minutes, "h1", "h2", "h3")]
    sheet = score_of(match(IPL, *entries, *(pairing(k + 1, f"h{k % 3 + 1}", f"v{k % 3 + 1}") for k in range(9))))
    assert sheet.points("visitors") == games
    assert [line.how for line in sheet.lines].count("forfeit") == games


@pytest.mark.clause("IPL Match")
def test_a_team_of_two_has_not_shown_up_and_at_thirty_minutes_the_match_is_forfeited() -> None:
    entries = [arrive("visitors", 0, "v1", "v2", "v3"), arrive("home", 1, "h1", "h2"), arrive("home", 30, "h3")]
    sheet = score_of(match(IPL, *entries))
    assert (sheet.points("home"), sheet.points("visitors"), sheet.winner) == (0, 10, "visitors")


@pytest.mark.clause("IPL Match", "IPL Players")
def test_forfeits_by_declaration() -> None:
    assert score_of(match(IPL, forfeit("home"))).points("visitors") == 10
    sheet = score_of(match(IPL, pairing(1, "h1", "v1"), forfeit("visitors", 1)))
    assert (sheet.lines[0].how, sheet.points("home")) == ("forfeit", 1)


@pytest.mark.clause("IPL Players")
@pytest.mark.parametrize(("hours", "notes"), [(-49, 0), (-47, 1)])
def test_another_date_must_be_asked_for_48_hours_before(hours: float, notes: int) -> None:
    asked = {"type": "reschedule", "side": "home", "t": hours * 3600}
    assert len(score_of(match(IPL, asked)).notes) == notes


@pytest.mark.clause("IPL Hosts")
def test_the_home_team_referees_the_first_game_then_in_turn() -> None:
    assert [referee_of(game) for game in (1, 2, 3)] == ["home", "visitors", "home"]


@pytest.mark.clause("IPL Toss")
def test_the_visitors_call_the_first_toss_and_the_winner_says_who_breaks() -> None:
    assert [caller_of(game) for game in (1, 2, 3)] == ["visitors", "home", "visitors"]
    toss = {"type": "toss", "pairing": 1, "caller": "home", "winner": "home", "breaks": "visitors"}
    sheet = score_of(match(IPL, pairing(1, "h1", "v1"), toss))
    assert sheet.lines[0].breaks == "visitors"
    assert [note.clause for note in sheet.notes] == ["IPL Toss"]


def _between(home: str, visitors: str, winners: str, date: str, **more: Any) -> Match:
    played = _nine(winners, match_id=f"{home}-{visitors}-{date}", date=date, **more)
    teams = {"home": played.home.model_copy(update={"name": home})}
    return played.model_copy(update={**teams, "visitors": played.visitors.model_copy(update={"name": visitors})})


@pytest.mark.clause("IPL Season")
def test_the_table_of_a_season() -> None:
    table = standings(
        [_between("Ants", "Bees", "hhhhhhvvv", "2026-01-01"), _between("Bees", "Cats", "hhhhhvvvv", "2026-01-08")]
    )
    found = [(one.team, one.points, one.won) for one in table.standings]
    assert found == [("Bees", 8, 1), ("Ants", 7, 1), ("Cats", 4, 0)]


@pytest.mark.clause("IPL Season")
def test_when_a_team_drops_out() -> None:
    """Dogs leave: Ants still had to play them (0 points), Bees and Cats lose their lowest match."""
    season = [
        _between("Ants", "Bees", "hhhhhhvvv", "2026-01-01"),
        _between("Bees", "Cats", "hhhhhvvvv", "2026-01-08"),
        _between("Cats", "Dogs", "hhhhhhhhh", "2026-01-15"),
        _between("Ants", "Dogs", "", "2026-01-22", status="scheduled"),
    ]
    table = standings(season, ["Dogs"])
    found = {one.team: (one.points, one.dropped) for one in table.standings}
    assert found == {"Ants": (7, None), "Bees": (5, 3), "Cats": (10, 4)}
    assert table.notes[0].text == "Ants: 1 match(es) against a team that dropped out score 0"


@pytest.mark.clause("IPL Players")
def test_a_game_binds_a_player_to_the_team_and_two_dates_make_eligible() -> None:
    season = [
        _between("Ants", "Bees", "hhhhhhvvv", "2026-01-01"),
        _between("Ants", "Cats", "hhhhhvvvv", "2026-01-08"),
    ]
    assert eligible(season, "Ants") == ["h1", "h2", "h3"]
    assert eligible(season, "Bees") == []
    assert {note.text for note in standings(season).notes} == {f"v{k} has played for Bees, Cats" for k in (1, 2, 3)}


def test_matches_of_two_leagues_or_a_match_twice_make_no_table() -> None:
    one = _between("Ants", "Bees", "hhhhhhvvv", "2026-01-01")
    with pytest.raises(ValueError, match="twice"):
        standings([one, one])
    with pytest.raises(ValueError, match="different leagues"):
        standings([one, match("upa-9ball", match_id="other")])
