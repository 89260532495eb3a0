"""One watch to a data folder: a second process would fight over the camera and the records."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Final, Self

FILE: Final = ".watching"


class ClaimedError(Exception):
    """Another process watches with this data folder."""


class Claim:
    """Holds a data folder for this process; the system lets go of it when the process ends, however it ends.

    Where the folder cannot be written (a full or read-only disk) there is nothing to fight over, and no claim is made.
    """

    def __init__(self, folder: Path) -> None:
        self._handle = -1
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError:
            return
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise ClaimedError(
                f"another headstring watches with {folder} already: stop it first (systemctl stop headstring), or name "
                "another data.folder"
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
