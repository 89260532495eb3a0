"""What fails beyond the journal is said, and never keeps a rack from being written."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from device.clips.recorder import ShelfError
from device.keys import KeyStore
from device.live.keeping import Keeping, shelf_of
from device.live.late_index import EVERY, LateIndex
from device.store import questions
from device.store.library import Library
from device.store.opening import FILE, StoreError
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
    Keeping(library.folder, lambda: library, sealed_by(keys.private, lambda: 0.0), _quiet).finished(RACK)
    document = json.loads((library.folder / "racks" / "one.json").read_text(encoding="utf-8"))
    assert verify(document, keys.by_id()).standing is Standing.INTACT
    assert [row.sealed for row in questions.racks(library.engine, Filter()).rows] == [True]


def test_without_a_key_the_rack_is_written_all_the_same(library: Library) -> None:
    said: list[str] = []
    keys = KeyStore(library.folder / "keys")
    Keeping(library.folder, lambda: library, sealed_by(keys.private, lambda: 0.0), said.append).finished(RACK)
    assert library.read("one") == RACK
    assert len(said) == 1
    assert "the rack one is not sealed (there is no key" in said[0]


def test_an_index_that_is_locked_is_said_once_and_caught_up_with_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.store.opening.BUSY", 0.1)
    library, said = Library(tmp_path, _quiet), list[str]()
    keeping = Keeping(tmp_path, lambda: library, _as_it_is, said.append)
    holder = sqlite3.connect(tmp_path / FILE)
    holder.execute("BEGIN EXCLUSIVE")
    keeping.written(RACK)
    keeping.finished(RACK)
    with pytest.raises(ShelfError, match="locked"):
        shelf_of(lambda: library).drop("one-000.mp4")
    holder.rollback()
    holder.close()
    assert len(said) == 1
    assert "locked by another process" in said[0]
    library.catch_up()
    assert [row.shots for row in questions.racks(library.engine, Filter()).rows] == [3]


def test_a_rack_that_the_index_cannot_hold_is_written_and_said(library: Library) -> None:
    said: list[str] = []
    odd = RACK.model_copy(update={"rack_id": "table one"})
    Keeping(library.folder, lambda: library, _as_it_is, said.append).finished(odd)
    assert (library.folder / "racks" / "table one.json").exists()
    assert "the index is behind" in said[0]


def test_an_index_that_cannot_be_opened_is_tried_again_and_the_racks_are_written_meanwhile(tmp_path: Path) -> None:
    said, now, usable = list[str](), [0.0], [False]

    def opened() -> Library:
        if not usable[0]:
            raise StoreError("the disk is full")
        return Library(tmp_path, _quiet)

    index = LateIndex(opened, lambda: now[0], said.append)
    keeping = Keeping(tmp_path, index.library, _as_it_is, said.append)
    keeping.written(RACK)
    keeping.finished(RACK)
    assert (tmp_path / "racks" / "one.json").is_file()
    assert [text for text in said if "cannot be opened (the disk is full)" in text] == said
    with pytest.raises(ShelfError, match="no index"):
        shelf_of(index.library).kept()
    usable[0], now[0] = True, EVERY
    library = index.library()
    assert library is not None
    assert [row.shots for row in questions.racks(library.engine, Filter()).rows] == [3]
    assert said[-1] == "the index is there again"
