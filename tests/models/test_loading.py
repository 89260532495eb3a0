"""The networks that ship do their work on drawn pictures; files that are none are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.table import table_named
from models.loading import FINDER_PATH, NAMER_PATH, Finder, Findings, ModelError, Namer
from models.rectified import TopView, crop_placements, cut, to_picture
from models.synthesis.arrangements import NINE_BALL, TRIANGLE, rack
from models.synthesis.camera_effects import Development
from models.synthesis.colours import CLOTHS, colour
from models.synthesis.light import Lamp, Light
from models.synthesis.render import Look, Placed, Stage
from models.synthesis.scene import NAMES, ball_paints, camera_over, random_turn
from models.synthesis.table_picture import TableStyle

TABLE = table_named("9ft")
CAMERA = camera_over(TABLE, (1280, 720), np.array([0.2, -0.2, 2.5]), np.zeros(2), 0.0, 1030.0, np.zeros(5))


@pytest.fixture(scope="module")
def stage() -> Stage:
    tint = np.ones(3, dtype=np.float32)
    lamps = tuple(Lamp(np.array([x, 0, 1.1], dtype=np.float32), (0.4, 0.12), 0.0, 0.4, tint) for x in (-0.5, 0.5))
    style = TableStyle(CLOTHS["tournament blue"], colour(90, 56, 34), colour(40, 38, 40), seed=4)
    return Stage(CAMERA, Look(TABLE, style, Light(lamps, np.full(3, 0.35, dtype=np.float32))))


def balls_at(places: np.ndarray, names: list[str], seed: int = 0) -> list[Placed]:
    rng = np.random.default_rng(seed)
    paints = ball_paints(rng, "standard")
    at = [np.array([[*place, TABLE.ball_radius]]) for place in places]
    return [Placed(n, p, random_turn(rng), paints[n]) for n, p in zip(names, at, strict=True)]


@pytest.mark.parametrize("rows", [NINE_BALL, TRIANGLE])
def test_the_finder_finds_every_ball_of_a_rack_and_no_other(stage: Stage, rows: tuple[int, ...]) -> None:
    places = np.concatenate([rack(TABLE, rows), [[-0.7, 0.1]]])
    names = [*NAMES[1 : len(places)], "cue"]
    picture, _ = stage.picture(balls_at(places, names), Development(), np.random.default_rng(0))
    view = TopView(TABLE)
    peaks = Finder()(view.rectify(picture, view.maps(CAMERA))).peaks()
    assert len(peaks) == len(places)
    found = view.to_table(peaks.places)
    for place in places:
        assert np.hypot(*(found - place).T).min() < 0.15 * TABLE.ball_diameter


def test_the_namer_says_where_each_ball_is(stage: Stage) -> None:
    names = ["cue", "1", "2", "4", "5", "6", "8", "9"]
    places = np.array([[x, y] for x in (-0.9, -0.3, 0.3, 0.9) for y in (-0.3, 0.3)])
    picture, truth = stage.picture(balls_at(places, names, 3), Development(), np.random.default_rng(0))
    placements = crop_placements(CAMERA, places + 0.004, TABLE.ball_diameter)
    seen = Namer()(cut(picture, placements))
    away = np.hypot(*(to_picture(placements, seen.centre) - truth.px).T)
    assert away.max() < 1.0
    assert seen.names.sum(axis=1) == pytest.approx(1.0)
    assert (seen.names[:, -1] < 0.1).all()
    assert sum(NAMES[k] == n for k, n in zip(seen.names[:, :16].argmax(axis=1), names, strict=True)) >= 7
    assert (np.linalg.eigvalsh(seen.cov) > 0).all()


def test_an_empty_table_has_no_balls(stage: Stage) -> None:
    picture, _ = stage.picture([], Development(), np.random.default_rng(0))
    view = TopView(TABLE)
    assert len(Finder()(view.rectify(picture, view.maps(CAMERA))).peaks()) == 0


def test_no_crops_are_no_names() -> None:
    assert Namer()(np.zeros((0, 40, 40, 3), dtype=np.uint8)).names.shape == (0, 17)


def test_peaks_are_apart_and_best_first() -> None:
    heat = np.zeros((20, 20), dtype=np.float32)
    heat[5, 5], heat[5, 6], heat[12, 3] = 0.6, 0.5, 0.9
    peaks = Findings(heat, np.zeros((20, 20, 2), dtype=np.float32), heat).peaks()
    assert peaks.places.tolist() == [[13.5, 49.5], [21.5, 21.5]]
    assert peaks.score == pytest.approx([0.9, 0.6])


def test_the_finder_refuses_sides_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="multiples of 16"):
        Finder()(np.zeros((100, 96, 3), dtype=np.uint8))


@pytest.mark.parametrize("content", [b"", b"no network at all", b"\x08\x07" * 500])
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"bad\.onnx"):
        Finder(path)


def test_a_cut_off_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "short.onnx"
    path.write_bytes(FINDER_PATH.read_bytes()[:200_000])
    with pytest.raises(ModelError):
        Finder(path)


def test_a_missing_and_a_huge_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot read"):
        Namer(tmp_path / "none.onnx")
    (tmp_path / "huge.onnx").write_bytes(bytes(6_000_000))
    with pytest.raises(ModelError, match="too large"):
        Namer(tmp_path / "huge.onnx")


def test_the_other_network_is_refused() -> None:
    with pytest.raises(ModelError, match="not the expected network"):
        Finder(NAMER_PATH)
    with pytest.raises(ModelError, match="not the expected network"):
        Namer(FINDER_PATH)


def test_networks_are_small_and_have_a_fingerprint() -> None:
    assert FINDER_PATH.stat().st_size + NAMER_PATH.stat().st_size < 2_000_000
    assert len(Finder().sha256) == len(Namer().sha256) == 64
