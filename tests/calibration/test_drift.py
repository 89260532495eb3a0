"""A bumped camera is told from players, balls and light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.drift import DriftWatch
from device.source import VideoFile
from device.truth import ClipTruth
from vision.frame import Frame


@pytest.fixture(scope="module")
def watch(demo_look: Frame, demo_truth: ClipTruth) -> DriftWatch:
    return DriftWatch(demo_look.pixels, demo_truth.camera, demo_truth.table)


@pytest.mark.parametrize("shift", [1.5, 3.0, 8.0, 20.0])
def test_a_shift_is_measured(watch: DriftWatch, demo_look: Frame, shift: float) -> None:
    move = np.array([[1.0, 0.0, shift], [0.0, 1.0, 0.0]])
    moved = cv2.warpAffine(demo_look.pixels, move, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    drift = watch.compare(np.asarray(moved, dtype=np.uint8))
    assert drift is not None
    assert drift.shift == pytest.approx(shift, abs=0.3)
    assert drift.agreeing > 0.8


def test_play_is_no_shift(watch: DriftWatch, demo_clip: object, demo_truth: ClipTruth) -> None:
    for frame in VideoFile(demo_truth.path):
        if frame.index % 30 == 0:
            drift = watch.compare(frame.pixels)
            assert drift is not None
            assert drift.shift < 0.5


def test_dimmed_light_is_no_shift(watch: DriftWatch, demo_look: Frame) -> None:
    drift = watch.compare((demo_look.pixels * 0.7).astype(np.uint8))
    assert drift is None or drift.shift < 0.5


def test_a_black_picture_tells_nothing(watch: DriftWatch, demo_look: Frame) -> None:
    assert watch.compare(np.zeros_like(demo_look.pixels)) is None
