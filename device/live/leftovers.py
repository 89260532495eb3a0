"""Journals that an earlier run left open: repaired, said, and either gone on with or closed.

After a power cut in the middle of a rack the players go on playing: if it was not long ago, so does the record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from device.files import OutputError, write_text
from record.document import RecordError, from_json, to_json
from record.entries import Declaration, Override
from record.journal import SUFFIX, DamagedJournalError, Journal, JournalError
from record.rack import RackRecord
from record.shot import Shot

RACKS: Final = "racks"
GO_ON_WITHIN: Final = timedelta(minutes=30)


@dataclass(frozen=True)
class Unfinished:
    """A rack to go on with, and how many seconds passed since its last shot."""

    record: RackRecord
    away: float


def journal_path(folder: Path, rack_id: str) -> Path:
    return folder / RACKS / f"{rack_id}{SUFFIX}"


def document_path(folder: Path, rack_id: str) -> Path:
    return folder / RACKS / f"{rack_id}.json"


def open_journal(folder: Path, header: RackRecord, complain: Callable[[str], None]) -> Journal:
    """A rack's journal: a new one, or the one that is there, repaired.

    Raises:
        JournalError: it cannot be written or read.
    """
    path = journal_path(folder, header.rack_id)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"cannot make the folder {path.parent}: {error.strerror}") from None
    if not path.exists():
        return Journal.create(path, header)
    journal, repair = Journal.reopen(path)
    if repair is not None:
        complain(repair.text)
    return journal


def finish(
    folder: Path, record: RackRecord, sealed: Callable[[RackRecord], RackRecord] = lambda one: one
) -> RackRecord:
    """A rack has ended: its record, sealed, as one document in place of its journal; nobody adds to it meanwhile.

    What another process has added to the journal is taken over. Where the document is there already (the power was cut
    before the journal was gone) and holds all of it, it stays as it is.

    Raises:
        JournalError: another process is adding to the journal just now.
        OutputError: it cannot be written; then the journal stays and holds all.
    """
    path, document = journal_path(folder, record.rack_id), document_path(folder, record.rack_id)
    journal = _held(path)
    try:
        whole = record if journal is None else _longer(record, journal.record)
        written = _document(document)
        if written is not None and whole.entries == written.entries[: len(whole.entries)]:
            whole = written
        else:
            whole = sealed(whole)
            write_text(document, to_json(whole))
        if journal is not None:
            path.unlink(missing_ok=True)
        return whole
    finally:
        if journal is not None:
            journal.close()


def _held(path: Path) -> Journal | None:
    """The journal, locked; a damaged one is set aside under another name, since what it holds is known."""
    if not path.exists():
        return None
    try:
        return Journal.reopen(path)[0]
    except DamagedJournalError:
        path.replace(path.with_name(f"{path.name}.damaged"))
        return None


def _longer(mine: RackRecord, journal: RackRecord) -> RackRecord:
    """My record with what somebody else has added to its journal."""
    if len(journal.entries) <= len(mine.entries):
        return mine
    return mine.model_copy(update={"entries": journal.entries})


def _document(path: Path) -> RackRecord | None:
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecordError):
        return None


def take_up(
    folder: Path,
    now: datetime,
    like: RackRecord,
    complain: Callable[[str], None],
    finished: Callable[[RackRecord], None],
) -> Unfinished | None:
    """Deal with every journal there; the latest is gone on with where it is of this table and game (`like`)."""
    found: list[Unfinished] = []
    for path in sorted((folder / RACKS).glob(f"*{SUFFIX}")):
        try:
            journal, repair = Journal.reopen(path)
            journal.close()
        except JournalError as error:
            complain(str(error))
            continue
        if repair is not None:
            complain(repair.text)
        ended = document_path(folder, journal.record.rack_id).exists()
        away = None if ended else _away(journal.record, now, like)
        if away is not None:
            found.append(Unfinished(journal.record, away))
        else:
            _close(journal.record, complain, finished)
    found.sort(key=lambda one: -one.away)
    for older in found[:-1]:
        _close(older.record, complain, finished)
    return found[-1] if found else None


def _close(record: RackRecord, complain: Callable[[str], None], finished: Callable[[RackRecord], None]) -> None:
    try:
        finished(record)
    except (OutputError, JournalError) as error:
        complain(str(error))


def _away(record: RackRecord, now: datetime, like: RackRecord) -> float | None:
    """Seconds since the rack's last shot, where it may go on."""
    same = (record.table_id, record.rules, record.players) == (like.table_id, like.rules, like.players)
    shots = [entry for entry in record.entries if isinstance(entry, Shot)]
    if not same or not shots or shots[-1].wall_time is None or _over(record):
        return None
    try:
        last = datetime.fromisoformat(shots[-1].wall_time)
    except ValueError:
        return None
    away = now - last
    return away.total_seconds() if timedelta(0) <= away <= GO_ON_WITHIN else None


def _over(record: RackRecord) -> bool:
    """The last ruling ended the rack, or it was given up."""
    for entry in reversed(record.entries):
        if entry.type == "observation" and getattr(entry, "what", "") == "rack_abandoned":
            return True
        if isinstance(entry, Shot | Declaration | Override) and entry.ruling is not None:
            return entry.ruling.call == "rack_over"
    return False
