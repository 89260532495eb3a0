"""Provisional, final and withdrawn alerts: nothing is said twice, nothing false is left standing."""

from __future__ import annotations

from device.alerts.alert import Kind
from device.alerts.announcing import Announcer
from record.entries import Declaration, Override
from record.ruling import Foul, Ruling
from tests.adjudication.racks import layout, shot
from tests.device.alerts.values import ruling


def announcer() -> Announcer:
    return Announcer("rack-7", lambda: "2026-12-01T00:00:00Z")


def played(found: Ruling, index: int = 3) -> object:
    return shot(index, "A", "cue>1", layout()).model_copy(update={"ruling": found})


def kinds(alerts: list[object]) -> list[str]:
    return [getattr(one, "kind", "?") for one in alerts]


def test_a_legal_shot_is_no_alert_and_a_foul_is_one() -> None:
    say = announcer()
    assert say.ruled(played(ruling("legal", None)), 3, 5.0, 0.0) == []  # type: ignore[arg-type]
    (alert,) = say.ruled(played(ruling(), 4), 4, 9.0, 12.5)  # type: ignore[arg-type]
    assert (alert.kind, alert.shot, alert.fouls, alert.decided) == (Kind.FINAL, 4, ("scratch",), 12.5)
    assert alert.sentence == "It was a scratch."


def test_a_doubt_is_told_too() -> None:
    (alert,) = announcer().ruled(played(ruling("legal", None, review=True)), 3, 5.0, 0.0)  # type: ignore[arg-type]
    assert alert.as_json()["needs_review"] is True
    assert not alert.alarming


def test_a_scratch_seen_while_balls_roll_is_provisional_and_then_final() -> None:
    say = announcer()
    (first,) = say.seen(3, {"cue": "side_left"}, 4.0, 0.0)
    assert first.kind is Kind.PROVISIONAL
    assert "side left" in first.sentence
    assert say.seen(3, {"cue": "side_left"}, 4.1, 0.0) == []
    (last,) = say.ruled(played(ruling()), 3, 6.0, 0.0)  # type: ignore[arg-type]
    assert last.kind is Kind.FINAL


def test_a_scratch_that_was_none_is_withdrawn_by_name() -> None:
    say = announcer()
    (first,) = say.seen(3, {"cue": "side_left"}, 4.0, 0.0)
    (back,) = say.ruled(played(ruling("legal", None)), 3, 6.0, 0.0)  # type: ignore[arg-type]
    assert back.kind is Kind.WITHDRAWN
    assert back.withdraws == first.id
    again = announcer()
    again.seen(3, {"cue": "side_left"}, 4.0, 0.0)
    (off,) = again.called_off(3, "no ball was struck", 5.0, 0.0)
    assert off.kind is Kind.WITHDRAWN
    assert again.called_off(3, "no ball was struck", 5.0, 0.0) == []


def test_other_balls_in_pockets_are_no_news() -> None:
    assert announcer().seen(0, {"5": "foot_left"}, 4.0, 0.0) == []


def test_a_changed_ruling_takes_the_old_alert_back_and_tells_the_new() -> None:
    say = announcer()
    (first,) = say.ruled(played(ruling()), 3, 6.0, 0.0)  # type: ignore[arg-type]
    other = Override(t=20.0, of_shot=3, by="referee", ruling=ruling("legal", None))
    (back,) = say.ruled(other, 3, 20.0, 0.0)
    assert (back.kind, back.withdraws) == (Kind.WITHDRAWN, first.id)
    said = Declaration(t=21.0, by="referee", what="foul", ruling=ruling("foul", "double_hit"))
    (new,) = say.ruled(said, 3, 21.0, 0.0)
    assert new.fouls == ("double_hit",)
    assert kinds([*say.ruled(said, 3, 22.0, 0.0)]) == []
    bad = Declaration(t=23.0, by="referee", what="foul", ruling=ruling("foul", "push_shot"))
    assert kinds([*say.ruled(bad, 3, 23.0, 0.0)]) == [Kind.WITHDRAWN, Kind.FINAL]


def test_a_bad_hit_seen_while_balls_roll_is_provisional_and_holds_or_is_withdrawn() -> None:
    bad = Foul(code="bad_hit", clause="UPA 7.3", player="A", confidence=0.99)
    say = announcer()
    (first,) = say.foreseen(3, bad, "5", 4.0, 0.0)
    assert first.kind is Kind.PROVISIONAL
    assert "The 5 was hit first" in first.sentence
    assert say.foreseen(3, bad, "5", 4.1, 0.0) == []
    found = ruling()
    ruled = found.model_copy(update={"fouls": [bad]})
    (last,) = say.ruled(played(ruled), 3, 6.0, 0.0)  # type: ignore[arg-type]
    assert last.kind is Kind.FINAL
    other = announcer()
    (early,) = other.foreseen(3, bad, "5", 4.0, 0.0)
    (back,) = other.ruled(played(ruling("legal", None)), 3, 6.0, 0.0)  # type: ignore[arg-type]
    assert (back.kind, back.withdraws) == (Kind.WITHDRAWN, early.id)


def test_no_foul_foreseen_is_no_alert() -> None:
    assert announcer().foreseen(3, None, "", 4.0, 0.0) == []
