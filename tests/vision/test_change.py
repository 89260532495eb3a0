"""What is seen anew, and what is the same picture once more."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from calibration.calibration import calibrate
from calibration.table import table_named
from device.source import VideoFile
from models.loading import Finder, Namer
from vision.change import Repeats, changed_cells, stir_between, tiles_with
from vision.eye import Eye
from vision.frame import Frame


def cells(level: float = 80.0) -> np.ndarray:
    return np.full((76, 144, 3), level, dtype=np.float32)


def rolled(small: np.ndarray, column: int) -> np.ndarray:
    """The same cells with a ball over three by three of them."""
    changed = small.copy()
    changed[30:33, column : column + 3] = 220.0
    return changed


def test_a_lamp_that_dims_is_no_change_of_the_table() -> None:
    assert not changed_cells(cells(70.0), cells(80.0), 1.0).any()


def test_a_ball_changes_its_own_cells() -> None:
    found = changed_cells(rolled(cells(), 20), cells(), 1.0)
    assert found.sum() == 9
    assert np.argwhere(tiles_with(found)).tolist() == [[1, 1], [2, 1]]


@pytest.mark.parametrize("grain", [0.0, 1.0], ids=["copied", "encoded anew"])
def test_a_picture_handed_out_twice_is_known_by_what_had_moved(grain: float) -> None:
    rng, repeats = np.random.default_rng(0), Repeats()
    seen = [
        rolled(cells(), 20 + 3 * (k // 2)) + rng.normal(0, grain, (76, 144, 3)).astype(np.float32) for k in range(8)
    ]
    told = [repeats.again(stir_between(b, a)) for a, b in pairwise(seen)]
    assert told == [False, False, True, False, True, False, True]


def test_a_ball_that_comes_to_rest_is_no_repeat() -> None:
    """It slows down; what changes from frame to frame dwindles, and nothing goes on afterwards."""
    repeats = Repeats()
    assert not any(repeats.again(stir) for stir in (120.0, 80.0, 50.0, 30.0, 14.0, 7.0, 3.0, 2.0, 2.0))


def test_a_still_table_is_not_taken_for_repeats_for_ever() -> None:
    repeats = Repeats()
    told = [repeats.again(stir) for stir in (100.0, *([3.0] * 10))]
    assert sum(told) == 3


def test_the_eye_says_that_a_picture_is_shown_again(demo_clip: Path, demo_look: Frame) -> None:
    eye = Eye(calibrate(demo_look.pixels, table_named("9ft"), "left"), Finder(), Namer())
    frames = list(VideoFile(demo_clip))[95:115]
    twice = [frame.at(frame.t + late, frame.index) for frame in frames for late in (0.0, 0.008)]
    seen = [eye.look(frame) for frame in twice]
    assert sum(one.repeated for one in seen[3::2]) > 12
    assert not any(one.repeated for one in seen[0::2])
    for first, again in zip(seen[0::2], seen[1::2], strict=True):
        if again.repeated:
            assert np.array_equal(first.xy, again.xy)
