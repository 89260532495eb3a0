"""The lag: whose ball counts, who is closer to the head rail, and when it is played again."""

from __future__ import annotations

from typing import Any

import pytest

from adjudication.errors import IllegalEntryError
from adjudication.judge import Judge
from record.lag import Lag
from record.ruling import Ruling
from tests.adjudication.racks import events, layout, rack, ruling_of, shot

GOOD = "cue|foot 1|foot"


def _lag(line: str = GOOD, a: tuple[float, float] | None = (-1.0, 0.3), b: Any = (-0.9, -0.3), **more: Any) -> Lag:
    told = [e for e in events(line, 0.0) if e["type"] != "strike"]
    strikes = [
        {"type": "strike", "ball": "cue", "t": more.pop("t_a", 0.0)},
        {"type": "strike", "ball": "1", "t": more.pop("t_b", 0.05)},
    ]
    after = {ball: at for ball, at in (("cue", a), ("1", b)) if at is not None}
    value = {
        "t_strike": 0.0,
        "t_rest": 9.0,
        "balls": {"A": "cue", "B": "1"},
        "layout_before": {"cue": (-0.8, 0.3), "1": (-0.8, -0.3)},
        "layout_after": after,
        "events": [*strikes, *told],
        **more,
    }
    return Lag.model_validate(value)


def _ruling(rules: str, lag: Lag) -> Ruling:
    return ruling_of(Judge.of(rack(rules)).add(lag).entry)


@pytest.mark.clause("UPL Lag")
def test_the_ball_closer_to_the_head_rail_wins_and_breaks() -> None:
    ruling = _ruling("upl-8ball", _lag())
    assert (ruling.next.player, ruling.next.cue_ball, ruling.clauses) == ("A", "rack", ["UPL Lag"])
    assert ruling.margin is not None
    assert ruling.margin.value == pytest.approx(0.1)


@pytest.mark.clause("UPL Lag")
@pytest.mark.parametrize(
    ("lag", "why"),
    [
        (_lag("cue|foot 1|foot cue|left"), "side rail"),
        (_lag("1|foot"), "foot rail"),
        (_lag("cue|foot 1|foot cue@head_left", a=None), "pocketed"),
        (_lag("cue|foot 1|foot cue^", a=None), "left the table"),
        (_lag(a=(-1.23, 0.60)), "jaws"),
        (_lag(a=(-1.2, -0.1)), "other half"),
    ],
)
def test_a_ball_that_does_what_it_must_not_loses(lag: Lag, why: str) -> None:
    ruling = _ruling("upl-8ball", lag)
    assert ruling.next.player == "B"
    assert why in ruling.explanation


@pytest.mark.clause("UPL Lag")
def test_crossing_into_the_other_half_and_back_loses() -> None:
    crossing = {"type": "long_string_crossing", "ball": "cue", "t": 1.0}
    lag = _lag()
    crossed = Lag.model_validate({**lag.model_dump(), "events": [*lag.model_dump()["events"], crossing]})
    assert _ruling("upl-8ball", crossed).next.player == "B"


@pytest.mark.clause("UPL Lag")
@pytest.mark.parametrize(
    ("lag", "why"),
    [
        (_lag("cue|foot 1|foot cue|left 1|right"), "both"),
        (_lag(a=(-1.0, 0.3), b=(-1.003, -0.3)), "closer"),
        (_lag(t_b=0.5), "before the other was struck"),
        (_lag("cue|foot 1|foot cue|left %0.5"), "cannot be told"),
    ],
)
def test_the_lag_is_played_again(lag: Lag, why: str) -> None:
    ruling = _ruling("upl-8ball", lag)
    assert (ruling.next.player, ruling.next.cue_ball) == (None, None)
    assert why in ruling.explanation


@pytest.mark.clause("UPA 2.0")
def test_in_upa_a_side_rail_does_not_lose_the_lag() -> None:
    assert _ruling("upa-9ball", _lag("cue|foot 1|foot cue|left")).next.player == "A"
    assert _ruling("upa-9ball", _lag("1|foot")).next.player == "B"


@pytest.mark.clause("UPL Lag", "UPA 2.0")
def test_the_winner_of_the_lag_breaks_the_rack() -> None:
    judge = Judge.of(rack("upa-9ball", breaker="A"))
    judge.add(_lag(a=(-0.9, 0.3), b=(-1.0, -0.3)))
    entry = judge.add(shot(0, "B", "cue>1 2|left 5|foot 7|right", layout())).entry
    assert ruling_of(entry).call == "legal"


@pytest.mark.clause("IPL Toss")
def test_ipl_tosses_a_coin_and_knows_no_lag() -> None:
    with pytest.raises(IllegalEntryError, match="no lag"):
        Judge.of(rack("ipl-8ball")).add(_lag())


def test_a_lag_after_the_break_is_refused() -> None:
    judge = Judge.of(rack("upa-9ball"))
    judge.add(shot(0, "A", "cue>1 2|left 5|foot 7|right", layout()))
    with pytest.raises(IllegalEntryError, match="after the break"):
        judge.add(_lag())
