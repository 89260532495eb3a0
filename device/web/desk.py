"""What the pages work on: the racks, the table's window, the people at the doors, the log of what was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adjudication.errors import IllegalEntryError
from adjudication.judge import Judge
from device.alerts.events import EventHub
from device.keys import KeyStore
from device.live.window import Window
from device.store.library import Library
from device.web.doors.audit import AuditLog, Done
from device.web.doors.doorkeeper import Doorkeeper, Person
from device.web.settings import WebSettings
from record.entries import Declaration, Entry, Override
from record.rack import RackRecord


@dataclass(frozen=True)
class Desk:
    """`now` is the wall clock in seconds since 1970, `clock` monotonic seconds."""

    library: Library
    doorkeeper: Doorkeeper
    audit: AuditLog
    settings: WebSettings
    now: Callable[[], float]
    clock: Callable[[], float]
    window: Window | None = None
    hub: EventHub | None = None
    keys: KeyStore | None = None

    @property
    def clips(self) -> Path:
        return self.library.folder / "clips"

    def wall(self) -> str:
        return datetime.fromtimestamp(self.now(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def noted(self, person: Person, source: str, what: str, **about: Any) -> None:
        """Log an act before it is done."""
        self.audit.add(Done(self.wall(), person.name, source, what, about))

    def live_rack(self) -> str | None:
        """The rack that is being played under the camera now."""
        moment = None if self.window is None else self.window.moment
        return None if moment is None else moment.value.get("rack")

    def say(self, rack_id: str, said: Declaration | Override) -> Entry:
        """Add what a person says to a rack, judged: through the window where it is being played, else to its file.

        Raises:
            IllegalEntryError: the league does not take it at that place.
            UnknownRackError, NotWatchingError and what the library raises.
        """
        if self.window is not None and rack_id == self.live_rack():
            entry = self.window.say(said).result(timeout=5.0)
            assert entry is not None
            return entry
        record = self.library.read(rack_id)
        entry = judged_at_end(record, said)
        self.library.append(rack_id, entry)
        return entry


def judged_at_end(record: RackRecord, said: Declaration | Override) -> Entry:
    """An entry with its ruling, said after all that is in the record.

    Raises:
        IllegalEntryError: the record or the entry cannot be judged.
    """
    judge = Judge.of(record)
    for entry in record.entries:
        try:
            judge.add(entry)
        except IllegalEntryError:
            if entry.type == "shot":
                continue
            raise
    return judge.add(said).entry
