"""Racks one after the other on one table: each its own record, with times from its own first frame.

A rack ends when its rules say so (`rack_over`). Where nobody told the box that a rack was conceded, a full rack that is
set up anew ends it: then it is noted as `rack_abandoned`, as it is after some hundred entries without an end. The next
one begins with the frame that follows.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from calibration.calibration import Calibration, to_json
from device.live.leftovers import Unfinished
from device.opening import racked
from device.rack_watch import RackWatch
from record.entries import Declaration, Entry, Override
from record.lag import Lag
from record.names import PlayerId
from record.rack import Player, RackRecord
from record.shot import Shot
from vision.frame import Frame

Breaks = Literal["winner", "alternate"]

_LOOK_FOR_A_RACK: Final = 1.0
_MOST_ENTRIES: Final = 300


@dataclass(frozen=True)
class NewEntry:
    """An entry to be kept: of this rack (its header, without entries), whose time began at `began` of the source's."""

    header: RackRecord
    entry: Entry
    began: float = 0.0


@dataclass(frozen=True)
class Step:
    """What one frame brought: entries to keep in order, and the rack that ended with it."""

    entries: tuple[NewEntry, ...] = ()
    ended: RackRecord | None = None


class Racks:
    """Watches rack after rack.

    Args:
        make_watch: a watch for a new record and the calibration known so far.
        make_record: a new record's header, for the player who breaks.
        breaks: who breaks the next rack.
        unfinished: a rack of an earlier run to go on with.
    """

    def __init__(
        self,
        make_watch: Callable[[RackRecord, Calibration], RackWatch],
        make_record: Callable[[PlayerId, Calibration], RackRecord],
        calibration: Calibration,
        breaks: Breaks,
        first_breaker: PlayerId = "A",
        unfinished: Unfinished | None = None,
    ) -> None:
        self._make_watch, self._make_record, self._breaks = make_watch, make_record, breaks
        self._calibration = calibration
        self.began: float | None = None
        self._next_breaker = first_breaker
        self._looked = 0.0
        self._held: list[Entry] = []
        self._kept = False
        self._unfinished = unfinished
        self._agreed: dict[str, Any] = {}
        self.watch = self._begin() if unfinished is None else self._go_on(unfinished)

    def _begin(self) -> RackWatch:
        self.began, self._held, self._kept, self._looked = None, [], False, 0.0
        record = self._make_record(self._next_breaker, self._calibration).model_copy(update=self._agreed)
        self.watch = self._make_watch(record, self._calibration)
        return self.watch

    def _go_on(self, unfinished: Unfinished) -> RackWatch:
        """Take up a rack that an earlier run began."""
        self._kept, self._next_breaker = True, unfinished.record.breaker
        return self._make_watch(unfinished.record, self._calibration)

    def _taken_up(self, t: float) -> list[NewEntry]:
        """The first frame after an interruption: the rack's time goes on as if it had been watched all along."""
        unfinished, self._unfinished = self._unfinished, None
        if unfinished is None:
            return []
        last = max(_time_of(entry) for entry in unfinished.record.entries)
        now = last + max(unfinished.away, 0.001)
        self.began = t - now
        facts = {"away": round(unfinished.away, 1), "calibration": calibration_facts(self._calibration)}
        return self._keep([self.watch.note(now, "watch_resumed", **facts)])

    @property
    def t(self) -> Callable[[float], float]:
        """From the source's time to the rack's."""
        began = self.began or 0.0
        return lambda t: t - began

    def update(self, frame: Frame) -> Step:
        """Take in the next frame."""
        resumed = self._taken_up(frame.t)
        if self.began is None:
            self.began = frame.t
        mine = replace(frame, t=frame.t - self.began)
        entries = list(self.watch.update(mine).entries)
        if self.watch.calibration.id != self._calibration.id:
            entries.append(self._recalibrated(mine.t))
        kept = resumed + self._keep(entries)
        if self.watch.over:
            return self._end(kept, self.watch.winner)
        if self._set_up_anew(mine.t) or self._endless():
            kept += self._keep([self.watch.note(mine.t, "rack_abandoned")])
            return self._end(kept, None)
        return Step(tuple(kept))

    def note(self, t: float, what: str, **facts: Any) -> Step:
        """Keep an observation at the source's time `t`."""
        began = self.began if self.began is not None else t
        return Step(tuple(self._keep([self.watch.note(max(t - began, 0.0), what, **facts)])))

    def say(self, t: float, said: Declaration | Override) -> tuple[Entry, Step]:
        """Take in what a person says at the source's time `t`; it may end the rack.

        Raises:
            IllegalEntryError: the league does not take it now.
        """
        began = self.began if self.began is not None else t
        entry = self.watch.declare(said.model_copy(update={"t": round(max(t - began, 0.0), 3)}))
        kept = self._keep([entry])
        return entry, self._end(kept, self.watch.winner) if self.watch.over else Step(tuple(kept))

    def begin_anew(self, league: str, players: tuple[str, str], breaker: PlayerId, options: dict[str, Any]) -> Step:
        """A new rack with these players, and so the racks after it; the one before ends as it is."""
        ended = self.watch.record if self._kept else None
        self._agreed = {
            "rules": league,
            "rules_options": options,
            "players": [Player(id="A", name=players[0]), Player(id="B", name=players[1])],
        }
        self._next_breaker = breaker
        self._begin()
        return Step((), ended)

    def finish(self) -> Step:
        """The source has ended."""
        entries = self._keep(list(self.watch.finish()))
        return Step(tuple(entries), self.watch.record if self._kept else None)

    def _recalibrated(self, t: float) -> Entry:
        """The camera was moved, or the rack told which end is which: from here on places come from these numbers."""
        self._calibration = self.watch.calibration
        return self.watch.note(t, "calibrated", calibration=calibration_facts(self._calibration))

    def _keep(self, entries: list[Entry]) -> list[NewEntry]:
        """A rack's record begins with its first shot or declaration; what was noticed before is written with it."""
        self._held += entries
        self._kept = self._kept or any(entry.type not in ("observation",) for entry in entries)
        if not self._kept:
            self._held = self._held[-50:]
            return []
        header = self.watch.record.model_copy(update={"entries": []})
        kept, self._held = [NewEntry(header, entry, self.began or 0.0) for entry in self._held], []
        return kept

    def _set_up_anew(self, t: float) -> bool:
        """A whole rack stands ready although shots were played and no ruling asks for one."""
        if t - self._looked < _LOOK_FOR_A_RACK:
            return False
        self._looked = t
        watch = self.watch
        played = any(isinstance(entry, Shot) for entry in watch.record.entries)
        if not played or not watch.at_rest or watch.awaits_a_rack:
            return False
        return racked(watch.calibration.table, {ball.name: ball.at for ball in watch.watcher.balls})

    def _endless(self) -> bool:
        """More has been noted than any rack holds (practice without racking): memory stays bounded."""
        return self.watch.at_rest and len(self.watch.record.entries) >= _MOST_ENTRIES

    def _end(self, entries: list[NewEntry], winner: PlayerId | None) -> Step:
        ended = self.watch.record
        self._next_breaker = next_breaker(self._breaks, ended.breaker, winner)
        self._begin()
        return Step(tuple(entries), ended)


def _time_of(entry: Entry) -> float:
    """When what an entry tells was over."""
    return entry.t_rest if isinstance(entry, Shot | Lag) else entry.t


def next_breaker(breaks: Breaks, breaker: PlayerId, winner: PlayerId | None) -> PlayerId:
    """Who breaks next; after a rack without a winner, the one who broke it."""
    if winner is None:
        return breaker
    if breaks == "winner":
        return winner
    return "B" if breaker == "A" else "A"


def calibration_facts(calibration: Calibration) -> dict[str, Any]:
    """A calibration as a record holds it: enough to work out every place again."""
    return {"id": calibration.id, **json.loads(to_json(calibration))}
