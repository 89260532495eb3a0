"""Black frames, doubled frames, dropped frames and odd rates change no ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.calibration import calibrate
from device.commands.analyze import analyze
from device.source import VideoFile
from device.truth import ClipTruth
from record.shot import Shot
from tests.device.clips import Picture, write_video
from vision.frame import Frame

Frames = Iterator[tuple[float, Picture]]


def black_between_shots(clip: Path) -> Frames:
    for frame in VideoFile(clip):
        dark = 4.2 < frame.t < 5.0
        yield frame.t, np.zeros_like(frame.pixels) if dark else frame.pixels


def every_other_frame_doubled(clip: Path) -> Frames:
    last: Picture | None = None
    for frame in VideoFile(clip):
        last = frame.pixels if frame.index % 2 == 0 or last is None else last
        yield frame.t, last


def frames_dropped(clip: Path) -> Frames:
    lost = np.random.default_rng(5).random(2000) < 0.25
    return ((frame.t, frame.pixels) for frame in VideoFile(clip) if not lost[frame.index])


def twice_as_large(clip: Path) -> Frames:
    for frame in VideoFile(clip):
        large = cv2.resize(frame.pixels, None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC)
        yield frame.t, np.asarray(large, dtype=np.uint8)


@pytest.mark.parametrize(
    "disturb",
    [black_between_shots, every_other_frame_doubled, frames_dropped, twice_as_large],
    ids=lambda f: f.__name__,
)
def test_the_rulings_stay(
    disturb: Callable[[Path], Frames], demo_clip: Path, demo_look: Frame, demo_truth: ClipTruth, tmp_path: Path
) -> None:
    clip = write_video(tmp_path / "disturbed.mp4", disturb(demo_clip))
    first = next(iter(VideoFile(clip))).pixels
    look = cv2.resize(demo_look.pixels, (first.shape[1], first.shape[0]), interpolation=cv2.INTER_CUBIC)
    known = calibrate(np.asarray(look, dtype=np.uint8), demo_truth.table, "left")
    record = analyze(clip, known, "upa-9ball", ("A", "B")).record
    shots = [entry for entry in record.entries if isinstance(entry, Shot)]
    assert [shot.t_strike for shot in shots] == pytest.approx([s.t_strike for s in demo_truth.shots], abs=0.05)
    for shot, call in zip(shots, ("legal", "foul"), strict=True):
        assert shot.ruling is not None
        assert shot.ruling.call == call or shot.ruling.needs_review
    assert {event.type for event in shots[0].events} >= {"strike", "ball_contact", "pocketed", "came_to_rest"}
