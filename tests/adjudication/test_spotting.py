"""Spotted balls: on the foot spot, else behind it on the long string, else in front of it; never on another ball."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from adjudication.spotting import places, spotting_place
from record.rack import TableSize

TABLE = TableSize(length=2.54, width=1.27, ball_diameter=0.05715)
SPOT = 0.635


def test_on_the_foot_spot_when_it_is_free() -> None:
    assert spotting_place({"1": (0.5, 0.0), "cue": (0.7, 0.1)}, TABLE) == (SPOT, 0.0)


def test_behind_the_foot_spot_as_close_as_possible_when_it_is_taken() -> None:
    place = spotting_place({"1": (SPOT, 0.01)}, TABLE)
    assert place is not None
    assert place[0] > SPOT
    assert math.dist(place, (SPOT, 0.01)) < 0.05715 + 0.002


def test_in_front_of_the_foot_spot_when_all_behind_it_is_taken() -> None:
    row = {str(k + 1): (SPOT + 0.0572 * k, 0.0) for k in range(12)}
    place = spotting_place(row, TABLE)
    assert place is not None
    assert place[0] < SPOT


def test_several_balls_are_spotted_in_the_order_of_their_numbers() -> None:
    found = places({"9", "3"}, {"cue": (0.0, 0.0)}, TABLE)
    assert found["3"] == (SPOT, 0.0)
    assert found["9"][0] > SPOT + 0.05715


@given(
    st.lists(
        st.tuples(st.floats(-1.24, 1.24), st.floats(-0.6, 0.6)),
        max_size=15,
    )
)
def test_a_spotted_ball_touches_no_other_and_lies_on_the_table(others: list[tuple[float, float]]) -> None:
    lying = {str(k + 1): at for k, at in enumerate(others)}
    place = spotting_place(lying, TABLE)
    if place is not None:
        assert all(math.dist(place, at) > 0.05714 for at in others)
        assert abs(place[0]) <= 1.27 - 0.05715 / 2 + 1e-4
