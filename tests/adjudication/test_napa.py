"""NAPA 9-ball, clause by clause: what is seen or said, and what must be ruled."""

from __future__ import annotations

from typing import Any

import pytest

from record.entries import Entry
from record.ruling import Ruling
from tests.adjudication.racks import codes, judged, last, layout, ruling_of, says, sees, shot, without

NAPA = "napa-9ball"
BREAK = shot(0, "A", "cue>1 2|left 5|foot 7|right 8|left", layout())
BEFORE = layout(cue=(-0.3, 0.11))


def _then(line: str, *said: Entry, **more: Any) -> Ruling:
    """B's shot after a dry, legal break by A."""
    options = more.pop("options", {})
    return last(NAPA, BREAK, *said, shot(1, "B", line, more.pop("before", BEFORE), **more), **options)


@pytest.mark.clause("NAPA unspecified")
@pytest.mark.parametrize(
    ("line", "options", "call", "player"),
    [
        ("cue>1 2|left 5|foot 7|right 8|left", {}, "legal", "B"),
        ("cue>1 3@foot_left", {}, "legal", "A"),
        ("cue>1 2|left 5|foot 7|right", {}, "illegal_break", "B"),
        ("cue>1 2|left 5|foot 7|right", {"break_min_rails": 3}, "legal", "B"),
        ("cue>1 9@foot_left", {}, "rack_over", None),
        ("cue>1 3@foot_left cue@side_left", {}, "foul", "B"),
    ],
)
def test_the_break(line: str, options: dict[str, Any], call: str, player: str | None) -> None:
    ruling = last(NAPA, shot(0, "A", line, layout()), **options)
    assert (ruling.call, ruling.next.player) == (call, player)


@pytest.mark.clause("NAPA unspecified")
@pytest.mark.parametrize(
    ("line", "call", "fouls", "spot"),
    [
        ("cue>1 1|foot", "legal", [], []),
        ("cue>3 3|foot", "foul", ["bad_hit"], []),
        ("cue>1", "foul", ["no_rail"], []),
        ("", "foul", ["no_contact"], []),
        ("cue>1 4^", "foul", ["ball_off_table"], []),
        ("cue>1 9^", "foul", ["ball_off_table"], ["9"]),
        ("cue>1 9@foot_left cue@side_left", "foul", ["scratch"], ["9"]),
        ("cue>1 9@foot_left", "rack_over", [], []),
    ],
)
def test_ordinary_shots(line: str, call: str, fouls: list[str], spot: list[str]) -> None:
    ruling = _then(line)
    assert (ruling.call, codes(ruling), ruling.spot) == (call, fouls, spot)


@pytest.mark.clause("NAPA unspecified")
@pytest.mark.parametrize(("option", "winner"), [(True, "A"), (False, None)])
def test_three_fouls_in_a_row_lose_only_where_the_league_says_so(option: bool, winner: str | None) -> None:
    fouls = [shot(1 + 2 * k, "B", "cue>3 3|foot", BEFORE) for k in range(3)]
    between = [shot(2 + 2 * k, "A", "cue>1 1|foot", BEFORE) for k in range(2)]
    ruling = last(NAPA, BREAK, fouls[0], between[0], fouls[1], between[1], fouls[2], three_fouls=option)
    assert ruling.winner == winner


@pytest.mark.clause("NAPA Time")
@pytest.mark.parametrize(
    ("said", "seconds", "options", "fouls"),
    [
        ([], 70, {}, []),
        (["slow_play"], 70, {}, []),
        (["slow_play", "slow_play"], 70, {}, ["time_violation"]),
        (["slow_play", "shot_clock"], 59, {}, []),
        (["slow_play", "shot_clock"], 40, {"shot_clock": 30}, ["time_violation"]),
        (["slow_play", "shot_clock"], 80, {"shot_clock": 90}, []),
    ],
)
def test_an_overrun_is_a_foul_only_once_the_clock_was_instituted(
    said: list[str], seconds: float, options: dict[str, Any], fouls: list[str]
) -> None:
    warnings = [says(15.0 + k, "referee", "warning", about=about, player="B") for k, about in enumerate(said)]
    late = {"t_strike": 14.0 + seconds, "t_rest": 20.0 + seconds}
    assert codes(_then("cue>1 1|foot", *warnings, options=options, **late)) == fouls


@pytest.mark.clause("NAPA Time")
def test_the_clock_may_be_started_at_the_table_after_a_warning() -> None:
    warning = says(15.0, "referee", "warning", about="slow_play", player="B")
    late = {"t_strike": 84.0, "t_rest": 90.0}
    assert codes(_then("cue>1 1|foot", warning, sees(16.0, "shot_clock"), **late)) == ["time_violation"]
    assert codes(_then("cue>1 1|foot", sees(16.0, "shot_clock"), **late)) == []


@pytest.mark.clause("NAPA Frozen cushion")
@pytest.mark.parametrize(
    ("line", "fouls"),
    [
        ("cue>1 1|foot*", ["no_rail"]),
        ("cue>1 1|foot* 1|left", []),
        ("cue>1 1|foot* cue|head", []),
        ("cue>1 1|foot* 1|foot", []),
        ("cue>1 1|foot* 1@foot_left", []),
    ],
)
def test_a_frozen_balls_own_touch_does_not_count(line: str, fouls: list[str]) -> None:
    ruling = _then(line, frozen=[("1", "foot")])
    assert codes(ruling) == fouls
    if fouls:
        assert ruling.fouls[0].clause == "NAPA Frozen cushion"


@pytest.mark.clause("NAPA Frozen balls")
@pytest.mark.parametrize(
    ("frozen", "more", "fouls"),
    [
        ([("cue", "1")], {}, []),
        ([], {"gap": 0.02, "elevated": True}, []),
        ([], {"gap": 0.02}, ["double_hit"]),
        ([], {"gap": 0.03, "elevated": True}, ["double_hit"]),
    ],
)
def test_a_double_hit_beside_a_frozen_or_close_ball(
    frozen: list[tuple[str, str]], more: dict[str, Any], fouls: list[str]
) -> None:
    second = shot(1, "B", "cue>1 1|foot", BEFORE, frozen=frozen)
    ruling = last(NAPA, BREAK, second, says(36.0, "referee", "foul", code="double_hit", player="B", **more))
    assert codes(ruling) == fouls


@pytest.mark.clause("NAPA Push out")
def test_a_push_out_keeps_balls_down_spots_the_nine_and_leaves_the_choice() -> None:
    push = says(15.0, "B", "push_out")
    ruling = _then("cue>3 3@foot_left 9@side_left", push)
    assert (ruling.call, ruling.fouls, ruling.spot) == ("legal", [], ["9"])
    assert (ruling.next.player, ruling.next.options) == ("A", ["shoot", "pass_back"])
    assert ruling.next.cue_ball == "in_position"


@pytest.mark.clause("NAPA Push out")
def test_a_push_out_is_not_allowed_after_a_scratch_on_the_break() -> None:
    scratch = shot(0, "A", "cue>1 3@foot_left cue@side_left", layout())
    before = without(BEFORE, "3")
    ruling = last(NAPA, scratch, says(15.0, "B", "push_out"), shot(1, "B", "cue>5 5|foot", before))
    assert codes(ruling) == ["bad_hit"]


@pytest.mark.clause("NAPA Push out")
@pytest.mark.parametrize("line", ["cue@side_left", "cue>3 3|foot 4^"])
def test_other_fouls_still_count_on_a_push_out(line: str) -> None:
    assert _then(line, says(15.0, "B", "push_out")).call == "foul"


@pytest.mark.clause("NAPA Masse, Jump")
@pytest.mark.parametrize("code", ["jump_miscue", "equipment"])
def test_a_scooped_jump_or_a_broken_down_cue_is_a_foul(code: str) -> None:
    second = shot(1, "B", "cue>1 1|foot", BEFORE)
    ruling = last(NAPA, BREAK, second, says(36.0, "referee", "foul", code=code, player="B"))
    assert (codes(ruling), ruling.next.cue_ball, ruling.clauses) == ([code], "in_hand", ["NAPA Masse, Jump"])


@pytest.mark.clause("NAPA Masse, Jump")
def test_a_jump_over_a_ball_is_legal() -> None:
    assert _then("cue!3 cue>1 1|foot").call == "legal"


@pytest.mark.clause("NAPA Safety")
def test_no_safety_can_be_called() -> None:
    said = says(15.0, "B", "call", about="safety")
    entries = judged(NAPA, BREAK, said, shot(1, "B", "cue>1 1@foot_left", BEFORE))
    assert ruling_of(entries[1]).clauses == ["NAPA Safety"]
    assert ruling_of(entries[2]).next.player == "B"


@pytest.mark.clause("NAPA Disputes")
def test_playing_on_after_a_request_to_wait_is_a_foul() -> None:
    protest = says(15.0, "A", "protest")
    ruling = _then("cue>1 1@foot_left", protest)
    assert (codes(ruling), ruling.next.player, ruling.next.cue_ball) == (["protest_ignored"], "A", "in_hand")
    assert _then("cue>1 1@foot_left", protest, says(16.0, "referee", "protest", about="settled")).fouls == []


@pytest.mark.clause("NAPA Disputes")
def test_what_is_not_disputed_before_the_next_stroke_stands() -> None:
    second, third = shot(1, "B", "cue>1 1|foot", BEFORE), shot(2, "A", "cue>1 1|foot", BEFORE)
    late = says(56.0, "A", "foul", code="bad_hit", player="B")
    ruling = last(NAPA, BREAK, second, third, late)
    assert (ruling.call, ruling.fouls, ruling.clauses) == ("legal", [], ["NAPA Disputes"])
    assert ruling.next.player == "B"


@pytest.mark.clause("NAPA Close shots")
def test_a_tie_goes_to_the_shooter() -> None:
    ruling = _then("cue>3 ~0.001 +-0.0995 cue>1 ~0.001 1|foot")
    assert (ruling.call, "NAPA Close shots" in ruling.clauses) == ("legal", True)


@pytest.mark.clause("NAPA Five seconds")
@pytest.mark.parametrize(
    ("line", "player", "restore", "call"),
    [
        ("cue>1 1|foot 3. +4.5 3@foot_left", "B", [], "legal"),
        ("cue>1 1|foot 3. +5 3@foot_left", "A", [], "legal"),
        ("cue>1 1|foot 9. +6 9@foot_left", "A", ["9"], "legal"),
        ("cue>1 1|foot 9. +4 9@foot_left", None, [], "rack_over"),
    ],
)
def test_a_ball_that_hangs_and_falls(line: str, player: str | None, restore: list[str], call: str) -> None:
    ruling = _then(line)
    assert (ruling.call, ruling.next.player, ruling.restore) == (call, player, restore)


@pytest.mark.clause("NAPA Five seconds")
def test_a_ball_that_falls_between_shots_stays_down_but_the_nine_goes_back() -> None:
    three, nine = sees(25.0, "ball_dropped", ball="3"), sees(25.0, "ball_dropped", ball="9")
    stays = judged(NAPA, BREAK, three, shot(1, "B", "cue>1 1|foot", without(BEFORE, "3")))
    assert (ruling_of(stays[1]).restore, ruling_of(stays[2]).call) == ([], "legal")
    back = ruling_of(judged(NAPA, BREAK, nine)[1])
    assert (back.restore, back.places) == (["9"], {"9": layout()["9"]})


@pytest.mark.clause("NAPA unspecified")
def test_out_of_turn_the_rightful_player_returns() -> None:
    ruling = last(NAPA, BREAK, shot(1, "A", "cue>1 1|foot", BEFORE))
    assert (ruling.call, ruling.fouls, ruling.next.player) == ("loss_of_turn", [], "B")
