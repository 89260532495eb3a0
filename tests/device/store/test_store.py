"""The index: one rack counts once, lists come a page at a time, and a broken, locked or old file loses nothing."""

from __future__ import annotations

import fcntl
import multiprocessing
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, event, text

from adjudication.judge import adjudicate
from device.files import write_text
from device.keys import KeyStore
from device.store import questions
from device.store.library import Library, UnknownRackError
from device.store.opening import FILE, StoreError, file_system, open_store, truncate_log
from device.store.questions import BadPageError, Filter, ReviewState
from device.store.tables import Base
from record.document import to_json
from record.entries import Override
from record.journal import Journal
from record.rack import Player, RackRecord
from record.ruling import Next, Ruling
from tests.adjudication.racks import layout, rack, says, shot
from tests.device.test_command_line import headstring

BREAK = shot(0, "A", "cue>1 2|left 5|foot 7|right", layout())
BEFORE = layout(cue=(-0.3, 0.11))
BAD = shot(1, "B", "cue>3 3|foot", BEFORE)
DOUBTFUL = shot(2, "A", "cue>1 1|foot %0.5", BEFORE)


def _record(name: str, *entries: Any, started: str = "2026-03-01T19:00:00Z", **more: Any) -> RackRecord:
    judged = adjudicate(rack("upa-9ball", *(entries or (BREAK, BAD, DOUBTFUL))))
    return judged.model_copy(update={"rack_id": name, "started": started, **more})


def _quiet(text: str) -> None:
    raise AssertionError(text)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path, _quiet)


def test_a_rack_and_its_shots_are_found(library: Library) -> None:
    library.put(_record("one"))
    row = questions.rack(library.engine, "one")
    assert row is not None
    assert (row.shots, row.fouls, row.open_reviews, row.over) == (3, 1, 1, False)
    found = questions.shots_of(library.engine, "one")
    assert [(one.call, one.fouls, one.needs_review) for one in found] == [
        ("legal", "", False),
        ("foul", "bad_hit", False),
        ("legal", "", True),
    ]
    assert (found[1].taken, found[0].on_break, found[1].player_name) == (16.0, True, "B")


def test_a_rack_that_comes_twice_counts_once(library: Library) -> None:
    library.put(_record("one", BREAK))
    library.put(_record("one"))
    library.put(_record("one", BREAK))
    assert len(questions.racks(library.engine, Filter()).rows) == 1
    assert len(questions.shots(library.engine, Filter()).rows) == 3


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (Filter(), 6),
        (Filter(foul="bad_hit"), 2),
        (Filter(player="A"), 4),
        (Filter(review="open"), 2),
        (Filter(review="reviewed"), 0),
        (Filter(league="napa-9ball"), 0),
        (Filter(since="2026-03-02"), 3),
        (Filter(until="2026-03-02"), 3),
        (Filter(text="3 was hit first"), 2),
        (Filter(text="100%"), 0),
        (Filter(table="t"), 6),
    ],
)
def test_shots_by_filter(library: Library, wanted: Filter, count: int) -> None:
    library.put(_record("one"))
    library.put(_record("two", started="2026-03-02T19:00:00Z"))
    assert len(questions.shots(library.engine, wanted).rows) == count


def test_statistics_by_filter(library: Library) -> None:
    library.put(_record("one"))
    told = questions.statistics(library.engine, Filter(foul="bad_hit"))
    assert (told.shots, told.fouls) == (1, {"bad_hit": 1})


def test_pages_hold_every_shot_once_newest_first(library: Library) -> None:
    for k in range(7):
        library.put(_record(f"rack-{k}", started=f"2026-03-0{k % 3 + 1}T19:00:00Z"))
    seen: list[tuple[str, str, int]] = []
    mark = None
    while True:
        page = questions.shots(library.engine, Filter(), 4, mark)
        seen += [(row.started, row.rack, row.number) for row in page.rows]
        mark = page.next
        if mark is None:
            break
    assert len(seen) == 21
    assert seen == sorted(set(seen), reverse=True)
    with pytest.raises(BadPageError):
        questions.shots(library.engine, Filter(), 4, "rhubarb")


def test_a_persons_ruling_is_counted_and_compared_with_the_machines(library: Library) -> None:
    library.put(_record("one"))
    ruling = Ruling(call="legal", next=Next(player="A", cue_ball="in_position"), explanation="The 1 was first.")
    library.append("one", Override(t=60.0, of_shot=1, by="referee", ruling=ruling, reason="clip"))
    library.append("one", says(61.0, "referee", "confirm", of_shot=2))
    told = questions.statistics(library.engine, Filter())
    assert (told.overrides, told.agreed, told.reviews, told.fouls) == (1, 0, 1, {"bad_hit": 1})
    row = questions.rack(library.engine, "one")
    assert row is not None
    assert (row.open_reviews, row.overrides) == (0, 1)
    assert len(library.read("one").entries) == 5


def test_a_rack_being_played_is_read_from_its_journal(library: Library) -> None:
    record = _record("live")
    (library.folder / "racks").mkdir()
    with Journal.create(library.folder / "racks" / "live.journal", record):
        pass
    library.note(record)
    library.append("live", says(60.0, "A", "protest"))
    assert len(library.read("live").entries) == 4


@pytest.mark.parametrize("name", ["../secret", "", "a/b", ".hidden", "a\nb", "none", "x" * 200])
def test_racks_are_found_by_id_only(library: Library, name: str) -> None:
    with pytest.raises(UnknownRackError):
        library.read(name)


def test_a_record_with_a_hostile_id_is_not_kept(library: Library) -> None:
    with pytest.raises(UnknownRackError, match="no rack's id"):
        library.put(_record("../../etc/passwd"))


def test_a_damaged_index_is_set_aside_and_made_again(library: Library) -> None:
    library.put(_record("one"))
    library.engine.dispose()
    path = library.folder / FILE
    for beside in ("-wal", "-shm"):
        path.with_name(FILE + beside).unlink(missing_ok=True)
    data = bytearray(path.read_bytes())
    data[: len(data) // 2] = b"x" * (len(data) // 2)
    path.write_bytes(bytes(data))
    said: list[str] = []
    again = Library(library.folder, said.append)
    assert "made again from the records" in said[0]
    assert len(questions.shots(again.engine, Filter()).rows) == 3
    assert list(library.folder.glob("*.broken-1"))


@pytest.mark.parametrize("code", ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY"])
def test_a_disk_that_fails_does_not_make_an_index_broken(
    library: Library, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """On a full disk a sound index cannot even be looked at; it must stay where it is."""

    def fails(*_: object, **__: object) -> sqlite3.Connection:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = getattr(sqlite3, code)
        raise error

    library.put(_record("one"))
    library.engine.dispose()
    with monkeypatch.context() as broken:
        broken.setattr("device.store.opening.sqlite3.connect", fails)
        with pytest.raises(StoreError, match="disk is full"):
            open_store(library.folder)
    assert not list(library.folder.glob("*.broken*"))
    assert len(questions.racks(Library(library.folder, _quiet).engine, Filter()).rows) == 1


def test_a_full_index_is_one_sentence_and_works_again_when_there_is_room(library: Library) -> None:
    """SQLite itself is told that there are no more pages; the record is on the disk and is caught up with."""
    limits = ["1"]
    event.listen(library.engine, "connect", lambda raw, _: raw.execute(f"PRAGMA max_page_count={limits[0]}"))
    library.engine.dispose()
    with pytest.raises(StoreError, match="disk is full"):
        _put_racks(library, 100)
    limits[0] = "1000000"
    library.engine.dispose()
    there = len(list((library.folder / "racks").iterdir()))
    assert len(questions.racks(library.engine, Filter(), 200).rows) == there - 1
    assert library.catch_up().racks == 1
    assert len(questions.racks(library.engine, Filter(), 200).rows) == there


def _put_racks(library: Library, count: int) -> None:
    for k in range(count):
        library.put(_record(f"rack-{k:02}"))


def test_what_a_killed_process_left_out_of_the_index_is_caught_up_with(library: Library) -> None:
    """A new record, one that grew, one that was copied here, and one that is gone; what fits is not read again."""
    for name in ("same", "grown", "gone"):
        library.put(_record(name, BREAK))
    racks = library.folder / "racks"
    for name in ("grown", "new"):
        write_text(racks / f"{name}.json", to_json(_record(name)))
    (racks / "gone.json").unlink()
    library.engine.dispose()
    again = Library(library.folder, _quiet)
    rows = {row.id: row.shots for row in questions.racks(again.engine, Filter()).rows}
    assert rows == {"same": 1, "grown": 3, "new": 3}
    assert again.catch_up().racks == 0


def test_a_rack_whose_journal_became_a_record_is_there_once(library: Library) -> None:
    racks = library.folder / "racks"
    racks.mkdir()
    with Journal.create(racks / "one.journal", _record("one", BREAK)) as journal:
        library.note(journal.record)
    write_text(racks / "one.json", to_json(_record("one")))
    (racks / "one.journal").unlink()
    library.catch_up()
    assert [(row.id, row.shots, row.file) for row in questions.racks(library.engine, Filter()).rows] == [
        ("one", 3, "racks/one.json")
    ]


def test_an_erased_rack_leaves_no_file(library: Library) -> None:
    library.put(_record("one"))
    library.put(_record("one.two"))
    for left in ("one.journal", "one.journal.torn-1"):
        (library.folder / "racks" / left).write_bytes(b"x")
    library.remove("one")
    assert [path.name for path in (library.folder / "racks").iterdir()] == ["one.two.json"]
    assert [row.id for row in questions.racks(library.engine, Filter()).rows] == ["one.two"]


def test_an_index_of_the_first_version_is_migrated_and_filled(library: Library) -> None:
    library.put(_record("one"))
    library.engine.dispose()
    with sqlite3.connect(library.folder / FILE) as connection:
        connection.execute("ALTER TABLE racks DROP COLUMN stamp")
        for name in ("flagged", "reviewed", "overridden"):
            connection.execute(f"DROP INDEX ix_shots_{name}")
        connection.execute("CREATE INDEX ix_shots_review ON shots (needs_review, reviewed, started)")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    connection.close()
    again = Library(library.folder, _quiet)
    assert len(questions.shots(again.engine, Filter()).rows) == 3
    assert again.catch_up().racks == 0


@pytest.mark.parametrize(
    ("review", "index"),
    [("open", "flagged"), ("flagged", "flagged"), ("reviewed", "reviewed"), ("overridden", "overridden")],
)
def test_shots_that_people_look_for_are_found_without_reading_all(
    library: Library, review: ReviewState, index: str
) -> None:
    plans: list[str] = []

    def explain(connection: Connection, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("SELECT shots"):
            plan = connection.connection.cursor().execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plans.extend(row[3] for row in plan)

    event.listen(library.engine, "before_cursor_execute", explain)
    questions.shots(library.engine, Filter(review=review, foul="scratch"))
    assert f"INDEX ix_shots_{index}" in plans[0]


def test_the_migrations_make_the_tables_that_the_code_has(library: Library) -> None:
    with library.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_a_log_that_grew_under_a_reader_is_cut_down_when_he_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.store.opening.LOG", 50_000)
    library = Library(tmp_path, _quiet)
    library.put(_record("first"))
    log = tmp_path / (FILE + "-wal")
    reader = sqlite3.connect(tmp_path / FILE)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM racks").fetchall()
    _put_racks(library, 60)
    grown = log.stat().st_size
    reader.close()
    for k in range(20):
        library.put(_record(f"later-{k}"))
    assert log.stat().st_size < grown / 2


def test_a_lost_index_is_made_again_and_an_unreadable_record_is_named(library: Library) -> None:
    library.put(_record("one"))
    library.engine.dispose()
    (library.folder / "racks" / "two.json").write_text("rhubarb", encoding="utf-8")
    (library.folder / FILE).unlink()
    said: list[str] = []
    again = Library(library.folder, said.append)
    assert said == ["the record two.json cannot be read and is not in the index"]
    assert questions.rack(again.engine, "one") is not None


def test_rulings_are_on_the_disk_when_they_are_acknowledged(library: Library) -> None:
    with library.engine.connect() as connection:
        pragmas = [connection.execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
    assert pragmas == ["wal", 2]


def test_an_index_of_a_later_version_is_refused(library: Library) -> None:
    library.engine.dispose()
    with sqlite3.connect(library.folder / FILE) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="later version"):
        open_store(library.folder)


def test_a_network_file_system_is_refused(tmp_path: Path) -> None:
    mounts = f"/dev/sda1 / ext4 rw 0 0\nserver:/x {tmp_path.parent} nfs4 rw 0 0\n"
    with pytest.raises(StoreError, match="network file system"):
        open_store(tmp_path, lambda: mounts)
    assert file_system(Path("/"), mounts) == "ext4"


def test_a_locked_index_is_one_sentence(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    library.engine.dispose()
    monkeypatch.setattr("device.store.opening.BUSY", 0.1)
    with sqlite3.connect(library.folder / FILE) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="locked by another process"):
            Library(library.folder, _quiet).put(_record("two"))
        holder.rollback()


def _put_many(folder: Path, letter: str) -> None:
    library = Library(folder, lambda text: None)
    for k in range(20):
        library.put(_record(f"{letter}{k}"))


def test_processes_that_open_a_new_folder_at_once_all_get_it(tmp_path: Path) -> None:
    start = multiprocessing.get_context("spawn")
    workers = [start.Process(target=_put_many, args=(tmp_path, letter)) for letter in "abc"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert len(questions.racks(Library(tmp_path, _quiet).engine, Filter(), 200).rows) == 60


def test_one_process_at_a_time_makes_the_index(tmp_path: Path) -> None:
    """Another process holds the opening; this one waits for it."""
    (tmp_path / ".headstring.db.lock").touch()
    with (tmp_path / ".headstring.db.lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting = threading.Thread(target=open_store, args=(tmp_path,))
        waiting.start()
        waiting.join(0.3)
        assert not (tmp_path / FILE).exists()
    waiting.join()
    assert (tmp_path / FILE).exists()


def test_two_processes_on_one_index(library: Library) -> None:
    start = multiprocessing.get_context("spawn")
    workers = [start.Process(target=_put_many, args=(library.folder, letter)) for letter in "xy"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert len(questions.racks(library.engine, Filter(), 200).rows) == 40


def _say_much(folder: Path, by: str) -> None:
    library = Library(folder, lambda text: None)
    for k in range(15):
        library.append("one", says(60.0 + k, by, "protest"))


def test_two_processes_that_add_to_one_record_lose_nothing(library: Library) -> None:
    library.put(_record("one", BREAK))
    start = multiprocessing.get_context("spawn")
    workers = [start.Process(target=_say_much, args=(library.folder, by)) for by in "AB"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert len(library.read("one").entries) == 31


def test_the_write_ahead_log_is_cut_when_nobody_reads(library: Library) -> None:
    for k in range(20):
        library.put(_record(f"rack-{k}"))
    log = library.folder / (FILE + "-wal")
    assert log.stat().st_size > 0
    truncate_log(library.engine)
    assert log.stat().st_size == 0


def test_a_record_is_written_as_it_is(library: Library) -> None:
    record = _record("one")
    library.put(record)
    assert library.path_of("one").read_text(encoding="utf-8") == to_json(record)


def test_a_player_is_erased_by_command_and_the_records_are_sealed_anew(library: Library) -> None:
    keys = library.folder / "keys"
    KeyStore(keys).create("table 1")
    library.put(_record("one", players=[Player(id="A", name="Ann"), Player(id="B", name="Bob")]))
    done = headstring("store", "erase-player", "Ann", "--data", library.folder)
    assert (done.returncode, done.stdout.strip()) == (0, "taken out of 1 racks")
    assert [player.name for player in library.read("one").players] == ["erased", "Bob"]
    assert headstring("verify", library.path_of("one"), "--keys", keys).returncode == 0
