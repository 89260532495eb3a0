"""Balls that roll as foreseen are followed by the namer alone, and told as truly as when the finder searches."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from calibration.table import table_named
from lab.eyes.costs import Film, film
from models.loading import Finder, Findings, Namer
from vision.eye import Eye
from vision.following import Course, can_follow, stirs, ways_of, zone

TABLE = table_named("9ft")
D = TABLE.ball_diameter
DT = 1 / 60


class CountingFinder(Finder):
    """The real finder, which counts the pixels it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.pixels = 0

    def __call__(self, top_view: npt.NDArray[np.uint8]) -> Findings:
        self.pixels += top_view.shape[0] * top_view.shape[1]
        return super().__call__(top_view)


@pytest.fixture(scope="module")
def rolling() -> Film:
    return film(seed=5, count=14)


def course(xy: Any, way: Any = ((0.0, 0.0),), looks: int = 0) -> Course:
    places = np.array(xy, dtype=np.float64).reshape(-1, 2)
    ways = np.broadcast_to(np.array(way, dtype=np.float64), places.shape)
    return Course(places, ways, np.full(len(places), looks))


def test_every_ball_of_every_frame_is_where_it_is(rolling: Film) -> None:
    eye = Eye(rolling.calibration, Finder(), Namer())
    for frame, places in zip(rolling.frames, rolling.places, strict=True):
        seen = eye.look(frame)
        assert len(seen) == len(places)
        for place in places:
            assert np.hypot(*(seen.xy - place).T).min() < 0.004


def test_the_finder_looks_at_little_of_a_frame_in_which_balls_only_roll(rolling: Film) -> None:
    finder = CountingFinder()
    eye = Eye(rolling.calibration, finder, Namer())
    eye.look(rolling.frames[0])
    whole, finder.pixels = finder.pixels, 0
    for frame in rolling.frames[1:]:
        eye.look(frame)
    assert finder.pixels < 0.35 * whole * len(rolling.frames[1:])


def test_a_rolling_ball_is_named_anew_in_every_frame(rolling: Film) -> None:
    eye = Eye(rolling.calibration, Finder(), Namer())
    moving = np.flatnonzero(np.hypot(*(rolling.places[1] - rolling.places[0]).T) > 0.005)
    for frame, places in zip(rolling.frames, rolling.places, strict=True):
        seen = eye.look(frame)
        for k in moving:
            row = np.hypot(*(seen.xy - places[k]).T).argmin()
            assert seen.names[row].max() > 0.3


@pytest.mark.parametrize(
    ("where", "way", "follows"),
    [
        ((0.2, 0.1), (1.0, 0.0), True),
        ((0.2, 0.1), (0.0, 0.0), True),
        ((1.19, 0.56), (1.0, 0.5), False),
        ((0.02, 0.60), (0.0, 0.5), False),
        ((1.20, 0.0), (5.0, 0.0), False),
    ],
    ids=["on the cloth", "from rest", "into a corner", "into a side pocket", "through a cushion"],
)
def test_a_ball_is_followed_only_where_nothing_can_happen_to_it(
    where: tuple[float, float], way: tuple[float, float], follows: bool
) -> None:
    assert can_follow(course([where], [way]), DT, TABLE)[0] == follows


def test_balls_that_may_meet_are_searched_for(rolling: Film) -> None:
    together = course([(0.0, 0.0), (2.0 * D, 0.0), (0.8, 0.3)], [(0.0, 0.0)])
    assert can_follow(together, DT, TABLE).tolist() == [False, False, True]
    meeting = course([(0.0, 0.0), (3.0 * D, 0.0)], [(4.0, 0.0), (0.0, 0.0)])
    assert not can_follow(meeting, DT, TABLE).any()


def test_nothing_is_foreseen_over_a_gap_in_the_frames() -> None:
    rolling = course([(0.2, 0.1)], [(1.0, 0.0)])
    assert not can_follow(rolling, 0.2, TABLE).any()
    assert not can_follow(rolling, 0.0, TABLE).any()
    assert np.array_equal(rolling.foreseen(0.2), rolling.xy)


def test_a_ball_followed_for_long_is_searched_for() -> None:
    assert not can_follow(course([(0.2, 0.1)], [(1.0, 0.0)], looks=15), DT, TABLE).any()


def test_a_velocity_is_known_of_a_ball_found_where_it_was_foreseen() -> None:
    before = course([(0.0, 0.0), (0.5, 0.2)], [(1.2, 0.0)])
    found = np.array([(0.021, 0.0), (-0.7, -0.2)])
    ways = ways_of(found, before, DT, D)
    assert ways[0] == pytest.approx((1.26, 0.0))
    assert ways[1] == pytest.approx((0.0, 0.0))


def test_a_zone_holds_the_ball_and_little_else() -> None:
    cells = zone(np.array([(101.5, 61.5)]), (76, 144), 12.0)
    rows, columns = np.nonzero(cells)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (12, 18, 22, 28)
    assert not zone(np.array([(-500.0, 61.5)]), (76, 144), 12.0).any()
    stirred = np.zeros((76, 144), dtype=bool)
    stirred[17, 25] = True
    assert stirs(stirred, np.array([(101.5, 61.5), (201.5, 61.5)]), 12.0).tolist() == [True, False]
