"""The racks of a data folder: their files, which are the truth, and the index beside them.

`racks/ID.json` is a record, `racks/ID.journal` one that is still being played. Everything is found by a rack's id.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, delete, select
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session

from device.files import write_text
from device.store import kept_clips
from device.store.arriving import RackInPlayError, kept
from device.store.opening import FILE, StoreError, alone, open_store, reason
from device.store.rows import rows_of
from device.store.tables import ClipRow, FoulRow, RackRow, ShotRow
from record.document import DamagedRecordError, RecordError, from_json, to_json
from record.entries import Entry
from record.journal import SUFFIX, Journal, JournalBusyError, JournalError, read_journal
from record.rack import RackRecord

RACKS: Final = "racks"
ERASED: Final = "erased"
_BATCH: Final = 100
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


class UnknownRackError(LookupError):
    """There is no rack of that id."""


@dataclass(frozen=True)
class Filled:
    """How many racks the index was made of, and which files could not be read."""

    racks: int
    unread: tuple[str, ...]


class Library:
    """The racks of one data folder. One lock for all writing: the index has one writer."""

    def __init__(
        self,
        folder: Path,
        complain: Callable[[str], None],
        resealed: Callable[[RackRecord], RackRecord] = lambda record: record,
    ) -> None:
        self.folder = folder
        opened = open_store(folder)
        self.engine: Engine = opened.engine
        self.resealed = resealed
        self._lock = threading.Lock()
        if opened.remade is not None:
            complain(opened.remade)
        for name in self.catch_up().unread:
            complain(f"the record {name} cannot be read and is not in the index")

    def path_of(self, rack_id: str) -> Path:
        """The file of a rack: its record, else its journal.

        Raises:
            UnknownRackError: there is none, or the id is none.
        """
        if not _ID.fullmatch(rack_id):
            raise UnknownRackError(f"there is no rack {rack_id!r}")
        for suffix in (".json", SUFFIX):
            path = self.folder / RACKS / f"{rack_id}{suffix}"
            if path.is_file():
                return path
        raise UnknownRackError(f"there is no rack {rack_id!r}")

    def read(self, rack_id: str) -> RackRecord:
        """A rack's record; of a damaged one its sound beginning.

        Raises:
            UnknownRackError: there is none.
            RecordError, JournalError: it cannot be read at all.
        """
        return read_any(self.path_of(rack_id))

    def put(self, record: RackRecord) -> RackRow:
        """Keep a record. A rack that comes twice counts once: of two copies the one that holds more stays.

        Raises:
            OutputError: it cannot be written. StoreError: the index cannot.
            UnknownRackError: its id is no id.
            RefusedRecordError: it may not take the place of the one that is here.
        """
        if not _ID.fullmatch(record.rack_id):
            raise UnknownRackError(f"{record.rack_id!r} is no rack's id: letters, digits, dots, dashes, underscores")
        path = self.folder / RACKS / f"{record.rack_id}.json"
        with self._lock, alone(self.folder / FILE):
            if path.with_suffix(SUFFIX).exists():
                raise RackInPlayError(f"the rack {record.rack_id} is being played here, or was not finished")
            whole = kept(_read_if_there(path), record)
            if whole is record:
                write_text(path, to_json(record))
            return self._index(whole, path)

    def note(self, record: RackRecord) -> RackRow:
        """Bring the index up to a record whose file somebody else writes (a rack that is being played)."""
        with self._lock:
            return self._index(record, self.folder / RACKS / f"{record.rack_id}{SUFFIX}")

    def append(self, rack_id: str, entry: Entry) -> RackRecord:
        """Add an entry to a rack that is not being played, and seal it anew; no other process changes it meanwhile.

        Raises:
            UnknownRackError, RecordError, JournalError, OutputError, StoreError: as above.
        """
        with self._lock, alone(self.folder / FILE):
            path = self.path_of(rack_id)
            if path.suffix == SUFFIX:
                journal, _ = Journal.reopen(path)
                with journal:
                    journal.append(entry)
                    record = journal.record
            else:
                record = read_any(path)
                record = self.resealed(record.model_copy(update={"entries": [*record.entries, entry]}))
                write_text(path, to_json(record))
            self._index(record, path)
            return record

    def replace(self, record: RackRecord) -> None:
        """Write a record anew (its players' names were erased, say) and bring the index up to it."""
        with self._lock:
            path = self.path_of(record.rack_id)
            write_text(path.with_suffix(".json"), to_json(record))
            if path.suffix == SUFFIX:
                path.unlink()
            for torn in (self.folder / RACKS).glob(f"{record.rack_id}.*"):
                if _is_torn(torn, record.rack_id):
                    torn.unlink()
            self._index(record, path.with_suffix(".json"))

    def erase_player(self, name: str) -> int:
        """Take a player's name out of all records, which are sealed anew; says of how many.

        Raises:
            RackInPlayError: one of them is being played; then nothing is changed.
            RecordError, JournalError, OutputError, StoreError: as above.
        """
        with Session(self.engine) as session:
            query = select(RackRow.id).where((RackRow.player_a == name) | (RackRow.player_b == name))
            found = list(session.scalars(query))
        for rack_id in found:
            self.must_not_be_played(rack_id)
        for rack_id in found:
            record = self.read(rack_id)
            players = [one.model_copy(update={"name": ERASED}) if one.name == name else one for one in record.players]
            self.replace(self.resealed(record.model_copy(update={"players": players, "seals": None})))
        return len(found)

    def must_not_be_played(self, rack_id: str) -> None:
        """Nothing may be taken out of a rack while it is written.

        Raises:
            UnknownRackError: there is none. RackInPlayError: another process writes its journal.
        """
        path = self.path_of(rack_id)
        if path.suffix != SUFFIX:
            return
        try:
            Journal.reopen(path)[0].close()
        except JournalBusyError:
            raise RackInPlayError(f"the rack {rack_id} is being played; wait until it has ended") from None

    def remove(self, rack_id: str) -> None:
        """Erase a rack with its files and clips.

        Raises:
            UnknownRackError: there is none. RackInPlayError: it is being played.
        """
        with self._lock:
            self.must_not_be_played(rack_id)
            for clip in self.clips():
                if clip.rack == rack_id:
                    (self.folder / kept_clips.CLIPS / clip.file).unlink(missing_ok=True)
            for path in (self.folder / RACKS).glob(f"{rack_id}.*"):
                if path.name in (f"{rack_id}.json", f"{rack_id}{SUFFIX}") or _is_torn(path, rack_id):
                    path.unlink()
            with self._writing() as session:
                self._forget(session, rack_id)
                session.execute(delete(ClipRow).where(ClipRow.rack == rack_id))

    def rebuild(self) -> Filled:
        """Make the index from the files."""
        with self._lock, self._writing() as session:
            for row in (FoulRow, ShotRow, RackRow):
                session.execute(delete(row))
        return self.catch_up()

    def catch_up(self) -> Filled:
        """Bring the index up to the files: a process that was killed may have written a record and no more; people copy
        files and take them away. What is in the index as it lies on the disk is not read again."""
        count, unread = 0, list[str]()
        with self._lock:
            known = self._known()
            files = {path.relative_to(self.folder).as_posix(): path for path in self._files()}
            with self._writing() as session:
                for name in known.keys() - files.keys():
                    session.execute(delete(RackRow).where(RackRow.file == name))
            behind = [path for name, path in files.items() if known.get(name) != _stamp(path) or path.suffix == SUFFIX]
            for start in range(0, len(behind), _BATCH):
                some = behind[start : start + _BATCH]
                read = [found for path in some if (found := _tried(path, unread)) is not None]
                with self._writing() as session:
                    for record, path, stamp in read:
                        self._write(session, record, path, stamp)
                count += len(read)
            with self._writing() as session:
                kept_clips.catch_up(session, self.folder / kept_clips.CLIPS)
        return Filled(count, tuple(unread))

    def note_clip(self, row: ClipRow) -> None:
        with self._lock, self._writing() as session:
            kept_clips.note(session, row)

    def clips(self) -> list[ClipRow]:
        """All clips that are kept.

        Raises:
            StoreError: the index cannot be read.
        """
        with self._writing() as session:
            return list(session.scalars(select(ClipRow)))

    def forget_clip(self, file: str) -> None:
        with self._lock, self._writing() as session:
            session.execute(delete(ClipRow).where(ClipRow.file == file))

    def reindex(self, rack_id: str) -> None:
        """Bring the index up to a rack's file.

        Raises:
            UnknownRackError, RecordError, JournalError, StoreError: as above.
        """
        with self._lock:
            path = self.path_of(rack_id)
            self._index(read_any(path), path)

    def _files(self) -> Iterator[Path]:
        """Each rack's file once, its record before its journal."""
        folder = self.folder / RACKS
        records = sorted(folder.glob("*.json"))
        yield from records
        known = {path.stem for path in records}
        yield from (path for path in sorted(folder.glob(f"*{SUFFIX}")) if path.stem not in known)

    def _known(self) -> dict[str, str]:
        """The files in the index, with the state in which they were read."""
        with Session(self.engine) as session:
            return {row.file: row.stamp for row in session.query(RackRow.file, RackRow.stamp)}

    def _index(self, record: RackRecord, path: Path) -> RackRow:
        with self._writing() as session:
            return self._write(session, record, path, "" if path.suffix == SUFFIX else _stamp(path))

    def _write(self, session: Session, record: RackRecord, path: Path, stamp: str) -> RackRow:
        rack, shots, fouls = rows_of(record, path.relative_to(self.folder).as_posix())
        rack.stamp = stamp
        self._forget(session, record.rack_id)
        session.add(rack)
        session.flush()
        session.add_all([*shots, *fouls])
        kept_clips.flag(session, shots)
        return rack

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        """One transaction; it waits for another writer as long as the busy timeout says."""
        try:
            with Session(self.engine, expire_on_commit=False) as session, session.begin():
                yield session
        except DatabaseError as error:
            raise StoreError(reason(self.folder / FILE, error)) from None

    @staticmethod
    def _forget(session: Session, rack_id: str) -> None:
        session.execute(delete(RackRow).where(RackRow.id == rack_id))


def read_any(path: Path) -> RackRecord:
    """A record or a journal; of a damaged record its sound beginning.

    Raises:
        RecordError, JournalError: it cannot be read at all.
    """
    if path.suffix == SUFFIX:
        return read_journal(path)
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except DamagedRecordError as error:
        return error.beginning


def _tried(path: Path, unread: list[str]) -> tuple[RackRecord, Path, str] | None:
    """A file's record and state; one that cannot be read is noted."""
    try:
        stamp = _stamp(path)
        return read_any(path), path, stamp
    except (RecordError, JournalError, OSError, UnicodeDecodeError):
        unread.append(path.name)
        return None


def _stamp(path: Path) -> str:
    """The state of a file: when it was written, and its size."""
    found = path.stat()
    return f"{found.st_mtime_ns}-{found.st_size}"


def _is_torn(path: Path, rack_id: str) -> bool:
    """A file is what was cut off this rack's journal when it was repaired."""
    return path.name.startswith(f"{rack_id}{SUFFIX}.torn-")


def _read_if_there(path: Path) -> RackRecord | None:
    """A document; of a damaged one nothing: what takes its place is better."""
    if not path.exists():
        return None
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (RecordError, UnicodeDecodeError):
        return None
