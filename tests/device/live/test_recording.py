"""Recording: in order, once each, through a full disk and back; and never in the way of the rulings."""

from __future__ import annotations

import threading

import pytest

from device.cameras.backoff import Backoff
from device.files import OutputError
from device.live import recording
from device.live.counters import Counters
from device.live.racks import NewEntry
from device.live.recording import Recorder
from record.entries import Entry, Observation
from record.rack import RackRecord
from tests.adjudication.racks import rack


def header(name: str = "r") -> RackRecord:
    return rack("upa-9ball").model_copy(update={"rack_id": name})


def noted(number: int, name: str = "r") -> NewEntry:
    return NewEntry(header(name), Observation(t=float(number), what="ball_moved"))


class Disk:
    """Journals in memory; `full` refuses, `torn` writes and then says that it failed."""

    def __init__(self) -> None:
        self.racks: dict[str, RackRecord] = {}
        self.full = False
        self.torn = False
        self.refused = threading.Event()

    def open(self, record: RackRecord) -> _Journal:
        self.racks.setdefault(record.rack_id, record)
        return _Journal(self, record.rack_id)

    def times(self, name: str = "r") -> list[float]:
        return [entry.t for entry in self.racks[name].entries if isinstance(entry, Observation)]


class _Journal:
    def __init__(self, disk: Disk, name: str) -> None:
        self._disk, self._name = disk, name

    @property
    def record(self) -> RackRecord:
        return self._disk.racks[self._name]

    def append(self, entry: Entry) -> None:
        if self._disk.full:
            self._disk.refused.set()
            raise OutputError("No space left on device")
        self._disk.racks[self._name] = self.record.model_copy(update={"entries": [*self.record.entries, entry]})
        if self._disk.torn:
            self._disk.torn = False
            raise OutputError("Input/output error")

    def close(self) -> None: ...


def recorder(disk: Disk, said: list[str], counters: Counters, finished: list[RackRecord] | None = None) -> Recorder:
    done = finished if finished is not None else []
    one = Recorder(disk.open, done.append, (OutputError,), counters, said.append, Backoff(0.001, 0.002))
    one.start()
    return one


def test_entries_are_written_in_order_each_rack_in_its_own_journal() -> None:
    disk = Disk()
    one = recorder(disk, [], Counters())
    for k in range(5):
        one.put(noted(k, "first"))
    one.put(noted(9, "second"))
    one.close()
    assert disk.times("first") == [0, 1, 2, 3, 4]
    assert disk.times("second") == [9]


def test_a_full_disk_is_said_once_and_what_waits_is_written_when_there_is_room() -> None:
    disk, counters = Disk(), Counters()
    said: list[str] = []
    disk.full = True
    one = recorder(disk, said, counters)
    for k in range(50):
        one.put(noted(k))
    assert disk.refused.wait(5)
    assert counters.entries_waiting == 50
    disk.full = False
    assert one.flush(5)
    one.close()
    assert disk.times() == list(range(50))
    assert len(said) == 2
    assert "No space left" in said[0]
    assert counters.entries_waiting == 0


def test_an_entry_that_reached_the_disk_although_it_seemed_to_fail_is_not_written_twice() -> None:
    disk = Disk()
    one = recorder(disk, [], Counters())
    one.put(noted(0))
    assert one.flush(5)
    disk.torn = True
    for k in (1, 2, 3):
        one.put(noted(k))
    assert one.flush(5)
    one.close()
    assert disk.times() == [0, 1, 2, 3]


def test_memory_stays_bounded_while_nothing_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "_MOST_WAITING", 20)
    monkeypatch.setattr(recording, "_LAST_WAIT", 0.05)
    disk, counters = Disk(), Counters()
    disk.full = True
    one = recorder(disk, [], counters)
    for k in range(100):
        one.put(noted(k))
    assert counters.entries_waiting == 20
    assert counters.entries_lost == 80
    one.close()


def test_a_rack_that_has_ended_is_finished_once_its_entries_are_written() -> None:
    disk = Disk()
    finished: list[RackRecord] = []
    disk.full = True
    one = recorder(disk, [], Counters(), finished)
    one.put(noted(0))
    one.end(header())
    assert disk.refused.wait(5)
    assert finished == []
    disk.full = False
    one.put(noted(1, "second"))
    assert one.flush(5)
    one.close()
    assert [record.rack_id for record in finished] == ["r"]
    assert disk.times("second") == [1]


def test_what_another_process_adds_while_the_disk_fails_keeps_no_entry_of_ours_out() -> None:
    disk, said, counters = Disk(), list[str](), Counters()
    one = recorder(disk, said, counters)
    one.put(noted(1))
    assert one.flush(5.0)
    disk.full = True
    one.put(noted(2))
    assert disk.refused.wait(5.0)
    record = disk.racks["r"]
    disk.racks["r"] = record.model_copy(update={"entries": [*record.entries, Observation(t=70.0, what="ball_moved")]})
    disk.full = False
    one.put(noted(3))
    assert one.flush(5.0)
    one.close()
    assert disk.times() == [1.0, 70.0, 2.0, 3.0]
