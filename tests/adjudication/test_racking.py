"""The rack before the break: what each league wants to see. A wrong rack is a note, never a foul."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.errors import IllegalEntryError
from adjudication.judge import Judge
from adjudication.racking import diamond, triangle
from record.names import Place
from record.rack import TableSize
from record.ruling import Ruling
from tests.adjudication.racks import layout, rack, ruling_of, sees, shot

TABLE = TableSize(length=2.54, width=1.27, ball_diameter=0.05715)
UPA_ORDER = ("1", "3", "4", "5", "9", "6", "7", "8", "2")
EIGHT_ORDER = ("1", "9", "2", "10", "8", "3", "4", "11", "12", "5", "13", "6", "14", "15", "7")


def _racked(rows: list[list[Place]], order: tuple[str, ...], dx: float = 0.0) -> dict[str, Place]:
    places = [place for row in rows for place in row]
    return {ball: (x + dx, y) for ball, (x, y) in zip(order, places, strict=True)}


def _check(rules: str, balls: dict[str, Place], **options: Any) -> Ruling:
    judge = Judge.of(rack(rules, **options))
    return ruling_of(judge.add(sees(1.0, "rack_check", layout=balls)).entry)


@pytest.mark.clause("UPA 2.1")
@pytest.mark.parametrize(
    ("order", "dx", "says_"),
    [
        (UPA_ORDER, 0.0, "the rack is right"),
        (UPA_ORDER, 0.0085, "the rack is right"),
        (UPA_ORDER, 0.0095, "9.5 mm off the foot spot"),
        (("2", *UPA_ORDER[1:8], "1"), 0.0, "the 2 lies at the head"),
        (("1", "3", "4", "5", "6", "9", "7", "8", "2"), 0.0, "the 6 lies in its centre"),
        (("1", "3", "4", "5", "9", "6", "7", "2", "8"), 0.0, "the 8 lies at the far point"),
    ],
)
def test_the_upa_diamond(order: tuple[str, ...], dx: float, says_: str) -> None:
    ruling = _check("upa-9ball", _racked(diamond(TABLE), order, dx))
    assert says_ in ruling.explanation.lower()
    assert (ruling.call, ruling.fouls, ruling.clauses) == ("legal", [], ["UPA 2.1"])
    assert (ruling.next.player, ruling.next.cue_ball) == ("A", "rack")


@pytest.mark.clause("UPA 2.2")
def test_without_an_official_the_breaker_racks() -> None:
    ruling = _check("upa-9ball", _racked(diamond(TABLE), UPA_ORDER, 0.012), officiated=False)
    assert ruling.explanation.endswith("A, who breaks, racks.")
    assert ruling.clauses == ["UPA 2.1", "UPA 2.2"]


@pytest.mark.clause("UPA 2.1")
def test_the_margin_says_how_far_the_head_ball_is_off() -> None:
    ruling = _check("upa-9ball", _racked(diamond(TABLE), UPA_ORDER, 0.012))
    assert ruling.margin is not None
    assert ruling.margin.value == pytest.approx(0.012, abs=1e-4)


@pytest.mark.clause("UPA 2.1")
def test_a_loose_or_incomplete_rack_is_racked_again() -> None:
    balls = _racked(diamond(TABLE), UPA_ORDER)
    loose = {**balls, "7": (balls["7"][0] + 0.02, balls["7"][1])}
    missing = {ball: at for ball, at in balls.items() if ball != "7"}
    for wrong in (loose, missing, {}):
        assert "re-rack" in _check("upa-9ball", wrong).explanation.lower()


@pytest.mark.clause("NAPA unspecified")
def test_the_napa_diamond_leaves_the_two_free() -> None:
    order = ("1", "3", "4", "5", "9", "6", "7", "2", "8")
    assert "right" in _check("napa-9ball", _racked(diamond(TABLE), order)).explanation


@pytest.mark.clause("IPL Break")
@pytest.mark.parametrize(("eight", "says_"), [(4, "right"), (7, "lies in the middle of the triangle")])
def test_the_ipl_triangle_has_the_eight_in_its_middle(eight: int, says_: str) -> None:
    order = [ball for ball in EIGHT_ORDER if ball != "8"]
    order.insert(eight, "8")
    assert says_ in _check("ipl-8ball", _racked(triangle(TABLE), tuple(order))).explanation


@pytest.mark.clause("UPL Rack")
def test_the_upl_rack_has_the_eight_on_the_foot_spot() -> None:
    middle = [(x - TABLE.ball_diameter * 3**0.5, y) for row in triangle(TABLE) for x, y in row]
    balls = dict(zip(EIGHT_ORDER, middle, strict=True))
    assert "right" in _check("upl-8ball", balls).explanation
    assert "does not lie on the foot spot" in _check("upl-8ball", _racked(triangle(TABLE), EIGHT_ORDER)).explanation


@pytest.mark.clause("UPL Rack")
def test_the_upl_pattern_is_by_group_and_either_way_round() -> None:
    pattern = ["s", "ts", "s8t", "tsts", "tstst"]
    middle = [(x - TABLE.ball_diameter * 3**0.5, y) for row in triangle(TABLE) for x, y in row]
    solids, stripes = iter("1234567"), iter(["9", "10", "11", "12", "13", "14", "15"])
    letters = "".join(pattern)
    order = ["8" if c == "8" else next(solids if c == "s" else stripes) for c in letters]
    balls = dict(zip(order, middle, strict=True))
    assert "right" in _check("upl-8ball", balls, rack_pattern=pattern).explanation
    swapped = {str((int(b) + 8) % 16) if b != "8" else b: at for b, at in balls.items()}
    assert "right" in _check("upl-8ball", swapped, rack_pattern=pattern).explanation
    wrong = {**balls, "1": balls["9"], "9": balls["1"]}
    assert "pattern" in _check("upl-8ball", wrong, rack_pattern=pattern).explanation


@pytest.mark.clause("UPL Rack")
def test_after_the_break_a_wrong_rack_stands() -> None:
    judge = Judge.of(rack("upa-9ball"))
    judge.add(shot(0, "A", "cue>1 2|left 5|foot 7|right", layout()))
    entry = judge.add(sees(15.0, "rack_check", layout=_racked(diamond(TABLE), UPA_ORDER, 0.02))).entry
    assert "right" in ruling_of(entry).explanation


def test_a_rack_check_without_places_is_refused() -> None:
    with pytest.raises(IllegalEntryError, match="layout"):
        Judge.of(rack("upa-9ball")).add(sees(1.0, "rack_check"))
