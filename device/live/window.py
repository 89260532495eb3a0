"""The window between the watch and the pages: what is seen now goes out, what people say comes in.

The watch runs in its own thread. It shows a picture of the moment a few times a second and takes what was said; whoever
speaks waits for the ruling.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from record.entries import Declaration, Entry, Override

Said = Declaration | Override

_MOST_WAITING: Final = 32


class NotWatchingError(Exception):
    """Nobody is at the other side of the window: the table is not watched."""


@dataclass(frozen=True)
class Moment:
    """What is known now, as plain values for the pages; `number` grows with each."""

    number: int
    value: dict[str, Any]

    @cached_property
    def event(self) -> str:
        """The moment as a server-sent event, made once however many pages follow."""
        return f"id: {self.number}\nevent: moment\ndata: {json.dumps(self.value, ensure_ascii=False)}\n\n"


@dataclass(frozen=True)
class NewRack:
    """A new rack is to begin, with these players under this league."""

    league: str
    players: tuple[str, str]
    breaker: str
    options: dict[str, Any]


class Window:
    """One table's window."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._moment: Moment | None = None
        self._asked: deque[tuple[Said | NewRack, Future[Entry | None]]] = deque()
        self._picture: Callable[[], bytes | None] = lambda: None
        self._open = False

    def opened(self, picture: Callable[[], bytes | None]) -> None:
        """The watch has begun; `picture` gives the camera's picture as JPEG when somebody asks for it."""
        with self._changed:
            self._open, self._picture = True, picture

    def show(self, value: dict[str, Any]) -> None:
        """Show a new moment."""
        with self._changed:
            number = 1 if self._moment is None else self._moment.number + 1
            self._moment = Moment(number, value)
            self._changed.notify_all()

    @property
    def moment(self) -> Moment | None:
        return self._moment

    def after(self, number: int, timeout: float) -> Moment | None:
        """The latest moment newer than `number`; None where none came in time. Older ones are passed over."""
        with self._changed:
            self._changed.wait_for(lambda: self._moment is not None and self._moment.number > number, timeout)
            newer = self._moment is not None and self._moment.number > number
            return self._moment if newer else None

    def picture(self) -> bytes | None:
        """The camera's picture now as JPEG; None where there is none."""
        return self._picture()

    def say(self, said: Said | NewRack) -> Future[Entry | None]:
        """Hand something to the watch; the future holds the entry with its ruling, or the error.

        Raises:
            NotWatchingError: the table is not watched, or too much waits already.
        """
        with self._changed:
            if not self._open or len(self._asked) >= _MOST_WAITING:
                raise NotWatchingError("the table is not being watched now")
            future: Future[Entry | None] = Future()
            self._asked.append((said, future))
            return future

    def asked(self) -> list[tuple[Said | NewRack, Future[Entry | None]]]:
        """What was said since the last time; for the watch."""
        with self._changed:
            taken = list(self._asked)
            self._asked.clear()
            return taken

    def close(self) -> None:
        """The watch has ended; who still waits is told so."""
        with self._changed:
            self._open = False
            waiting = list(self._asked)
            self._asked.clear()
            self._changed.notify_all()
        for _, future in waiting:
            future.set_exception(NotWatchingError("the table is not being watched now"))
