"""Guesses played forward: momentum, order, rails, and agreement with the exact simulator."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.table import table_named
from lab.motion import Physics
from lab.shot import Stroke
from lab.simulator import play
from tracking.collisions import RAIL_BOUNCE, Noses, replayed

TABLE = table_named("9ft")
D = TABLE.ball_diameter
NOSES = Noses.of(TABLE)


def one(places: list[tuple[float, float]], velocity: tuple[float, float], until: float = 0.2, bounce: float = 1.0):  # type: ignore[no-untyped-def]
    return replayed(0.0, until, np.array([places]), np.array([velocity]), np.array([bounce]), D, NOSES)


@given(off=st.floats(-0.9, 0.9), speed=st.floats(0.5, 8.0), bounce=st.floats(0.85, 1.0))
def test_momentum_is_kept_and_energy_never_grows(off: float, speed: float, bounce: float) -> None:
    found = one([(0.0, 0.0), (0.1, off * D)], (speed, 0.0), 0.1, bounce)
    before, after = found.velocities[0, 0], found.velocities[-1, 0]
    assert found.first[0] in (1, -1)
    np.testing.assert_allclose(after.sum(axis=0), before.sum(axis=0), atol=1e-9)
    assert (after**2).sum() <= (before**2).sum() + 1e-9


def test_a_ball_that_is_passed_is_not_touched() -> None:
    found = one([(0.0, 0.0), (0.1, 1.01 * D)], (2.0, 0.0))
    assert found.first[0] == -1
    assert np.isinf(found.first_t[0])


def test_places_go_on_after_a_touch() -> None:
    found = one([(0.0, 0.0), (0.1, 0.0)], (2.0, 0.0))
    touch = (0.1 - D) / 2.0
    assert found.first_t[0] == pytest.approx(touch)
    np.testing.assert_allclose(found.at(1, np.array([0.0, touch + 0.05]))[0], [[0.1, 0.0], [0.2, 0.0]], atol=1e-9)


def test_a_cushion_turns_a_ball_back_but_a_pocket_does_not() -> None:
    y = TABLE.width / 2 - TABLE.ball_radius - 0.02
    rail = one([(0.5, y), (-1.0, 0.0)], (0.0, 2.0))
    assert rail.rail(int(rail.touched[1, 0, 1])) == "left"
    assert rail.velocities[1, 0, 0, 1] == pytest.approx(-2.0 * RAIL_BOUNCE)
    mouth = one([(0.0, y), (-1.0, 0.0)], (0.0, 2.0), 0.05)
    assert len(mouth.begins) == 1


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_the_first_ball_is_the_exact_simulators(seed: int) -> None:
    """Three balls in a heap: who is touched first, and when, within what friction does in so short a time."""
    rng = np.random.default_rng(seed)
    turn = rng.uniform(0, 2 * np.pi)
    side = np.array([np.cos(turn), np.sin(turn)]) * (D + rng.uniform(0.002, 0.02))
    places = {"cue": (-0.3, 0.0), "1": (0.0, 0.0), "2": (float(side[0]), float(side[1]))}
    way = np.array([0.3, rng.uniform(-0.03, 0.03)])
    velocity = 3.0 * way / np.hypot(*way)
    exact = play(TABLE, places, Stroke((float(velocity[0]), float(velocity[1])), 1.0), physics=Physics(roll=1e-4))
    found = one(list(places.values()), (float(velocity[0]), float(velocity[1])), 0.3)
    told = {-1: None, 1: "1", 2: "2"}[int(found.first[0])]
    assert told == exact.first_contact
    if told is not None:
        assert found.first_t[0] == pytest.approx(exact.of("ball_contact")[0].t, abs=1e-4)
