"""`headstring infer` and `headstring lab` from the command line: positions in, a record out; errors in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import lab
from device.cli import app
from device.positions_file import read_positions, scatter, with_noise
from device.source import SourceError
from record.document import from_json
from record.shot import Shot

DEMO = Path(lab.__file__).parent / "footage" / "demo.npz"
TRUTH = json.loads(DEMO.with_suffix(".json").read_text(encoding="utf-8"))
runner = CliRunner()


def shots_of(path: Path) -> list[Shot]:
    return [e for e in from_json(path.read_text(encoding="utf-8")).entries if isinstance(e, Shot)]


@pytest.mark.parametrize("noise", ["0", "0.0015"])
def test_exact_and_noisy_positions_give_the_shots_of_the_truth(tmp_path: Path, noise: str) -> None:
    out = tmp_path / "rack.json"
    done = runner.invoke(app, ["infer", str(DEMO), "--table", "9ft", "-o", str(out), "--noise", noise])
    assert done.exit_code == 0, done.output
    shots = shots_of(out)
    assert len(shots) == len(TRUTH["shots"])
    for shot, true in zip(shots, TRUTH["shots"], strict=True):
        contact = next(e for e in shot.events if e.type == "ball_contact" and "cue" in e.balls)
        assert set(contact.balls) == {"cue", true["facts"]["first_contact"]}
        fallen = [e.ball for e in shot.events if e.type == "pocketed" and e.ball != "cue"]
        assert fallen == true["facts"]["pocketed"]
        assert abs(shot.t_strike - true["t_strike"]) < 0.005
        assert shot.ruling is not None


def test_the_same_seed_gives_the_same_record(tmp_path: Path) -> None:
    texts = []
    for name in ("a", "b"):
        out = tmp_path / f"{name}.json"
        line = ["infer", str(DEMO), "--table", "9ft", "-o", str(out), "--noise", "0.002", "--seed", "5", "--json"]
        texts.append(runner.invoke(app, line).output)
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"t": np.arange(3.0), "xy": np.zeros((3, 1, 2))}, "no array 'balls'"),
        ({"t": np.arange(3.0), "balls": np.array(["cue"]), "xy": np.zeros((4, 1, 2))}, "shape"),
        ({"t": np.zeros(3), "balls": np.array(["cue"]), "xy": np.zeros((3, 1, 2))}, "rise"),
        ({"t": np.arange(3.0), "balls": np.array(["17"]), "xy": np.zeros((3, 1, 2))}, "'17' is no ball"),
        ({"t": np.arange(3.0), "balls": np.array(["cue"]), "xy": np.full((3, 1, 2), np.nan)}, "no ball is seen"),
        ({"t": np.arange(3.0), "balls": np.array(["cue"], dtype=object), "xy": np.zeros((3, 1, 2))}, "cannot be read"),
    ],
)
def test_arrays_that_are_no_positions_are_refused_in_one_line(tmp_path: Path, arrays: Any, said: str) -> None:
    path = tmp_path / "tracks.npz"
    np.savez(path, **arrays)
    done = runner.invoke(app, ["infer", str(path), "--table", "9ft", "-o", str(tmp_path / "r.json")])
    assert done.exit_code == 3
    assert said in " ".join(done.output.split())
    assert "Traceback" not in done.output
    assert not (tmp_path / "r.json").exists()


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tracks.npz"
    path.write_bytes(b"PK\x03\x04 not a zip")
    with pytest.raises(SourceError, match="cannot be read"):
        read_positions(path)
    with pytest.raises(SourceError, match="no such file"):
        read_positions(tmp_path / "none.npz")


def test_the_scatter_of_positions_is_told_from_themselves() -> None:
    exact = read_positions(DEMO)
    assert scatter(with_noise(exact, 0.002, 1)) == pytest.approx(0.002, rel=0.1)


def test_the_lab_prints_its_table_and_says_so_where_a_goal_is_missed() -> None:
    line = ["lab", "--shots", "4", "--kind", "stun", "--kind", "safety", "--fps", "60", "--noise", "0.0015", "--json"]
    done = runner.invoke(app, line)
    found = json.loads(done.output)
    names = {figure["name"]: figure for figure in found["figures"]}
    assert names["first contact right when decided"]["n"] == 4
    assert done.exit_code == (7 if any(f["met"] is False for f in found["figures"]) else 0)
    assert found["conditions"]["seed"] == 1


def test_an_unknown_kind_of_shot_is_refused() -> None:
    done = runner.invoke(app, ["lab", "--kind", "moonshot"])
    assert done.exit_code == 2
    assert "kinds are" in done.output
