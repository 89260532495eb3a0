"""What caused what: starts with one possible cause, times of touches, falls, notes."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from calibration.table import Table, table_named
from record.shot import Shot
from tests.tracking import billiards as B
from tracking import ShotEnded, Watcher
from tracking.kinks import measured_noise
from tracking.rails import meetings
from tracking.samples import Samples

TABLE = table_named("8ft")


def told_of(truth: Any, fps: float = 30.0, until: float = 6.0, fallen: Any = None) -> Shot:
    """The one shot; `fallen` (ball, t, places) is what a falling ball is seen to do after it is gone."""
    watcher = Watcher(TABLE)
    rng = np.random.default_rng(2)
    happened = []
    for t in np.arange(0, until, 1 / fps):
        seen = {n: truth.at(n, float(t)) for n in truth.paths}
        if fallen is not None and 0 < t - fallen[1] < len(fallen[2]) / fps:
            seen[fallen[0]] = np.array(fallen[2][int((t - fallen[1]) * fps)])
        happened += watcher.update(B.frame(float(t), seen, rng, 0.0008))
    (shot,) = [h.shot for h in [*happened, *watcher.finish()] if isinstance(h, ShotEnded)]
    return shot


@functools.cache
def thin_cut(share: float) -> Any:
    """The cue ball passes the 3 at this share of a diameter beside its centre."""
    layout = {"cue": (-0.6, 0.0), "3": (0.0, share * TABLE.ball_diameter), "9": (0.7, -0.4)}
    return B.played(TABLE, layout, (1.2, 0.0), until=8.0)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.96])
def test_a_ball_that_only_one_can_have_set_in_motion_was_set_in_motion_by_it(share: float) -> None:
    truth = thin_cut(share)
    shot = told_of(truth, until=8.0)
    first = next(e for e in shot.events if e.type == "ball_contact")
    exact = truth.of("ball_contact")[0][0]
    assert first.balls == ("cue", "3")
    assert first.confidence is not None
    assert first.confidence >= 0.97
    assert first.t_sigma is not None
    assert abs(first.t - exact) < min(3.0 * first.t_sigma, 0.006) + 0.0005


def potted(table: Table) -> Any:
    layout = {"cue": (0.1, 0.0), "3": (0.0, 0.25), "9": (-0.6, -0.3)}
    line = np.array([0.0, table.width / 2 + 0.05]) - layout["3"]
    line /= np.hypot(*line)
    ghost = layout["3"] - line * table.ball_diameter
    way = ghost - layout["cue"]
    return B.played(table, layout, tuple(1.6 * way / np.hypot(*way)), until=6.0)


def test_a_ball_that_falls_touches_no_jaw_and_falls_when_it_passes_the_edge() -> None:
    truth = potted(TABLE)
    ((t, who),) = [e for e in truth.of("pocketed") if e[1][0] == "3"]
    pocket = TABLE.pockets[who[1]]
    x, y = pocket.centre
    straying = [(x + 0.02, y - 0.03), (x + 0.03, y - 0.034), (x + 0.02, y - 0.045), (x, y - 0.05)]
    shot = told_of(truth, fallen=("3", t, straying))
    (fall,) = [e for e in shot.events if e.type == "pocketed" and e.ball == "3"]
    assert abs(fall.t - t) < 0.04
    assert [e for e in shot.events if e.type == "rail_contact" and e.ball == "3" and (e.confidence or 0) > 0.5] == []
    assert shot.notes == []


def test_a_jaw_turns_a_ball_back() -> None:
    pocket = TABLE.pockets["side_left"]
    tip = np.array(min(pocket.jaws))
    place = tip + TABLE.ball_radius * np.array([0.8, -0.6])
    into = np.array([-0.4, 0.7])
    back, on = np.array([0.4, 0.1]), np.array([-0.36, 0.6])
    assert min(m.cost for m in meetings(TABLE, place, into, back, 0.001) if m.jaw) < 6.0
    assert all(m.cost > 8.0 for m in meetings(TABLE, place, into, on, 0.001) if m.jaw)


def test_one_knot_is_one_touch_of_a_rail() -> None:
    tip = np.array(TABLE.pockets["foot_left"].jaws[0])
    place = np.array([tip[0] - 0.002, TABLE.width / 2 - TABLE.ball_radius])
    found = meetings(TABLE, place, np.array([0.3, 0.8]), np.array([0.2, -0.5]), 0.001)
    assert len({m.rail for m in found}) == len(found)


def test_an_uneven_frame_rate_does_not_make_the_noise_look_large() -> None:
    rng = np.random.default_rng(1)
    t = np.cumsum(rng.uniform(0.01, 0.05, 200))
    xy = np.stack([1.5 * t - 0.1 * t**2, 0.5 * t], axis=1) + rng.normal(0, 0.001, (200, 2))
    samples = Samples(t, xy, np.full(200, 0.001), np.zeros(200), np.full((200, 17), 1 / 17))
    assert measured_noise(samples) == pytest.approx(1.0, abs=0.25)


def test_repeated_places_do_not_make_the_noise_look_small() -> None:
    rng = np.random.default_rng(0)
    t = np.arange(120) / 60
    xy = np.stack([t, 0.2 * t], axis=1) + rng.normal(0, 0.001, (120, 2))
    xy[60:] = xy[60]
    samples = Samples(t, xy, np.full(120, 0.001), np.zeros(120), np.full((120, 17), 1 / 17))
    assert measured_noise(samples) == pytest.approx(1.0, abs=0.25)


def test_an_undisturbed_shot_needs_no_notes() -> None:
    assert told_of(thin_cut(0.5), until=8.0).notes == []
