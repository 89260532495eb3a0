"""Pixels to the table and back lose nothing, at any height, with any lens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import Camera
from calibration.pose import head_end, turned_round
from calibration.table import table_named
from models.synthesis.scene import camera_over

TABLE = table_named("9ft")


@settings(max_examples=60, deadline=None)
@given(
    k1=st.floats(-0.2, 0.05),
    height=st.floats(1.6, 3.5),
    tilt=st.floats(-0.5, 0.5),
    roll=st.floats(-0.2, 0.2),
    z=st.floats(0.0, 0.06),
)
def test_projecting_and_looking_back_gives_the_same_place(
    k1: float, height: float, tilt: float, roll: float, z: float
) -> None:
    dist = np.array([k1, 0.1 * abs(k1), 1e-4, -1e-4, 0.0])
    camera = camera_over(TABLE, (1280, 720), np.array([tilt, tilt / 2, height]), np.zeros(2), roll, 700.0, dist)
    xy = np.array([(x, y) for x in (-1.2, 0.0, 1.2) for y in (-0.6, 0.0, 0.6)])
    assert camera.at_height(camera.project_at(xy, z), z) == pytest.approx(xy, abs=1e-7)


def test_a_pixels_size_on_the_table_is_that_of_the_mapping() -> None:
    camera = camera_over(TABLE, (1280, 720), np.array([0.1, 0, 2.4]), np.zeros(2), 0.0, 1000.0, np.zeros(5))
    jacobian = camera.metres_per_pixel([(0.5, 0.2)], 0.03)[0]
    px = camera.project_at([(0.5, 0.2)], 0.03)[0]
    moved = camera.at_height(px + np.array([[2.0, -1.0]]), 0.03)[0] - (0.5, 0.2)
    assert moved == pytest.approx(jacobian @ (2.0, -1.0), rel=1e-3)


def test_turning_the_table_round_exchanges_its_ends() -> None:
    camera = camera_over(TABLE, (1280, 720), np.array([0, 0, 2.4]), np.zeros(2), 0.0, 1000.0, np.zeros(5))
    turned = turned_round(camera)
    assert (head_end(camera, TABLE), head_end(turned, TABLE)) == ("left", "right")
    assert turned.project([(0.4, 0.1, 0.02)]) == pytest.approx(camera.project([(-0.4, -0.1, 0.02)]))


def test_a_camera_of_wrong_shape_or_without_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match=r"camera\.dist"):
        Camera(np.eye(3), np.zeros(4), np.eye(3), np.zeros(3), (10, 10))
    with pytest.raises(ValueError, match=r"camera\.t"):
        Camera(np.eye(3), np.zeros(5), np.eye(3), np.array([0, np.nan, 1]), (10, 10))
