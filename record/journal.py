"""The journal of one rack: an append-only file, one line an entry, on the disk before `append` returns.

A line is `number crc32 link json`: the entry's number (the header is 0), the CRC-32 of what follows it, the link of the
hash chain (`record.chain`), and the entry's canonical JSON. A power cut can only tear the last line; what was committed
before it stays. A line that was changed later does not fit its link, whatever its checksum says. A journal gets its
name only with its header on the disk, so that a file of that name always says which rack it is.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import zlib
from collections.abc import Callable
from contextlib import suppress
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
_BEGINNING: Final = re.compile(rb"[0-9]+ [0-9a-f]{8} [0-9a-f]{64} \{")


class JournalError(Exception):
    """The journal cannot be written or read; the message is one sentence."""


class JournalBusyError(JournalError):
    """Another process writes this journal."""


class DamagedJournalError(JournalError):
    """A line in the middle is damaged, with sound ones after it: nobody may drop it in silence.

    `beginning` is the record up to the damage, `entry` the first damaged entry (from 0), None for the header.
    """

    def __init__(self, message: str, beginning: RackRecord | None, entry: int | None) -> None:
        super().__init__(message)
        self.beginning = beginning
        self.entry = entry


@dataclass(frozen=True)
class Repair:
    """What was cut off at the end when a journal was opened again, and where it is kept."""

    text: str
    kept: Path


@dataclass(frozen=True)
class _Committed:
    """What is on the disk for sure: the record, its last link, and how many bytes they take."""

    record: RackRecord
    link: str
    size: int


class Journal:
    """One rack's journal, held for writing by this process alone."""

    def __init__(self, path: Path, handle: int, committed: _Committed, fsync: Callable[[int], None]) -> None:
        self._path, self._handle, self._fsync = path, handle, fsync
        self._committed, self._spoilt = committed, False

    @staticmethod
    def create(path: Path, record: RackRecord, fsync: Callable[[int], None] = os.fsync) -> Journal:
        """Begin a rack's journal; entries that the record holds already are written too.

        The folder must be on a file system with hard links.

        Raises:
            JournalError: the file exists, or cannot be written.
        """
        new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            handle = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except OSError as error:
            raise JournalError(f"cannot begin the journal {path}: {error.strerror}") from None
        bare = record.model_copy(update={"entries": []})
        header = header_value(bare)
        link = first_link(header)
        journal = Journal(path, handle, _Committed(bare, link, 0), fsync)
        try:
            _lock(handle, path)
            journal._commit(_line(0, link, header), bare, link)
            for entry in record.entries:
                journal.append(entry)
            os.link(new, path)
        except OSError as error:
            journal.close()
            raise JournalError(f"cannot begin the journal {path}: {error.strerror}") from None
        except BaseException:
            journal.close()
            raise
        finally:
            with suppress(OSError):
                new.unlink()
        try:
            _sync_folder(path.parent, fsync)
        except BaseException:
            journal.close()
            path.unlink(missing_ok=True)
            raise
        return journal

    @staticmethod
    def reopen(path: Path, fsync: Callable[[int], None] = os.fsync) -> tuple[Journal, Repair | None]:
        """Open a journal to go on; a torn end is cut off, kept beside it, and said.

        Raises:
            JournalBusyError: another process writes it.
            DamagedJournalError: a line in the middle is damaged, or the header.
            JournalError: it cannot be opened, or a later version wrote it.
        """
        try:
            handle = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise JournalError(f"cannot open the journal {path}: {error.strerror}") from None
        try:
            _lock(handle, path)
            committed, rest = _read(path)
            repair = _repair(path, handle, committed, rest, fsync) if rest else None
        except OSError as error:
            os.close(handle)
            raise JournalError(f"cannot repair the journal {path}: {error.strerror}") from None
        except BaseException:
            os.close(handle)
            raise
        return Journal(path, handle, committed, fsync), repair

    @property
    def path(self) -> Path:
        return self._path

    @property
    def record(self) -> RackRecord:
        """What is committed so far."""
        return self._committed.record

    def append(self, entry: Entry) -> None:
        """Commit an entry: when this returns it survives a power cut.

        Raises:
            JournalError: it could not be written; then the journal is as it was, and this may be tried again.
        """
        record, value = self.record, entry_value(entry)
        link = next_link(self._committed.link, value)
        line = _line(len(record.entries) + 1, link, value)
        self._commit(line, record.model_copy(update={"entries": [*record.entries, entry]}), link)

    def _commit(self, line: bytes, record: RackRecord, link: str) -> None:
        """Write a line. Whatever stops it (a full disk, an interrupt), the file ends with the last committed line, or
        is made to before the next line is written."""
        if self._handle < 0:
            raise JournalError(f"the journal {self._path} is closed")
        try:
            if self._spoilt:
                self._take_back()
            self._spoilt = True
            done = 0
            while done < len(line):
                done += os.write(self._handle, line[done:])
            self._fsync(self._handle)
            self._committed, self._spoilt = _Committed(record, link, self._committed.size + len(line)), False
        except BaseException as error:
            with suppress(OSError):
                self._take_back()
            if isinstance(error, OSError):
                raise JournalError(f"cannot write the journal {self._path}: {error.strerror}") from None
            raise

    def _take_back(self) -> None:
        """Cut off what a failed write has left."""
        os.ftruncate(self._handle, self._committed.size)
        self._spoilt = False

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
        DamagedJournalError: a line in the middle is damaged, or the header.
        JournalError: it cannot be read, or a later version wrote it.
    """
    return _read(path)[0].record


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


def _repair(path: Path, handle: int, committed: _Committed, rest: bytes, fsync: Callable[[int], None]) -> Repair:
    """Keep the unsound end beside the journal, on the disk, and only then cut it off."""
    number = 1
    while (kept := path.with_name(f"{path.name}.torn-{number}")).exists():
        number += 1
    with kept.open("xb") as file:
        file.write(rest)
        file.flush()
        fsync(file.fileno())
    _sync_folder(path.parent, fsync)
    os.ftruncate(handle, committed.size)
    fsync(handle)
    count = len(committed.record.entries)
    whole = rest.endswith(b"\n")
    after = f"the journal {path.name} {'is damaged' if whole else 'broke off'} after {count} entries"
    what = f"entry {count}, {len(rest)} bytes, was" if whole else f"{len(rest)} bytes of an unfinished one were"
    return Repair(f"{after}; {what} moved to {kept.name}", kept)


def _read(path: Path) -> tuple[_Committed, bytes]:
    """What a journal holds that is sound, and the bytes after it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"cannot read the journal {path}: {error.strerror}") from None
    end = data.find(b"\n") + 1
    head = _parsed(data[: end - 1], 0) if end else None
    if head is None or head[0] != first_link(head[1]):
        raise DamagedJournalError(f"the journal {path} has no sound header", None, None)
    link, header, entries = head[0], _header(path, head[1]), list[Entry]()
    while end < len(data):
        stop = data.find(b"\n", end)
        found = _parsed(data[end:stop], len(entries) + 1) if stop >= 0 else None
        if found is None or next_link(link, found[1]) != found[0]:
            break
        entries.append(_entry(path, found[1], len(entries)))
        link, end = found[0], stop + 1
    record, rest = header.model_copy(update={"entries": entries}), data[end:]
    _must_be_the_end(path, rest, record)
    return _Committed(record, link, end), rest


def _must_be_the_end(path: Path, rest: bytes, beginning: RackRecord) -> None:
    """What follows the last sound entry may be one torn or damaged line, and no more."""
    number = len(beginning.entries)
    line, whole, _ = rest.partition(b"\n")
    if whole and _parsed(line, None) is not None:
        text = f"entry {number} of the journal {path} does not follow from what is before it: lines were changed"
        raise DamagedJournalError(text, beginning, number)
    later = [rest[found.start() :] for found in _BEGINNING.finditer(rest) if found.start() > 0]
    if any(_parsed(data.split(b"\n", 1)[0], None) is not None for data in later):
        text = f"entry {number} of the journal {path} is damaged, and sound entries follow it"
        raise DamagedJournalError(text, beginning, number)


def _parsed(line: bytes, number: int | None) -> tuple[str, dict[str, Any]] | None:
    """Link and value of a line whose checksum is right and, where it is asked for, its number."""
    parts = line.split(b" ", 3)
    if len(parts) != 4 or (number is not None and parts[0] != b"%d" % number):
        return None
    rest = parts[2] + b" " + parts[3]
    if parts[1] != b"%08x" % zlib.crc32(rest):
        return None
    try:
        value = json.loads(parts[3])
    except (ValueError, RecursionError):
        return None
    return (parts[2].decode(errors="replace"), value) if isinstance(value, dict) else None


def _header(path: Path, value: object) -> RackRecord:
    try:
        return RackRecord.model_validate(value)
    except ValidationError:
        raise JournalError(
            f"the journal {path} was written by another version of headstring; update this one"
        ) from None


def _entry(path: Path, value: object, number: int) -> Entry:
    """An entry whose line is sound. One that is not understood was written by a later version, and is no damage."""
    try:
        return _ENTRY.validate_python(value)
    except ValidationError:
        text = f"entry {number} of the journal {path} is of a kind that this version does not know; update headstring"
        raise JournalError(text) from None
