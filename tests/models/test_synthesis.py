"""Drawn pictures keep their truth whatever lies about, is laid over them or hides the cloth."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from calibration.table import table_named
from models.rectified import CROP_SIZE
from models.synthesis.colours import BALL_SETS
from models.synthesis.light import Lamp, Light
from models.synthesis.overlays import with_graphics
from models.synthesis.people import Slab, cover
from models.synthesis.render import Truth
from models.synthesis.scene import NAMES, camera_over
from models.synthesis.things import random_things
from models.training.closeups import ball_set, closeups
from models.training.samples import pictures

TABLE = table_named("9ft")
CAMERA = camera_over(TABLE, (640, 360), np.array([0.1, -0.3, 2.4]), np.zeros(2), 0.0, 480.0, np.zeros(5))
LAMP = np.array([0.0, 0.0, 1.1], dtype=np.float32)


def truth_of(px: np.ndarray) -> Truth:
    n = len(px)
    return Truth(
        NAMES[:n], np.zeros((n, 2)), px, np.zeros((n, 2)), np.ones(n), np.ones(n, dtype=bool), np.zeros((360, 640))
    )


def test_graphics_hide_cloth_but_never_a_ball() -> None:
    rng = np.random.default_rng(3)
    px = rng.uniform([60, 60], [580, 300], (12, 2))
    laid_over = 0
    for _ in range(120):
        blank = np.full((360, 640, 3), 90, dtype=np.uint8)
        shown, truth = with_graphics(blank, truth_of(px), rng)
        changed = (shown != blank).any(axis=2)
        laid_over += bool(changed.any())
        assert (truth.cover[changed] > 0).all()
        for x, y in px:
            assert not changed[int(y) - 5 : int(y) + 6, int(x) - 5 : int(x) + 6].any()
    assert 5 < laid_over < 40


def test_a_thing_on_the_rail_is_seen_and_throws_a_shadow() -> None:
    box = np.array([[0.22, 0.16], [0.38, 0.16], [0.38, 0.24], [0.22, 0.24]])
    red = np.array([0.02, 0.02, 0.6], dtype=np.float32)
    seen = cover(CAMERA, [Slab(box, 0.1, red, red * 0.5)], LAMP, 1.0)
    assert seen is not None
    u, v = np.round(CAMERA.project(np.array([[0.3, 0.2, 0.1]]))[0]).astype(int)
    assert seen.alpha[v, u] > 0.99
    assert seen.light[v, u] == pytest.approx(red, abs=0.01)
    assert seen.shade.min() < 0.6


def test_things_lie_about_and_are_not_always_there() -> None:
    rng = np.random.default_rng(1)
    counts = [len(random_things(TABLE, rng)) for _ in range(60)]
    assert min(counts) == 0
    assert 1 < np.mean(counts) < 8


def test_a_close_up_shows_its_ball_near_the_middle() -> None:
    samples = list(itertools.islice(closeups(np.random.default_rng(2)), 24))
    assert all(s.crops.shape == (1, CROP_SIZE, CROP_SIZE, 3) for s in samples)
    assert max(float(np.abs(s.centre).max()) for s in samples) < 14
    assert len({int(s.name[0]) for s in samples}) > 8
    assert all(0 <= int(s.name[0]) < len(NAMES) for s in samples)


def test_a_set_has_one_make_and_stripes_that_match_its_solids() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        paints = ball_set(rng)
        assert set(paints) == set(NAMES)
        assert not any(paints[str(n)].striped for n in range(1, 9))
        assert all(paints[str(n)].striped for n in range(9, 16))
    assert {len(colours) for colours in BALL_SETS.values()} == {8}


def test_a_dim_room_gives_dark_rims() -> None:
    """What a ball's side gets from a sky that it hardly sees, and from the cloth below."""
    lamp = Lamp(LAMP, (0.2, 0.1), 0.0, 0.5, np.ones(3, dtype=np.float32))
    sky, cloth = np.full(3, 0.5, dtype=np.float32), np.array([0.1, 0.3, 0.1], dtype=np.float32)
    place, upright = np.zeros((1, 3), dtype=np.float32), np.array([[1.0, 0.0, 0.0]], dtype=np.float32)
    bright = Light((lamp,), sky, sides=0.6, bounce=0.2).on_ball(place, upright, cloth)
    dark = Light((lamp,), sky, sides=0.05, bounce=0.2).on_ball(place, upright, cloth)
    assert (bright - dark)[0] == pytest.approx(0.55 * sky)


def test_every_picture_says_what_it_is_like() -> None:
    shown = list(itertools.islice(pictures(np.random.default_rng(6)), 3))
    for one in shown:
        assert sum(c.startswith("cloth ") for c in one.conditions) == 1
        assert sum(c.startswith("balls ") for c in one.conditions) == 1
        assert one.picture.shape[:2] == one.truth.cover.shape
