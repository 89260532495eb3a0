"""UPA 9-ball, clause by clause: what is seen or said, and what must be ruled."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.judge import adjudicate
from record.ruling import Ruling
from record.shot import Shot
from tests.adjudication.racks import NINE, codes, layout, rack, ruling_of, says, shot

DRY_BREAK = "cue>1 2|left 5|foot 7|right"


def _break(line: str, **more: Any) -> Ruling:
    judged = adjudicate(rack("upa-9ball", shot(0, "A", line, more.pop("before", layout()), **more)))
    return ruling_of(judged.entries[0])


def _after_break(line: str, *said: Any, before: Any = None, **more: Any) -> Ruling:
    """A ruling on B's first shot after a dry, legal break by A."""
    second = shot(1, "B", line, before or layout(cue=(-0.3, 0.1)), **more)
    judged = adjudicate(rack("upa-9ball", shot(0, "A", DRY_BREAK, layout()), *said, second))
    return ruling_of(judged.entries[-1])


@pytest.mark.clause("UPA 3.0", "UPA 3.0 fouls")
@pytest.mark.parametrize(
    ("line", "call", "fouls", "player", "cue_ball"),
    [
        (DRY_BREAK, "legal", [], "B", "in_position"),
        ("cue>1 3@foot_left", "legal", [], "A", "in_position"),
        ("cue>1 2|left 2|foot 5|foot", "illegal_break", [], "B", "rack"),
        ("cue>1 2|left 5|foot cue|foot", "illegal_break", [], "B", "rack"),
        ("cue>1 2|left* 5|foot 7|right", "illegal_break", [], "B", "rack"),
        ("", "illegal_break", [], "B", "rack"),
        ("cue>2 2|left 5|foot 7|right", "foul", ["bad_hit"], "B", "in_hand"),
        (DRY_BREAK + " cue@side_left", "foul", ["scratch"], "B", "in_hand"),
        (DRY_BREAK + " cue^", "foul", ["cue_off_table"], "B", "in_hand"),
        (DRY_BREAK + " 4^", "foul", ["ball_off_table"], "B", "in_hand"),
        ("cue>1 2|left cue@side_left", "illegal_break", [], "B", "rack"),
    ],
)
def test_break(line: str, call: str, fouls: list[str], player: str, cue_ball: str) -> None:
    ruling = _break(line)
    assert (ruling.call, codes(ruling), ruling.next.player, ruling.next.cue_ball) == (call, fouls, player, cue_ball)


@pytest.mark.clause("UPA 3.0")
def test_an_illegal_break_leaves_the_opponent_the_choice() -> None:
    assert _break("cue>1 2|left").next.options == ["break", "make_opponent_break"]


@pytest.mark.clause("UPA 4.0", "UPA 1.0")
def test_the_nine_on_the_break_wins_and_on_a_foul_is_spotted() -> None:
    assert (_break("cue>1 9@side_left").call, _break("cue>1 9@side_left").winner) == ("rack_over", "A")
    foul = _break(DRY_BREAK + " 9@side_left cue@foot_left")
    assert (foul.call, foul.spot, foul.winner) == ("foul", ["9"], None)


@pytest.mark.clause("UPA 7.10")
@pytest.mark.parametrize(
    ("x", "fouls", "review"), [(-0.66, [], False), (-0.55, ["head_string"], False), (-0.6325, [], True)]
)
def test_the_cue_balls_base_must_be_behind_the_head_string(x: float, fouls: list[str], review: bool) -> None:
    ruling = _break(DRY_BREAK, before=layout(cue=(x, 0.0)))
    assert (codes(ruling), ruling.needs_review) == (fouls, review)
    if fouls:
        assert ruling.margin is not None
        assert ruling.margin.value == pytest.approx(x + 0.635, abs=1e-4)


@pytest.mark.clause("UPA 1.0", "UPA 7.2", "UPA 7.3", "UPA 7.4", "UPA 7.5")
@pytest.mark.parametrize(
    ("line", "call", "fouls", "player"),
    [
        ("cue>1 1|foot", "legal", [], "A"),
        ("cue>1 cue|head", "legal", [], "A"),
        ("cue>1 1@foot_left", "legal", [], "B"),
        ("cue>1 1>4 4@foot_left", "legal", [], "B"),
        ("cue|left cue>1 1|foot", "legal", [], "A"),
        ("cue|left cue>1", "foul", ["no_rail"], "A"),
        ("cue>1", "foul", ["no_rail"], "A"),
        ("cue>1 1|left*", "foul", ["no_rail"], "A"),
        ("cue>3 3|foot", "foul", ["bad_hit"], "A"),
        ("cue>3", "foul", ["bad_hit"], "A"),
        ("cue|left", "foul", ["no_contact"], "A"),
        ("", "foul", ["no_contact"], "A"),
        ("cue>1 1@side_left cue@foot_left", "foul", ["scratch"], "A"),
        ("cue>1 cue@foot_left", "foul", ["scratch"], "A"),
        ("cue>2 cue@foot_left", "foul", ["bad_hit", "scratch"], "A"),
        ("cue>1 1|foot cue^", "foul", ["cue_off_table"], "A"),
        ("cue>1 4^", "foul", ["ball_off_table"], "A"),
    ],
)
def test_ordinary_shot(line: str, call: str, fouls: list[str], player: str) -> None:
    ruling = _after_break(line)
    assert (ruling.call, codes(ruling), ruling.next.player) == (call, fouls, player)
    assert ruling.next.cue_ball == ("in_hand" if fouls else "in_position")
    assert not ruling.needs_review


@pytest.mark.clause("UPA 7.0")
def test_only_one_of_several_fouls_counts() -> None:
    ruling = _after_break("cue>2 cue@foot_left")
    assert [foul.counts for foul in ruling.fouls] == [True, False]


@pytest.mark.clause("UPA 1.0", "UPA 8.1")
def test_the_nine_wins_on_any_legal_shot() -> None:
    ruling = _after_break("cue>1 1>9 9@foot_left")
    assert (ruling.call, ruling.winner, ruling.next.player) == ("rack_over", "B", None)


@pytest.mark.clause("UPA 1.0", "UPA 7.5")
@pytest.mark.parametrize("line", ["cue>9 9@foot_left", "cue>1 9@foot_left cue@head_left", "cue>1 9^"])
def test_the_nine_on_a_foul_is_spotted(line: str) -> None:
    ruling = _after_break(line)
    assert (ruling.call, ruling.spot, ruling.winner) == ("foul", ["9"], None)


@pytest.mark.clause("UPA 7.5")
def test_a_ball_off_the_table_stays_out() -> None:
    assert _after_break("cue>1 4^").spot == []


@pytest.mark.clause("UPA 9.3")
def test_a_split_hit_goes_to_the_shooter_and_a_clear_one_does_not() -> None:
    assert _after_break("cue>3 ~0.001 +-0.0995 cue>1 ~0.001 1|foot").call == "legal"
    clear = _after_break("cue>3 ~0.001 +-0.07 cue>1 ~0.001 1|foot")
    assert codes(clear) == ["bad_hit"]
    assert clear.margin is not None
    assert clear.margin.value == pytest.approx(0.03)


@pytest.mark.parametrize(
    "line",
    ["cue>3 %0.6 3|foot", "cue>?1 ?1|foot", "cue>1 1|foot %0.5", "cue>1 %0.5 1|foot"],
)
def test_what_cannot_be_told_is_reviewed_and_never_a_foul(line: str) -> None:
    ruling = _after_break(line)
    assert (ruling.call, ruling.fouls, ruling.needs_review) == ("legal", [], True)
    assert ruling.review_reasons
    assert ruling.alternatives[0]["call"] == "foul"


@pytest.mark.clause("UPA 7.8")
def test_a_moving_ball_at_the_stroke_is_a_foul_but_not_an_unnamed_something() -> None:
    assert codes(_after_break("cue>1 1|foot", moving_at_strike=["4"])) == ["balls_moving"]
    unnamed = _after_break("cue>1 1|foot", moving_at_strike=["?1"])
    assert (unnamed.fouls, unnamed.needs_review) == ([], True)


@pytest.mark.clause("UPA 9.5")
def test_a_ball_hanging_five_seconds_is_pocketed_and_longer_goes_back() -> None:
    in_time = _after_break("cue>1 1|foot 1. +2.9 1@foot_left")
    assert (in_time.call, in_time.next.player, in_time.restore) == ("legal", "B", [])
    late = _after_break("cue>1 1|foot 1. +6 1@foot_left")
    assert (late.call, late.next.player, late.restore) == ("legal", "A", ["1"])
    assert "UPA 9.5" in late.clauses


@pytest.mark.clause("UPA 9.4")
def test_a_ball_that_bounces_out_of_a_pocket_is_not_pocketed() -> None:
    before = layout(cue=(-0.3, 0.1))
    ruling = _after_break("cue>1 1|foot 9@foot_left", before=before, layout_after=before)
    assert (ruling.call, ruling.winner) == ("legal", None)


@pytest.mark.clause("UPA 7.14")
def test_a_shot_out_of_turn_has_no_penalty() -> None:
    judged = adjudicate(
        rack("upa-9ball", shot(0, "A", DRY_BREAK, layout()), shot(1, "A", "cue>3", layout(cue=(-0.3, 0.1))))
    )
    ruling = ruling_of(judged.entries[1])
    assert (ruling.call, ruling.fouls, ruling.next.player, ruling.clauses) == ("loss_of_turn", [], "B", ["UPA 7.14"])


@pytest.mark.clause("UPA 5.0")
@pytest.mark.parametrize(
    ("line", "call", "fouls", "options"),
    [
        ("cue|left", "legal", [], ["shoot", "pass_back"]),
        ("cue>5", "legal", [], ["shoot", "pass_back"]),
        ("", "legal", [], ["shoot", "pass_back"]),
        ("cue>1 1@foot_left", "legal", [], ["shoot", "pass_back"]),
        ("cue@side_left", "foul", ["scratch"], []),
        ("cue>5 5^", "foul", ["ball_off_table"], []),
    ],
)
def test_push_out(line: str, call: str, fouls: list[str], options: list[str]) -> None:
    ruling = _after_break(line, says(16.0, "B", "push_out"))
    assert (ruling.call, codes(ruling), ruling.next.player, ruling.next.options) == (call, fouls, "A", options)


@pytest.mark.clause("UPA 5.0")
def test_the_nine_on_a_push_out_is_spotted() -> None:
    ruling = _after_break("cue>9 9@foot_left", says(16.0, "B", "push_out"))
    assert (ruling.call, ruling.spot, ruling.winner) == ("legal", ["9"], None)


@pytest.mark.clause("UPA 5.0")
@pytest.mark.parametrize(("option", "shooter"), [("shoot", "A"), ("pass_back", "B")])
def test_the_choice_after_a_push_out_says_who_plays(option: str, shooter: str) -> None:
    before = layout(cue=(-0.3, 0.1))
    judged = adjudicate(
        rack(
            "upa-9ball",
            shot(0, "A", DRY_BREAK, layout()),
            says(16.0, "B", "push_out"),
            shot(1, "B", "cue|left", before),
            says(40.0, "A", "choice", option=option),
            shot(2, shooter, "cue>1 1|foot", before),
        )
    )
    assert ruling_of(judged.entries[3]).next.player == shooter
    assert ruling_of(judged.entries[4]).next.player == ("B" if shooter == "A" else "A")


def _three_fouls(warned: bool) -> Ruling:
    before = layout(cue=(-0.3, 0.1))
    entries: list[Any] = [shot(0, "A", DRY_BREAK, layout())]
    for index in range(1, 6):
        if index == 5 and warned:
            entries.append(says(100.0, "referee", "warning", about="three_fouls", player="B"))
        line = "cue>3" if index % 2 else "cue>1 1|foot"
        entries.append(shot(index, "B" if index % 2 else "A", line, before))
    return ruling_of(adjudicate(rack("upa-9ball", *entries)).entries[-1])


@pytest.mark.clause("UPA 8.2")
def test_the_third_foul_in_a_row_loses_the_rack_only_after_a_warning() -> None:
    assert (_three_fouls(True).call, _three_fouls(True).winner) == ("rack_over", "A")
    assert codes(_three_fouls(True)) == ["bad_hit", "three_fouls"]
    assert (_three_fouls(False).call, _three_fouls(False).winner) == ("foul", None)


@pytest.mark.clause(
    "UPA 7.1a", "UPA 7.1b", "UPA 7.6", "UPA 7.7", "UPA 7.9", "UPA 7.11", "UPA 7.13", "UPA 7.15", "UPA 8.6", "UPA 9.2"
)
@pytest.mark.parametrize(
    ("code", "clause"),
    [
        ("touched_cue_ball", "UPA 7.1a"),
        ("touched_moving_ball", "UPA 7.1b"),
        ("foot_off_floor", "UPA 7.6"),
        ("jump_miscue", "UPA 7.7"),
        ("double_hit", "UPA 7.9"),
        ("placement_touch", "UPA 7.11"),
        ("marking", "UPA 7.13"),
        ("equipment", "UPA 7.15"),
        ("coaching", "UPA 8.6"),
        ("time_violation", "UPA 9.2"),
    ],
)
def test_a_reported_foul_on_the_last_shot_changes_its_ruling(code: str, clause: str) -> None:
    judged = adjudicate(
        rack(
            "upa-9ball",
            shot(0, "A", DRY_BREAK, layout()),
            shot(1, "B", "cue>1 1@foot_left", layout(cue=(-0.3, 0.1))),
            says(36.0, "referee", "foul", code=code, player="B"),
        )
    )
    ruling = ruling_of(judged.entries[-1])
    assert (ruling.call, codes(ruling), ruling.clauses) == ("foul", [code], [clause])
    assert (ruling.next.player, ruling.next.cue_ball) == ("A", "in_hand")


@pytest.mark.clause("UPA 9.2")
def test_after_a_warning_an_overrun_of_the_shot_clock_is_flagged_not_called() -> None:
    late = {"t_strike": 100.0, "t_rest": 104.0}
    calm = _after_break("cue>1 1|foot", **late)
    assert not calm.needs_review
    timed = _after_break("cue>1 1|foot", says(15.0, "referee", "warning", about="shot_clock", player="B"), **late)
    assert (timed.call, timed.needs_review) == ("legal", True)
    assert "time_violation" in timed.review_reasons[0]


@pytest.mark.clause("UPA 8.3")
def test_a_concession_ends_the_rack() -> None:
    judged = adjudicate(rack("upa-9ball", shot(0, "A", DRY_BREAK, layout()), says(16.0, "B", "concede")))
    assert (ruling_of(judged.entries[1]).call, ruling_of(judged.entries[1]).winner) == ("rack_over", "A")


def test_a_record_that_begins_in_mid_rack_has_no_break() -> None:
    balls = tuple(ball for ball in NINE if ball not in ("1", "2"))
    judged = adjudicate(rack("upa-9ball", shot(0, "A", "cue>3 3|foot", layout(balls, cue=(0.5, 0.1)))))
    ruling = ruling_of(judged.entries[0])
    assert (ruling.call, ruling.clauses) == ("legal", ["UPA 1.0"])


def test_every_ruling_cites_a_clause_and_explains_itself_in_a_sentence() -> None:
    for line in ("cue>1 1|foot", "cue>3", "cue>1 9@foot_left", ""):
        ruling = _after_break(line)
        assert all(clause.startswith("UPA ") for clause in ruling.clauses)
        assert ruling.clauses
        assert ruling.explanation.endswith(".")


def test_the_order_of_simultaneous_events_does_not_matter() -> None:
    def judged(order: int) -> Ruling:
        one = shot(1, "B", "cue>1 1@foot_left", layout(cue=(-0.3, 0.1)))
        same = [event.model_copy(update={"t": 30.2}) for event in one.events[1:]]
        mixed = one.model_copy(update={"events": [one.events[0], *same[::order]]})
        return ruling_of(adjudicate(rack("upa-9ball", shot(0, "A", DRY_BREAK, layout()), mixed)).entries[1])

    assert judged(1) == judged(-1)


def test_the_clips_own_shots_keep_their_events() -> None:
    judged = adjudicate(rack("upa-9ball", shot(0, "A", DRY_BREAK, layout())))
    first = judged.entries[0]
    assert isinstance(first, Shot)
    assert len(first.events) == 5


@pytest.mark.clause("UPA 9.8", "UPA 7.7")
def test_a_jump_is_legal_and_a_miscued_one_is_not() -> None:
    second = shot(1, "B", "cue!3 cue>1 1|foot", layout(cue=(-0.3, 0.1)))
    record = rack("upa-9ball", shot(0, "A", DRY_BREAK, layout()), second)
    assert ruling_of(adjudicate(record).entries[1]).call == "legal"
    miscue = says(36.0, "referee", "foul", code="jump_miscue", player="B")
    reported = record.model_copy(update={"entries": [*record.entries, miscue]})
    assert codes(ruling_of(adjudicate(reported).entries[2])) == ["jump_miscue"]


@pytest.mark.clause("UPA 10.8", "UPA 10.4")
def test_a_foul_reported_after_the_next_stroke_is_a_note_for_the_audit() -> None:
    shots = [shot(k, "AB"[k % 2], "cue>1 1|foot", layout(cue=(-0.3, 0.1))) for k in (1, 2)]
    late = says(56.0, "referee", "foul", code="double_hit", player="B", of_shot=1)
    judged = adjudicate(rack("upa-9ball", shot(0, "A", DRY_BREAK, layout()), *shots, late))
    note = ruling_of(judged.entries[-1])
    assert (note.call, note.fouls, note.clauses) == ("legal", [], ["UPA 10.8"])
    assert note.next == ruling_of(judged.entries[2]).next
