"""Logs as one JSON object a line: bounded in size, the same message over and over told as a count, no passwords."""

from __future__ import annotations

import json
import logging
import logging.handlers
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from device.cameras.addresses import without_password

NAME: Final = "headstring"
_WINDOW: Final = 60.0
_FREELY: Final = 5
_KINDS: Final = 500


class JsonLines(logging.Formatter):
    """`{"time", "level", "message", …}`; what is passed as `extra={"facts": {…}}` stands beside them."""

    def format(self, record: logging.LogRecord) -> str:
        stamp = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {
            "time": stamp,
            "level": record.levelname.lower(),
            "message": without_password(record.getMessage()),
        }
        repeats = getattr(record, "repeats", 0)
        if repeats:
            line["repeats"] = repeats
        line |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = without_password(f"{record.exc_info[0].__name__}: {record.exc_info[1]}")
        return json.dumps(line, ensure_ascii=False, default=str)


class RepeatLimit(logging.Filter):
    """Lets the same message through five times a minute; the next one let through tells how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: dict[tuple[int, str], tuple[float, int, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        key, now = (record.levelno, str(record.msg)), self._clock()
        since, told, left_out = self._seen.get(key, (now, 0, 0))
        if now - since >= _WINDOW:
            since, told = now, 0
        if told >= _FREELY:
            self._seen[key] = (since, told, left_out + 1)
            return False
        if left_out:
            record.repeats = left_out
        self._seen[key] = (since, told + 1, 0)
        if len(self._seen) > _KINDS:
            del self._seen[next(iter(self._seen))]
        return True


def set_up(file: Path | None, most_bytes: int, clock: Callable[[], float] = time.monotonic) -> logging.Logger:
    """The program's logger: to a file of at most `most_bytes` (with its one predecessor), else to stderr.

    Raises:
        OSError: the file cannot be opened.
    """
    logger = logging.getLogger(NAME)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    for old in list(logger.handlers):
        logger.removeHandler(old)
        old.close()
    handler: logging.Handler = logging.StreamHandler()
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(file, maxBytes=most_bytes // 2, backupCount=1, encoding="utf-8")
    handler.setFormatter(JsonLines())
    handler.addFilter(RepeatLimit(clock))
    logger.addHandler(handler)
    return logger
