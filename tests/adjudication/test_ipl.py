"""IPL 8-ball, clause by clause: what is seen or said, and what must be ruled."""

from __future__ import annotations

from typing import Any

import pytest

from record.entries import Entry
from record.ruling import Ruling
from tests.adjudication.racks import FIFTEEN, codes, judged, last, layout, ruling_of, says, shot, without

IPL = "ipl-8ball"
FULL = layout(FIFTEEN)
DRY = "cue>1 2|left 5|foot 7|right 11|left"
BREAK_POT = shot(0, "A", "cue>1 3@foot_left", FULL)
"""A breaks, a solid falls: A has the solids."""

PLAY = without(layout(FIFTEEN, cue=(-0.3, 0.11)), "3")
SOLIDS = ("1", "2", "4", "5", "6", "7")


def _break(line: str, *said: Entry, **more: Any) -> Ruling:
    return last(IPL, shot(0, "A", line, more.pop("before", FULL)), *said)


def _then(line: str, *said: Entry, before: Any = None, **more: Any) -> Ruling:
    """A's second shot, with the solids."""
    return last(IPL, BREAK_POT, *said, shot(1, "A", line, before or PLAY, **more))


def _open(line: str, *said: Entry, **more: Any) -> Ruling:
    """B's shot on an open table after a dry break."""
    before = layout(FIFTEEN, cue=(-0.3, 0.11))
    return last(IPL, shot(0, "A", DRY, FULL), *said, shot(1, "B", line, before, **more))


def _call(ball: str, pocket: str | None = None, **more: Any) -> Entry:
    return says(16.0, "A", "call", ball=ball, pocket=pocket, **more)


@pytest.mark.clause("IPL Break")
@pytest.mark.parametrize(
    ("line", "call", "player"),
    [
        (DRY, "legal", "B"),
        ("cue>1 3@foot_left", "legal", "A"),
        ("cue>1 2|left 5|foot 7|right", "illegal_break", "B"),
        ("cue>1 2|left 5|foot 7|right cue|head", "illegal_break", "B"),
    ],
)
def test_the_break(line: str, call: str, player: str) -> None:
    ruling = _break(line)
    assert (ruling.call, ruling.next.player) == (call, player)
    if call == "illegal_break":
        assert ruling.next.options == ["accept", "rerack_and_break", "rerack_and_opponent_breaks"]


@pytest.mark.clause("IPL Break")
@pytest.mark.parametrize(
    ("option", "player", "cue_ball"),
    [("accept", "B", "in_position"), ("rerack_and_break", "B", "rack"), ("rerack_and_opponent_breaks", "A", "rack")],
)
def test_the_choice_after_an_illegal_break(option: str, player: str, cue_ball: str) -> None:
    ruling = _break("cue>1 2|left", says(15.0, "B", "choice", option=option))
    assert (ruling.next.player, ruling.next.cue_ball, ruling.next.options) == (player, cue_ball, [])


@pytest.mark.clause("IPL Break scratch")
@pytest.mark.parametrize("line", [DRY + " cue@side_left", "cue>1 3@foot_left cue@side_left"])
def test_a_scratch_on_the_break(line: str) -> None:
    ruling = _break(line)
    assert (ruling.call, codes(ruling), ruling.groups) == ("foul", ["scratch"], None)
    assert (ruling.next.player, ruling.next.cue_ball) == ("B", "in_hand_behind_head_string")
    assert ruling.spot == []


@pytest.mark.clause("IPL Break scratch")
@pytest.mark.parametrize(
    ("line", "x", "review"),
    [("cue>2 2|foot", -0.9, True), ("cue|foot cue>2 2|head", -0.9, False), ("cue>2 2|foot", 0.3, False)],
)
def test_from_behind_the_head_string_a_ball_behind_it_may_not_be_shot_at(line: str, x: float, review: bool) -> None:
    before = {**layout(FIFTEEN, cue=(-0.8, 0.05)), "2": (x, 0.3)}
    ruling = last(IPL, shot(0, "A", DRY + " cue@side_left", FULL), shot(1, "B", line, before))
    assert ruling.needs_review is review
    if review:
        assert ruling.alternatives[0]["foul"] == "head_string"


@pytest.mark.clause("IPL Break jump")
def test_a_ball_off_the_table_on_the_break_is_a_foul_with_a_choice_and_spotted() -> None:
    ruling = _break(DRY + " 4^")
    assert (ruling.call, codes(ruling), ruling.spot) == ("foul", ["ball_off_table"], ["4"])
    assert (ruling.next.player, ruling.next.options) == ("B", ["accept", "in_hand_behind_head_string"])
    chosen = _break(DRY + " 4^", says(15.0, "B", "choice", option="in_hand_behind_head_string"))
    assert chosen.next.cue_ball == "in_hand_behind_head_string"


@pytest.mark.clause("IPL Break jump")
def test_the_eight_off_the_table_on_the_break_loses() -> None:
    assert (_break(DRY + " 8^").call, _break(DRY + " 8^").winner) == ("rack_over", "B")


@pytest.mark.clause("IPL Eight on the break")
@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ("cue>1 8@foot_left", "A"),
        ("cue>1 8@foot_left cue@side_left", "B"),
        ("cue>1 8@foot_left cue^", "B"),
    ],
)
def test_the_eight_on_the_break(line: str, winner: str) -> None:
    assert (_break(line).call, _break(line).winner) == ("rack_over", winner)


@pytest.mark.clause("IPL Groups")
@pytest.mark.parametrize(
    ("line", "groups"),
    [
        ("cue>1 3@foot_left", {"A": "solids", "B": "stripes"}),
        ("cue>1 3@foot_left 4@side_left", {"A": "solids", "B": "stripes"}),
        ("cue>1 11@foot_left", {"A": "stripes", "B": "solids"}),
        ("cue>1 3@foot_left 11@side_left", None),
        (DRY, None),
    ],
)
def test_groups_from_the_break(line: str, groups: dict[str, str] | None) -> None:
    assert _break(line).groups == groups


@pytest.mark.clause("IPL Groups")
@pytest.mark.parametrize(
    ("line", "call", "groups"),
    [
        ("cue>3 3@side_left", "legal", {"A": "stripes", "B": "solids"}),
        ("cue>3 3>4 4@side_left", "legal", {"A": "stripes", "B": "solids"}),
        ("cue>3 3>11 11@side_left", "loss_of_turn", None),
        ("cue>8 8>3 3@side_left", "foul", None),
        ("cue>3 3@side_left cue@foot_left", "foul", None),
        ("cue>3 3|foot", "legal", None),
    ],
)
def test_groups_on_an_open_table(line: str, call: str, groups: dict[str, str] | None) -> None:
    ruling = _open(line)
    assert (ruling.call, ruling.groups) == (call, groups)


@pytest.mark.clause("IPL Legal shot")
@pytest.mark.parametrize(
    ("line", "fouls", "player"),
    [
        ("cue>2 2@foot_left", [], "A"),
        ("cue>2 2|foot", [], "B"),
        ("cue|left cue>2 2|foot", [], "B"),
        ("cue|left cue>2", ["no_rail"], "B"),
        ("cue>2", ["no_rail"], "B"),
        ("cue>11 11|foot", ["bad_hit"], "B"),
        ("cue>8 8|foot", ["bad_hit"], "B"),
        ("", ["no_contact"], "B"),
    ],
)
def test_own_group_first_then_a_ball_down_or_a_rail(line: str, fouls: list[str], player: str) -> None:
    ruling = _then(line)
    assert (codes(ruling), ruling.next.player) == (fouls, player)
    assert ruling.next.cue_ball == ("in_hand" if fouls else "in_position")


@pytest.mark.clause("IPL Legal shot")
@pytest.mark.parametrize(
    ("line", "fouls"),
    [
        ("cue|foot cue>2 2|foot", ["no_rail"]),
        ("cue|foot cue>2 2|left", []),
        ("cue|foot cue>2 cue|head", []),
        ("cue>2 cue|foot", []),
        ("cue>2 2|foot*", ["no_rail"]),
    ],
)
def test_a_ball_frozen_to_a_rail(line: str, fouls: list[str]) -> None:
    assert codes(_then(line, frozen=[("2", "foot")])) == fouls


@pytest.mark.clause("IPL Split")
def test_a_split_hit_goes_to_the_shooter() -> None:
    ruling = _then("cue>11 ~0.001 +-0.0995 cue>2 ~0.001 2|foot")
    assert (ruling.call, "IPL Split" in ruling.clauses) == ("legal", True)


@pytest.mark.clause("IPL Foul")
def test_a_foul_is_ball_in_hand_anywhere_and_balls_stay_down() -> None:
    ruling = _then("cue>2 2@foot_left 11@side_left cue@head_left")
    assert (ruling.call, codes(ruling), ruling.next.cue_ball) == ("foul", ["scratch"], "in_hand")
    assert (ruling.spot, ruling.restore) == ([], [])


@pytest.mark.clause("IPL Off table")
def test_a_ball_off_the_table_ends_the_turn_and_is_spotted() -> None:
    ruling = _then("cue>2 2|foot 12^")
    assert (ruling.call, ruling.fouls, ruling.spot) == ("loss_of_turn", [], ["12"])
    assert (ruling.next.player, ruling.next.cue_ball) == ("B", "in_position")
    assert _then("cue>2 2|foot 8^").winner == "B"


@pytest.mark.clause("IPL Eight assist")
@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("cue>2 2>8 2@foot_left", "loss_of_turn"),
        ("cue>2 2>8 8>4 4@foot_left", "loss_of_turn"),
        ("cue>2 2@foot_left cue>8", "legal"),
        ("cue>2 2>8 2|foot", "legal"),
    ],
)
def test_the_eight_may_not_help_a_ball_into_a_pocket(line: str, call: str) -> None:
    assert _then(line, _call(line.split("@", maxsplit=1)[0][-1] if "@" in line else "2")).call == call


@pytest.mark.clause("IPL Call")
@pytest.mark.parametrize(
    ("said", "line", "player", "review"),
    [
        ([], "cue>2 2@foot_left", "A", False),
        ([_call("2", "foot_left")], "cue>2 2@foot_left", "A", False),
        ([_call("2", "side_left")], "cue>2 2@foot_left", "B", False),
        ([_call("4", "foot_left")], "cue>2 2@foot_left", "B", False),
        ([], "cue>2 2|left 2@foot_left", "A", True),
        ([_call("2", "foot_left")], "cue>2 2|left 2@foot_left", "A", False),
        ([], "cue>2 2>4 4@foot_left", "A", True),
    ],
)
def test_called_pockets(said: list[Entry], line: str, player: str, review: bool) -> None:
    ruling = _then(line, *said)
    assert (ruling.next.player, ruling.fouls, ruling.needs_review) == (player, [], review)


@pytest.mark.clause("IPL Call")
def test_a_call_recorded_after_the_shot_settles_what_was_asked() -> None:
    entries = judged(
        IPL,
        BREAK_POT,
        shot(1, "A", "cue>2 2|left 2@foot_left", PLAY),
        says(36.0, "A", "call", ball="2", pocket="side_left", of_shot=1),
    )
    assert ruling_of(entries[1]).needs_review
    assert (ruling_of(entries[2]).needs_review, ruling_of(entries[2]).next.player) == (False, "B")


def _on_the_eight(line: str, *said: Entry, **more: Any) -> Ruling:
    clear = "cue>2 " + " ".join(f"{ball}@foot_left" for ball in SOLIDS)
    before = without(PLAY, *SOLIDS)
    entries: list[Entry] = [BREAK_POT, says(15.0, "A", "call", ball="2"), shot(1, "A", clear, PLAY), *said]
    return last(IPL, *entries, shot(2, more.pop("player", "A"), line, before))


@pytest.mark.clause("IPL Loss")
@pytest.mark.parametrize(
    ("call", "line", "winner", "code"),
    [
        ("foot_left", "cue>8 8@foot_left", "A", None),
        ("side_left", "cue>8 8@foot_left", "B", "eight_wrong_pocket"),
        ("foot_left", "cue>8 8@foot_left cue@head_left", "B", "eight_on_foul"),
        ("foot_left", "cue>8 8|foot cue@head_left", "B", "scratch"),
        ("foot_left", "cue>8 8>11 8@foot_left", "B", "eight_on_foul"),
        ("foot_left", "cue>8 8^", "B", "eight_off_table"),
        ("foot_left", "cue>11 11>8 8@foot_left", "B", "eight_on_foul"),
    ],
)
def test_on_the_eight(call: str, line: str, winner: str, code: str | None) -> None:
    ruling = _on_the_eight(line, says(36.0, "A", "call", ball="8", pocket=call))
    assert (ruling.call, ruling.winner) == ("rack_over", winner)
    assert code is None or code in codes(ruling)


@pytest.mark.clause("IPL Eight assist")
def test_on_the_eight_touching_another_ball_ends_the_turn_only() -> None:
    ruling = _on_the_eight("cue>8 8>11 8|foot", says(36.0, "A", "call", ball="8", pocket="foot_left"))
    assert (ruling.call, ruling.fouls, ruling.next.player) == ("loss_of_turn", [], "B")


@pytest.mark.clause("IPL Call")
def test_the_eight_without_a_recorded_call_is_asked_about() -> None:
    ruling = _on_the_eight("cue>8 8@foot_left")
    assert (ruling.call, ruling.needs_review) == ("rack_over", True)
    assert ruling.alternatives[0]["winner"] == "B"


@pytest.mark.clause("IPL Loss")
@pytest.mark.parametrize("line", ["cue>2 2>8 8@foot_left", "cue>2 2@side_left 8@foot_left"])
def test_the_eight_early_loses(line: str) -> None:
    assert (_then(line).winner, "eight_early" in codes(_then(line))) == ("B", True)


@pytest.mark.clause("IPL Loss")
def test_the_eight_pocketed_out_of_turn_loses() -> None:
    ruling = last(IPL, BREAK_POT, shot(1, "B", "cue>8 8@foot_left", PLAY))
    assert (ruling.call, ruling.winner) == ("rack_over", "A")


@pytest.mark.clause("IPL Loss")
def test_the_eight_in_a_fashion_not_indicated_is_for_a_person_to_say() -> None:
    clear = "cue>2 " + " ".join(f"{ball}@foot_left" for ball in SOLIDS)
    call = says(36.0, "A", "call", ball="8", pocket="foot_left")
    entries: list[Entry] = [BREAK_POT, shot(1, "A", clear, PLAY), call]
    eight = shot(2, "A", "cue>8 8|left 8@foot_left", without(PLAY, *SOLIDS))
    said = says(56.0, "referee", "foul", code="eight_wrong_pocket", player="A")
    assert last(IPL, *entries, eight).winner == "A"
    assert last(IPL, *entries, eight, said).winner == "B"


@pytest.mark.clause("IPL Fouls")
@pytest.mark.parametrize("code", ["touched_ball", "foot_off_floor", "marking", "jump_miscue", "placement_touch"])
def test_fouls_that_a_person_reports(code: str) -> None:
    second = shot(1, "A", "cue>2 2@foot_left", PLAY)
    ruling = last(IPL, BREAK_POT, second, says(36.0, "referee", "foul", code=code, player="A"))
    assert (ruling.call, codes(ruling), ruling.next.player, ruling.next.cue_ball) == ("foul", [code], "B", "in_hand")
    assert ruling.restore == []


@pytest.mark.clause("IPL Fouls")
def test_an_accidental_jump_is_no_foul() -> None:
    assert _then("cue!11 cue>2 2|foot").call == "legal"


@pytest.mark.clause("IPL Time-outs")
@pytest.mark.parametrize(("doubles", "allowed"), [(False, 2), (True, 0)])
def test_two_time_outs_in_singles_and_none_in_doubles(doubles: bool, allowed: int) -> None:
    asked = [says(15.0 + k, "A", "timeout") for k in range(3)]
    entries = judged(IPL, BREAK_POT, *asked, doubles=doubles)
    denied = [getattr(entry, "ruling", None) is not None for entry in entries[1:]]
    assert denied == [k >= allowed for k in range(3)]


@pytest.mark.clause("IPL Time-outs", "IPL Fouls")
def test_help_beyond_the_time_outs_is_a_foul() -> None:
    ruling = last(IPL, BREAK_POT, says(15.0, "referee", "foul", code="coaching", player="A"))
    assert (ruling.call, codes(ruling), ruling.next.player) == ("foul", ["coaching"], "B")


@pytest.mark.clause("IPL Stalemate")
def test_a_stalemate_is_played_again_from_the_start() -> None:
    ruling = last(IPL, BREAK_POT, says(15.0, "referee", "stalemate"))
    assert (ruling.call, ruling.next.player, ruling.next.cue_ball, ruling.groups) == ("legal", "A", "rack", None)


@pytest.mark.clause("IPL Doubles")
def test_a_pair_that_is_one_short_misses_every_second_turn() -> None:
    before = layout(FIFTEEN, cue=(-0.3, 0.11))
    entries = judged(
        IPL,
        shot(0, "A", DRY, FULL),
        shot(1, "B", "cue>3 3|foot", before),
        shot(2, "A", "cue>3 3|foot", before),
        shot(3, "A", "cue>3 3|foot", before),
        short_side="B",
        doubles=True,
    )
    assert [ruling_of(entry).next.player for entry in entries] == ["B", "A", "A", "B"]
    assert "IPL Doubles" in ruling_of(entries[2]).clauses


@pytest.mark.clause("IPL Doubles")
def test_a_foul_before_a_missed_turn_is_ball_in_hand_for_the_partner() -> None:
    before = layout(FIFTEEN, cue=(-0.3, 0.11))
    entries = judged(
        IPL,
        shot(0, "A", DRY, FULL),
        shot(1, "B", "cue>3 3|foot", before),
        shot(2, "A", "cue>3 cue@foot_left", before),
        short_side="B",
        doubles=True,
    )
    ruling = ruling_of(entries[2])
    assert (ruling.call, ruling.next.player, ruling.next.cue_ball) == ("foul", "A", "in_hand")


@pytest.mark.clause("IPL Foul")
def test_out_of_turn_has_no_penalty_but_the_rightful_player_returns() -> None:
    ruling = last(IPL, BREAK_POT, shot(1, "B", "cue>2 2|foot", PLAY))
    assert (ruling.call, ruling.fouls, ruling.next.player) == ("loss_of_turn", [], "A")
