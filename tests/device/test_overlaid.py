"""What is drawn over a clip lies where the balls are in the picture."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import lab
from calibration.calibration import Calibration, Residuals, to_json
from device.commands.infer import infer
from device.overlaid import Overlaid, overlaid
from device.positions_file import read_positions
from device.truth import ClipTruth, read_truth
from record.rack import RackRecord
from record.shot import Shot

DEMO = Path(lab.__file__).parent / "footage" / "demo.mp4"


@cache
def truth() -> ClipTruth:
    return read_truth(DEMO)


@cache
def demo_record() -> RackRecord:
    """The demonstration clip's rack with the camera that it was rendered with."""
    known = Calibration(truth().table, truth().camera, "found", Residuals(None, None, 0, 0), "told")
    positions = DEMO.with_suffix(".npz")
    record = infer(truth().table, read_positions(positions), "upa-9ball", positions)
    facts = {"id": known.id, **json.loads(to_json(known))}
    entries = [e.model_copy(update={"calibration": known.id}) if isinstance(e, Shot) else e for e in record.entries]
    return record.model_copy(
        update={"entries": entries, "provenance": {**(record.provenance or {}), "calibration": facts}}
    )


def shot_of(record: RackRecord, index: int) -> Shot:
    return next(e for e in record.entries if isinstance(e, Shot) and e.index == index)


def overlay(index: int) -> Overlaid:
    found = overlaid(demo_record(), shot_of(demo_record(), index))
    assert found is not None
    return found


@pytest.mark.parametrize("index", [0, 1])
def test_the_ways_follow_the_balls_in_the_picture(index: int) -> None:
    clip, shot = truth(), shot_of(demo_record(), index)
    for way in overlay(index).ways:
        column = clip.names.index(way.ball)
        for t in np.linspace(shot.t_strike, shot.t_rest - 0.1, 12):
            k = int(np.argmin(np.abs(clip.t - t)))
            if not np.isfinite(clip.xy[k, column]).all() or clip.t[k] > shot.t_strike + way.t[-1] > shot.t_strike:
                continue
            exact = clip.camera.project_at(clip.xy[k, column][None], clip.table.ball_radius)[0] / clip.camera.size
            since = clip.t[k] - shot.t_strike
            seen = np.array([np.interp(since, way.t, way.x), np.interp(since, way.t, way.y)])
            assert np.abs(seen - exact).max() * clip.camera.size[0] < 5.0


def test_contacts_rails_and_falls_are_marked_when_they_are() -> None:
    marks = overlay(0).marks
    first = truth().shots[0].events[1]
    assert marks[0].what == "cue and 1" or "and" in marks[0].what
    assert marks[0].t == pytest.approx(first.t - truth().shots[0].t_strike, abs=0.003)
    assert any("pocketed" in mark.what for mark in marks)
    assert all(0.0 <= mark.x <= 1.0 and 0.0 <= mark.y <= 1.0 for mark in marks)


def test_a_ball_is_drawn_as_large_as_it_is_seen() -> None:
    corner = truth().camera.project_at([(0.0, 0.0), (truth().table.ball_radius, 0.0)], truth().table.ball_radius)
    exact = float(np.hypot(*(corner[1] - corner[0]))) / truth().camera.size[0]
    assert overlay(0).radius == pytest.approx(exact, rel=0.05)


def test_without_the_calibration_of_the_shot_nothing_is_drawn() -> None:
    record = demo_record()
    bare = record.model_copy(update={"provenance": {}})
    assert overlaid(bare, shot_of(record, 0)) is None
    other = shot_of(record, 0).model_copy(update={"calibration": "another"})
    assert overlaid(record, other) is None
