"""The log of who did what, when and from where: one JSON line each, appended and synced."""

from __future__ import annotations

import json
import os
import threading
from collections import deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

_LARGEST: Final = 20_000_000


@dataclass(frozen=True)
class Done:
    """One act. `at` is the wall clock, ISO 8601 in UTC; `source` the address it came from."""

    at: str
    who: str
    source: str
    what: str
    about: dict[str, Any]


class AuditLog:
    """Appends to a file; a full one is kept beside it as `.1`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()

    def add(self, done: Done) -> None:
        """Raises OSError where it cannot be written: what is not logged must not be done."""
        line = json.dumps(asdict(done), ensure_ascii=False) + "\n"
        with self._lock:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._path.exists() and self._path.stat().st_size > _LARGEST:
                os.replace(self._path, self._path.with_suffix(self._path.suffix + ".1"))
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(handle, line.encode())
                os.fsync(handle)
            finally:
                os.close(handle)

    def last(self, count: int) -> list[Done]:
        """The last acts, newest first."""
        if not self._path.exists():
            return []
        with self._path.open(encoding="utf-8", errors="replace") as file:
            lines = deque(file, maxlen=count)
        return [Done(**json.loads(line)) for line in reversed(lines) if line.endswith("\n")]
