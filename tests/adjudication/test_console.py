"""What the console offers: only what the league takes at that moment, whatever the game."""

from __future__ import annotations

import pytest

from adjudication.judge import Judge
from adjudication.leagues import BOOKS
from adjudication.possible import sayable
from record.entries import Declaration, Entry
from tests.adjudication.racks import FIFTEEN, NINE, layout, rack, says, shot

SETS = {"upa-9ball": NINE, "napa-9ball": NINE, "upl-8ball": FIFTEEN, "ipl-8ball": FIFTEEN}
GOOD = "cue>1 3@foot_left 2/ 4/ 2|left 4|foot 5|foot 6|head"
BAD = "cue>1 2|left"


def _labels(league: str, *entries: Entry, **options: object) -> list[str]:
    judge = Judge.of(rack(league))
    for entry in entries:
        judge.add(entry)
    return [one.label for one in sayable(judge.league, judge.state)]


@pytest.mark.parametrize("league", sorted(BOOKS))
@pytest.mark.parametrize("line", [GOOD, BAD, GOOD + " cue@side_left", "cue>1 3@foot_left cue^"])
def test_whatever_is_offered_is_taken(league: str, line: str) -> None:
    judge = Judge.of(rack(league))
    judge.add(shot(0, "A", line, layout(SETS[league])))
    offered = sayable(judge.league, judge.state)
    assert offered
    for one in offered:
        again = Judge.of(rack(league))
        again.add(shot(0, "A", line, layout(SETS[league])))
        given = {"ball": "2", "pocket": "side_left"} if one.asks else {}
        again.add(Declaration.model_validate({"t": 15.0, "what": one.what, **one.fields, **given}))


def test_a_push_out_is_offered_right_after_the_break_and_a_call_only_in_called_pocket() -> None:
    breaks = shot(0, "A", GOOD, layout())
    assert "A: push-out" in _labels("upa-9ball", breaks)
    assert "A: push-out" not in _labels("upa-9ball", breaks, shot(1, "A", "cue>1 1|foot", layout(cue=(0.0, 0.1))))
    called = "A: call ball and pocket"
    assert called not in _labels("upa-9ball", breaks)
    assert called in _labels("ipl-8ball", shot(0, "A", GOOD, layout(FIFTEEN)))


def test_an_open_choice_comes_first() -> None:
    assert _labels("upa-9ball", shot(0, "A", BAD, layout()))[:2] == ["B: break", "B: make opponent break"]


def test_the_referee_is_reminded_of_the_warning_when_a_player_stands_on_two_fouls() -> None:
    before = layout(cue=(0.0, 0.11))
    entries: list[Entry] = [shot(0, "A", GOOD.replace("3@foot_left ", ""), layout())]
    for k in range(2):
        entries += [shot(1 + 2 * k, "B", "cue>3", before), shot(2 + 2 * k, "A", "cue>1 1|foot", before)]
    assert "Warn B: stands on two fouls" in _labels("upa-9ball", *entries)
    warned = says(95.0, "referee", "warning", about="three_fouls", player="B")
    assert "Warn B: stands on two fouls" not in _labels("upa-9ball", *entries, warned)


def test_when_the_rack_is_over_nothing_is_offered() -> None:
    assert _labels("upa-9ball", shot(0, "A", "cue>1 9@foot_left", layout())) == []
