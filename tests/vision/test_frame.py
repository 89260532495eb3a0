"""A frame in luma and chroma shows the same as its conversion to BGR, piece by piece."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.calibration import calibrate
from calibration.table import table_named
from device.source import VideoFile
from models.rectified import TopView, crop_placements, cut
from vision.crops import crops_of
from vision.frame import Frame, Lookup


@pytest.fixture(scope="module")
def planar(demo_clip: Path) -> Frame:
    return next(iter(VideoFile(demo_clip)))


def test_files_keep_the_planes_that_their_decoder_gave(planar: Frame) -> None:
    assert planar.layout == "i420"
    assert planar.size == (1280, 720)
    assert planar.pixels.shape == (720, 1280, 3)
    assert planar.luma.shape == (720, 1280)


def test_parts_are_those_of_the_whole(planar: Frame) -> None:
    for box in ((0, 0, 2, 2), (100, 50, 160, 90), (1278, 718, 1280, 720)):
        left, top, right, bottom = box
        assert np.array_equal(planar.part(*box), planar.pixels[top:bottom, left:right])


def test_rows_longer_than_the_picture(planar: Frame) -> None:
    """As a camera's buffers have them."""
    width, height = planar.size
    padded = np.zeros((height * 3 // 2, 1344), dtype=np.uint8)
    padded[:height, :width] = planar.luma
    for number, plane in enumerate(planar.chroma):
        into = padded[height:].reshape(2, height // 2, 672)
        into[number, :, : width // 2] = plane
    frame = Frame(0.0, padded, 0, "i420", width)
    assert np.array_equal(frame.pixels, planar.pixels)
    assert np.array_equal(frame.part(640, 300, 700, 360), planar.part(640, 300, 700, 360))


def test_crops_are_cut_as_from_the_whole_even_at_the_edge(planar: Frame) -> None:
    camera = calibrate(planar.pixels, table_named("9ft")).camera
    places = [(0.0, 0.0), (1.2, 0.6), (-1.27, -0.635), (1.55, 0.0), (0.3, -0.85)]
    placements = crop_placements(camera, np.array(places), 0.05715)
    difference = np.abs(crops_of(planar, placements).astype(int) - cut(planar.pixels, placements))
    assert difference.max() <= 1
    assert len(crops_of(planar, placements[:0])) == 0


def test_the_view_from_above_has_the_same_colours(planar: Frame) -> None:
    known = calibrate(planar.pixels, table_named("9ft"))
    look = Lookup(*TopView(known.table).maps(known.camera))
    ours, whole = look(planar), look(Frame(0.0, planar.pixels, 0))
    assert ours.shape == whole.shape
    # Chroma is interpolated between its samples instead of repeated: only edges of colour differ.
    difference = np.abs(ours.astype(int) - whole)
    assert difference.mean() < 1.0
    assert np.quantile(difference, 0.99) <= 16


def test_a_place_outside_the_picture_is_black() -> None:
    grey = np.full((48, 64), 90, dtype=np.uint8)
    planes = np.concatenate([grey, np.full((24, 64), 128, dtype=np.uint8)])
    x = np.full((4, 4), -20.0, dtype=np.float32)
    outside = Lookup(x, x)(Frame(0.0, planes, 0, "i420"))
    assert int(outside.max()) == 0
    assert int(cv2.mean(Lookup(-x, -x)(Frame(0.0, planes, 0, "i420")))[0]) == pytest.approx(86, abs=2)
