"""A bumped camera is noticed, calibrated anew and noted; one that never rests calls nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from adjudication.judge import Judge
from calibration.calibration import calibrate
from device.commands.analyze import analyze
from device.source import VideoFile
from device.terminal import CommandError, Exit
from device.truth import ClipTruth
from record.entries import Observation
from record.shot import Shot
from tests.device.clips import Picture, write_video
from vision.frame import Frame

BUMP = 4.4


def _shaken(clip: Path, shift: Callable[[float], tuple[float, float]]) -> Iterator[tuple[float, Picture]]:
    for frame in VideoFile(clip):
        x, y = shift(frame.t)
        move = np.array([[1.0, 0.0, x], [0.0, 1.0, y]])
        moved = cv2.warpAffine(frame.pixels, move, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
        yield frame.t, np.asarray(moved, dtype=np.uint8)


def test_a_bump_between_shots_costs_no_shot(
    demo_clip: Path, demo_look: Frame, demo_truth: ClipTruth, tmp_path: Path
) -> None:
    bumped = write_video(tmp_path / "bump.mp4", _shaken(demo_clip, lambda t: (0.0, 0.0) if t < BUMP else (14.0, -9.0)))
    known = calibrate(demo_look.pixels, demo_truth.table, "left")
    done = analyze(bumped, known, "upa-9ball", ("A", "B"))
    moved = [e for e in done.record.entries if isinstance(e, Observation) and e.what == "camera_moved"]
    shots = [e for e in done.record.entries if isinstance(e, Shot)]
    assert len(moved) == 1
    assert BUMP <= moved[0].t < BUMP + 1.1
    assert [one.ruling.call for one in shots if one.ruling] == ["legal", "foul"]
    assert shots[0].calibration == known.id
    assert shots[1].calibration == done.calibration.id != known.id
    for ball, place in demo_truth.shots[1].layout_before.items():
        assert shots[1].layout_before[ball] == pytest.approx(place, abs=0.008)


def test_a_camera_that_moves_all_the_time_calls_nothing(
    demo_clip: Path, demo_look: Frame, demo_truth: ClipTruth, tmp_path: Path
) -> None:
    swaying = write_video(
        tmp_path / "sway.mp4", _shaken(demo_clip, lambda t: (25 * np.sin(3.1 * t), 18 * np.sin(2.3 * t)))
    )
    known = calibrate(demo_look.pixels, demo_truth.table, "left")
    with pytest.raises(CommandError, match="camera moves most of the time") as caught:
        analyze(swaying, known, "upa-9ball", ("A", "B"))
    assert caught.value.code == Exit.NO_TABLE


def test_a_clip_that_starts_in_mid_shot_invents_none(
    demo_clip: Path, demo_look: Frame, demo_truth: ClipTruth, tmp_path: Path
) -> None:
    start = demo_truth.shots[0].t_strike + 0.3
    frames = ((f.t - start, f.pixels) for f in VideoFile(demo_clip) if f.t >= start)
    late = write_video(tmp_path / "late.mp4", frames)
    known = calibrate(demo_look.pixels, demo_truth.table, "left")
    shots = [e for e in analyze(late, known, "upa-9ball", ("A", "B")).record.entries if isinstance(e, Shot)]
    assert len(shots) == 1
    assert shots[0].t_strike == pytest.approx(demo_truth.shots[1].t_strike - start, abs=0.04)


def test_the_judge_of_the_loop_is_the_judge_of_records(
    demo_clip: Path, demo_look: Frame, demo_truth: ClipTruth
) -> None:
    known = calibrate(demo_look.pixels, demo_truth.table, "left")
    record = analyze(demo_clip, known, "upa-9ball", ("A", "B")).record
    judge = Judge.of(record)
    for entry in record.entries:
        judged = judge.add(entry).entry
        if isinstance(entry, Shot):
            assert isinstance(judged, Shot)
            assert judged.ruling == entry.ruling
