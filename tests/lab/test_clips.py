"""A rendered clip and its truth agree with the shot and with each other."""

from __future__ import annotations

import json
from pathlib import Path

import av
import numpy as np
import pytest

from calibration.table import table_named
from lab.clips import ClipPlan, hall_light, write_clip
from lab.player import player_at, times_of_player
from lab.shot import Stroke
from lab.simulator import play
from models.synthesis.camera_effects import Development
from models.synthesis.colours import CLOTHS, colour
from models.synthesis.render import Look
from models.synthesis.scene import NAMES, ball_paints, camera_over
from models.synthesis.table_picture import TableStyle

TABLE = table_named("9ft")


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> tuple[ClipPlan, Path]:
    corner = np.array(TABLE.pockets["foot_left"].mouth_centre)
    ball = corner - [0.25, 0.25]
    cue = ball - [0.3, 0.3]
    shot = play(TABLE, {"cue": tuple(cue), "1": tuple(ball)}, Stroke((1.8, 1.8), follow=-0.5), t_strike=0.25)
    camera = camera_over(TABLE, (480, 270), np.array([0.0, -0.2, 2.5]), np.zeros(2), 0.0, 380.0, np.zeros(5))
    style = TableStyle(CLOTHS["green"], colour(90, 56, 34), colour(40, 38, 40), seed=1)
    paints = ball_paints(np.random.default_rng(0), "standard")
    plan = ClipPlan((shot,), camera, Look(TABLE, style, hall_light()), paints, Development(quality=0), 1.4, 20)
    path = tmp_path_factory.mktemp("clip") / "pot.mp4"
    write_clip(plan, path)
    return plan, path


def test_the_document_tells_the_shot(clip: tuple[ClipPlan, Path]) -> None:
    plan, path = clip
    document = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert document["shots"][0]["facts"]["pocketed"] == ["1"]
    assert document["shots"][0]["facts"]["first_contact"] == "1"
    assert document["frames"] == 28
    assert document["shots"][0]["events"][0] == {"t": 0.25, "type": "strike", "ball": "cue"}
    assert set(document["corners_px"]["nose"]) == {"head_left", "head_right", "foot_right", "foot_left"}
    assert plan.shots[0].layout_after.keys() == document["shots"][0]["layout_after"].keys()


def test_the_arrays_follow_the_ways(clip: tuple[ClipPlan, Path]) -> None:
    plan, path = clip
    shot = plan.shots[0]
    with np.load(path.with_suffix(".npz")) as data:
        t, xy, state = data["t"], data["xy"], data["state"]
    for name, way in shot.ways.items():
        k = NAMES.index(name)
        on = t < way.gone
        assert xy[on, k] == pytest.approx(way(t[on]), abs=1e-3)
        assert np.isnan(xy[~on, k]).all()
        assert (state[on, k] == 1).all()
    gone = shot.ways["1"].gone
    assert (state[(t > gone) & (t < gone + 0.2), 1] == 2).all()
    assert (state[:, NAMES.index("2")] == 0).all()


def test_the_film_has_the_frames_at_their_times(clip: tuple[ClipPlan, Path]) -> None:
    _, path = clip
    with av.open(str(path)) as container:
        times = [float(f.time or 0.0) for f in container.decode(video=0)]
    assert times == pytest.approx(np.arange(28) / 20, abs=1e-6)


def test_the_player_is_there_for_the_strike_only(clip: tuple[ClipPlan, Path]) -> None:
    plan, _ = clip
    shot = plan.shots[0]
    start, end = times_of_player(shot)
    assert player_at(shot, start - 0.01, 0) == ()
    assert player_at(shot, end + 0.01, 0) == ()
    tip = player_at(shot, shot.t_strike, 0)[-1].line[0]
    ball = np.array(shot.layout_before["cue"])
    assert np.hypot(*(tip[:2] - ball)) == pytest.approx(TABLE.ball_radius + 0.006, abs=1e-6)
