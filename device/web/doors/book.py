"""The book of accounts, sessions and tokens: one small file, written whole, readable by nobody else."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from device.files import write_whole

FORMAT: Final = "accounts/1"


class BookError(ValueError):
    """The book of accounts cannot be read; the message says what to do."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Account(_Part):
    """A person. `secret` is an argon2 hash of the password; times are seconds since 1970."""

    name: str = Field(min_length=1, max_length=60)
    role: str
    secret: str
    failures: int = 0
    locked_until: float = 0.0


class Session(_Part):
    """A signed-in browser; `key` is a hash of what its cookie holds."""

    key: str
    account: str
    csrf: str
    until: float


class Token(_Part):
    """A machine's key to the API; `key` is a hash of it, `scopes` what it may do."""

    id: str
    key: str
    name: str
    role: str
    scopes: tuple[str, ...]
    made_by: str
    until: float | None = None


class Book(_Part):
    """All of it. `invitation` is a hash of the one-time code for the first operator."""

    format: str = FORMAT
    accounts: tuple[Account, ...] = ()
    sessions: tuple[Session, ...] = ()
    tokens: tuple[Token, ...] = ()
    invitation: str | None = None

    def account(self, name: str) -> Account | None:
        return next((one for one in self.accounts if one.name == name), None)

    def with_account(self, account: Account) -> Book:
        """The book with an account added or changed."""
        rest = tuple(one for one in self.accounts if one.name != account.name)
        return self.model_copy(update={"accounts": (*rest, account)})


class BookFile:
    """The book on the disk. Changes are made one at a time and are on the disk before they count."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._book = _read(path)

    @property
    def book(self) -> Book:
        return self._book

    def change(self, make: Callable[[Book], Book]) -> Book:
        """Change the book and write it.

        Raises:
            OutputError: it cannot be written; then nothing has changed.
        """
        with self._lock:
            changed = make(self._book)
            if changed != self._book:
                write_whole(self._path, changed.model_dump_json(indent=1).encode())
                os.chmod(self._path, 0o600)
                self._book = changed
            return changed


def _read(path: Path) -> Book:
    if not path.exists():
        return Book()
    try:
        return Book.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError):
        raise BookError(
            f"the accounts in {path} cannot be read; restore the file from a backup, or move it away to start anew"
        ) from None
