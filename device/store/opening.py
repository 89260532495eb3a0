"""Opening the index: made or migrated, checked, and set aside when it is broken."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import DatabaseError, OperationalError

FILE: Final = "headstring.db"
BUSY: Final = 5.0
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
    why = _broken(path)
    if why is None:
        return Opened(_migrated(path))
    number = 1
    while (aside := path.with_name(f"{FILE}.broken-{number}")).exists():
        number += 1
    path.rename(aside)
    for beside in ("-wal", "-shm"):
        path.with_name(FILE + beside).unlink(missing_ok=True)
    text = f"the index was damaged ({why}); it was moved to {aside.name} and is made again from the records"
    return Opened(_migrated(path), text)


def _broken(path: Path) -> str | None:
    """What is wrong with the file, if it is there: SQLite's own check."""
    if not path.exists():
        return None
    try:
        connection = sqlite3.connect(path, timeout=BUSY)
        try:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise StoreError(f"{path} is locked by another process; stop it, or try again later") from None
        if "readonly" in str(error) or "unable to open" in str(error):
            raise StoreError(f"cannot open {path}: {error}") from None
        return str(error)
    except sqlite3.DatabaseError as error:
        return str(error)
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
    except OperationalError as error:
        raise StoreError(reason(path, error)) from None
    except CommandError as error:
        raise StoreError(f"{path} was made by a later version of headstring ({error}); update headstring") from None
    return engine


def _set_up(connection: Any, record: object) -> None:
    """Write-ahead log, each commit on the disk before it returns, references kept."""
    del record
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={int(BUSY * 1000)}"):
        connection.execute(f"PRAGMA {pragma}")


def reason(path: Path, error: DatabaseError) -> str:
    """Why the index cannot be used, in one sentence."""
    told = str(error.orig)
    if "locked" in told:
        return f"{path} is locked by another process; stop it, or try again later"
    return f"cannot use {path}: {told}"


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
