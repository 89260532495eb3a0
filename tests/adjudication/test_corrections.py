"""Facts that a person corrects: the shot is judged again, and what followed goes on from there."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.errors import IllegalEntryError
from adjudication.judge import Judge, UnjudgeableError
from record.entries import Override
from record.ruling import Next, Ruling
from tests.adjudication.racks import codes, judged, last, layout, rack, ruling_of, says, shot, without

UPA = "upa-9ball"
BREAK = shot(0, "A", "cue>1 2|left 5|foot 7|right", layout())
BEFORE = layout(cue=(-0.3, 0.11))


def _fact(about: str, by: str = "referee", t: float = 36.0, **more: Any) -> Any:
    return says(t, by, "fact", about=about, **more)


@pytest.mark.parametrize(
    ("line", "fact", "call", "fouls"),
    [
        ("cue>3 cue>1 1|foot", {"about": "first_contact", "ball": "1"}, "legal", []),
        ("cue>3 cue>1 1|foot", {"about": "first_contact", "ball": "undecided"}, "legal", []),
        ("cue>1 cue>3 1|foot", {"about": "first_contact", "ball": "3"}, "foul", ["bad_hit"]),
        ("cue>1 1|foot", {"about": "first_contact", "ball": "none"}, "foul", ["no_contact"]),
        ("cue>1", {"about": "rail", "ball": "1", "rail": "foot"}, "legal", []),
        ("cue>1 1|foot", {"about": "no_rail"}, "foul", ["no_rail"]),
        ("cue>1 1|foot", {"about": "pocketed", "ball": "cue", "pocket": "foot_left"}, "foul", ["scratch"]),
        ("cue>1 1|foot cue@foot_left", {"about": "not_pocketed", "ball": "cue"}, "legal", []),
    ],
)
def test_a_corrected_fact_judges_the_shot_again(line: str, fact: dict[str, Any], call: str, fouls: list[str]) -> None:
    second = shot(1, "B", line, BEFORE)
    ruling = last(UPA, BREAK, second, _fact(**fact))
    assert (ruling.call, codes(ruling)) == (call, fouls)


def test_the_machines_own_ruling_stays_beside_it() -> None:
    entries = judged(UPA, BREAK, shot(1, "B", "cue>3 cue>1 1|foot", BEFORE), _fact(about="first_contact", ball="1"))
    assert ruling_of(entries[1]).call == "foul"
    assert ruling_of(entries[2]).call == "legal"


@pytest.mark.clause("UPA 9.6")
def test_a_ball_held_up_in_a_pocket_counts_as_pocketed() -> None:
    ruling = last(UPA, BREAK, shot(1, "B", "cue>1 1|foot", BEFORE), _fact("suspended", ball="1", pocket="foot_left"))
    assert (ruling.call, ruling.next.player, "UPA 9.6" in ruling.clauses) == ("legal", "B", True)


@pytest.mark.clause("UPA 7.8", "UPA 9.7")
def test_a_ball_that_only_settles_is_not_moving() -> None:
    moving = shot(1, "B", "cue>1 1|foot", BEFORE, moving_at_strike=["4"])
    assert codes(last(UPA, BREAK, moving)) == ["balls_moving"]
    assert last(UPA, BREAK, moving, _fact("settling", ball="4")).fouls == []
    seen = shot(1, "B", "cue>1 1|foot", BEFORE, moving_at_strike=["4"], settling=["4"])
    assert last(UPA, BREAK, seen).fouls == []


def test_a_referee_may_correct_an_earlier_shot_and_play_is_judged_on_from_it() -> None:
    judge = Judge.of(rack(UPA))
    for entry in (BREAK, shot(1, "B", "cue>3 3|foot", BEFORE), shot(2, "A", "cue>1 1|foot", BEFORE)):
        judge.add(entry)
    assert judge.state.fouls_in_row == {"A": 0, "B": 1}
    told = judge.add(_fact("first_contact", ball="1", of_shot=1, t=60.0))
    assert ruling_of(told.entry).call == "legal"
    assert judge.state.fouls_in_row == {"A": 0, "B": 0}
    assert judge.state.turn == "B"


def test_a_persons_ruling_about_an_earlier_shot_keeps_what_followed() -> None:
    judge = Judge.of(rack(UPA))
    for entry in (BREAK, shot(1, "B", "cue>3 3|foot", BEFORE), shot(2, "A", "cue>1 1@foot_left", BEFORE)):
        judge.add(entry)
    ruling = Ruling(call="legal", next=Next(player="A", cue_ball="in_position"), explanation="The 1 was first.")
    judge.add(Override(t=60.0, of_shot=1, by="referee", ruling=ruling, reason="clip"))
    assert (judge.state.turn, "1" in judge.state.balls) == ("A", False)


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        ({"about": "rhubarb"}, "no fact 'rhubarb'"),
        ({"about": "pocketed", "ball": "3"}, "which pocket"),
        ({"about": "rail", "ball": "3"}, "which rail"),
        ({"about": "first_contact"}, "which ball"),
        ({"about": "no_rail", "of_shot": 7}, "no shot 7"),
    ],
)
def test_a_fact_that_says_too_little_is_refused(fact: dict[str, Any], why: str) -> None:
    with pytest.raises(UnjudgeableError, match=why):
        judged(UPA, BREAK, shot(1, "B", "cue>1 1|foot", BEFORE), _fact(**fact))


def test_after_the_next_stroke_only_a_referee_corrects_a_fact() -> None:
    judge = Judge.of(rack(UPA))
    for entry in (BREAK, shot(1, "B", "cue>1 1@foot_left", BEFORE), shot(2, "B", "cue>2 2|foot", without(BEFORE, "1"))):
        judge.add(entry)
    with pytest.raises(IllegalEntryError, match="only a referee"):
        judge.add(_fact("no_rail", by="A", of_shot=1))
