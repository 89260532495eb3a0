"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from device.files import OutputError, write_text, write_whole


def test_a_file_is_written_with_its_folders(tmp_path: Path) -> None:
    write_text(tmp_path / "a" / "b.txt", "é")
    assert (tmp_path / "a" / "b.txt").read_text(encoding="utf-8") == "é"


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "rack.json"
    write_text(target, "old")

    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_text(target, "new")
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        write_whole(tmp_path / "x", b"1")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    with pytest.raises(OutputError, match="cannot write"):
        write_text(tmp_path / "f" / "x.json", "1")
