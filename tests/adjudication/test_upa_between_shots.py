"""UPA 9-ball: what people report between strokes that is no part of a stroke."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.judge import adjudicate
from record.entries import Entry
from record.ruling import Ruling
from tests.adjudication.racks import codes, layout, rack, ruling_of, says, shot

BREAK = shot(0, "A", "cue>1 3@foot_left", layout())
AFTER = {ball: place for ball, place in layout(cue=(-0.3, 0.1)).items() if ball != "3"}


def _judged(*entries: Entry) -> list[Entry]:
    return adjudicate(rack("upa-9ball", BREAK, *entries)).entries


def _touched(**more: Any) -> Entry:
    return says(16.0, "referee", "foul", code="touched_ball", player="A", **more)


def test_a_still_ball_moved_by_accident_is_no_foul_and_the_opponent_may_have_it_back() -> None:
    ruling = ruling_of(_judged(_touched(ball="5"))[1])
    assert (ruling.call, ruling.fouls, ruling.restore) == ("legal", [], ["5"])
    assert (ruling.next.player, ruling.next.options) == ("B", ["restore", "leave"])


@pytest.mark.parametrize("option", ["restore", "leave"])
def test_after_that_choice_the_shooter_plays_on(option: str) -> None:
    entries = _judged(
        _touched(ball="5"), says(17.0, "B", "choice", option=option), shot(1, "A", "cue>1 1@foot_left", AFTER)
    )
    assert ruling_of(entries[2]).next.player == "A"
    assert (ruling_of(entries[3]).call, ruling_of(entries[3]).next.player) == ("legal", "A")


def test_a_stroke_without_a_choice_leaves_the_ball() -> None:
    assert ruling_of(_judged(_touched(ball="5"), shot(1, "A", "cue>1 1@foot_left", AFTER))[2]).call == "legal"


def test_a_ball_knocked_into_a_pocket_is_a_foul_and_stays_down() -> None:
    entries = _judged(_touched(ball="1", pocketed=True), shot(1, "B", "cue>2 2|foot", _without(AFTER, "1")))
    ruling = ruling_of(entries[1])
    assert (ruling.call, ruling.clauses, ruling.next.cue_ball) == ("foul", ["UPA 7.5"], "in_hand")
    assert ruling_of(entries[2]).call == "legal"


@pytest.mark.parametrize("option", ["restore_nine", "spot_nine"])
def test_for_the_nine_the_opponent_says_where_it_goes(option: str) -> None:
    entries = _judged(_touched(ball="9", pocketed=True), says(17.0, "B", "choice", option=option))
    assert ruling_of(entries[1]).next.options == ["restore_nine", "spot_nine"]
    after = ruling_of(entries[2])
    assert (after.next.player, after.next.cue_ball, after.clauses) == ("B", "in_hand", ["UPA 7.1c"])


def test_ball_tapping_loses_the_rack_only_after_a_warning() -> None:
    tapping = says(18.0, "referee", "foul", code="sportsmanship", player="B")
    warning = says(17.0, "referee", "warning", about="ball_tapping", player="B")
    lost = ruling_of(_judged(warning, tapping)[2])
    assert (lost.call, lost.winner, lost.clauses) == ("rack_over", "A", ["UPA 8.5"])
    unwarned = _judged(tapping, shot(1, "A", "cue>1 1@foot_left", AFTER))
    assert ruling_of(unwarned[2]).call == "legal"


def test_coaching_is_a_foul_and_the_second_time_the_rack() -> None:
    def coached(t: float) -> Entry:
        return says(t, "referee", "foul", code="coaching", player="A")

    entries = _judged(coached(16.0), shot(1, "B", "cue>1 1|foot", AFTER), coached(40.0))
    first, second = ruling_of(entries[1]), ruling_of(entries[3])
    assert (first.call, codes(first), first.next.player) == ("foul", ["coaching"], "B")
    assert (second.call, second.winner, second.clauses) == ("rack_over", "B", ["UPA 8.6"])


@pytest.mark.parametrize(("about", "clause"), [(None, "UPA 8.3"), ("match", "UPA 8.4")])
def test_conceding_a_rack_or_the_match(about: str | None, clause: str) -> None:
    ruling: Ruling = ruling_of(_judged(says(16.0, "B", "concede", about=about))[1])
    assert (ruling.call, ruling.winner, ruling.clauses) == ("rack_over", "A", [clause])


def _without(places: dict[str, tuple[float, float]], ball: str) -> dict[str, tuple[float, float]]:
    return {name: place for name, place in places.items() if name != ball}
