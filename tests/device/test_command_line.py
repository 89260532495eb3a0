"""The command line: the main job from a file to rulings, and each bad input as one clear line with its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import jsonschema
import numpy as np
import pytest

from device.source import VideoFile
from device.terminal import Exit
from record.document import from_json, to_json
from record.schema import json_schema
from record.shot import Shot
from tests.adjudication.racks import layout, rack, shot
from tests.device.clips import grey, write_video


def headstring(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would; no traceback may ever be shown."""
    done = subprocess.run(
        [sys.executable, "-c", "from device.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
        check=False,
        timeout=300,
    )
    assert "Traceback" not in done.stderr
    return done


def refused(code: Exit, says: str, *arguments: str | Path) -> None:
    done = headstring(*arguments)
    assert done.returncode == code, done.stderr
    lines = [line for line in done.stderr.strip().splitlines() if line.startswith("error:")]
    assert len(lines) == 1, done.stderr
    assert says in lines[0]


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory, demo_clip: Path) -> Path:
    """The built-in clip, analysed once with everything written."""
    folder = tmp_path_factory.mktemp("demo")
    done = headstring(
        "analyze", demo_clip, "--table", "9ft", "--head-end", "left", "--players", "Ann,Bob", "--overlay", "-o", folder
    )
    assert done.returncode == 0, done.stderr
    assert "was hit first, not" in done.stdout
    return folder


def test_the_built_in_clip_is_ruled_right(analysed: Path) -> None:
    record = from_json((analysed / "rack.json").read_text(encoding="utf-8"))
    shots = [entry for entry in record.entries if isinstance(entry, Shot)]
    assert [one.ruling.call for one in shots if one.ruling] == ["legal", "foul"]
    assert shots[1].ruling is not None
    assert [foul.code for foul in shots[1].ruling.fouls] == ["bad_hit"]
    assert record.players[0].name == "Ann"


def test_the_record_validates_and_judging_it_again_gives_the_same(analysed: Path) -> None:
    text = (analysed / "rack.json").read_text(encoding="utf-8")
    jsonschema.validate(json.loads(text), json_schema())
    done = headstring("adjudicate", analysed / "rack.json")
    assert done.returncode == 0
    assert done.stdout == text


def test_pictures_and_overlay_are_written(analysed: Path) -> None:
    pictures = sorted(path.name for path in (analysed / "shots").iterdir())
    assert pictures == ["000.png", "001.png"]
    picture = cv2.imread(str(analysed / "shots" / "000.png"))
    assert picture is not None
    assert picture.shape[1] == 1240
    frames = list(VideoFile(analysed / "overlay.mp4"))
    assert len(frames) > 200
    assert not list(analysed.glob(".*"))


def test_the_record_tells_where_it_comes_from(analysed: Path) -> None:
    provenance = json.loads((analysed / "rack.json").read_text(encoding="utf-8"))["provenance"]
    assert len(provenance["model"]["finder"]) == 64
    assert provenance["calibration"]["residuals"]["diamonds_seen"] >= 16
    assert provenance["source"]["frames"] > 200


def test_calibrate_writes_a_calibration_that_analyze_takes(demo_clip: Path, tmp_path: Path) -> None:
    done = headstring("calibrate", demo_clip, "--table", "9ft", "--head-end", "left", "-o", tmp_path / "cal.json")
    assert done.returncode == 0, done.stderr
    assert "18 of 18 seen" in done.stdout or "diamonds" in done.stdout
    assert (tmp_path / "cal.png").exists()
    detected = headstring("detect", demo_clip, "--calibration", tmp_path / "cal.json", "--json")
    assert len(json.loads(detected.stdout)["pictures"]) >= 8


def test_detect_names_the_balls_of_a_picture(demo_clip: Path, tmp_path: Path) -> None:
    frame = next(iter(VideoFile(demo_clip)))
    picture = tmp_path / "table.png"
    cv2.imwrite(str(picture), frame.pixels)
    done = headstring("detect", picture, "--table", "9ft", "--json", "--overlay", tmp_path / "marked")
    assert done.returncode == 0, done.stderr
    balls = {ball["ball"] for ball in json.loads(done.stdout)["balls"]}
    truth = json.loads(demo_clip.with_suffix(".json").read_text(encoding="utf-8"))
    assert balls == set(truth["shots"][0]["layout_before"])
    assert (tmp_path / "marked" / "table.png").exists()


def test_the_version_is_told() -> None:
    assert headstring("--version").stdout.startswith("headstring ")


def test_a_file_that_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "x.mp4"
    path.write_text("no video")
    refused(Exit.UNREADABLE, "not a video", "analyze", path, "--table", "9ft", "-o", tmp_path / "o")
    refused(Exit.UNREADABLE, "no such file", "detect", tmp_path / "gone.png", "--table", "9ft")
    assert not (tmp_path / "o").exists()


def test_a_video_without_a_table(tmp_path: Path) -> None:
    black = write_video(tmp_path / "black.mp4", [(k / 30, grey(0)) for k in range(20)])
    refused(Exit.NO_TABLE, "no pool table found", "analyze", black, "--table", "9ft", "-o", tmp_path / "o")
    noise = np.random.default_rng(0).integers(0, 255, (180, 320, 3), dtype=np.uint8)
    snow = write_video(tmp_path / "snow.mp4", [(k / 30, noise) for k in range(20)])
    refused(Exit.NO_TABLE, "no pool table found", "calibrate", snow, "--table", "9ft", "-o", tmp_path / "c.json")


def test_half_a_table(demo_clip: Path, tmp_path: Path) -> None:
    frame = next(iter(VideoFile(demo_clip)))
    cv2.imwrite(str(tmp_path / "half.png"), frame.pixels[:, :640])
    refused(Exit.NO_TABLE, "", "calibrate", tmp_path / "half.png", "--table", "9ft", "-o", tmp_path / "c.json")


def test_a_wrong_table_size_is_told_from_the_balls(demo_clip: Path, tmp_path: Path) -> None:
    for wrong in ("7ft", "8ft"):
        refused(Exit.NO_TABLE, "9ft would fit", "analyze", demo_clip, "--table", wrong, "-o", tmp_path / "o")


def test_wrong_options(demo_clip: Path, tmp_path: Path) -> None:
    out = tmp_path / "o"
    refused(Exit.USAGE, "--table", "analyze", demo_clip, "-o", out)
    refused(Exit.USAGE, "unknown table", "analyze", demo_clip, "--table", "12ft", "-o", out)
    refused(Exit.USAGE, "unknown rules", "analyze", demo_clip, "--table", "9ft", "--rules", "x", "-o", out)
    refused(Exit.USAGE, "--head-end", "analyze", demo_clip, "--table", "9ft", "--head-end", "up", "-o", out)
    refused(Exit.USAGE, "--corners", "analyze", demo_clip, "--table", "9ft", "--corners", "1,2", "-o", out)
    refused(Exit.USAGE, "--players", "analyze", demo_clip, "--table", "9ft", "--players", "Ann", "-o", out)


def test_a_calibration_of_another_camera(demo_clip: Path, tmp_path: Path) -> None:
    small = write_video(tmp_path / "small.mp4", [(k / 30, grey(90)) for k in range(5)])
    headstring("calibrate", demo_clip, "--table", "9ft", "-o", tmp_path / "c.json")
    out = tmp_path / "o"
    refused(Exit.NO_TABLE, "1280×720", "analyze", small, "--calibration", tmp_path / "c.json", "-o", out)
    (tmp_path / "bad.json").write_text("{}")
    refused(Exit.NO_TABLE, "not a calibration", "analyze", demo_clip, "--calibration", tmp_path / "bad.json", "-o", out)


def test_a_damaged_record_is_judged_up_to_the_damage(tmp_path: Path) -> None:
    first = shot(0, "A", "cue>1 2|left 5|foot 7|right", layout())
    text = to_json(rack("upa-9ball", first, shot(1, "B", "cue>3", layout(cue=(-0.3, 0.1)))))
    path = tmp_path / "r.json"
    path.write_text(text[:-400], encoding="utf-8")
    done = headstring("adjudicate", path)
    assert done.returncode == Exit.BAD_RECORD
    assert "breaks off after 1 sound entries" in done.stderr
    assert json.loads(done.stdout)["entries"][0]["ruling"]["call"] == "legal"


def test_a_record_with_an_unknown_ball_is_judged_up_to_it(tmp_path: Path) -> None:
    first = shot(0, "A", "cue>1 2|left 5|foot 7|right", layout())
    value = json.loads(to_json(rack("upa-9ball", first, shot(1, "B", "cue>3", layout(cue=(-0.3, 0.1))))))
    value["entries"][1]["layout_before"]["42"] = [0, 0]
    path = tmp_path / "r.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    refused(Exit.BAD_RECORD, "entry 1 is unsound", "adjudicate", path)


def test_what_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text('{"format": "rack-record/9"}', encoding="utf-8")
    refused(Exit.BAD_RECORD, "rack-record/9", "adjudicate", path)
    path.write_bytes(b"\xff\xfe\x00")
    refused(Exit.BAD_RECORD, "not text", "adjudicate", path)
    refused(Exit.UNREADABLE, "cannot read", "adjudicate", tmp_path / "none.json")
