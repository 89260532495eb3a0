"""After a power cut: journals are repaired and said, the rack in play goes on, others are closed; nothing is lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from device.files import write_text
from device.live.leftovers import Unfinished, finish, journal_path, open_journal, take_up
from record.document import from_json, to_json
from record.entries import Observation
from record.journal import Journal, JournalBusyError, read_journal
from record.rack import RackRecord
from record.shot import Shot
from tests.adjudication.racks import layout, rack, shot
from tests.device.alerts.values import ruling

NOW = datetime(2026, 12, 1, 20, 0, tzinfo=UTC)


def played(minutes_ago: float, index: int = 0, call: str = "legal") -> Shot:
    wall = (NOW - timedelta(minutes=minutes_ago)).isoformat()
    found = shot(index, "A", "cue>1", layout())
    return found.model_copy(update={"wall_time": wall, "ruling": ruling(call, None)})


def left(folder: Path, name: str, *shots: Shot, **changed: object) -> RackRecord:
    """A journal that an earlier run left open."""
    header = rack("upa-9ball").model_copy(update={"rack_id": name, **changed})
    journal = open_journal(folder, header, lambda text: None)
    for one in shots:
        journal.append(one)
    record = journal.record
    journal.close()
    return record


class Taken:
    """What became of the journals."""

    def __init__(self, folder: Path) -> None:
        self.said: list[str] = []
        self.closed: list[str] = []
        like = rack("upa-9ball")

        def finished(record: RackRecord) -> None:
            self.closed.append(record.rack_id)
            finish(folder, record)

        self.unfinished: Unfinished | None = take_up(folder, NOW, like, self.said.append, finished)


def test_the_rack_in_play_goes_on(tmp_path: Path) -> None:
    left(tmp_path, "r", played(3))
    taken = Taken(tmp_path)
    assert taken.unfinished is not None
    assert taken.unfinished.record.rack_id == "r"
    assert taken.unfinished.away == pytest.approx(180)
    assert taken.closed == []
    assert taken.said == []


@pytest.mark.parametrize(
    ("shots", "changed"),
    [
        ([played(31)], {}),
        ([played(-10)], {}),
        ([played(3, call="rack_over")], {}),
        ([played(3)], {"table_id": "another"}),
        ([played(3)], {"rules": "napa-9ball"}),
        ([], {}),
    ],
    ids=["long ago", "the clock was wrong", "over", "another table", "another game", "no shot"],
)
def test_what_cannot_go_on_is_closed_with_all_it_holds(
    shots: list[Shot], changed: dict[str, object], tmp_path: Path
) -> None:
    record = left(tmp_path, "r", *shots, **changed)
    taken = Taken(tmp_path)
    assert taken.unfinished is None
    assert taken.closed == ["r"]
    assert from_json((tmp_path / "racks" / "r.json").read_text(encoding="utf-8")) == record
    assert not journal_path(tmp_path, "r").exists()


def test_of_two_the_latest_goes_on(tmp_path: Path) -> None:
    left(tmp_path, "early", played(20))
    left(tmp_path, "late", played(2))
    taken = Taken(tmp_path)
    assert taken.unfinished is not None
    assert taken.unfinished.record.rack_id == "late"
    assert taken.closed == ["early"]


def test_a_torn_end_is_repaired_and_said(tmp_path: Path) -> None:
    left(tmp_path, "r", played(3), played(2, 1))
    path = journal_path(tmp_path, "r")
    path.write_bytes(path.read_bytes()[:-7])
    taken = Taken(tmp_path)
    assert taken.unfinished is not None
    assert [entry.index for entry in taken.unfinished.record.entries if isinstance(entry, Shot)] == [0]
    assert "broke off after 1 entries" in taken.said[0]


def test_a_journal_that_cannot_be_read_is_said_and_left_alone(tmp_path: Path) -> None:
    path = journal_path(tmp_path, "r")
    path.parent.mkdir()
    path.write_bytes(b"no journal\n")
    taken = Taken(tmp_path)
    assert taken.unfinished is None
    assert len(taken.said) == 1
    assert path.read_bytes() == b"no journal\n"


def test_a_journal_is_gone_on_with(tmp_path: Path) -> None:
    record = left(tmp_path, "r", played(3))
    journal = open_journal(tmp_path, record, lambda text: None)
    assert isinstance(journal, Journal)
    journal.append(Observation(t=99.0, what="watch_resumed"))
    journal.close()
    assert len(read_journal(journal_path(tmp_path, "r")).entries) == 2


def add(folder: Path, name: str, what: str) -> None:
    """Another process adds to a journal."""
    journal, _ = Journal.reopen(journal_path(folder, name))
    with journal:
        journal.append(Observation(t=99.0, what=what))


def document(folder: Path, name: str) -> RackRecord:
    return from_json((folder / "racks" / f"{name}.json").read_text(encoding="utf-8"))


def test_what_was_added_while_the_rack_ended_is_in_its_document(tmp_path: Path) -> None:
    mine = left(tmp_path, "r", played(3))
    add(tmp_path, "r", "said_by_another")
    whole = finish(tmp_path, mine)
    assert [getattr(e, "what", e.type) for e in whole.entries] == ["shot", "said_by_another"]
    assert document(tmp_path, "r") == whole
    assert not journal_path(tmp_path, "r").exists()


def test_while_another_process_adds_the_rack_is_not_finished(tmp_path: Path) -> None:
    mine = left(tmp_path, "r", played(3))
    held, _ = Journal.reopen(journal_path(tmp_path, "r"))
    with held, pytest.raises(JournalBusyError):
        finish(tmp_path, mine)
    assert not (tmp_path / "racks" / "r.json").exists()
    finish(tmp_path, mine)
    assert document(tmp_path, "r").entries == mine.entries


def test_a_cut_before_the_journal_was_gone_loses_nothing_that_was_said_of_the_document_since(tmp_path: Path) -> None:
    mine = left(tmp_path, "r", played(3))
    later = mine.model_copy(update={"entries": [*mine.entries, Observation(t=50.0, what="said_later")]})
    write_text(tmp_path / "racks" / "r.json", to_json(later))
    taken = Taken(tmp_path)
    assert taken.unfinished is None
    assert taken.closed == ["r"]
    assert document(tmp_path, "r") == later
    assert not journal_path(tmp_path, "r").exists()


def test_a_document_that_broke_off_is_written_anew_from_the_journal(tmp_path: Path) -> None:
    mine = left(tmp_path, "r", played(3))
    (tmp_path / "racks" / "r.json").write_text('{"format": "rack-rec', encoding="utf-8")
    finish(tmp_path, mine)
    assert document(tmp_path, "r").entries == mine.entries


def test_a_damaged_journal_is_set_aside_and_what_is_known_is_written(tmp_path: Path) -> None:
    mine = left(tmp_path, "r", played(5), played(3, 1))
    path = journal_path(tmp_path, "r")
    data = path.read_bytes()
    path.write_bytes(data[:400] + b"x" + data[401:])
    finish(tmp_path, mine)
    assert document(tmp_path, "r").entries == mine.entries
    assert path.with_name("r.journal.damaged").exists()
