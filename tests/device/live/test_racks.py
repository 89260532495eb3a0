"""Racks one after the other: when one ends, who breaks the next, and what a record begins with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest

from calibration.calibration import Calibration
from device.live.racks import Breaks, Racks, Step, next_breaker
from device.rack_watch import Progress, RackWatch
from record.entries import Entry, Observation
from record.names import PlayerId
from record.rack import RackRecord
from tests.adjudication.racks import layout, rack, shot
from vision.frame import Frame

RACKED = {"cue": (-0.6, 0.0)} | {
    str(k + 1): (0.635 + 0.0495 * row, 0.0572 * (place - row / 2))
    for k, (row, place) in enumerate((row, place) for row in range(4) for place in range(row + 1))
    if k < 9
}


@dataclass
class Known:
    name: str
    at: tuple[float, float]


@dataclass
class Following:
    balls: list[Known] = field(default_factory=list)


class ScriptedWatch:
    """A watch that says what the script says, frame by frame."""

    def __init__(self, record: RackRecord, calibration: Any, script: list[list[Entry]], over_after: int | None) -> None:
        self.record, self.calibration = record, calibration
        self._script, self._over_after = script, over_after
        self._seen = 0
        self.over, self.at_rest, self.awaits_a_rack = False, True, False
        self.winner: PlayerId = "B"
        self.watcher = Following()
        self.times: list[float] = []

    def update(self, frame: Frame) -> Progress:
        self.times.append(frame.t)
        entries = self._script[self._seen] if self._seen < len(self._script) else []
        self._seen += 1
        self.over = self._over_after is not None and self._seen > self._over_after
        for entry in entries:
            self.record = self.record.model_copy(update={"entries": [*self.record.entries, entry]})
        return Progress(tuple(entries), cast("Any", None))

    def note(self, t: float, what: str, **facts: Any) -> Entry:
        entry = Observation.model_validate({"t": t, "what": what, **facts})
        self.record = self.record.model_copy(update={"entries": [*self.record.entries, entry]})
        return entry

    def finish(self) -> tuple[Entry, ...]:
        return ()


SHOT = shot(0, "A", "cue>1", layout())


class Table:
    """Racks over scripted watches."""

    def __init__(
        self, scripts: list[list[list[Entry]]], breaks: Breaks = "alternate", over_after: int | None = 2
    ) -> None:
        self.watches: list[ScriptedWatch] = []
        calibration = cast("Calibration", _Calibration())

        def make(record: RackRecord, known: Calibration) -> RackWatch:
            number = len(self.watches)
            script = scripts[number] if number < len(scripts) else []
            self.watches.append(ScriptedWatch(record, known, script, over_after if script else None))
            return cast("RackWatch", self.watches[-1])

        def header(breaker: PlayerId, known: Calibration) -> RackRecord:
            return rack("upa-9ball").model_copy(update={"breaker": breaker, "rack_id": f"r{len(self.watches)}"})

        self.racks = Racks(make, header, calibration, breaks)

    def show(self, *times: float) -> list[Step]:
        black = np.zeros((2, 2, 3), dtype=np.uint8)
        return [self.racks.update(Frame(t, black, 0)) for t in times]


class _Calibration:
    id = "c1"

    @property
    def table(self) -> Any:
        from calibration.table import table_named

        return table_named("9ft")


def kept(steps: list[Step]) -> list[str]:
    return [getattr(new.entry, "what", new.entry.type) for step in steps for new in step.entries]


def test_a_record_begins_with_its_first_shot_and_what_was_noticed_before_is_in_it() -> None:
    noticed = Observation(t=0.1, what="ball_placed")
    table = Table([[[noticed], [], [SHOT]]], over_after=None)
    first, second = table.show(100.0, 100.1)
    assert first.entries == second.entries == ()
    third = table.show(100.2)
    assert kept(third) == ["ball_placed", "shot"]
    assert kept([table.racks.note(100.3, "camera_fault", fault="black")]) == ["camera_fault"]


def test_a_rack_that_is_over_ends_and_the_next_counts_its_time_from_its_own_first_frame() -> None:
    table = Table([[[], [SHOT], []], [[]]])
    steps = table.show(100.0, 100.5, 101.0)
    assert [step.ended is not None for step in steps] == [False, False, True]
    assert steps[2].ended is not None
    assert steps[2].ended.rack_id == "r0"
    table.show(107.0, 108.0)
    assert table.watches[0].times == pytest.approx([0.0, 0.5, 1.0])
    assert table.watches[1].times == pytest.approx([0.0, 1.0])
    assert table.racks.watch.record.rack_id == "r1"
    assert table.racks.watch.record.breaker == "B"


def test_a_rack_set_up_anew_ends_the_one_before_unless_a_ruling_asked_for_it() -> None:
    table = Table([[[SHOT]], [[]]], over_after=None)
    table.show(0.0)
    watch = table.watches[0]
    watch.watcher.balls = [Known(name, at) for name, at in RACKED.items()]
    watch.awaits_a_rack = True
    assert table.show(2.0)[0].ended is None
    watch.awaits_a_rack, watch.at_rest = False, False
    assert table.show(4.0)[0].ended is None
    watch.at_rest = True
    (step,) = table.show(6.0)
    assert kept([step]) == ["rack_abandoned"]
    assert step.ended is not None
    assert table.racks.watch.record.breaker == "A"


def test_a_record_without_an_end_does_not_grow_for_ever() -> None:
    table = Table([[[SHOT] * 150, [], [SHOT] * 150], [[]]], over_after=None)
    steps = table.show(0.0, 0.1, 0.2)
    assert [step.ended is not None for step in steps] == [False, False, True]
    assert kept(steps)[-1] == "rack_abandoned"
    assert table.racks.watch.record.entries == []


def test_a_full_rack_before_any_shot_is_just_the_beginning() -> None:
    table = Table([[[]]], over_after=None)
    table.watches[0].watcher.balls = [Known(name, at) for name, at in RACKED.items()]
    assert [step.ended for step in table.show(0.0, 2.0, 4.0)] == [None, None, None]


@pytest.mark.parametrize(
    ("breaks", "breaker", "winner", "then"),
    [
        ("alternate", "A", "A", "B"),
        ("alternate", "B", "A", "A"),
        ("winner", "A", "B", "B"),
        ("winner", "A", None, "A"),
        ("alternate", "B", None, "B"),
    ],
)
def test_who_breaks_next(breaks: Breaks, breaker: PlayerId, winner: PlayerId | None, then: PlayerId) -> None:
    assert next_breaker(breaks, breaker, winner) == then
