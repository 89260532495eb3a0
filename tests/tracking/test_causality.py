"""In a break nothing among the racked balls happens before the cue ball has come."""

from __future__ import annotations

from record.events import BallContact, RailContact, Strike
from tracking.events import _in_time

STRIKE = Strike(t=1.0, ball="cue")


def test_other_balls_meet_only_after_the_struck_ball_has_met_one() -> None:
    early = BallContact(t=1.192, t_sigma=0.003, confidence=0.9, balls=("8", "9"))
    first = BallContact(t=1.2, t_sigma=0.001, confidence=0.9, balls=("cue", "1"))
    late = BallContact(t=1.3, t_sigma=0.001, confidence=0.9, balls=("1", "3"))
    told = {e.balls: e for e in _in_time([STRIKE, early, first, late], 1.0, "cue") if isinstance(e, BallContact)}
    assert told["8", "9"].t == 1.2
    assert told["8", "9"].sigma == 0.008
    assert (told["cue", "1"], told["1", "3"]) == (first, late)


def test_with_no_contact_of_the_struck_ball_nothing_is_moved() -> None:
    touch = RailContact(t=1.1, ball="cue", rail="left")
    other = BallContact(t=1.05, balls=("8", "9"))
    assert _in_time([STRIKE, touch, other], 1.0, "cue") == [STRIKE, touch, other]
