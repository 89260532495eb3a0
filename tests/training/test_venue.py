"""From a recording to a venue's own networks: labels as seen now, put right by a person, learned from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from device.cli import app
from device.commands.train import _is_better
from lab.eyes.counting import Count
from models.labels import PICTURES
from models.loading import networks

RUN = CliRunner()


@pytest.fixture(scope="module")
def venue(demo_clip: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("venue")
    told = RUN.invoke(
        app, ["label", str(demo_clip), "--table", "9ft", "--every", "0.8", "-o", str(folder)], catch_exceptions=False
    )
    assert told.exit_code == 0, told.output
    return folder


def test_a_recording_becomes_marked_pictures(venue: Path) -> None:
    pictures = sorted((venue / PICTURES).iterdir())
    document = json.loads((venue / "annotations.json").read_text())
    assert len(pictures) == len(document["images"]) >= 8
    names = {c["id"]: c["name"] for c in document["categories"]}
    first = [names[a["category_id"]] for a in document["annotations"] if a["image_id"] == 1]
    assert {"cue", "9"} <= set(first)
    assert all(10 < a["bbox"][2] < 60 for a in document["annotations"])


def test_pictures_are_not_written_over(venue: Path, demo_clip: Path) -> None:
    told = RUN.invoke(app, ["label", str(demo_clip), "--table", "9ft", "-o", str(venue)])
    assert told.exit_code == 6


def test_the_networks_go_on_learning_and_before_and_after_are_told(venue: Path) -> None:
    told = RUN.invoke(
        app,
        ["train", "--venue", str(venue), "--finder-steps", "3", "--namer-steps", "3", "--drawn", "4", "--json"],
        catch_exceptions=False,
    )
    assert told.exit_code == 0, told.output
    said = json.loads(told.stdout)
    assert said["before"]["balls found"] == pytest.approx(1.0)
    assert said["pictures"] >= 2
    kept = said["kept"]
    assert (kept is not None) == (venue / "models").joinpath("finder.onnx").exists()
    if kept is not None:
        finder, namer = networks(Path(kept))
        assert finder.sha256 != namer.sha256


def test_too_few_pictures_are_refused(tmp_path: Path, demo_clip: Path) -> None:
    RUN.invoke(app, ["label", str(demo_clip), "--table", "9ft", "--every", "60", "-o", str(tmp_path)])
    told = RUN.invoke(app, ["train", "--venue", str(tmp_path)])
    assert told.exit_code == 3


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        (Count(found=10, named_right=8), Count(found=10, named_right=9), True),
        (Count(found=10, named_right=8), Count(found=9, named_right=10), False),
        (Count(found=10, false=1), Count(found=10, false=2), False),
        (Count(found=10, false=2), Count(found=10, false=1), True),
        (Count(found=10), Count(found=10), False),
    ],
)
def test_networks_are_kept_that_are_better_in_something_and_worse_in_nothing(
    before: Count, after: Count, kept: bool
) -> None:
    assert _is_better(before, after) is kept
