"""A record under another league of the same game, and where two leagues part."""

from __future__ import annotations

import pytest

from adjudication.judge import UnknownLeagueError
from adjudication.rejudging import OtherGameError, partings, rejudged
from tests.adjudication.racks import FIFTEEN, codes, layout, rack, ruling_of, says, shot, without

THREE_RAILS = shot(0, "A", "cue>1 2|left 5|foot 7|right", layout())
BEFORE = layout(cue=(-0.3, 0.11))


def test_each_shot_is_judged_in_the_game_as_it_was_played() -> None:
    record = rack("upa-9ball", THREE_RAILS, shot(1, "B", "cue>1 1|foot", BEFORE), shot(2, "A", "cue>3", BEFORE))
    rulings = [ruling_of(entry) for entry in rejudged(record, "napa-9ball").entries]
    assert [ruling.call for ruling in rulings] == ["illegal_break", "legal", "foul"]
    assert codes(rulings[2]) == ["bad_hit"]
    assert rulings[2].fouls[0].clause == "NAPA unspecified"


def test_where_two_leagues_part() -> None:
    record = rack("upa-9ball", THREE_RAILS, shot(1, "B", "cue>1 1|foot", BEFORE))
    found = partings(record, "upa-9ball", "napa-9ball")
    assert [one.entry for one in found] == [0]
    assert found[0].first is not None
    assert found[0].second is not None
    assert (found[0].first.clauses, found[0].second.clauses) == (["UPA 3.0"], ["NAPA unspecified"])


def test_three_fouls_lose_in_one_league_and_not_in_the_other() -> None:
    turns = []
    for k in range(3):
        turns.append(shot(1 + 2 * k, "B", "cue>3 3|foot", BEFORE))
        turns.append(shot(2 + 2 * k, "A", "cue>1 1|foot", BEFORE))
    warned = says(85.0, "referee", "warning", about="three_fouls", player="B")
    record = rack("upa-9ball", THREE_RAILS, *turns[:4], warned, turns[4])
    assert [one.of for one in partings(record, "upa-9ball", "napa-9ball")][-1] == record.entries[-1].model_copy(
        update={"ruling": ruling_of(rejudged(record, "upa-9ball").entries[-1])}
    )


def test_the_eight_on_the_break_wins_in_ipl_and_is_spotted_in_upl() -> None:
    line = "cue>1 8@foot_left 3@side_left 5/"
    full = layout(FIFTEEN)
    second = shot(1, "A", "cue>2 2@side_left", without(layout(FIFTEEN, cue=(-0.3, 0.11)), "3"))
    record = rack("upl-8ball", shot(0, "A", line, full), second)
    upl, ipl = rejudged(record, "upl-8ball"), rejudged(record, "ipl-8ball")
    assert (ruling_of(upl.entries[0]).spot, ruling_of(ipl.entries[0]).winner) == (["8"], "A")
    assert ruling_of(ipl.entries[1]).call == "legal"


def test_another_game_is_refused_and_so_is_an_unknown_league() -> None:
    record = rack("upa-9ball", THREE_RAILS)
    with pytest.raises(OtherGameError, match="another game"):
        rejudged(record, "upl-8ball")
    with pytest.raises(UnknownLeagueError, match="apa"):
        partings(record, "upa-9ball", "apa-9ball")


def test_what_the_other_league_does_not_know_has_no_ruling() -> None:
    declared = says(15.0, "A", "intended_group", group="solids")
    record = rack("upl-8ball", shot(0, "A", "cue>1 3@side_left 5/ 11/", layout(FIFTEEN)), declared)
    assert getattr(rejudged(record, "ipl-8ball").entries[1], "ruling", None) is None
