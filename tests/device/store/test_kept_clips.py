"""Clips in the index: none on the disk is forgotten, and those of disputed shots are flagged however that came."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from device.store import questions
from device.store.library import Library
from device.store.opening import FILE
from device.store.questions import Filter
from device.store.tables import ClipRow
from record.entries import Override
from record.ruling import Next, Ruling
from tests.adjudication.racks import says
from tests.device.store.test_store import _quiet, _record

LEGAL, FOUL, DOUBTFUL = 0, 1, 2


@pytest.fixture
def library(tmp_path: Path) -> Library:
    (tmp_path / "clips").mkdir()
    made = Library(tmp_path, _quiet)
    made.put(_record("one"))
    return made


def _write(library: Library, *names: str) -> None:
    for name in names:
        (library.folder / "clips" / name).write_bytes(b"clip")


def _clip(number: int) -> ClipRow:
    return ClipRow(file=f"one-{number:03}.mp4", rack="one", number=number, made=5.0, size=4, flagged=False)


def _flags(library: Library) -> dict[str, bool]:
    return {row.file: row.flagged for row in library.clips()}


def test_clips_are_found_again_when_the_index_is_lost(library: Library) -> None:
    _write(library, "one-000.mp4", "one-001.mp4", "one-002.mp4", "gone-rack-012.mp4", "holiday.mp4")
    library.engine.dispose()
    (library.folder / FILE).unlink()
    again = Library(library.folder, _quiet)
    assert _flags(again) == {
        "one-000.mp4": False,
        "one-001.mp4": True,
        "one-002.mp4": True,
        "gone-rack-012.mp4": False,
    }
    assert {(row.rack, row.number, row.size) for row in again.clips() if row.rack != "one"} == {("gone-rack", 12, 4)}


def test_a_clip_that_is_gone_is_no_longer_in_the_index(library: Library) -> None:
    library.note_clip(_clip(LEGAL))
    library.catch_up()
    assert _flags(library) == {}


@pytest.mark.parametrize(
    "said",
    [
        says(60.0, "A", "protest", of_shot=LEGAL),
        Override(
            t=60.0,
            of_shot=LEGAL,
            by="referee",
            ruling=Ruling(call="legal", next=Next(player="A", cue_ball="in_position"), explanation="As it was."),
            reason="clip",
        ),
    ],
)
@pytest.mark.parametrize("clip_first", [True, False])
def test_a_protest_or_a_persons_ruling_flags_the_clip(library: Library, said: Any, clip_first: bool) -> None:
    if clip_first:
        library.note_clip(_clip(LEGAL))
    library.append("one", said)
    if not clip_first:
        library.note_clip(_clip(LEGAL))
    assert _flags(library) == {"one-000.mp4": True}


def test_a_flag_stays_when_a_clip_is_noted_again(library: Library) -> None:
    flagged = _clip(LEGAL)
    flagged.flagged = True
    library.note_clip(flagged)
    library.note_clip(_clip(LEGAL))
    assert _flags(library) == {"one-000.mp4": True}


def test_an_erased_rack_takes_its_clips_along(library: Library) -> None:
    library.put(_record("two"))
    _write(library, "one-000.mp4", "two-000.mp4")
    library.catch_up()
    library.remove("one")
    assert list(_flags(library)) == ["two-000.mp4"]
    assert [path.name for path in (library.folder / "clips").iterdir()] == ["two-000.mp4"]
    assert [row.id for row in questions.racks(library.engine, Filter()).rows] == ["two"]
