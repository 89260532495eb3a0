"""What fails beyond the journal is said, and never keeps a rack from being written."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from device.clips.recorder import ShelfError
from device.keys import KeyStore
from device.live.keeping import Keeping, shelf_of
from device.store import questions
from device.store.library import Library
from device.store.opening import FILE
from device.store.questions import Filter
from record.rack import RackRecord
from record.seal import Standing, sealed_by, verify
from tests.device.store.test_store import _quiet, _record

RACK = _record("one")


def _as_it_is(record: RackRecord) -> RackRecord:
    return record


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path, _quiet)


def test_a_rack_that_ended_is_sealed_and_in_the_index(library: Library) -> None:
    keys = KeyStore(library.folder / "keys")
    keys.create("table 1")
    Keeping(library.folder, library, sealed_by(keys.private, lambda: 0.0), _quiet).finished(RACK)
    document = json.loads((library.folder / "racks" / "one.json").read_text(encoding="utf-8"))
    assert verify(document, keys.by_id()).standing is Standing.INTACT
    assert [row.sealed for row in questions.racks(library.engine, Filter()).rows] == [True]


def test_without_a_key_the_rack_is_written_all_the_same(library: Library) -> None:
    said: list[str] = []
    keys = KeyStore(library.folder / "keys")
    Keeping(library.folder, library, sealed_by(keys.private, lambda: 0.0), said.append).finished(RACK)
    assert library.read("one") == RACK
    assert len(said) == 1
    assert "the rack one is not sealed (there is no key" in said[0]


def test_an_index_that_is_locked_is_said_once_and_caught_up_with_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.store.opening.BUSY", 0.1)
    library, said = Library(tmp_path, _quiet), list[str]()
    keeping = Keeping(tmp_path, library, _as_it_is, said.append)
    holder = sqlite3.connect(tmp_path / FILE)
    holder.execute("BEGIN EXCLUSIVE")
    keeping.written(RACK)
    keeping.finished(RACK)
    with pytest.raises(ShelfError, match="locked"):
        shelf_of(library).drop("one-000.mp4")
    holder.rollback()
    holder.close()
    assert len(said) == 1
    assert "locked by another process" in said[0]
    library.catch_up()
    assert [row.shots for row in questions.racks(library.engine, Filter()).rows] == [3]


def test_a_rack_that_the_index_cannot_hold_is_written_and_said(library: Library) -> None:
    said: list[str] = []
    odd = RACK.model_copy(update={"rack_id": "table one"})
    Keeping(library.folder, library, _as_it_is, said.append).finished(odd)
    assert (library.folder / "racks" / "table one.json").exists()
    assert "the index is behind" in said[0]
