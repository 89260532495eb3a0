"""Matches of the leagues that play series of racks: handicaps, clocks, line-ups, lateness, breaks."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.match.leagues import rack_options, score_of
from adjudication.match.scoresheet import MatchError
from adjudication.match.upl import lineup_faults, racks_spotted
from record.match import MatchFileError, match_entry, match_from_json
from tests.adjudication.matches import arrive, forfeit, match, pairing, racks


@pytest.mark.clause("UPA 2.0")
@pytest.mark.parametrize(
    ("home", "visitors", "played", "breaks"),
    [(5, 7, "", "home"), (7, 5, "", "visitors"), (5, 7, "h", "visitors"), (5, 7, "hv", "home"), (5, 5, "", None)],
)
def test_the_lower_speed_breaks_first_and_breaks_alternate(
    home: int, visitors: int, played: str, breaks: str | None
) -> None:
    sheet = score_of(
        match("upa-9ball", pairing(1, "h1", "v1"), *racks(1, played), ratings={"h1": home, "v1": visitors})
    )
    assert sheet.lines[0].breaks == breaks
    assert bool(sheet.notes) == (breaks is None)


@pytest.mark.clause("UPA 2.0")
def test_equal_speeds_lag_for_the_break() -> None:
    lag = {"type": "toss", "pairing": 1, "winner": "visitors", "breaks": "visitors"}
    sheet = score_of(match("upa-9ball", pairing(1, "h1", "v1"), lag, ratings={"h1": 5, "v1": 5}))
    assert sheet.lines[0].breaks == "visitors"


@pytest.mark.clause("UPA 2.0")
def test_a_break_out_of_turn_is_noted() -> None:
    wrong = racks(1, "h", breaker="visitors")
    sheet = score_of(match("upa-9ball", pairing(1, "h1", "v1"), *wrong, ratings={"h1": 4, "v1": 5}))
    assert [note.clause for note in sheet.notes] == ["UPA 2.0"]


def test_a_series_is_won_by_the_first_to_reach_the_race() -> None:
    entries = [pairing(1, "h1", "v1", race={"home": 2, "visitors": 3}), *racks(1, "vhvh")]
    sheet = score_of(match("upa-9ball", *entries, ratings={"h1": 4, "v1": 5}))
    line = sheet.lines[0]
    assert (line.home, line.visitors, line.winner, line.how) == (2, 2, "home", "played")
    assert (sheet.home, sheet.winner, sheet.over) == (1, "home", True)


@pytest.mark.clause("UPA 9.1")
@pytest.mark.parametrize(("minutes", "winner"), [(14.0, None), (16.0, "visitors")])
def test_a_team_that_has_not_begun_after_fifteen_minutes_forfeits_its_first_match(
    minutes: float, winner: str | None
) -> None:
    entries = [pairing(1, "h1", "v1"), arrive("visitors", 0, "v1"), arrive("home", minutes, "h1")]
    sheet = score_of(match("upa-9ball", *entries, ratings={"h1": 4, "v1": 5}))
    assert sheet.lines[0].winner == winner


@pytest.mark.clause("UPL Handicap")
@pytest.mark.parametrize(
    ("one", "two", "spot"),
    [(550, 530, 0), (550, 500, 1), (550, 300, 4), (550, 511, 0), (550, 510, 1), (300, 550, 4), (540, 380, 4)],
)
def test_a_rack_is_spotted_for_every_forty_points_four_at_most(one: int, two: int, spot: int) -> None:
    assert racks_spotted(one, two) == spot


@pytest.mark.clause("UPL Handicap")
def test_the_lower_rated_player_starts_with_the_spotted_racks() -> None:
    sheet = score_of(match("upl-8ball", pairing(1, "h1", "v1"), *racks(1, "v"), ratings={"h1": 400, "v1": 500}))
    assert (sheet.lines[0].spot, sheet.lines[0].home, sheet.lines[0].visitors) == ((2, 0), 2, 1)


@pytest.mark.clause("UPL Handicap", "UPL Clock")
@pytest.mark.parametrize(
    ("winners", "winner", "how"),
    [("vvv", "visitors", "clock"), ("v", "home", "clock"), ("vv", None, "open")],
)
def test_the_leader_wins_when_the_thirty_minutes_are_over(winners: str, winner: str | None, how: str) -> None:
    entries = [pairing(1, "h1", "v1"), *racks(1, winners, 5), pairing(2, "h2", "v2", 31)]
    ratings = {"h1": 400, "v1": 500, "h2": 400, "v2": 400}
    line = score_of(match("upl-8ball", *entries, ratings=ratings)).lines[0]
    assert (line.winner, line.how) == (winner, how)


@pytest.mark.clause("UPL Handicap")
def test_a_rack_that_ends_after_the_clock_does_not_count() -> None:
    entries = [pairing(1, "h1", "v1"), *racks(1, "v", 10), *racks(1, "hh", 31)]
    sheet = score_of(match("upl-8ball", *entries, ratings={"h1": 500, "v1": 500}))
    assert (sheet.lines[0].winner, sheet.lines[0].home) == ("visitors", 0)


@pytest.mark.clause("UPL Roster")
@pytest.mark.parametrize(
    ("ratings", "fine"),
    [
        ([999, 599, 599, 599, 449], True),
        ([650, 600, 500, 500, 450], True),
        ([700, 600, 500, 500, 450], False),
        ([700, 700, 400], False),
        ([650, 640, 600, 400], False),
        ([700, 599, 599, 599, 451], False),
        ([500, 500, 450], True),
    ],
)
def test_line_ups(ratings: list[float], fine: bool) -> None:
    assert (lineup_faults(ratings) == []) is fine


@pytest.mark.clause("UPL Roster", "UPL Roster size")
def test_a_wrong_line_up_and_too_large_a_roster_are_noted() -> None:
    handed_in = {"type": "lineup", "side": "home", "players": ["h1", "h2"]}
    sheet = score_of(match("upl-8ball", handed_in, players=9, ratings={"h1": 710, "h2": 620}))
    assert [note.clause for note in sheet.notes].count("UPL Roster size") == 2
    assert [note.clause for note in sheet.notes].count("UPL Roster") == 2


@pytest.mark.clause("UPL Sportsmanship", "UPL Coaching")
def test_a_second_offence_in_the_match_is_noted_with_its_penalty() -> None:
    offences = [{"type": "offence", "side": "home", "about": about} for about in ("conduct", "conduct", "coaching")]
    sheet = score_of(match("upl-8ball", *offences))
    assert [(note.clause, "forfeited" in note.text) for note in sheet.notes] == [("UPL Sportsmanship", True)]


@pytest.mark.clause("NAPA Late")
@pytest.mark.parametrize(("minutes", "winner"), [(15.0, None), (15.5, "visitors")])
def test_a_team_of_which_nobody_comes_within_fifteen_minutes_forfeits(minutes: float, winner: str | None) -> None:
    entries = [arrive("visitors", 0, "v1"), arrive("home", minutes, "h1"), arrive("visitors", 20, "v2")]
    assert score_of(match("napa-9ball", *entries)).winner == winner


@pytest.mark.clause("NAPA Late", "NAPA Forfeits")
def test_after_a_forfeited_match_the_later_ones_are_forfeited_too() -> None:
    entries = [
        *(pairing(k, f"h{k}", f"v{k}", race={"home": 1, "visitors": 1}) for k in (1, 2, 3)),
        *racks(1, "h"),
        forfeit("home", 2),
    ]
    sheet = score_of(match("napa-9ball", *entries))
    assert [(line.winner, line.how) for line in sheet.lines] == [
        ("home", "played"),
        ("visitors", "forfeit"),
        ("visitors", "forfeit"),
    ]


@pytest.mark.clause("NAPA Forfeits")
def test_all_who_are_there_play_before_a_forfeited_match() -> None:
    entries = [arrive("home", 0, "h1", "h2"), arrive("visitors", 0, "v1"), pairing(1, "h3", "v1"), forfeit("home", 1)]
    sheet = score_of(match("napa-9ball", *entries))
    assert [note.text for note in sheet.notes] == ["h1, h2 of the home must play before pairing 1 is forfeited"]


@pytest.mark.clause("NAPA Tables")
@pytest.mark.parametrize(
    ("session", "length", "fine"),
    [("9ft", 2.54, True), ("9ft", 1.9812, False), (None, 2.2352, True), (None, 2.8, False)],
)
def test_one_size_of_table_for_the_session(session: str | None, length: float, fine: bool) -> None:
    options = {} if session is None else {"table": session}
    played = match("napa-9ball", pairing(1, "h1", "v1"), *racks(1, "h", table_length=length), options=options)
    if fine:
        assert score_of(played).lines[0].home == 1
    else:
        with pytest.raises(MatchError, match="table"):
            score_of(played)


@pytest.mark.clause("NAPA Tables")
def test_several_tables_may_be_used_at_once_but_of_one_size() -> None:
    entries = [
        pairing(1, "h1", "v1", table="1"),
        pairing(2, "h2", "v2", table="2"),
        *racks(1, "h", table_length=2.54),
        *racks(2, "v", table_length=1.9812),
    ]
    with pytest.raises(MatchError, match="session"):
        score_of(match("napa-9ball", *entries))


@pytest.mark.parametrize(
    ("league", "entries", "why"),
    [
        ("upa-9ball", [pairing(1, "h9", "v1")], "'h9' is no player of Home"),
        ("upa-9ball", [pairing(1, "h1", "v1"), pairing(1, "h2", "v2")], "two pairings"),
        ("upa-9ball", racks(3, "h"), "pairing 3, which there is not"),
        ("upa-9ball", [pairing(1, "h1", "v1")], "no rating"),
        ("apa-9ball", [], "unknown league"),
    ],
)
def test_what_a_match_cannot_hold_is_said(league: str, entries: list[Any], why: str) -> None:
    with pytest.raises(MatchError, match=why):
        score_of(match(league, *entries))


def test_a_rack_after_the_race_was_won_is_refused() -> None:
    entries = [pairing(1, "h1", "v1", race={"home": 1, "visitors": 1}), *racks(1, "hh")]
    with pytest.raises(MatchError, match="after it was won"):
        score_of(match("upa-9ball", *entries, ratings={"h1": 4, "v1": 5}))


def test_a_broken_match_file_is_one_sentence() -> None:
    with pytest.raises(MatchFileError, match="date"):
        match_from_json('{"format": "match/1", "match_id": "m", "league": "x", "date": "1st May"}')
    with pytest.raises(MatchFileError):
        match_entry({"type": "rhubarb"})


def test_a_racks_record_carries_what_the_match_knows() -> None:
    offence = {"type": "offence", "side": "visitors", "about": "coaching"}
    played = match("upl-8ball", pairing(1, "h1", "v1"), offence, ratings={"h1": 400, "v1": 500})
    assert rack_options(played, 1) == {"ratings": {"A": 400.0, "B": 500.0}, "offences": {"B": ["coaching"]}}
    doubles = match("ipl-8ball", pairing(1, "h1+h2", "v1"))
    assert rack_options(doubles, 1) == {"doubles": True, "short_side": "B"}
