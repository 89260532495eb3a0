"""A whole watch as a user runs it: what it leaves is sealed, in the index, with clips; and the pages were there."""

from __future__ import annotations

import json
from pathlib import Path

from device.store import questions
from device.store.library import Library
from tests.device.alerts.test_sinks import free_port
from tests.device.test_command_line import headstring


def _quiet(text: str) -> None:
    raise AssertionError(text)


def test_a_recording_watched_to_its_end_leaves_sealed_racks_clips_and_an_index(demo_clip: Path, tmp_path: Path) -> None:
    data, config, known = tmp_path / "data", tmp_path / "c.toml", tmp_path / "cal.json"
    assert headstring("calibrate", demo_clip, "--table", "9ft", "--head-end", "left", "-o", known).returncode == 0
    config.write_text(
        f'[camera]\nkind = "file"\npath = "{demo_clip}"\nspeed = "fast"\n[table]\ncalibration = "{known}"\n'
        f'[players]\na = "Ann"\nb = "Bob"\n[data]\nfolder = "{data}"\n[clips]\n[web]\nport = {free_port()}\n',
        encoding="utf-8",
    )
    done = headstring("run", "--config", config)
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stderr.splitlines()]
    assert any("first operator: open /first" in line["message"] for line in said)
    (record,) = (data / "racks").glob("*.json")
    assert headstring("verify", record, "--keys", data / "keys").returncode == 0
    library = Library(data, _quiet)
    (row,) = questions.racks(library.engine, questions.Filter()).rows
    assert (row.player_a, row.shots, row.sealed) == ("Ann", 2, True)
    assert [one.fouls for one in questions.shots_of(library.engine, row.id)] == ["", "bad_hit"]
    clips = sorted(path.name for path in (data / "clips").iterdir())
    assert clips == [f"{row.id}-000.mp4", f"{row.id}-001.mp4"]
    assert [clip.flagged for clip in sorted(library.clips(), key=lambda clip: clip.number)] == [False, True]
