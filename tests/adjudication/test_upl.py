"""UPL 8-ball, clause by clause: what is seen or said, and what must be ruled."""

from __future__ import annotations

from typing import Any

import pytest

from record.entries import Entry
from record.ruling import Ruling
from tests.adjudication.racks import FIFTEEN, codes, judged, last, layout, ruling_of, says, shot, without

UPL = "upl-8ball"
LEGAL_BREAK = "cue>1 6@foot_left 5/ 11/"
FULL = layout(FIFTEEN)
PLAY = without(layout(FIFTEEN, cue=(-0.3, 0.11)), "6")


def _break(line: str, **more: Any) -> Ruling:
    options = more.pop("options", {})
    return last(UPL, shot(0, "A", line, more.pop("before", FULL), **more), **options)


def _then(line: str, *said: Entry, before: Any = None, **more: Any) -> Ruling:
    """A's second shot, after a legal break that pocketed the 6."""
    options = more.pop("options", {})
    first, second = shot(0, "A", LEGAL_BREAK, FULL), shot(1, "A", line, before or PLAY, **more)
    return last(UPL, first, *said, second, **options)


def _solids(line: str, *said: Entry, left: tuple[str, ...] = (), **more: Any) -> Ruling:
    """A's third shot: the 3 has made A's group the solids; `left` are the solids still on the table."""
    gone = {"6", "3"} | (({"1", "2", "4", "5", "7"} - set(left)) if left else set())
    before = without(PLAY, *gone)
    entries = [
        shot(0, "A", LEGAL_BREAK, FULL),
        shot(1, "A", "cue>3 3@side_left " + " ".join(f"{b}@foot_left" for b in gone - {"6", "3"}), PLAY),
        *said,
        shot(2, more.pop("player", "A"), line, before, **more),
    ]
    return last(UPL, *entries)


@pytest.mark.clause("UPL Break")
@pytest.mark.parametrize(
    ("line", "call", "player"),
    [
        (LEGAL_BREAK, "legal", "A"),
        ("cue>1 6@foot_left 6/ 11/", "legal", "A"),
        ("cue>1 1/ 5/ 11/", "legal", "B"),
        ("cue>1 6@foot_left 11@side_left 8@foot_right", "legal", "A"),
        ("cue>1 6@foot_left 5/", "illegal_break", "B"),
        ("cue>1 5/ 5/ 11/", "illegal_break", "B"),
        ("cue>1 cue/ 5/ 11/", "illegal_break", "B"),
        ("cue>1 2|left 5|foot 7|right 9|foot", "illegal_break", "B"),
    ],
)
def test_three_points_make_a_legal_break(line: str, call: str, player: str) -> None:
    ruling = _break(line)
    assert (ruling.call, ruling.next.player, ruling.groups) == (call, player, None)
    if call == "illegal_break":
        assert (ruling.next.cue_ball, ruling.next.options) == ("rack", ["break", "make_opponent_break"])


@pytest.mark.clause("UPL Break")
def test_a_league_may_count_a_ball_that_crosses_and_falls_once() -> None:
    line = "cue>1 6@foot_left 6/ 11/"
    assert _break(line, options={"break_point_once": True}).call == "illegal_break"


@pytest.mark.clause("UPL Break")
def test_break_points_that_cannot_be_told_are_reviewed() -> None:
    ruling = _break("cue>1 6@foot_left 5/ 11/ %0.5")
    assert (ruling.call, ruling.needs_review) == ("legal", True)
    assert ruling.alternatives[0]["call"] == "illegal_break"


@pytest.mark.clause("UPL Break")
@pytest.mark.parametrize(("x", "fouls"), [(-0.64, []), (-0.60, ["head_string"])])
def test_less_than_half_of_the_cue_ball_may_lie_over_the_head_string(x: float, fouls: list[str]) -> None:
    assert codes(_break(LEGAL_BREAK, before=layout(FIFTEEN, cue=(x, 0.0)))) == fouls


@pytest.mark.clause("UPL Eight on the break")
def test_the_eight_on_a_legal_break_is_spotted_and_the_breaker_goes_on() -> None:
    ruling = _break("cue>1 8@foot_left 5/ 11/")
    assert (ruling.call, ruling.spot, ruling.next.player, ruling.winner) == ("legal", ["8"], "A", None)
    assert ruling.places == {"8": (0.635, 0.0)}


@pytest.mark.clause("UPL Break scratch")
@pytest.mark.parametrize(
    ("line", "fouls", "cue_ball"),
    [
        (LEGAL_BREAK + " cue@side_left", ["scratch"], "in_hand_behind_head_string"),
        (LEGAL_BREAK + " cue^", ["cue_off_table"], "in_hand"),
        (LEGAL_BREAK + " 4^", ["ball_off_table"], "in_hand"),
    ],
)
def test_where_the_cue_ball_is_in_hand_after_a_foul_on_the_break(line: str, fouls: list[str], cue_ball: str) -> None:
    ruling = _break(line)
    assert (ruling.call, codes(ruling), ruling.next.player, ruling.next.cue_ball) == ("foul", fouls, "B", cue_ball)


@pytest.mark.clause("UPL open questions")
def test_an_illegal_break_with_a_scratch_is_racked_again() -> None:
    ruling = _break("cue>1 cue@side_left")
    assert (ruling.call, ruling.fouls, ruling.next.cue_ball) == ("illegal_break", [], "rack")


@pytest.mark.clause("UPL Open table")
@pytest.mark.parametrize(
    ("line", "call", "player", "groups"),
    [
        ("cue>3 3@side_left", "legal", "A", {"A": "solids", "B": "stripes"}),
        ("cue>3 3@side_left 11@foot_left", "legal", "A", {"A": "solids", "B": "stripes"}),
        ("cue>11 11>3 3@side_left 12@foot_left", "legal", "A", {"A": "stripes", "B": "solids"}),
        ("cue>3 3>11 11@side_left", "loss_of_turn", "B", None),
        ("cue>3 3|foot", "legal", "B", None),
        ("cue>8 3@side_left", "foul", "B", None),
        ("cue>3 3@side_left cue@foot_left", "foul", "B", None),
    ],
)
def test_open_table(line: str, call: str, player: str, groups: dict[str, str] | None) -> None:
    ruling = _then(line)
    assert (ruling.call, ruling.next.player, ruling.groups) == (call, player, groups)


@pytest.mark.clause("UPL Open table")
def test_a_cue_ball_against_a_ball_needs_a_declared_group() -> None:
    frozen = {"frozen": [("cue", "3")]}
    assert _then("cue>3 3@side_left", **frozen).call == "loss_of_turn"
    declared = says(16.0, "A", "intended_group", group="solids")
    assert _then("cue>3 3@side_left", declared, **frozen).groups == {"A": "solids", "B": "stripes"}


@pytest.mark.clause("UPL Open table")
def test_the_declared_group_counts() -> None:
    declared = says(16.0, "A", "intended_group", group="stripes")
    ruling = _then("cue>3 3@side_left", declared)
    assert (ruling.call, ruling.groups) == ("loss_of_turn", None)


@pytest.mark.clause("UPL Open table")
def test_a_group_that_was_not_obvious_and_not_declared_ends_the_turn() -> None:
    entries = judged(
        UPL,
        shot(0, "A", LEGAL_BREAK, FULL),
        shot(1, "A", "cue>3 3@side_left", PLAY),
        says(36.0, "B", "protest", about="intended_group"),
    )
    assert ruling_of(entries[1]).call == "legal"
    protested = ruling_of(entries[2])
    assert (protested.call, protested.next.player, protested.groups) == ("loss_of_turn", "B", None)


@pytest.mark.clause("UPL Legal shot")
@pytest.mark.parametrize(
    ("line", "call", "fouls", "player"),
    [
        ("cue>2 2@foot_left", "legal", [], "A"),
        ("cue>2 2|foot", "legal", [], "B"),
        ("cue>2 cue|head", "legal", [], "B"),
        ("cue>2", "foul", ["no_rail"], "B"),
        ("cue>11 11|foot", "foul", ["bad_hit"], "B"),
        ("cue>8 8|foot", "foul", ["bad_hit"], "B"),
        ("cue|left", "foul", ["no_contact"], "B"),
    ],
)
def test_own_group_first_then_a_ball_down_or_a_rail(line: str, call: str, fouls: list[str], player: str) -> None:
    ruling = _solids(line)
    assert (ruling.call, codes(ruling), ruling.next.player) == (call, fouls, player)
    assert ruling.next.cue_ball == ("in_hand" if fouls else "in_position")


@pytest.mark.clause("UPL Combination")
@pytest.mark.parametrize(
    ("line", "call", "player"),
    [("cue>2 2>11 11@foot_left", "loss_of_turn", "B"), ("cue>2 2>11 11@foot_left 2@side_left", "legal", "A")],
)
def test_opponents_balls_stay_down_and_alone_end_the_turn(line: str, call: str, player: str) -> None:
    ruling = _solids(line)
    assert (ruling.call, ruling.next.player, ruling.spot) == (call, player, [])


@pytest.mark.clause("UPL Standard fouls")
@pytest.mark.parametrize(
    ("line", "fouls", "more"),
    [
        ("cue>2 2|foot cue@foot_left", ["scratch"], {}),
        ("cue>2 2|foot cue^", ["cue_off_table"], {}),
        ("cue>2 2|foot 11^", ["ball_off_table"], {}),
        ("cue!11 cue>2 2|foot", ["jump_shot"], {}),
        ("cue>2 2|foot", ["balls_moving"], {"moving_at_strike": ["12"]}),
        ("cue>11 11|foot", ["out_of_turn"], {"player": "B"}),
    ],
)
def test_standard_fouls_seen_by_the_camera(line: str, fouls: list[str], more: dict[str, Any]) -> None:
    ruling = _solids(line, **more)
    assert (ruling.call, codes(ruling), ruling.next.cue_ball) == ("foul", fouls, "in_hand")


@pytest.mark.clause("UPL Standard fouls")
def test_a_ball_that_had_to_be_spotted_must_be_back_before_the_stroke() -> None:
    entries = judged(
        UPL,
        shot(0, "A", "cue>1 8@foot_left 5/ 11/", FULL),
        shot(1, "A", "cue>3 3@side_left", without(layout(FIFTEEN, cue=(-0.3, 0.11)), "8")),
    )
    assert codes(ruling_of(entries[1])) == ["not_spotted"]


@pytest.mark.clause("UPL Standard fouls")
@pytest.mark.parametrize(
    "code",
    [
        "double_hit",
        "push_shot",
        "foot_off_floor",
        "touched_ball",
        "touched_cue_ball",
        "touched_moving_ball",
        "placement_touch",
        "equipment",
        "marking",
        "left_area",
        "jump_miscue",
    ],
)
def test_standard_fouls_that_a_person_reports(code: str) -> None:
    first, second = shot(0, "A", LEGAL_BREAK, FULL), shot(1, "A", "cue>3 3@side_left", PLAY)
    ruling = last(UPL, first, second, says(36.0, "referee", "foul", code=code, player="A"))
    assert (ruling.call, codes(ruling), ruling.next.player, ruling.next.cue_ball) == ("foul", [code], "B", "in_hand")


@pytest.mark.clause("UPL open questions")
def test_the_eight_off_the_table_is_for_a_person() -> None:
    ruling = _solids("cue>2 2|foot 8^")
    assert ruling.needs_review
    assert any(one["call"] == "rack_over" for one in ruling.alternatives)


@pytest.mark.clause("UPL Loss of rack")
@pytest.mark.parametrize(
    ("line", "left", "code"),
    [
        ("cue>2 2>8 8@foot_left", ("1", "2"), "eight_early"),
        ("cue>2 2@side_left 8@foot_left", ("2",), "eight_with_last"),
    ],
)
def test_the_eight_too_soon_loses_the_rack(line: str, left: tuple[str, ...], code: str) -> None:
    ruling = _solids(line, left=left)
    assert (ruling.call, ruling.winner, ruling.next.player) == ("rack_over", "B", None)
    assert code in codes(ruling)


def _on_the_eight(line: str, *said: Entry) -> list[Entry]:
    solids = ("1", "2", "3", "4", "5", "7")
    clear = "cue>3 " + " ".join(f"{ball}@foot_left" for ball in solids)
    first, second = shot(0, "A", LEGAL_BREAK, FULL), shot(1, "A", clear, PLAY)
    return judged(UPL, first, second, shot(2, "A", line, without(PLAY, *solids)), *said)


@pytest.mark.clause("UPL Winning")
def test_the_eight_after_the_group_wins_in_any_pocket_without_a_call() -> None:
    ruling = ruling_of(_on_the_eight("cue>8 8@side_right")[-1])
    assert (ruling.call, ruling.winner, ruling.clauses) == ("rack_over", "A", ["UPL Winning"])


@pytest.mark.clause("UPL Loss of rack")
def test_a_foul_while_pocketing_the_eight_loses() -> None:
    ruling = ruling_of(_on_the_eight("cue>8 8@side_right cue@foot_left")[-1])
    assert (ruling.call, ruling.winner, codes(ruling)) == ("rack_over", "B", ["eight_on_foul", "scratch"])


@pytest.mark.clause("UPL Loss of rack")
def test_a_scratch_on_the_eight_without_pocketing_it_is_a_foul_only() -> None:
    ruling = ruling_of(_on_the_eight("cue>8 8|foot cue@foot_left")[-1])
    assert (ruling.call, ruling.winner, codes(ruling)) == ("foul", None, ["scratch"])


@pytest.mark.clause("UPL Loss of rack")
def test_a_deliberate_foul_loses_the_rack() -> None:
    first, second = shot(0, "A", LEGAL_BREAK, FULL), shot(1, "A", "cue>3 3|foot", PLAY)
    ruling = last(UPL, first, second, says(36.0, "referee", "foul", code="deliberate", player="A"))
    assert (ruling.call, ruling.winner, ruling.clauses) == ("rack_over", "B", ["UPL Loss of rack"])


@pytest.mark.clause("UPL Loss of rack")
def test_playing_on_after_the_eight_before_all_balls_rest_loses() -> None:
    entries = _on_the_eight("cue>8 8@side_right", says(56.0, "referee", "foul", code="deliberate", player="A"))
    assert ruling_of(entries[-1]).winner == "B"


@pytest.mark.clause("UPL Sportsmanship")
def test_conduct_is_warned_first_and_loses_the_rack_the_second_time() -> None:
    conduct = {"code": "sportsmanship", "player": "B"}
    entries = judged(
        UPL,
        shot(0, "A", LEGAL_BREAK, FULL),
        says(15.0, "referee", "foul", **conduct),
        says(16.0, "referee", "foul", **conduct),
    )
    assert (ruling_of(entries[1]).call, ruling_of(entries[2]).winner) == ("legal", "A")


@pytest.mark.clause("UPL Sportsmanship")
@pytest.mark.parametrize("about", ["cue_thrown", "cue_unscrewed"])
def test_a_thrown_or_unscrewed_cue_loses_the_rack_at_once(about: str) -> None:
    thrown = says(15.0, "referee", "foul", code="sportsmanship", player="B", about=about)
    assert last(UPL, shot(0, "A", LEGAL_BREAK, FULL), thrown).winner == "A"


@pytest.mark.clause("UPL Sportsmanship")
def test_a_warning_earlier_in_the_match_counts() -> None:
    foul = says(15.0, "referee", "foul", code="sportsmanship", player="B")
    assert last(UPL, shot(0, "A", LEGAL_BREAK, FULL), foul, offences={"B": ["conduct"]}).winner == "A"


@pytest.mark.clause("UPL Clock")
@pytest.mark.parametrize(
    ("seconds", "said", "fouls"),
    [
        (29.0, [], []),
        (31.0, [], ["time_violation"]),
        (59.0, ["extension"], []),
        (61.0, ["extension"], ["time_violation"]),
        (61.0, ["extension", "extension"], ["time_violation"]),
    ],
)
def test_thirty_seconds_a_shot_and_one_extension_a_rack(seconds: float, said: list[str], fouls: list[str]) -> None:
    spoken = [says(15.0 + k, "A", what) for k, what in enumerate(said)]
    ruling = _then("cue>3 3@side_left", *spoken, t_strike=14.0 + seconds, t_rest=20.0 + seconds)
    assert codes(ruling) == fouls


@pytest.mark.clause("UPL Clock")
def test_the_extension_is_for_one_shot_of_the_rack() -> None:
    entries = judged(
        UPL,
        shot(0, "A", LEGAL_BREAK, FULL),
        says(15.0, "A", "extension"),
        shot(1, "A", "cue>3 3@side_left", PLAY, t_strike=60.0, t_rest=64.0),
        says(65.0, "A", "extension"),
        shot(2, "A", "cue>2 2|foot", without(PLAY, "3"), t_strike=110.0, t_rest=114.0),
    )
    assert codes(ruling_of(entries[2])) == []
    assert "denied" in ruling_of(entries[3]).explanation
    assert codes(ruling_of(entries[4])) == ["time_violation"]


@pytest.mark.clause("UPL Coaching")
@pytest.mark.parametrize(
    ("caller", "rating", "used", "call", "fouls"),
    [
        ("player", 400, False, None, []),
        ("player", 400, True, "legal", []),
        ("coach", 400, False, None, []),
        ("coach", 400, True, "foul", ["coaching"]),
        ("coach", 451, False, "foul", ["coaching"]),
        ("other", 400, False, "foul", ["coaching"]),
        ("player", 451, False, "legal", []),
    ],
)
def test_coaching_only_up_to_450_and_only_in_an_extension(
    caller: str, rating: int, used: bool, call: str | None, fouls: list[str]
) -> None:
    before = [says(14.5, "A", "extension")] if used else []
    asked = says(15.0, "A", "timeout", caller=caller)
    entries = judged(UPL, shot(0, "A", LEGAL_BREAK, FULL), *before, asked, ratings={"A": rating, "B": 500})
    entry = entries[-1]
    if call is None:
        assert getattr(entry, "ruling", None) is None
        return
    assert (ruling_of(entry).call, codes(ruling_of(entry))) == (call, fouls)


@pytest.mark.clause("UPL Coaching")
def test_a_coachs_second_call_in_the_match_loses_the_rack() -> None:
    entries: list[Entry] = [
        shot(0, "A", LEGAL_BREAK, FULL),
        says(15.0, "A", "extension"),
        says(16.0, "A", "timeout", caller="coach"),
    ]
    first = last(UPL, *entries, ratings={"A": 400})
    again = last(UPL, *entries, ratings={"A": 400}, offences={"A": ["coaching"]})
    assert (first.call, again.call, again.winner) == ("foul", "rack_over", "B")
