"""The recording worker: each entry is on the disk before the next; a disk that fails stops no ruling and no alert."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from device.cameras.backoff import Backoff
from device.live.counters import Counters
from device.live.racks import NewEntry
from record.chain import canonical
from record.document import entry_value
from record.entries import Entry
from record.rack import RackRecord

_MOST_WAITING: Final = 5000
_LAST_WAIT: Final = 3.0


class Journal(Protocol):
    """One rack on the disk: `append` returns when the entry would survive a power cut."""

    @property
    def record(self) -> RackRecord: ...

    def append(self, entry: Entry) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Ended:
    """A rack is over; its whole record."""

    record: RackRecord


class Recorder:
    """Writes entries in order, in a thread of its own.

    Args:
        open_journal: the journal of a rack: a new one, or the one that is there, repaired.
        finish: what is to be done with a rack that has ended.
        failed: errors of a journal that are tried again.
        complain: is told once when writing begins to fail, and once when it works again.
        written: is told the record after each entry that is on the disk.
    """

    def __init__(
        self,
        open_journal: Callable[[RackRecord], Journal],
        finish: Callable[[RackRecord], None],
        failed: tuple[type[Exception], ...],
        counters: Counters,
        complain: Callable[[str], None],
        backoff: Backoff = Backoff(1.0, 30.0),  # noqa: B008
        written: Callable[[RackRecord], None] = lambda record: None,
    ) -> None:
        self._open_journal, self._finish, self._failed = open_journal, finish, failed
        self._counters, self._complain, self._backoff = counters, complain, backoff
        self._tell_written = written
        self._waiting: deque[NewEntry | Ended] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._journal: Journal | None = None
        self._rack: str | None = None
        self._written: int | None = None
        self._found: list[bytes] = []
        self._failures = 0
        self._thread = threading.Thread(target=self._run, name="recording", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self, record: RackRecord) -> None:
        """A rack has ended: once its entries are written, it is finished."""
        with self._changed:
            self._waiting.append(Ended(record))
            self._changed.notify_all()

    def put(self, new: NewEntry) -> None:
        """Have an entry written; never waits. Beyond some thousand that wait, the newest are lost and counted."""
        with self._changed:
            if len(self._waiting) >= _MOST_WAITING:
                self._counters.entries_lost += 1
                return
            self._waiting.append(new)
            self._counters.entries_waiting = len(self._waiting)
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    break
                new = self._waiting[0]
            if self._write(new):
                self._done()
            elif self._wait_or_end():
                break
        self._close_journal()

    def _write(self, new: NewEntry | Ended) -> bool:
        try:
            if isinstance(new, Ended):
                self._close_journal()
                self._finish(new.record)
            else:
                self._append(new)
        except self._failed as error:
            self._failures += 1
            self._counters.recording_failures += 1
            if self._failures == 1:
                self._complain(f"cannot record ({error}); rulings go on, what is not written waits and is tried again")
            self._close_journal()
            return False
        if self._failures:
            self._complain(f"recording works again; {len(self._waiting) - 1} more entries were waiting")
        self._failures = 0
        return True

    def _append(self, new: NewEntry) -> None:
        journal = self._journal_of(new.header)
        line = canonical(entry_value(new.entry))
        if line in self._found:
            self._found.remove(line)
        else:
            journal.append(new.entry)
        self._written = len(journal.record.entries)
        self._tell_written(journal.record)

    def _journal_of(self, header: RackRecord) -> Journal:
        """The open journal. One that failed is opened anew: it may hold the entry on which it seemed to fail, and
        entries that another process has added."""
        if self._rack != header.rack_id:
            self._close_journal()
            self._rack, self._written = header.rack_id, None
        if self._journal is None:
            self._journal = self._open_journal(header)
            there = self._journal.record.entries
            beyond = [] if self._written is None else there[self._written :]
            self._found = [canonical(entry_value(entry)) for entry in beyond]
            self._written = len(there)
        return self._journal

    def _done(self) -> None:
        with self._changed:
            self._waiting.popleft()
            self._counters.entries_waiting = len(self._waiting)
            self._changed.notify_all()

    def _wait_or_end(self) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._closing, self._backoff.wait(self._failures))

    def _close_journal(self) -> None:
        journal, self._journal = self._journal, None
        if journal is not None:
            try:
                journal.close()
            except self._failed:
                return

    def flush(self, timeout: float) -> bool:
        """Wait until all is written; says whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting, timeout)

    def close(self) -> None:
        """End; what waits is written if it can be within a few seconds."""
        self.flush(_LAST_WAIT)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(_LAST_WAIT)
