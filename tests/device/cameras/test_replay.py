"""A file replayed as a camera keeps its own times; at live pace nothing comes early and nobody is waited for."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from device.cameras.camera import CameraError, SourceEndedError
from device.cameras.replay import Replay
from device.cameras.settings import FileCamera
from device.source import VideoFile
from tests.device.cameras.scripted import Clock
from tests.device.clips import grey, write_video

TIMES = [0.0, 0.05, 0.1, 0.3, 0.35]


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    return write_video(tmp_path / "uneven.mp4", [(t, grey(40 + 20 * k)) for k, t in enumerate(TIMES)])


def played(settings: FileCamera, clock: Clock) -> list[tuple[float, float]]:
    """(the clock when a frame came, the frame's own time)."""
    camera = Replay(settings, clock, clock.sleep)
    camera.open()
    came: list[tuple[float, float]] = []
    with pytest.raises(SourceEndedError):
        _take(camera, clock, came)
    return came


def _take(camera: Replay, clock: Clock, came: list[tuple[float, float]]) -> None:
    while True:
        frame = camera.next_frame(0.02)
        if frame is not None:
            came.append((clock.now, frame.t))


def test_at_live_pace_frames_come_when_they_were_taken(clip: Path) -> None:
    came = played(FileCamera(kind="file", path=clip), Clock(500.0))
    assert [t for _, t in came] == pytest.approx(TIMES)
    assert [now - 500.0 for now, _ in came] == pytest.approx(TIMES)


def test_as_fast_as_it_can_nobody_waits(clip: Path) -> None:
    clock = Clock()
    came = played(FileCamera(kind="file", path=clip, speed="fast", times=3), clock)
    assert clock.now == 1000.0
    assert len(came) == 15
    times = [t for _, t in came]
    assert all(b > a for a, b in itertools.pairwise(times))
    assert times[5] == pytest.approx(0.40)


def test_colours_are_those_of_the_file_reader(demo_clip: Path) -> None:
    clock = Clock()
    camera = Replay(FileCamera(kind="file", path=demo_clip, speed="fast"), clock, clock.sleep)
    camera.open()
    raw = camera.next_frame(1.0)
    assert raw is not None
    assert raw.layout == "i420"
    read = next(iter(VideoFile(demo_clip)))
    assert np.abs(raw.pixels.astype(int) - read.pixels).mean() < 2.0
    assert raw.luma.shape == (720, 1280)


def test_a_file_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    clock = Clock()
    with pytest.raises(CameraError, match="no such file"):
        Replay(FileCamera(kind="file", path=tmp_path / "none.mp4"), clock, clock.sleep).open()
