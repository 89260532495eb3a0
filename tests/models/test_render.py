"""Drawn scenes are what their truth says, and the same seed draws the same one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.table import table_named
from models.rectified import CROP_SIZE
from models.synthesis.arrangements import scatter
from models.synthesis.camera_effects import Development, develop
from models.synthesis.colours import CLOTHS, colour
from models.synthesis.light import Lamp, Light
from models.synthesis.people import Limb
from models.synthesis.render import Look, Placed, Stage
from models.synthesis.scene import ball_paints, camera_over, random_scene
from models.synthesis.table_picture import TableStyle, cushion_outlines
from models.training.samples import NOT_A_BALL, namer_samples

TABLE = table_named("8ft")
CAMERA = camera_over(TABLE, (640, 360), np.array([0.1, -0.3, 2.2]), np.zeros(2), 0.0, 480.0, np.zeros(5))
WHITE = ball_paints(np.random.default_rng(0), "standard")["cue"]


@pytest.fixture(scope="module")
def stage() -> Stage:
    lamp = Lamp(np.array([0, 0, 1.1], dtype=np.float32), (0.4, 0.12), 0.0, 0.7, np.ones(3, dtype=np.float32))
    style = TableStyle(CLOTHS["black"], colour(20, 20, 20), colour(10, 10, 10), marks=0, wear=0.0, seed=2)
    return Stage(CAMERA, Look(TABLE, style, Light((lamp,), np.full(3, 0.3, dtype=np.float32))))


def at(*path: tuple[float, float]) -> Placed:
    return Placed("cue", np.array([[x, y, TABLE.ball_radius] for x, y in path]), np.eye(3), WHITE)


def test_the_same_seed_draws_the_same_picture() -> None:
    drawn = []
    for _ in range(2):
        rng = np.random.default_rng(8)
        scene = random_scene(rng)
        picture, truth = Stage(scene.camera, scene.look).picture(
            scene.balls, scene.development, rng, scene.limbs, scene.projections
        )
        drawn.append((picture, truth.px))
    assert (drawn[0][0] == drawn[1][0]).all()
    assert (drawn[0][1] == drawn[1][1]).all()


def test_a_streak_is_as_long_as_the_way_and_the_truth_is_its_middle(stage: Stage) -> None:
    ball = at((-0.1, 0.1), (0.0, 0.1), (0.1, 0.1))
    light, truth = stage.light_picture([ball])
    empty, _ = stage.light_picture([])
    extra = np.clip((light - empty).sum(axis=2), 0, None)
    extra[extra < 0.05] = 0
    columns = np.nonzero(extra.sum(axis=0))[0]
    way = np.abs(truth.streak[0, 0]) * 2
    one = 2 * np.abs(np.diff(CAMERA.project_at([[0, 0.1], [TABLE.ball_radius, 0.1]], TABLE.ball_radius)[:, 0]))[0]
    assert np.ptp(columns) == pytest.approx(way + one, abs=3)
    assert truth.px[0] == pytest.approx(CAMERA.project_at([[0.0, 0.1]], TABLE.ball_radius)[0])
    assert (extra * np.arange(640)).sum() / extra.sum() == pytest.approx(truth.px[0, 0], abs=1.0)


def test_a_limb_over_a_ball_leaves_its_share(stage: Stage) -> None:
    x = 0.3
    arm = Limb(np.array([[x, -0.9, 0.08], [x, 0.0, 0.08]]), np.array([0.05, 0.05]), colour(200, 150, 120))
    hidden, open_ = stage.light_picture([at((x, -0.2)), at((-x, 0.2))], [arm])[1].visible
    assert hidden < 0.1
    assert open_ == pytest.approx(1.0, abs=1e-3)


def test_a_ball_throws_a_shadow_away_from_the_lamp(stage: Stage) -> None:
    light, _ = stage.light_picture([at((0.6, 0.0))])
    empty, _ = stage.light_picture([])
    share = light.sum(axis=2) / empty.sum(axis=2)

    def kept(x: float) -> float:
        u, v = CAMERA.project_at([[x, 0.0]], 0.0)[0].round().astype(int)
        return float(share[v, u])

    d = TABLE.ball_diameter
    assert kept(0.6 + 0.8 * d) < kept(0.6 - 0.8 * d)


def test_there_are_six_cushions_and_none_closes_a_pocket() -> None:
    outlines = cushion_outlines(TABLE, 0.045)
    assert len(outlines) == 6
    for pocket in TABLE.pockets.values():
        for outline in outlines:
            inside = cv2.pointPolygonTest(outline.astype(np.float32), pocket.mouth_centre, False)
            assert inside < 0


def test_scattered_balls_do_not_overlap() -> None:
    places = scatter(TABLE, 16, np.random.default_rng(1), cluster=0.7)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(len(places))
    assert gaps.min() >= TABLE.ball_diameter - 1e-9


def test_noise_is_alike_in_all_channels_and_exposure_brightens() -> None:
    grey = np.full((120, 160, 3), 0.2, dtype=np.float32)
    rng = np.random.default_rng(0)
    picture = develop(grey, Development(noise=4.0, vignette=0.0, quality=0), rng)
    spread = picture.reshape(-1, 3).std(axis=0)
    assert spread.max() / spread.min() < 1.1
    brighter = develop(grey, Development(exposure=2.0, vignette=0.0, quality=0), rng)
    assert brighter.mean() > picture.mean() + 20


def test_samples_say_where_the_balls_are_and_where_none_is(stage: Stage) -> None:
    rng = np.random.default_rng(4)
    picture, truth = stage.picture([at((0.2, 0.1)), at((-0.5, -0.2))], Development(), rng)
    samples = namer_samples(picture, truth, TABLE, CAMERA, rng)
    balls = samples.name != NOT_A_BALL
    assert balls.sum() == 2
    for crop, centre in zip(samples.crops[balls], samples.centre[balls], strict=True):
        x, y = np.round(centre + (CROP_SIZE - 1) / 2).astype(int)
        assert crop[y, x].min() > 120
    for crop in samples.crops[~balls]:
        assert crop[17:23, 17:23].mean() < 200
