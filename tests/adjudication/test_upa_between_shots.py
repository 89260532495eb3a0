"""UPA 9-ball: what people report between strokes that is no part of a stroke."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.judge import adjudicate
from record.entries import Entry, Override
from record.ruling import Next, Ruling
from tests.adjudication.racks import codes, layout, rack, ruling_of, says, sees, shot

BREAK = shot(0, "A", "cue>1 3@foot_left", layout())
AFTER = {ball: place for ball, place in layout(cue=(-0.3, 0.1)).items() if ball != "3"}


def _judged(*entries: Entry) -> list[Entry]:
    return adjudicate(rack("upa-9ball", BREAK, *entries)).entries


def _touched(**more: Any) -> Entry:
    return says(16.0, "referee", "foul", code="touched_ball", player="A", **more)


@pytest.mark.clause("UPA 7.1c")
def test_a_still_ball_moved_by_accident_is_no_foul_and_the_opponent_may_have_it_back() -> None:
    ruling = ruling_of(_judged(_touched(ball="5"))[1])
    assert (ruling.call, ruling.fouls, ruling.restore) == ("legal", [], ["5"])
    assert (ruling.next.player, ruling.next.options) == ("B", ["restore", "leave"])


@pytest.mark.clause("UPA 7.1c")
@pytest.mark.parametrize("option", ["restore", "leave"])
def test_after_that_choice_the_shooter_plays_on(option: str) -> None:
    entries = _judged(
        _touched(ball="5"), says(17.0, "B", "choice", option=option), shot(1, "A", "cue>1 1@foot_left", AFTER)
    )
    assert ruling_of(entries[2]).next.player == "A"
    assert (ruling_of(entries[3]).call, ruling_of(entries[3]).next.player) == ("legal", "A")


def test_a_stroke_without_a_choice_leaves_the_ball() -> None:
    assert ruling_of(_judged(_touched(ball="5"), shot(1, "A", "cue>1 1@foot_left", AFTER))[2]).call == "legal"


@pytest.mark.clause("UPA 7.1c", "UPA 7.5")
def test_a_ball_knocked_into_a_pocket_is_a_foul_and_stays_down() -> None:
    entries = _judged(_touched(ball="1", pocketed=True), shot(1, "B", "cue>2 2|foot", _without(AFTER, "1")))
    ruling = ruling_of(entries[1])
    assert (ruling.call, ruling.clauses, ruling.next.cue_ball) == ("foul", ["UPA 7.5"], "in_hand")
    assert ruling_of(entries[2]).call == "legal"


@pytest.mark.clause("UPA 7.1c")
@pytest.mark.parametrize("option", ["restore_nine", "spot_nine"])
def test_for_the_nine_the_opponent_says_where_it_goes(option: str) -> None:
    entries = _judged(_touched(ball="9", pocketed=True), says(17.0, "B", "choice", option=option))
    assert ruling_of(entries[1]).next.options == ["restore_nine", "spot_nine"]
    after = ruling_of(entries[2])
    assert (after.next.player, after.next.cue_ball, after.clauses) == ("B", "in_hand", ["UPA 7.1c"])


@pytest.mark.clause("UPA 8.5")
def test_ball_tapping_loses_the_rack_only_after_a_warning() -> None:
    tapping = says(18.0, "referee", "foul", code="sportsmanship", player="B")
    warning = says(17.0, "referee", "warning", about="ball_tapping", player="B")
    lost = ruling_of(_judged(warning, tapping)[2])
    assert (lost.call, lost.winner, lost.clauses) == ("rack_over", "A", ["UPA 8.5"])
    unwarned = _judged(tapping, shot(1, "A", "cue>1 1@foot_left", AFTER))
    assert ruling_of(unwarned[2]).call == "legal"


@pytest.mark.clause("UPA 8.6")
def test_coaching_is_a_foul_and_the_second_time_the_rack() -> None:
    def coached(t: float) -> Entry:
        return says(t, "referee", "foul", code="coaching", player="A")

    entries = _judged(coached(16.0), shot(1, "B", "cue>1 1|foot", AFTER), coached(40.0))
    first, second = ruling_of(entries[1]), ruling_of(entries[3])
    assert (first.call, codes(first), first.next.player) == ("foul", ["coaching"], "B")
    assert (second.call, second.winner, second.clauses) == ("rack_over", "B", ["UPA 8.6"])


@pytest.mark.clause("UPA 8.3", "UPA 8.4")
@pytest.mark.parametrize(("about", "clause"), [(None, "UPA 8.3"), ("match", "UPA 8.4")])
def test_conceding_a_rack_or_the_match(about: str | None, clause: str) -> None:
    ruling: Ruling = ruling_of(_judged(says(16.0, "B", "concede", about=about))[1])
    assert (ruling.call, ruling.winner, ruling.clauses) == ("rack_over", "A", [clause])


def _without(places: dict[str, tuple[float, float]], ball: str) -> dict[str, tuple[float, float]]:
    return {name: place for name, place in places.items() if name != ball}


@pytest.mark.clause("UPA 7.12")
def test_interference_is_a_foul_only_after_a_warning() -> None:
    def reported(t: float) -> Entry:
        return says(t, "referee", "foul", code="interference", player="B")

    first, second = (ruling_of(entry) for entry in _judged(reported(16.0), reported(17.0))[1:])
    assert (first.call, first.fouls) == ("legal", [])
    assert (second.call, codes(second), second.next.player, second.next.cue_ball) == (
        "foul",
        ["interference"],
        "A",
        "in_hand",
    )
    warned = _judged(says(15.0, "referee", "warning", about="interference", player="B"), reported(16.0))
    assert ruling_of(warned[2]).call == "foul"


@pytest.mark.clause("UPA 8.6")
def test_a_second_offence_of_coaching_counts_over_the_match() -> None:
    coached = says(16.0, "referee", "foul", code="coaching", player="A")
    ruling = ruling_of(adjudicate(rack("upa-9ball", BREAK, coached, offences={"A": ["coaching"]})).entries[1])
    assert (ruling.call, ruling.winner) == ("rack_over", "B")


@pytest.mark.clause("UPA 8.6")
def test_one_time_out_a_game() -> None:
    entries = _judged(says(16.0, "A", "timeout"), says(17.0, "A", "timeout"))
    assert getattr(entries[1], "ruling", None) is None
    assert "no time-out left" in ruling_of(entries[2]).explanation


@pytest.mark.clause("UPA 9.5", "UPA 9.7")
def test_a_ball_that_settles_into_a_pocket_is_put_back() -> None:
    entries = _judged(sees(25.0, "ball_dropped", ball="5"), shot(1, "A", "cue>1 1@foot_left", AFTER))
    ruling = ruling_of(entries[1])
    assert (ruling.call, ruling.restore, ruling.places) == ("legal", ["5"], {"5": AFTER["5"]})
    assert ruling_of(entries[2]).call == "legal"


@pytest.mark.clause("UPA 9.5")
def test_a_ball_that_falls_within_five_seconds_of_rest_is_still_the_shots() -> None:
    dry = shot(1, "A", "cue>1 1|foot", AFTER)
    dropped = sees(dry.t_rest + 4.0, "ball_dropped", ball="1")
    entries = _judged(dry, dropped, shot(2, "A", "cue>2 2|foot", _without(AFTER, "1")))
    assert ruling_of(entries[1]).next.player == "B"
    assert ruling_of(entries[2]).next.player == "A"
    assert ruling_of(entries[3]).fouls == []


@pytest.mark.clause("UPA 10.9")
def test_a_ball_moved_by_somebody_else_must_be_put_back() -> None:
    entries = _judged(sees(25.0, "ball_moved", ball="5", by="outsider"))
    ruling = ruling_of(entries[1])
    assert (ruling.call, ruling.restore, ruling.clauses) == ("legal", ["5"], ["UPA 10.9"])
    assert getattr(_judged(sees(25.0, "ball_moved", ball="5"))[1], "ruling", None) is None


@pytest.mark.clause("UPA 10.11")
def test_a_shot_or_the_game_may_be_played_again() -> None:
    second = shot(1, "A", "cue>1 1@foot_left", AFTER)
    again = ruling_of(_judged(second, says(36.0, "referee", "replay"))[2])
    assert (again.call, again.next.player, again.restore) == ("legal", "A", ["1"])
    game = ruling_of(_judged(second, says(36.0, "referee", "replay", about="game"))[2])
    assert (game.next.player, game.next.cue_ball) == ("A", "rack")


@pytest.mark.clause("UPA 10.4", "UPA 10.2", "UPA 10.3")
def test_without_an_official_a_questionable_hit_is_the_shooters_call() -> None:
    bad = shot(1, "A", "cue>2 2|foot", AFTER)
    entries = adjudicate(rack("upa-9ball", BREAK, bad, officiated=False)).entries
    ruling = ruling_of(entries[1])
    assert (ruling.call, ruling.fouls, ruling.needs_review) == ("legal", [], True)
    assert ruling.alternatives[0]["foul"] == "bad_hit"
    assert "UPA 10.4" in ruling.clauses
    scratch = shot(1, "A", "cue>1 cue@foot_left", AFTER)
    assert ruling_of(adjudicate(rack("upa-9ball", BREAK, scratch, officiated=False)).entries[1]).call == "foul"


@pytest.mark.clause("UPA 10.12", "UPA 11.0")
def test_the_operators_ruling_stands_beside_the_machines() -> None:
    special = Ruling(call="legal", next=Next(player="B", cue_ball="in_hand"), explanation="Lights went out.")
    over = Override(t=36.0, of_shot=1, by="operator", ruling=special, reason="power cut")
    entries = _judged(shot(1, "A", "cue>2 2|foot", AFTER), over, shot(2, "B", "cue>1 1|foot", AFTER))
    assert ruling_of(entries[1]).call == "foul"
    assert ruling_of(entries[3]).call == "legal"


@pytest.mark.clause("UPA 3.0", "UPA 7.11")
@pytest.mark.parametrize(
    ("at", "why"),
    [
        ([-0.8, 0.0], None),
        ([-0.60, 0.0], "35 mm in front of the head string"),
        ([-1.26, 0.0], "playing surface"),
    ],
)
def test_a_wrong_place_for_the_break_is_said_before_the_stroke(at: list[float], why: str | None) -> None:
    placed = says(5.0, "A", "place_cue_ball", at=at)
    entry = adjudicate(rack("upa-9ball", placed, BREAK)).entries[0]
    if why is None:
        assert getattr(entry, "ruling", None) is None
    else:
        assert why in ruling_of(entry).explanation
        assert ruling_of(entry).fouls == []


@pytest.mark.clause("UPA 7.0", "UPA 3.0 fouls")
def test_of_several_fouls_on_the_break_one_counts_and_the_clause_says_so() -> None:
    line = "cue>2 2|left 5|foot 7|right cue@side_left"
    ruling = ruling_of(adjudicate(rack("upa-9ball", shot(0, "A", line, layout()))).entries[0])
    assert sum(bool(foul.counts) for foul in ruling.fouls) == 1
    assert {"UPA 7.0", "UPA 3.0 fouls"} <= set(ruling.clauses)


@pytest.mark.clause("UPA 9.4", "UPA 6.0")
def test_a_ball_that_comes_back_out_of_a_pocket_is_not_pocketed() -> None:
    back = shot(1, "A", "cue>1 9@foot_left", AFTER, layout_after=AFTER)
    ruling = ruling_of(_judged(back)[1])
    assert (ruling.winner, "UPA 9.4" in ruling.clauses) == (None, True)
    on = ruling_of(_judged(shot(1, "A", "cue>1 1@foot_left", AFTER))[1])
    assert (on.next.player, "UPA 6.0" in on.clauses) == ("A", True)
