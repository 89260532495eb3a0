"""Whole records: what cannot be judged is named, with the rulings up to it; replay and cuts change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.judge import UnjudgeableError, UnknownLeagueError, adjudicate
from record.document import to_json
from record.entries import Override
from record.ruling import Next, Ruling
from tests.adjudication.racks import FIFTEEN, codes, layout, rack, ruling_of, says, shot, without

BREAK = shot(0, "A", "cue>1 2|left 5|foot 7|right", layout())
BEFORE = layout(cue=(-0.3, 0.1))


def test_judging_twice_gives_the_same_record() -> None:
    once = adjudicate(rack("upa-9ball", BREAK, shot(1, "B", "cue>3", BEFORE)))
    assert to_json(adjudicate(once)) == to_json(once)


def test_a_record_cut_anywhere_has_the_same_rulings_up_to_the_cut() -> None:
    entries: list[Any] = [BREAK]
    entries += [shot(k, "AB"[k % 2], "cue>1 1|foot", BEFORE) for k in range(1, 8)]
    whole = adjudicate(rack("upa-9ball", *entries))
    for cut in range(len(entries) + 1):
        part = adjudicate(rack("upa-9ball", *entries[:cut]))
        assert part.entries == whole.entries[:cut]


def test_an_unknown_league_is_refused() -> None:
    with pytest.raises(UnknownLeagueError, match="upa-9ball"):
        adjudicate(rack("apa-9ball", BREAK))


@pytest.mark.parametrize(
    ("entries", "says_"),
    [
        ([BREAK, shot(0, "B", "cue>1 1|foot", BEFORE)], "shot 0 comes after shot 0"),
        ([BREAK, says(16.0, "B", "call", ball="1", pocket="x"), says(17.0, "B", "rhubarb")], "rhubarb"),
        ([BREAK, says(16.0, "A", "push_out")], "only B"),
        ([BREAK, says(16.0, "B", "choice", option="pass_back")], "not open"),
        ([BREAK, says(16.0, "referee", "foul", code="eight_early", player="B")], "eight_early"),
        (
            [BREAK, shot(1, "B", "cue>1 1@foot_left", BEFORE), shot(2, "B", "cue>2 1@foot_left", {"cue": (0, 0)})],
            "pocketed again",
        ),
        ([shot(0, "A", "cue>1 9@foot_left", layout()), shot(1, "B", "cue>1", BEFORE)], "after the rack was over"),
    ],
)
def test_what_cannot_be_judged_is_named_with_the_rulings_up_to_it(entries: list[Any], says_: str) -> None:
    with pytest.raises(UnjudgeableError, match=says_) as caught:
        adjudicate(rack("upa-9ball", *entries))
    assert caught.value.entry == len(entries) - 1
    assert len(caught.value.judged.entries) == len(entries) - 1
    assert ruling_of(caught.value.judged.entries[0]).call in ("legal", "rack_over")


def test_after_a_persons_ruling_play_goes_on_from_it() -> None:
    over = Override(
        t=36.0,
        of_shot=1,
        by="referee",
        who="R",
        reason="seen from the side",
        ruling=Ruling(call="legal", next=Next(player="B", cue_ball="in_position"), explanation="The 1 was first."),
    )
    judged = adjudicate(
        rack("upa-9ball", BREAK, shot(1, "B", "cue>3 3|foot", BEFORE), over, shot(2, "B", "cue>1 1|foot", BEFORE))
    )
    assert ruling_of(judged.entries[1]).call == "foul"
    assert ruling_of(judged.entries[3]).call == "legal"


def test_the_alternative_to_a_doubtful_ruling_is_a_whole_ruling() -> None:
    ruling = ruling_of(adjudicate(rack("upa-9ball", BREAK, shot(1, "B", "cue>1 1|foot %0.5", BEFORE))).entries[1])
    assert (ruling.call, ruling.needs_review) == ("legal", True)
    other = ruling.alternatives[0]
    assert (other["call"], other["foul"], other["clause"]) == ("foul", "no_rail", "UPA 7.4")
    assert (other["next"]["player"], other["next"]["cue_ball"]) == ("A", "in_hand")
    assert other["explanation"].startswith("Foul")


def test_a_doubt_that_changes_nothing_is_not_for_review() -> None:
    doubtful = shot(1, "B", "cue>3 %0.6 3|foot cue@side_left", BEFORE)
    ruling = ruling_of(adjudicate(rack("upa-9ball", BREAK, doubtful)).entries[1])
    assert (codes(ruling), ruling.needs_review, ruling.alternatives) == (["scratch"], False, [])


def test_no_group_is_set_by_a_stroke_in_which_a_ball_was_touched() -> None:
    fifteen = layout(FIFTEEN)
    play = without(layout(FIFTEEN, cue=(-0.3, 0.11)), "6")
    entries = [shot(0, "A", "cue>1 6@foot_left 5/ 11/", fifteen), shot(1, "A", "cue>3 3@side_left", play)]
    touched = says(36.0, "referee", "foul", code="touched_ball", player="A")
    ruling = ruling_of(adjudicate(rack("upl-8ball", *entries, touched)).entries[2])
    assert (ruling.call, ruling.groups) == ("foul", None)
