"""Opening the index: made or migrated, checked, and set aside when it is broken."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import DatabaseError

FILE: Final = "headstring.db"
BUSY: Final = 5.0
LOG: Final = 4_000_000
_NETWORK: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "ncpfs", "afs", "ceph"})


class StoreError(Exception):
    """The index cannot be used; the message is one sentence that says what to do."""


@dataclass(frozen=True)
class Opened:
    """The index; `remade` says why an old one was set aside, so that it must be filled from the records again."""

    engine: Engine
    remade: str | None = None


def open_store(folder: Path, mounts: Callable[[], str] = lambda: Path("/proc/mounts").read_text()) -> Opened:
    """Open the index of a data folder.

    Raises:
        StoreError: the folder is on a network file system or cannot be written, the index is locked, or it was made by
            a later version.
    """
    kind = file_system(folder, mounts())
    if kind in _NETWORK:
        raise StoreError(f"{folder} is on a network file system ({kind}), where SQLite is not safe; use a local disk")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot make {folder}: {error.strerror}") from None
    path = folder / FILE
    with alone(path):
        why = _broken(path)
        if why is None:
            return Opened(_migrated(path))
        name = _set_aside(path)
        text = f"the index was damaged ({why}); it was moved to {name} and is made again from the records"
        return Opened(_migrated(path), text)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """One process at a time makes, migrates or sets aside an index, or changes a record: several run on one folder.

    Raises:
        StoreError: the folder cannot be written.
    """
    name = path.with_name(f".{path.name}.lock")
    try:
        handle = os.open(name, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StoreError(f"cannot open {path}: {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _set_aside(path: Path) -> str:
    """Move an index away with what SQLite keeps beside it; the log first, so that it never meets a new index."""
    number = 1
    while (aside := path.with_name(f"{FILE}.broken-{number}")).exists():
        number += 1
    path.with_name(FILE + "-shm").unlink(missing_ok=True)
    for beside in ("-wal", ""):
        with suppress(FileNotFoundError):
            path.with_name(FILE + beside).rename(aside.with_name(aside.name + beside))
    return aside.name


def _broken(path: Path) -> str | None:
    """What is wrong with the file, if it is there: SQLite's own check. A disk that is full or fails says nothing about
    the index.

    Raises:
        StoreError: it cannot be looked at.
    """
    if not path.exists():
        return None
    try:
        connection = sqlite3.connect(path, timeout=BUSY)
        try:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return str(error)
        raise StoreError(_told(path, str(error))) from None
    return None if found == "ok" else str(found)


def _migrated(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY})
    event.listen(engine, "connect", _set_up)
    config = Config()
    config.set_main_option("script_location", "device.store:migrations")
    config.set_main_option("path_separator", "os")
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except DatabaseError as error:
        raise StoreError(reason(path, error)) from None
    except CommandError as error:
        raise StoreError(f"{path} was made by a later version of headstring ({error}); update headstring") from None
    return engine


def _set_up(connection: Any, record: object) -> None:
    """Write-ahead log, each commit on the disk before it returns, references kept. A log that grew while somebody read
    for long is cut down with the first commit after it."""
    del record
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        f"busy_timeout={int(BUSY * 1000)}",
        f"journal_size_limit={LOG}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def reason(path: Path, error: DatabaseError) -> str:
    """Why the index cannot be used, in one sentence."""
    return _told(path, str(error.orig))


def _told(path: Path, words: str) -> str:
    if "locked" in words:
        return f"{path} is locked by another process; stop it, or try again later"
    if "malformed" in words or "not a database" in words:
        return f"{path} is damaged ({words}); `headstring store check` makes it again from the records"
    return f"cannot use {path}: {words}"


def truncate_log(engine: Engine) -> None:
    """Shrink the write-ahead log when nobody reads; called when the table is idle."""
    with engine.connect() as connection:
        connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))


def file_system(folder: Path, mounts: str) -> str:
    """The kind of file system that a folder lies on, from the text of /proc/mounts."""
    place = folder.resolve()
    best, kind = "", "unknown"
    for line in mounts.splitlines():
        parts = line.split()
        if len(parts) < 3:
            continue
        point = parts[1].replace("\\040", " ")
        inside = place == Path(point) or Path(point) in place.parents
        if inside and len(point) >= len(best):
            best, kind = point, parts[2]
    return kind
