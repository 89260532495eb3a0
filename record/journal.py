"""The journal of one rack: an append-only file, one line an entry, on the disk before `append` returns.

A line is `number crc32 link json`: the entry's number (the header is 0), the CRC-32 of what follows it, the link of the
hash chain (`record.chain`), and the entry's canonical JSON. A power cut can only tear the last line; what was committed
before it stays. A line that was changed later does not fit its link, whatever its checksum says.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from pydantic import TypeAdapter, ValidationError

from record.chain import canonical, first_link, header_value, next_link
from record.document import entry_value
from record.entries import Entry
from record.rack import RackRecord

SUFFIX: Final = ".journal"
_ENTRY: Final[TypeAdapter[Entry]] = TypeAdapter(Entry)


class JournalError(Exception):
    """The journal cannot be written or read; the message is one sentence."""


class JournalBusyError(JournalError):
    """Another process writes this journal."""


class DamagedJournalError(JournalError):
    """A line in the middle is damaged, with sound ones after it: nobody may drop it in silence.

    `beginning` is the record up to the damage, `entry` the number of the first damaged entry (the header is 0).
    """

    def __init__(self, message: str, beginning: RackRecord | None, entry: int) -> None:
        super().__init__(message)
        self.beginning = beginning
        self.entry = entry


@dataclass(frozen=True)
class Repair:
    """What was cut off at the end when a journal was opened again, and where it is kept."""

    text: str
    kept: Path


@dataclass(frozen=True)
class _Read:
    """A journal as it lies: the sound record, its last link, the bytes that are sound, what is wrong after them."""

    record: RackRecord
    link: str
    sound: int
    torn: bytes


class Journal:
    """One rack's journal, held for writing by this process alone."""

    def __init__(self, path: Path, handle: int, read: _Read, fsync: Callable[[int], None]) -> None:
        self._path, self._handle, self._fsync = path, handle, fsync
        self._record, self._link, self._size = read.record, read.link, read.sound

    @staticmethod
    def create(path: Path, record: RackRecord, fsync: Callable[[int], None] = os.fsync) -> Journal:
        """Begin a rack's journal; entries that the record holds already are written too.

        Raises:
            JournalError: the file exists, or cannot be written.
        """
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except OSError as error:
            raise JournalError(f"cannot begin the journal {path}: {error.strerror}") from None
        bare = record.model_copy(update={"entries": []})
        header = header_value(bare)
        link = first_link(header)
        journal = Journal(path, handle, _Read(bare, link, 0, b""), fsync)
        try:
            _lock(handle, path)
            journal._commit(_line(0, link, header))
            _sync_folder(path.parent, fsync)
            for entry in record.entries:
                journal.append(entry)
        except JournalError:
            journal.close()
            path.unlink(missing_ok=True)
            raise
        return journal

    @staticmethod
    def reopen(path: Path, fsync: Callable[[int], None] = os.fsync) -> tuple[Journal, Repair | None]:
        """Open a journal to go on; a torn end is cut off, kept beside it, and said.

        Raises:
            JournalBusyError: another process writes it.
            DamagedJournalError: a line in the middle is damaged.
            JournalError: it cannot be opened, or its header is lost.
        """
        try:
            handle = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise JournalError(f"cannot open the journal {path}: {error.strerror}") from None
        try:
            _lock(handle, path)
            read = _read(path)
            repair = None if not read.torn else _repair(path, handle, read, fsync)
        except JournalError:
            os.close(handle)
            raise
        except OSError as error:
            os.close(handle)
            raise JournalError(f"cannot repair the journal {path}: {error.strerror}") from None
        return Journal(path, handle, read, fsync), repair

    @property
    def path(self) -> Path:
        return self._path

    @property
    def record(self) -> RackRecord:
        """What is committed so far."""
        return self._record

    def append(self, entry: Entry) -> None:
        """Commit an entry: when this returns it survives a power cut.

        Raises:
            JournalError: it could not be written; then the journal is as it was, and this may be tried again.
        """
        value = entry_value(entry)
        link = next_link(self._link, value)
        self._commit(_line(len(self._record.entries) + 1, link, value))
        self._link = link
        self._record = self._record.model_copy(update={"entries": [*self._record.entries, entry]})

    def _commit(self, line: bytes) -> None:
        try:
            done = 0
            while done < len(line):
                done += os.write(self._handle, line[done:])
            self._fsync(self._handle)
        except OSError as error:
            self._take_back()
            raise JournalError(f"cannot write the journal {self._path}: {error.strerror}") from None
        self._size += len(line)

    def _take_back(self) -> None:
        """Cut off what a failed write has left, so that the next one starts on a line of its own."""
        try:
            os.ftruncate(self._handle, self._size)
        except OSError:
            return

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_journal(path: Path) -> RackRecord:
    """The record that a journal holds; a torn end is left out.

    Raises:
        DamagedJournalError: a line in the middle is damaged.
        JournalError: it cannot be read, or its header is lost.
    """
    return _read(path).record


def _line(number: int, link: str, value: object) -> bytes:
    rest = link.encode() + b" " + canonical(value)
    return b"%d %08x %s\n" % (number, zlib.crc32(rest), rest)


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise JournalBusyError(f"another process is writing the journal {path}") from None


def _sync_folder(folder: Path, fsync: Callable[[int], None]) -> None:
    """The folder's own entry for a new file must be on the disk too."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise JournalError(f"cannot sync {folder}: {error.strerror}") from None
    try:
        fsync(handle)
    except OSError as error:
        raise JournalError(f"cannot sync {folder}: {error.strerror}") from None
    finally:
        os.close(handle)


def _repair(path: Path, handle: int, read: _Read, fsync: Callable[[int], None]) -> Repair:
    """Keep the torn end beside the journal, then cut it off."""
    number = 1
    while (kept := path.with_name(f"{path.name}.torn-{number}")).exists():
        number += 1
    kept.write_bytes(read.torn)
    os.ftruncate(handle, read.sound)
    fsync(handle)
    count = len(read.record.entries)
    return Repair(
        f"the journal {path.name} broke off after {count} entries; {len(read.torn)} bytes of an unfinished one were "
        f"moved to {kept.name}",
        kept,
    )


def _read(path: Path) -> _Read:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"cannot read the journal {path}: {error.strerror}") from None
    lines = data.split(b"\n")
    head = _parsed(lines[0], 0) if len(lines) > 1 else None
    record = None if head is None else _header(head[1])
    if head is None or record is None or head[0] != first_link(head[1]):
        raise DamagedJournalError(f"the journal {path} has no sound header", None, 0)
    link, sound, entries = head[0], len(lines[0]) + 1, list[Entry]()
    for number, line in enumerate(lines[1:-1], start=1):
        found = _entry(line, number, link)
        if found is None:
            beginning = record.model_copy(update={"entries": entries})
            _must_be_the_end(path, lines[number + 1 :], beginning, number)
            return _Read(beginning, link, sound, data[sound:])
        link, entry = found
        entries.append(entry)
        sound += len(line) + 1
    return _Read(record.model_copy(update={"entries": entries}), link, sound, data[sound:])


def _must_be_the_end(path: Path, after: list[bytes], beginning: RackRecord, number: int) -> None:
    """A damaged line may only be the last that was written: nothing that looks like a line may follow it."""
    if any(_parsed(line, None) is not None for line in after):
        text = f"entry {number} of the journal {path} is damaged, and sound entries follow it"
        raise DamagedJournalError(text, beginning, number)


def _parsed(line: bytes, number: int | None) -> tuple[str, dict[str, Any]] | None:
    """Link and value of a line whose checksum is right."""
    parts = line.split(b" ", 3)
    if len(parts) != 4 or not parts[0].isdigit() or (number is not None and int(parts[0]) != number):
        return None
    rest = parts[2] + b" " + parts[3]
    try:
        if int(parts[1], 16) != zlib.crc32(rest) or len(parts[1]) != 8:
            return None
        value = json.loads(parts[3])
    except (ValueError, RecursionError):
        return None
    return (parts[2].decode(errors="replace"), value) if isinstance(value, dict) else None


def _header(value: object) -> RackRecord | None:
    try:
        return RackRecord.model_validate(value)
    except ValidationError:
        return None


def _entry(line: bytes, number: int, before: str) -> tuple[str, Entry] | None:
    """Link and entry of a sound line."""
    parsed = _parsed(line, number)
    if parsed is None or next_link(before, parsed[1]) != parsed[0]:
        return None
    try:
        return parsed[0], _ENTRY.validate_python(parsed[1])
    except ValidationError:
        return None
