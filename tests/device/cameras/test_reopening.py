"""A lost camera is opened again with growing waits, its times go on, and the tries come to an end."""

from __future__ import annotations

import errno
import itertools

import pytest

from device.cameras.backoff import Backoff
from device.cameras.camera import Camera, CameraError, CameraGoneError, CameraLostError
from device.cameras.reopening import ReopeningCamera
from tests.device.cameras.scripted import Clock, ScriptedCamera, raw, take_all
from tests.device.clips import grey
from vision.frame import Frame

DARK = grey(10)


def frames(*times: float) -> list[Frame]:
    return [raw(t, DARK) for t in times]


def test_times_go_on_after_a_loss_and_show_the_gap() -> None:
    clock = Clock()
    openings: list[Camera] = [
        ScriptedCamera([*frames(0.0, 0.1, 0.2), CameraLostError("unplugged")]),
        ScriptedCamera(frames(0.0, 0.1)),
    ]
    said: list[str] = []
    camera = ReopeningCamera(lambda: openings.pop(0), clock, clock.sleep, said.append, Backoff(first=2.0))
    camera.open()
    times = []
    for _ in range(12):
        frame = camera.next_frame(1.0)
        if frame is not None:
            times.append(frame.t)
        clock.sleep(0.1)
    assert times[:3] == pytest.approx([0.0, 0.1, 0.2])
    assert times[3] > 2.2
    assert times[4] == pytest.approx(times[3] + 0.1)
    assert said == ["unplugged"]
    assert camera.losses == 1


def test_a_camera_that_says_nothing_for_five_seconds_is_lost() -> None:
    clock = Clock()
    stalled = ScriptedCamera(frames(0.0))
    camera = ReopeningCamera(lambda: stalled, clock, clock.sleep)
    camera.open()
    assert camera.next_frame(1.0) is not None
    for _ in range(6):
        clock.sleep(1.0)
        assert camera.next_frame(1.0) is None
    assert not camera.watching
    assert stalled.closed == 1


def test_a_camera_that_never_comes_back_ends_after_bounded_tries_and_grown_waits() -> None:
    clock = Clock()
    tried: list[float] = []

    def make() -> Camera:
        tried.append(clock.now)
        return ScriptedCamera([CameraLostError("gone")], opens=len(tried) == 1)

    camera = ReopeningCamera(make, clock, clock.sleep, tries=6, backoff=Backoff(1.0, 8.0))
    camera.open()
    with pytest.raises(CameraGoneError):
        take_all(camera, [], 1.0)
    waits = [b - a for a, b in itertools.pairwise(tried)]
    assert waits == pytest.approx([1.0, 2.0, 4.0, 8.0, 8.0, 8.0])


def test_out_of_memory_on_reopening_does_not_become_a_hot_loop() -> None:
    clock = Clock()
    tries = 0

    class NoMemory(ScriptedCamera):
        def open(self) -> None:
            raise CameraError(str(OSError(errno.ENOMEM, "Cannot allocate memory")))

    def make() -> Camera:
        nonlocal tries
        tries += 1
        return ScriptedCamera([CameraLostError("gone")]) if tries == 1 else NoMemory([])

    camera = ReopeningCamera(make, clock, clock.sleep, tries=100, backoff=Backoff(0.5, 30.0))
    camera.open()
    end = clock.now + 300
    while clock.now < end:
        camera.next_frame(0.5)
    assert tries < 18


def test_the_first_opening_fails_openly() -> None:
    clock = Clock()
    camera = ReopeningCamera(lambda: ScriptedCamera([], opens=False), clock, clock.sleep)
    with pytest.raises(CameraError, match="not there"):
        camera.open()
