"""Near-simultaneous hits: geometry and the velocities that follow."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tracking.order import RESTITUTION, Approach, chance_first, meeting

D = 0.05715
angles = st.floats(-1.2, 1.2)
speeds = st.floats(0.3, 8.0)


@given(angle=angles, speed=speeds, off=st.floats(-0.9, 0.9), away=st.floats(0.08, 0.6))
def test_at_the_meeting_the_centres_are_one_diameter_apart(angle: float, speed: float, off: float, away: float) -> None:
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    approach = Approach(2.0, np.zeros(2), speed * along, 0.001)
    target = along * away + across * off * D
    met = meeting(approach, target, D)
    assert met is not None
    there = approach.velocity * (met.t - 2.0)
    assert abs(float(np.hypot(*(target - there))) - D) < 1e-9
    assert float(met.line @ approach.velocity) > 0


@given(angle=angles, speed=speeds, off=st.floats(1.01, 3.0))
def test_a_ball_beside_the_way_is_not_met(angle: float, speed: float, off: float) -> None:
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    assert meeting(Approach(0.0, np.zeros(2), speed * along, 0.001), along * 0.3 + across * off * D, D) is None


def _played(speed: float, near: float, lead: float) -> tuple[Approach, dict[str, np.ndarray], dict[str, np.ndarray]]:
    """A cue ball along +x that meets a at the left and then b at the right; what both do."""
    a = np.array([0.3, near * D])
    approach = Approach(0.0, np.zeros(2), np.array([speed, 0.0]), 0.0008)
    hit = meeting(approach, a, D)
    assert hit is not None
    given_ = 0.5 * (1 + RESTITUTION) * float(approach.velocity @ hit.line) * hit.line
    after = Approach(hit.t, a - D * hit.line, approach.velocity - given_, 0.0)
    heading = after.velocity / np.hypot(*after.velocity)
    b = after.place + heading * (lead + D * 0.9) + np.array([heading[1], -heading[0]]) * D * 0.3
    again = meeting(after, b, D)
    assert again is not None
    passed = 0.5 * (1 + RESTITUTION) * float(after.velocity @ again.line) * again.line
    return approach, {"a": a, "b": b}, {"a": given_, "b": passed}


@given(speed=speeds, near=st.floats(0.3, 0.8), lead=st.floats(0.01, 0.05))
def test_the_ball_struck_first_is_told(speed: float, near: float, lead: float) -> None:
    approach, places, driven = _played(speed, near, lead)
    chance = chance_first(approach, places, driven, "a", "b", D)
    other = chance_first(approach, places, driven, "b", "a", D)
    assert chance is not None
    assert other is not None
    assert chance > 0.9
    assert abs(chance + other - 1.0) < 1e-9


def test_a_split_hit_is_undecided() -> None:
    approach = Approach(0.0, np.zeros(2), np.array([2.0, 0.0]), 0.0015)
    places = {"a": np.array([0.3, 0.03]), "b": np.array([0.3, -0.03])}
    met = meeting(approach, places["a"], D)
    assert met is not None
    push = 0.9 * met.line
    driven = {"a": push, "b": push * np.array([1.0, -1.0])}
    chance = chance_first(approach, places, driven, "a", "b", D)
    assert chance is not None
    assert 0.2 < chance < 0.8
