"""A rack that comes twice: the copy that holds more stays, nothing sound is lost, and a rack in play is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from device.cli import app
from device.keys import KeyStore
from device.store.arriving import RackInPlayError, RefusedRecordError, kept
from device.store.library import Library
from device.store.sealing import resealing
from record.document import to_json
from record.entries import Observation, Override
from record.journal import Journal
from record.rack import RackRecord
from tests.device.alerts.values import ruling
from tests.device.store.test_store import BREAK, _quiet, _record

RACK = _record("one")
OVERRULED = RACK.model_copy(
    update={"entries": [*RACK.entries, Override(t=90.0, of_shot=0, by="referee", ruling=ruling(), reason="seen")]}
)


def sealed(record: RackRecord, folder: Path) -> RackRecord:
    keys = KeyStore(folder / "other-keys")
    if not (keys.folder / "device.key").exists():
        keys.create("another table")
    return resealing(keys, lambda: 0.0)(record)


@pytest.mark.parametrize(("stored", "comes"), [(OVERRULED, RACK), (RACK, OVERRULED)])
def test_an_older_copy_takes_no_override_away_and_a_newer_one_brings_it(stored: RackRecord, comes: RackRecord) -> None:
    assert kept(stored, comes) == OVERRULED


def test_a_copy_that_was_judged_anew_is_the_same_rack() -> None:
    bare = [e.model_copy(update={"ruling": None}) for e in RACK.entries]
    assert kept(OVERRULED, RACK.model_copy(update={"entries": bare})) == OVERRULED


def test_a_copy_without_seals_does_not_replace_a_sealed_one(tmp_path: Path) -> None:
    mine = sealed(RACK, tmp_path)
    assert kept(mine, RACK) == mine
    assert kept(RACK, mine) == mine


def test_copies_that_both_hold_something_of_their_own_are_refused() -> None:
    other = RACK.model_copy(update={"entries": [*RACK.entries, Observation(t=95.0, what="ball_moved")]})
    with pytest.raises(RefusedRecordError, match="with other entries"):
        kept(OVERRULED, other)


def test_a_copy_with_a_broken_seal_does_not_replace_a_sound_one(tmp_path: Path) -> None:
    mine = sealed(RACK, tmp_path)
    changed = mine.model_copy(update={"entries": [*mine.entries[:-1], *OVERRULED.entries[-2:]], "table_id": "other"})
    with pytest.raises(RefusedRecordError, match="changed after it was sealed"):
        kept(mine, changed)


def playing(library: Library) -> Journal:
    folder = library.folder / "racks"
    folder.mkdir(exist_ok=True)
    journal = Journal.create(folder / "one.journal", _record("one", BREAK))
    library.reindex("one")
    return journal


def test_a_rack_in_play_is_not_hidden_by_one_that_comes_nor_erased(tmp_path: Path) -> None:
    library = Library(tmp_path, _quiet)
    with playing(library):
        with pytest.raises(RackInPlayError, match="being played"):
            library.put(RACK)
        with pytest.raises(RackInPlayError, match="being played"):
            library.remove("one")
        name = RACK.players[0].name
        with pytest.raises(RackInPlayError, match="being played"):
            library.erase_player(name)
        assert [player.name for player in library.read("one").players] == [player.name for player in RACK.players]
    assert library.erase_player(name) == 1


def test_the_commands_say_so_in_one_line(tmp_path: Path) -> None:
    library = Library(tmp_path / "data", _quiet)
    (tmp_path / "one.json").write_text(to_json(RACK), encoding="utf-8")
    with playing(library):
        for line in (["import", str(tmp_path / "one.json")], ["store", "erase-player", RACK.players[0].name]):
            done = CliRunner().invoke(app, [*line, "--data", str(library.folder)])
            assert done.exit_code == 2
            assert "being played" in done.output
            assert len(done.output.strip().splitlines()) <= 2
