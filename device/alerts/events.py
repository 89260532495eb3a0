"""Alerts for web pages as server-sent events: one short history, and each client is but a place in it.

A client that does not read costs nothing: when it comes back it gets what the history still holds.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from dataclasses import dataclass
from typing import Final

from device.alerts.alert import Alert

_KEPT: Final = 200
_MOST_CLIENTS: Final = 32


class TooManyClientsError(Exception):
    """No more pages can listen at once."""


@dataclass(frozen=True)
class Event:
    """One event; `number` grows by one each time and is what `Last-Event-ID` sends back."""

    number: int
    kind: str
    data: str

    def text(self) -> str:
        """As it goes over the wire (WHATWG HTML, 9.2.5)."""
        lines = "".join(f"data: {line}\n" for line in self.data.splitlines())
        return f"id: {self.number}\nevent: {self.kind}\n{lines}\n"


class EventHub:
    """The history and its listeners; an `AlertSink`."""

    name = "web pages"

    def __init__(self, most_clients: int = _MOST_CLIENTS, kept: int = _KEPT) -> None:
        self._events: deque[Event] = deque(maxlen=kept)
        self._changed = threading.Condition()
        self._next = 1
        self._clients = 0
        self._most = most_clients
        self.closed = False

    def deliver(self, alert: Alert) -> None:
        self.publish("alert", json.dumps(alert.as_json(), ensure_ascii=False))

    def publish(self, kind: str, data: str) -> None:
        """Add an event; nobody is waited for."""
        with self._changed:
            self._events.append(Event(self._next, kind, data))
            self._next += 1
            self._changed.notify_all()

    def listen(self, after: int | None = None) -> Listener:
        """A new listener, from now on or from what followed event `after`.

        Raises:
            TooManyClientsError: as many as allowed listen already.
        """
        with self._changed:
            if self._clients >= self._most:
                raise TooManyClientsError(f"{self._most} pages listen already")
            self._clients += 1
            return Listener(self, self._next - 1 if after is None else after)

    def _after(self, number: int, timeout: float) -> Event | None:
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self._next > number + 1, timeout)
            return next((event for event in self._events if event.number > number), None)

    def _leave(self) -> None:
        with self._changed:
            self._clients -= 1

    def close(self) -> None:
        with self._changed:
            self.closed = True
            self._changed.notify_all()


class Listener:
    """One client's place in the history; close it when the client is gone."""

    def __init__(self, hub: EventHub, seen: int) -> None:
        self._hub, self._seen, self._open = hub, seen, True

    def next(self, timeout: float) -> Event | None:
        """The next event (the oldest still kept, where the client was too slow); None where none came in time."""
        event = self._hub._after(self._seen, timeout)
        if event is not None:
            self._seen = event.number
        return event

    def close(self) -> None:
        if self._open:
            self._open = False
            self._hub._leave()
