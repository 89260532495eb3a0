"""The table is found without help, whichever way it lies; what is no table is refused with the reason."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import overlay
from calibration.calibration import (
    Calibration,
    CalibrationError,
    calibrate,
    calibrate_on_corners,
    from_json,
    recalibrated,
    to_json,
    with_head_end,
)
from calibration.search import TableNotFoundError
from calibration.table import table_named
from device.evaluation import worst_corner
from device.truth import ClipTruth
from vision.frame import Frame


@pytest.fixture(scope="module")
def found(demo_look: Frame, demo_truth: ClipTruth) -> Calibration:
    return calibrate(demo_look.pixels, demo_truth.table, "left")


def test_the_corners_are_found_to_six_millimetres(found: Calibration, demo_truth: ClipTruth) -> None:
    assert worst_corner(found, demo_truth) < 0.006
    assert found.residuals.diamonds_seen >= 16


def test_a_picture_mounted_upside_down_is_the_same_table(demo_look: Frame, demo_truth: ClipTruth) -> None:
    turned = np.ascontiguousarray(demo_look.pixels[::-1, ::-1])
    found = calibrate(turned, demo_truth.table, "right")
    size = np.array(demo_truth.camera.size) - 1
    truth = size - demo_truth.camera.project_at(demo_truth.table.corners, 0.0)
    away = found.camera.at_height(truth, 0.0) - np.array(demo_truth.table.corners)
    assert np.hypot(*away.T).max() < 0.006


def test_a_table_upright_in_the_picture_is_found(demo_look: Frame, demo_truth: ClipTruth) -> None:
    upright = np.asarray(cv2.rotate(demo_look.pixels, cv2.ROTATE_90_CLOCKWISE), dtype=np.uint8)
    assert calibrate(upright, demo_truth.table, "top").head_end == "top"


def test_the_head_end_is_as_told_or_marked_as_assumed(demo_look: Frame, found: Calibration) -> None:
    assert (found.head_end, found.head_end_source) == ("left", "told")
    assert with_head_end(found, "right").head_end == "right"
    assert calibrate(demo_look.pixels, found.table).head_end_source == "assumed"
    with pytest.raises(CalibrationError, match="top"):
        with_head_end(found, "top")


def test_four_corners_are_enough(demo_truth: ClipTruth) -> None:
    px = demo_truth.camera.project_at(demo_truth.table.corners, demo_truth.table.nose_height)
    found = calibrate_on_corners([tuple(p) for p in px], demo_truth.table, demo_truth.camera.size)
    assert worst_corner(found, demo_truth) < 0.02
    assert found.method == "corners"


def test_corners_in_the_wrong_order_are_refused(demo_truth: ClipTruth) -> None:
    px = demo_truth.camera.project_at(demo_truth.table.corners, demo_truth.table.nose_height)
    with pytest.raises(CalibrationError, match="order"):
        calibrate_on_corners([tuple(px[k]) for k in (0, 2, 1, 3)], demo_truth.table, demo_truth.camera.size)


def test_no_table_is_said_with_what_was_looked_for() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (360, 640, 3), dtype=np.uint8)
    for picture in (noise, np.zeros((360, 640, 3), np.uint8), np.full((360, 640, 3), 200, np.uint8)):
        with pytest.raises(TableNotFoundError, match="no pool table found"):
            calibrate(picture, table_named("9ft"))


@pytest.mark.parametrize("columns", [slice(0, 640), slice(640, 1280)])
def test_half_a_table_is_refused(demo_look: Frame, demo_truth: ClipTruth, columns: slice) -> None:
    with pytest.raises(TableNotFoundError):
        calibrate(np.ascontiguousarray(demo_look.pixels[:, columns]), demo_truth.table)


def test_a_calibration_is_the_same_after_writing_and_reading(found: Calibration) -> None:
    text = to_json(found)
    again = from_json(text)
    assert to_json(again) == text
    assert again.id == found.id
    assert again.camera.project([(0.3, 0.2, 0.0)]) == pytest.approx(found.camera.project([(0.3, 0.2, 0.0)]), abs=1e-2)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "headstring-calibration/9"}'])
def test_what_is_no_calibration_is_refused(text: str) -> None:
    with pytest.raises(CalibrationError, match="not a calibration"):
        from_json(text)


def test_a_calibration_with_impossible_numbers_is_refused(found: Calibration) -> None:
    with pytest.raises(CalibrationError):
        from_json(to_json(found).replace('"length": 2.54', '"length": -1.0'))


def test_after_a_bump_the_table_is_found_again(demo_look: Frame, found: Calibration, demo_truth: ClipTruth) -> None:
    shift = np.array([[1.0, 0.004, 9.0], [-0.004, 1.0, -6.0]])
    bumped = cv2.warpAffine(demo_look.pixels, shift, (1280, 720), borderMode=cv2.BORDER_REPLICATE)
    again = recalibrated(np.asarray(bumped, dtype=np.uint8), found)
    assert again is not None
    assert again.head_end == found.head_end
    px = demo_truth.camera.project_at(demo_truth.table.corners, 0.0) @ shift[:, :2].T + shift[:, 2]
    away = again.camera.at_height(px, 0.0) - np.array(demo_truth.table.corners)
    assert np.hypot(*away.T).max() < 0.008


def test_the_overlay_is_a_picture_of_the_same_size(demo_look: Frame, found: Calibration) -> None:
    shown = overlay.draw(demo_look.pixels, replace(found))
    assert shown.shape == demo_look.pixels.shape
    assert (shown != demo_look.pixels).any()
