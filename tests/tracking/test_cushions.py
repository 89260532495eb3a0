"""Rails, jaws, frozen balls."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calibration.table import RAILS, table_named
from tracking.frozen import touching
from tracking.rails import INWARD, clearance, meetings, mouth

TABLE = table_named("9ft")
R = TABLE.ball_radius


@given(x=st.floats(-0.9, -0.3), into=st.floats(0.05, 5.0), along=st.floats(-3.0, 3.0))
def test_a_ball_turned_back_at_a_nose_line_met_that_rail(x: float, into: float, along: float) -> None:
    place = np.array([x, TABLE.width / 2 - R])
    found = meetings(TABLE, place, np.array([along, into]), np.array([along, -0.8 * into]), 0.001)
    assert [m.rail for m in found] == ["left"]
    assert not found[0].jaw


@given(gap=st.floats(0.03, 0.3))
def test_a_turn_far_from_the_rail_is_none_of_its_doing(gap: float) -> None:
    place = np.array([0.3, TABLE.width / 2 - R - gap])
    found = meetings(TABLE, place, np.array([0.0, 1.0]), np.array([0.0, -0.8]), 0.001)
    assert all(m.cost > 50 for m in found)


def test_inward_normals_point_into_the_table() -> None:
    for rail in RAILS:
        inward = np.array(INWARD[rail])
        assert clearance(TABLE, rail, inward * 0.1) > clearance(TABLE, rail, np.zeros(2))


def test_pocket_mouths_interrupt_the_rails() -> None:
    side = mouth(TABLE, "left", np.array([0.0, TABLE.width / 2]))
    assert side is not None
    assert side.name == "side_left"
    assert mouth(TABLE, "left", np.array([0.4, TABLE.width / 2])) is None


def test_touching_balls_and_rails_are_frozen() -> None:
    layout = {"cue": (0.0, 0.0), "3": (TABLE.ball_diameter + 0.0005, 0.0), "5": (0.4, TABLE.width / 2 - R)}
    assert touching(TABLE, layout) == [("3", "cue"), ("5", "left")]
