"""A drawn ball lies exactly where the camera model says it does."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Camera
from calibration.table import table_named
from models.synthesis.ball import Ball, cue_paint, draw, outline
from models.synthesis.light import Lamp, Light
from models.synthesis.rays import Rays
from models.synthesis.scene import ball_paints, camera_over, random_turn

TABLE = table_named("9ft")
LAMP = Lamp(np.array([0, 0, 1.2], dtype=np.float32), (0.4, 0.2), 0.0, 0.8, np.ones(3, dtype=np.float32))
LIGHT = Light((LAMP,), np.full(3, 0.3, dtype=np.float32))
CLOTH = np.full(3, 0.2, dtype=np.float32)


def tilted_camera() -> Camera:
    lens = np.array([-0.1, 0.01, 3e-4, -2e-4, 0.0])
    return camera_over(TABLE, (1280, 720), np.array([0.5, -0.9, 2.3]), np.zeros(2), 0.2, 950.0, lens)


@pytest.mark.parametrize("place", [(0.0, 0.0), (1.1, 0.5), (-1.2, -0.6)])
def test_the_drawn_shape_is_the_spheres_exact_outline(place: tuple[float, float]) -> None:
    camera = tilted_camera()
    centre = np.array([*place, TABLE.ball_radius])
    ball = Ball(centre, np.eye(3), cue_paint("plain"), TABLE.ball_radius)
    sprite = draw(Rays(camera), ball, LIGHT, CLOTH, 5.0, fine=5)
    assert sprite is not None
    edge = outline(camera, centre, TABLE.ball_radius, 400)
    x, y = edge.T
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert sprite.alpha.sum() == pytest.approx(area, rel=0.004)
    rows, columns = np.indices(sprite.alpha.shape)
    middle = np.array([(sprite.alpha * columns).sum(), (sprite.alpha * rows).sum()]) / sprite.alpha.sum()
    assert middle + np.array([sprite.left, sprite.top]) == pytest.approx(_centroid(edge), abs=0.02)


def _centroid(edge: np.ndarray) -> np.ndarray:
    x, y = edge.T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    return np.array([((v + np.roll(v, -1)) * cross).sum() / (3 * cross.sum()) for v in (x, y)])


def test_the_outline_is_where_lines_of_sight_graze_the_ball() -> None:
    camera = tilted_camera()
    centre = np.array([-0.9, 0.4, TABLE.ball_radius])
    for px in outline(camera, centre, TABLE.ball_radius, 12):
        below = np.array([*camera.at_height([px], 0.0)[0], 0.0])
        ray = below - camera.centre
        ray /= np.linalg.norm(ray)
        miss = np.linalg.norm(np.cross(centre - camera.centre, ray))
        assert miss == pytest.approx(TABLE.ball_radius, abs=2e-6)


def test_rays_agree_with_the_camera_model() -> None:
    camera = tilted_camera()
    rays = Rays(camera)
    on_cloth = rays.on_plane(rays.whole(), 0.0)
    px = np.array([[3, 5], [640, 360], [1270, 700], [17, 699]])
    seen = on_cloth[px[:, 1], px[:, 0]]
    assert camera.project_at(seen, 0.0) == pytest.approx(px, abs=0.02)


def test_a_striped_ball_shows_its_colour_and_its_ground() -> None:
    rng = np.random.default_rng(0)
    paint = ball_paints(rng, "standard")["11"]
    camera = tilted_camera()
    ball = Ball(np.array([0, 0, TABLE.ball_radius]), random_turn(rng), paint, TABLE.ball_radius)
    sprite = draw(Rays(camera), ball, LIGHT, CLOTH, 0.0)
    assert sprite is not None
    inside = sprite.light[sprite.alpha > 0.99]
    redness = inside[:, 2] / (inside[:, 0] + 1e-3)
    assert (redness > 3).any()
    assert (redness < 1.8).any()


def test_a_ball_outside_the_picture_is_not_drawn() -> None:
    ball = Ball(np.array([9.0, 0, TABLE.ball_radius]), np.eye(3), cue_paint("plain"), TABLE.ball_radius)
    assert draw(Rays(tilted_camera()), ball, LIGHT, CLOTH, 1.0) is None
