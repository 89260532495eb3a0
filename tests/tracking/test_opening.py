"""The first contact, weighed: near-simultaneous hits, heaps, thin grazes, hits at once after the stroke."""

from __future__ import annotations

import numpy as np
import pytest

from adjudication.certainty import Thresholds
from adjudication.facts import ShotFacts
from calibration.table import table_named
from lab.motion import Physics
from lab.shot import PlayedShot, Stroke
from lab.simulator import play
from lab.trials.camera import Conditions, seen
from lab.trials.telling import Told, told
from tracking.positions import Positions

TABLE = table_named("9ft")
D = TABLE.ball_diameter


def played(layout: dict[str, tuple[float, float]], velocity: tuple[float, float]) -> PlayedShot:
    return play(TABLE, layout, Stroke(velocity, 0.5), physics=Physics())


def watched(shot: PlayedShot, seed: int = 0, fps: float = 60.0, noise: float = 0.0015) -> Told:
    conditions = Conditions(fps=fps, noise=noise)
    return told(TABLE, seen(shot, conditions, np.random.default_rng(seed)), noise)


def first_of(shot: PlayedShot, seed: int = 0) -> tuple[set[str], float]:
    """The balls that may have been hit first, and the time."""
    (record,) = watched(shot, seed).shots
    facts = ShotFacts.of(record, Thresholds())
    return {contact.ball for contact in facts.first_contacts}, facts.first_contacts[0].t


@pytest.mark.parametrize(("off", "first"), [(0.006, "1"), (-0.006, "2")])
@pytest.mark.parametrize("seed", range(3))
def test_of_two_balls_hit_within_milliseconds_the_first_is_told(off: float, first: str, seed: int) -> None:
    half = (D + 0.012) / 2
    shot = played({"cue": (-0.4, off), "1": (0.2, half), "2": (0.2, -half), "9": (-0.9, 0.4)}, (2.0, 0.0))
    gap = shot.of("ball_contact")[1].t - shot.of("ball_contact")[0].t
    assert shot.first_contact == first
    assert 0.001 < gap < 0.012
    balls, t = first_of(shot, seed)
    assert balls == {first}
    assert t == pytest.approx(shot.of("ball_contact")[0].t, abs=0.003)


def test_a_hit_that_splits_two_balls_evenly_is_not_decided() -> None:
    """Hits that overlap drive both balls alike: as if half of either order."""
    half = (D + 0.012) / 2
    layout = {"1": (0.2, half), "2": (0.2, -half)}
    orders = [played({"cue": (-0.4, off), **layout}, (2.0, 0.0)) for off in (4e-4, -4e-4)]
    assert {shot.first_contact for shot in orders} == {"1", "2"}
    one, two = (seen(shot, Conditions(missed=0.0), np.random.default_rng(0)) for shot in orders)
    count = min(len(one.t), len(two.t))
    even = Positions(one.t[:count], one.balls, (one.xy[:count] + two.xy[:count]) / 2, one.visible[:count])
    (record,) = told(TABLE, even, 0.0015).shots
    facts = ShotFacts.of(record, Thresholds())
    assert {contact.ball for contact in facts.first_contacts} == {"1", "2"}


def test_a_ball_frozen_to_another_is_hit_first_though_the_other_runs() -> None:
    shot = played({"cue": (-0.3, 0.0), "5": (0.0, 0.0), "6": (D + 1e-5, 0.0), "9": (-0.9, 0.4)}, (1.2, 0.0))
    assert first_of(shot)[0] == {"5"}


def test_a_hit_within_the_first_frames_after_the_stroke_is_told() -> None:
    shot = played({"cue": (0.0, 0.0), "3": (D + 0.02, 0.01), "4": (D + 0.03, -0.06)}, (4.0, 0.0))
    (record,) = watched(shot).shots
    first = ShotFacts.of(record, Thresholds()).first_contacts[0]
    assert first.ball == "3"
    assert abs(first.t - shot.of("ball_contact")[0].t) < 2.5 * first.sigma


def test_a_glance_that_hardly_moves_a_ball_comes_before_the_full_hit() -> None:
    shot = played({"cue": (-0.5, 0.0), "14": (-0.2, 0.995 * D), "6": (0.3, 0.0)}, (0.9, 0.0))
    assert shot.first_contact == "14"
    assert first_of(shot)[0] == {"14"}


def test_the_first_contact_is_known_while_the_balls_roll() -> None:
    shot = played({"cue": (-0.5, 0.0), "3": (0.2, 0.01), "9": (-0.9, 0.4)}, (2.5, 0.0))
    early = watched(shot).early
    assert early is not None
    ball, known = early
    assert ball == "3"
    assert known - shot.of("ball_contact")[0].t < 0.25
    assert known < shot.t_rest


def test_rows_read_one_after_the_other_shift_no_time() -> None:
    """A rolling shutter exposes far rows later; places that come with their delay are told at their true time."""
    shot = played({"cue": (-0.6, 0.55), "3": (0.1, 0.56), "9": (-0.9, -0.4)}, (2.5, 0.0))
    positions = seen(shot, Conditions(readout=0.016, missed=0.0), np.random.default_rng(1))
    exact = shot.of("ball_contact")[0].t

    def told_at(known: Positions) -> float:
        (record,) = told(TABLE, known, 0.0015).shots
        return next(e.t for e in record.events if e.type == "ball_contact")

    unaware = Positions(positions.t, positions.balls, positions.xy, positions.visible)
    assert abs(told_at(positions) - exact) < 0.0015
    assert told_at(unaware) - exact < -0.004
