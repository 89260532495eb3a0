"""When a ball on its way meets a resting one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tracking.timing import Heading, meeting

D = 0.05715
angles = st.floats(-1.2, 1.2)
speeds = st.floats(0.3, 8.0)


@given(angle=angles, speed=speeds, off=st.floats(-0.9, 0.9), away=st.floats(0.08, 0.6))
def test_at_the_meeting_the_centres_are_one_diameter_apart(angle: float, speed: float, off: float, away: float) -> None:
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    heading = Heading(2.0, np.zeros(2), speed * along, 0.001)
    target = along * away + across * off * D
    met = meeting(heading, target, D)
    assert met is not None
    there = heading.velocity * (met.t - 2.0)
    assert abs(float(np.hypot(*(target - there))) - D) < 1e-9
    assert float(met.line @ heading.velocity) > 0


@given(angle=angles, speed=speeds, off=st.floats(1.01, 3.0))
def test_a_ball_beside_the_way_is_not_met(angle: float, speed: float, off: float) -> None:
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    assert meeting(Heading(0.0, np.zeros(2), speed * along, 0.001), along * 0.3 + across * off * D, D) is None
