"""Faults of a camera are told from its pictures and their times; ordinary play shows none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from device.cameras.camera import SourceEndedError
from device.cameras.faults import Fault, FaultWatch, Gap, thumbnail
from device.cameras.replay import Replay
from device.cameras.settings import FileCamera
from tests.device.cameras.scripted import Clock, Picture, raw, take_all
from vision.frame import Frame


@pytest.fixture(scope="module")
def frames(demo_clip: Path) -> list[Frame]:
    clock = Clock()
    replay = Replay(FileCamera(kind="file", path=demo_clip, speed="fast"), clock, clock.sleep)
    replay.open()
    found: list[Frame] = []
    with pytest.raises(SourceEndedError):
        take_all(replay, found)
    return found


def faults_of(watch: FaultWatch, frames: list[Frame]) -> set[Fault]:
    return {fault for frame in frames for fault in watch.check(frame).faults}


def shown(pictures: list[Picture], start: float = 9.0, rate: float = 30.0) -> list[Frame]:
    return [raw(start + k / rate, picture) for k, picture in enumerate(pictures)]


def test_ordinary_play_shows_no_fault(frames: list[Frame]) -> None:
    watch = FaultWatch(nominal_rate=30.0)
    healths = [watch.check(frame) for frame in frames]
    assert not any(health.faults or health.gap for health in healths)


def test_the_same_picture_again_and_again_is_frozen_and_ends_with_the_next_other(frames: list[Frame]) -> None:
    watch = FaultWatch()
    faults_of(watch, frames[:20])
    still = [frames[20].at(frames[20].t + k / 30, k) for k in range(120)]
    healths = [watch.check(frame) for frame in still]
    assert healths[-1].faults == {Fault.FROZEN}
    assert healths[-1].blind
    assert not healths[80].faults
    after = watch.check(frames[21].at(still[-1].t + 1 / 30, 999))
    assert after.ended == {Fault.FROZEN}
    assert not after.blind


def test_a_lens_cap_is_black(frames: list[Frame]) -> None:
    noise = np.random.default_rng(1)
    dark = [noise.integers(0, 12, (720, 1280, 3), dtype=np.uint8) for _ in range(40)]
    watch = FaultWatch()
    faults_of(watch, frames[:20])
    assert faults_of(watch, shown(dark)) == {Fault.BLACK}


def test_torn_pictures_are_garbled(frames: list[Frame]) -> None:
    noise = np.random.default_rng(2)
    torn = [noise.integers(0, 255, (720, 1280, 3), dtype=np.uint8) for _ in range(40)]
    watch = FaultWatch()
    faults_of(watch, frames[:20])
    assert faults_of(watch, shown(torn)) == {Fault.GARBLED}


def test_a_camera_hung_upside_down_is_noticed_against_the_calibrations_picture(frames: list[Frame]) -> None:
    watch = FaultWatch(usual=thumbnail(frames[0].luma))
    turned = [np.ascontiguousarray(frame.pixels[::-1, ::-1]) for frame in frames[60:120]]
    assert faults_of(watch, shown(turned)) == {Fault.TURNED}


def test_another_light_is_no_fault(frames: list[Frame]) -> None:
    watch = FaultWatch(usual=thumbnail(frames[0].luma))
    dimmed = [np.asarray(frame.pixels // 2, dtype=np.uint8) for frame in frames[:60]]
    assert faults_of(watch, shown(dimmed)) == set()


def test_a_rate_far_below_what_was_promised(frames: list[Frame]) -> None:
    watch = FaultWatch(nominal_rate=30.0)
    slow = [frame.at(k / 16, k) for k, frame in enumerate(frames)]
    assert faults_of(watch, slow) == {Fault.SLOW}
    assert not watch.check(frames[0].at(100.0, 999)).blind


def test_a_gap_and_a_stamp_that_does_not_advance(frames: list[Frame]) -> None:
    watch = FaultWatch()
    faults_of(watch, frames[:60])
    late = watch.check(frames[60].at(frames[59].t + 0.5, 60))
    assert late.gap == Gap(frames[59].t, frames[59].t + 0.5, 14)
    assert watch.check(frames[61].at(frames[59].t + 0.5, 61)).begun == {Fault.STALE}
    assert watch.check(frames[62].at(frames[59].t + 0.6, 62)).ended == {Fault.STALE}
