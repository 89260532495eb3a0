"""The measuring of the eyes: what counts as found, false, named; what rivals are given; the command that prints it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from calibration.calibration import calibrate_on_corners
from calibration.table import table_named
from device.cli import app
from lab.eyes.benchmark import drawn
from lab.eyes.costs import film, in_motion
from lab.eyes.counting import Count, Seen, ball_pixels
from lab.eyes.labelled import Labelled, labelled
from lab.eyes.rivals import hough
from models.loading import Finder, Namer

NINE = table_named("9ft")
CORNERS = [(140.0, 110.0), (140.0, 610.0), (1140.0, 610.0), (1140.0, 110.0)]
RUN = CliRunner()


def picture(px: Any, names: tuple[str | None, ...] = (), loose: Any = (), count: int | None = None) -> Labelled:
    known = calibrate_on_corners(CORNERS, NINE, (1280, 720))
    places = None if px is None else np.array(px, dtype=np.float64).reshape(-1, 2)
    given = names or (None,) * (0 if places is None else len(places))
    blank = np.zeros((720, 1280, 3), dtype=np.uint8)
    away = np.array(loose, dtype=np.float64).reshape(-1, 2)
    return Labelled("set", "one", blank, known, places, given, len(given) if count is None else count, away)


def counted(one: Labelled, seen: Any, names: tuple[str, ...] = ()) -> Count:
    count = Count()
    count.add(one, Seen(np.array(seen, dtype=np.float64).reshape(-1, 2), names))
    return count


def test_balls_are_found_false_and_named() -> None:
    one = picture([(300.0, 300.0), (600.0, 400.0), (800.0, 200.0)], ("cue", "3", None))
    found = counted(one, [(301.0, 300.0), (600.0, 402.0), (900.0, 500.0)], ("cue", "7", "1"))
    assert (found.balls, found.found, found.false) == (3, 2, 1)
    assert (found.named, found.named_right) == (2, 1)
    assert found.misnamed == ["one: 3 called 7"]
    assert found.errors == pytest.approx([1 / ball_pixels(one), 2 / ball_pixels(one)])


def test_one_ball_seen_twice_is_found_once_and_false_once() -> None:
    found = counted(picture([(300.0, 300.0)]), [(299.0, 300.0), (303.0, 300.0)])
    assert (found.found, found.false) == (1, 1)


def test_a_ball_in_a_pocket_may_be_seen_or_not() -> None:
    one = picture([(300.0, 300.0)], loose=[(1140.0, 610.0)])
    assert counted(one, [(300.0, 300.0), (1141.0, 611.0)]).false == 0
    assert counted(one, [(300.0, 300.0)]).false == 0


def test_of_a_picture_whose_balls_are_only_counted_too_many_are_false() -> None:
    one = picture(None, count=2)
    assert counted(one, [(300.0, 300.0), (500.0, 300.0), (700.0, 300.0)]).false == 1
    assert counted(one, [(300.0, 300.0)]).false == 0
    assert counted(one, [(300.0, 300.0)]).balls == 0


def test_circles_are_looked_for_as_large_as_a_ball_and_on_the_table() -> None:
    one = picture([(300.0, 300.0)])
    assert one.px is not None
    radius = round(ball_pixels(one) / 2)
    shown = np.full((720, 1280, 3), 90, dtype=np.uint8)
    for middle, size in (((300, 300), radius), ((700, 400), 3 * radius), ((40, 40), radius)):
        cv2.circle(shown, middle, size, (240, 240, 240), -1, cv2.LINE_AA)
    seen = hough(Labelled("set", "one", shown, one.calibration, one.px, (None,), 1, np.zeros((0, 2))))
    assert len(seen.px) >= 1
    assert np.hypot(*(seen.px - one.px[0]).T).min() < 3.0
    assert np.hypot(*(seen.px - [40.0, 40.0]).T).min() > 100.0


def test_drawn_pictures_are_the_same_for_a_seed() -> None:
    first, again = (next(iter(drawn(1, seed=5))) for _ in range(2))
    assert np.array_equal(first.picture, again.picture)
    assert first.px is not None
    assert len(first.px) == len(first.names) == first.count > 0


def test_what_a_frame_costs_is_told_frame_by_frame() -> None:
    shown = film(count=3)
    spent = in_motion(shown, Finder(), Namer())
    assert len(spent) == 2
    assert all(ms > 0 for ms in spent)


def test_sets_of_pictures_are_read_where_they_lie(tmp_path: Path) -> None:
    """A still with a layout, some of whose names nobody is sure of, beside the same table empty."""
    folder = tmp_path / "overhead_pool_stills"
    folder.mkdir()
    for name in ("balls.png", "empty.png"):
        cv2.imwrite(str(folder / name), np.zeros((720, 1280, 3), dtype=np.uint8))
    truth = {
        "clip": "balls.png",
        "empty_table": "empty.png",
        "corners_px": CORNERS,
        "layout": {"cue": [300.0, 300.0], "7": [500.0, 400.0]},
        "layout_sure": {"cue": True, "7": False},
    }
    (folder / "balls.truth.json").write_text(json.dumps(truth))
    with_balls, empty = labelled(tmp_path)
    assert with_balls.names == ("cue", None)
    assert (with_balls.count, empty.count) == (2, 0)


def test_the_command_prints_figures_with_their_goals() -> None:
    told = RUN.invoke(app, ["bench-eyes", "--drawn", "3", "--json"])
    assert told.exit_code in (0, 7), told.output
    said = json.loads(told.stdout)
    names = [figure["name"] for figure in said["figures"]]
    assert "drawn, all conditions, ours: balls found" in names
    assert "drawn, all conditions, HoughCircles: balls found" in names
    assert "cost in motion (six balls roll)" in names
    weights = next(figure for figure in said["figures"] if figure["name"] == "weights")
    assert weights["met"]


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    assert RUN.invoke(app, ["bench-eyes", str(tmp_path / "none")]).exit_code == 3
    assert RUN.invoke(app, ["bench-eyes", "--rival", str(tmp_path / "none.onnx")]).exit_code == 3
