"""Trials: their world is exact, a seed repeats them, and a fixed small set is told right."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.table import table_named
from lab.motion import Physics
from lab.shot import Stroke
from lab.trials.camera import Conditions
from lab.trials.figures import Goals, figures, reliability
from lab.trials.kinds import NAMES, shot_of
from lab.trials.rendered import later
from lab.trials.report import markdown, plots
from lab.trials.running import trial, trials
from lab.trials.world import Mouths, play
from tracking.positions import BadPositionsError, Positions

TABLE = table_named("9ft")

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.mark.parametrize("kind", NAMES)
def test_every_contact_of_every_kind_is_one_of_surfaces_that_touch(kind: str) -> None:
    shot = shot_of(kind, TABLE, np.random.default_rng(4))
    for event in shot.of("ball_contact"):
        a, b = (shot.ways[ball]([event.t])[0] for ball in event.balls or ())
        assert np.hypot(*(a - b)) == pytest.approx(TABLE.ball_diameter, abs=1e-6)
    for event in shot.of("rail_contact"):
        assert event.ball is not None
        assert event.rail is not None
        place = shot.ways[event.ball]([event.t])[0]
        if not event.jaw:
            assert TABLE.rail_distance(event.rail, *place) == pytest.approx(TABLE.ball_radius, abs=1e-6)
    for way in shot.ways.values():
        for now, then in zip(way.legs, way.legs[1:], strict=False):
            assert np.hypot(*(now.at(then.start)[0] - then.place)) < 1e-6


def test_two_equal_balls_share_momentum() -> None:
    layout = {"cue": (-0.3, 0.0), "1": (0.0, 0.012)}
    shot = play(TABLE, layout, Stroke((2.0, 0.0), 1.0), Physics(), Mouths())
    t = shot.of("ball_contact")[0].t
    before = shot.ways["cue"].velocity(t - 1e-7)
    after = shot.ways["cue"].velocity(t + 1e-7) + shot.ways["1"].velocity(t + 1e-7)
    np.testing.assert_allclose(after, before, atol=1e-6)


def test_a_seed_repeats_a_trial() -> None:
    one, two = (trial(TABLE, 9, 5, Conditions()) for _ in range(2))
    np.testing.assert_array_equal(one[1].xy, two[1].xy)
    assert one[0].events == two[0].events


def test_a_fixed_set_is_told_right_and_reported() -> None:
    kinds = ("stun", "split hit", "frozen balls", "kick", "scratch off one rail", "safety", "break of nine")
    scores = list(trials(TABLE, 2, 14, Conditions(), kinds))
    found = {f["name"]: f for f in figures(scores, Goals())}
    assert found["shots told, once each"]["value"] == 1.0
    assert found["first contact right when decided"]["value"] == 1.0
    assert found["pocketed, scratch, off the table, right when decided"]["value"] == 1.0
    assert found["false fouls per 1,000 legal shots, all leagues"]["value"] == 0.0
    assert found["rail contacts of all balls, F1"]["value"] > 0.95
    assert sum(n for _, _, n in reliability(scores, "ball contact")) >= 14
    text = markdown([("fourteen shots", scores, list(found.values()))], "headstring lab", {"seed": 2})
    assert "| break of nine | 2 |" in text
    assert all(picture.startswith(b"\x89PNG") for picture in plots(scores).values())


def test_positions_that_are_none_are_refused() -> None:
    with pytest.raises(BadPositionsError, match="rise"):
        Positions(np.array([0.0, 0.0]), ("cue",), np.zeros((2, 1, 2)), np.ones((2, 1)))
    with pytest.raises(BadPositionsError, match="shape"):
        Positions(np.array([0.0, 1.0]), ("cue",), np.zeros((2, 2, 2)), np.ones((2, 1)))


def test_a_shot_later_is_the_same_shot() -> None:
    shot = shot_of("pot", TABLE, np.random.default_rng(6))
    moved = later(shot, 1.5)
    times = np.linspace(shot.t_strike, shot.t_rest, 40)
    for ball, way in shot.ways.items():
        np.testing.assert_allclose(moved.ways[ball](times + 1.5), way(times), atol=1e-12)
    assert [e.t - 1.5 for e in moved.events] == pytest.approx([e.t for e in shot.events])
    assert moved.layout_after == shot.layout_after
