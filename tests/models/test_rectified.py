"""The networks' two views of the table: where a place goes, it comes back from."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from calibration.table import Table, table_named
from models.rectified import (
    BALL_PIXELS,
    CROP_BALL_PIXELS,
    CROP_SIZE,
    TopView,
    crop_placements,
    cut,
    to_crop,
    to_picture,
)
from models.synthesis.scene import camera_over

TABLE = table_named("9ft")


def camera(roll: float = 0.0) -> Camera:
    return camera_over(TABLE, (1280, 720), np.array([0.3, 0.2, 2.4]), np.zeros(2), roll, 950.0, np.zeros(5))


@pytest.mark.parametrize("table", [TABLE, table_named("7ft"), Table(1.881, 0.943, 0.0523)])
def test_the_grid_holds_the_table_and_its_margin(table: Table) -> None:
    view = TopView(table)
    columns, rows = view.size
    assert columns % 8 == rows % 8 == 0
    corners = view.to_pixels(table.corners)
    assert corners.min() >= 1.5 * BALL_PIXELS - 0.51
    assert (np.array([columns, rows]) - 1 - corners.max(axis=0) >= 1.5 * BALL_PIXELS - 0.51).all()


def test_places_go_there_and_back() -> None:
    view = TopView(TABLE)
    xy = np.random.default_rng(0).uniform(-1, 1, (20, 2))
    assert view.to_table(view.to_pixels(xy)) == pytest.approx(xy)
    steps = np.diff(view.to_pixels(np.array([[0, 0], [1, 1]]) * TABLE.ball_diameter), axis=0)[0]
    assert steps == pytest.approx([BALL_PIXELS, -BALL_PIXELS])


def test_a_mark_on_the_picture_lands_where_the_view_says() -> None:
    view, eye = TopView(TABLE), camera(np.pi)
    place = np.array([[0.41, -0.23]])
    px = eye.project_at(place, TABLE.ball_radius)[0]
    v, u = np.indices((720, 1280))
    picture = (250 * np.exp(-((u - px[0]) ** 2 + (v - px[1]) ** 2) / 50)).astype(np.uint8)
    top = view.rectify(np.dstack([picture] * 3), view.maps(eye))[..., 0].astype(float)
    rows, columns = np.indices(top.shape)
    middle = [(top * columns).sum() / top.sum(), (top * rows).sum() / top.sum()]
    assert middle == pytest.approx(view.to_pixels(place)[0], abs=0.15)


@pytest.mark.parametrize("roll", [0.0, np.pi, 0.4])
def test_a_crop_is_centred_upright_and_to_scale(roll: float) -> None:
    eye = camera(roll)
    xy = np.array([[0.0, 0.0], [0.9, -0.4]])
    placements = crop_placements(eye, xy, TABLE.ball_diameter)
    middle = np.full((2, 2), (CROP_SIZE - 1) / 2)
    px = eye.project_at(xy, TABLE.ball_radius)
    assert to_picture(placements, middle) == pytest.approx(px)
    assert to_crop(placements, px) == pytest.approx(middle)
    ahead = to_crop(placements, eye.project_at(xy + np.array([TABLE.ball_diameter, 0]), TABLE.ball_radius)) - middle
    assert ahead[:, 0] == pytest.approx(CROP_BALL_PIXELS, rel=0.05)
    assert np.abs(ahead[:, 1]).max() < 1.0
    side = to_crop(placements, eye.project_at(xy + np.array([0, TABLE.ball_diameter]), TABLE.ball_radius)) - middle
    assert (side[:, 1] < 0).all()


def test_a_cut_shows_what_lies_there() -> None:
    eye = camera()
    picture = np.zeros((720, 1280, 3), dtype=np.uint8)
    x, y = eye.project_at([[0.5, 0.1]], TABLE.ball_radius)[0]
    cv2.circle(picture, (round(x), round(y)), 4, (255, 255, 255), -1)
    crop = cut(picture, crop_placements(eye, [[0.5, 0.1]], TABLE.ball_diameter))[0]
    assert crop[18:22, 18:22].min() > 200
    assert crop[:5].max() == 0


def test_no_places_give_no_crops() -> None:
    placements = crop_placements(camera(), np.zeros((0, 2)), TABLE.ball_diameter)
    assert cut(np.zeros((720, 1280, 3), dtype=np.uint8), placements).shape == (0, CROP_SIZE, CROP_SIZE, 3)
