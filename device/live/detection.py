"""The detection worker: frames in; entries to keep, alerts to send and orders to the camera out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from device.alerts.alert import Alert
from device.alerts.announcing import Announcer
from device.live.counters import Counters, Progress
from device.live.exposure import ExposureKeeper, Order
from device.live.losses import Loss, Losses
from device.live.moments import moment_of
from device.live.pacing import Pacing
from device.live.racks import NewEntry, Racks, Step
from device.live.taken import Taken
from device.live.window import NewRack
from record.entries import Declaration, Entry, Override
from record.names import CUE, PlayerId
from record.rack import RackRecord
from record.shot import Shot
from vision.frame import Frame

_SETTLED: Final = 3.0


@dataclass(frozen=True)
class Outcome:
    """What a frame led to."""

    entries: tuple[NewEntry, ...] = ()
    alerts: tuple[Alert, ...] = ()
    ended: tuple[RackRecord, ...] = ()
    order: Order | None = None


class Detection:
    """Deals with one frame at a time; pure but for the clock and what it is given to watch with."""

    def __init__(
        self,
        racks: Racks,
        pacing: Pacing,
        losses: Losses,
        counters: Counters,
        progress: Progress,
        clock: Callable[[], float],
        wall: Callable[[], str],
        looked_at: Callable[[Frame], None] = lambda frame: None,
    ) -> None:
        self._racks, self._pacing, self._losses = racks, pacing, losses
        self._counters, self._progress = counters, progress
        self._clock, self._wall, self._looked_at = clock, wall, looked_at
        self._exposure = ExposureKeeper()
        self._announcer = Announcer(racks.watch.record.rack_id, wall)
        self._last_index: int | None = None
        self._last_t = 0.0
        self._kept: list[NewEntry] = []
        self._alerts: list[Alert] = []
        self._ended: list[RackRecord] = []

    def take(self, taken: Taken) -> Outcome:
        """Deal with the next frame from the queue."""
        self._notice_losses(taken)
        self._notice_faults(taken)
        order = None
        if not taken.health.blind:
            at_rest = self._racks.watch.at_rest
            for chosen in self._pacing.choose(taken, at_rest):
                self._look(chosen)
            self._counters.asleep = self._pacing.asleep
            self._counters.at_rest = self._racks.watch.at_rest
            order = self._exposure.step(taken.frame.t, self._counters.at_rest)
            self._progress.at, self._progress.frames = self._clock(), self._progress.frames + 1
        self._counters.frames_passed_over = self._pacing.passed_over
        return self._outcome(order)

    def finish(self) -> Outcome:
        """The source has ended."""
        self._tell_losses(self._last_t + _SETTLED)
        self._absorb(self._racks.finish(), self._last_t, self._clock())
        return self._outcome(None)

    def say(self, said: Declaration | Override) -> Entry:
        """Take in what a person says now.

        Raises:
            IllegalEntryError: the league does not take it.
        """
        entry, step = self._racks.say(self._last_t, said)
        self._absorb(step, self._last_t, self._clock())
        return entry

    def spoken(self) -> Outcome:
        """What was said while no frame came."""
        return self._outcome(None)

    def begin_anew(self, wanted: NewRack) -> None:
        """Begin a new rack with the players that somebody named."""
        breaker: PlayerId = "B" if wanted.breaker == "B" else "A"
        step = self._racks.begin_anew(wanted.league, wanted.players, breaker, wanted.options)
        self._absorb(step, self._last_t, self._clock())

    def moment(self) -> dict[str, Any]:
        """What is known now, for the pages."""
        return moment_of(self._racks.watch, self._counters, self._racks.t(self._last_t))

    def note(self, t: float, what: str, **facts: Any) -> None:
        """Keep an observation at the source's time `t`."""
        self._kept += self._racks.note(t, what, **facts).entries

    def _outcome(self, order: Order | None) -> Outcome:
        done = Outcome(tuple(self._kept), tuple(self._alerts), tuple(self._ended), order)
        self._kept, self._alerts, self._ended = [], [], []
        return done

    def _look(self, taken: Taken) -> None:
        watch = self._racks.watch
        running = watch.watcher.next_index
        self._looked_at(taken.frame)
        step = self._racks.update(taken.frame)
        now = self._clock()
        self._counters.frames_looked_at += 1
        self._counters.behind = now - taken.arrived
        self._counters.looks.append(now - taken.arrived)
        self._absorb(step, taken.frame.t, taken.arrived)
        if step.ended is None:
            self._announce_early(running, taken)

    def _announce_early(self, running: int, taken: Taken) -> None:
        """What is known while balls roll, and what of it came to nothing."""
        watch, t = self._racks.watch, self._racks.t(taken.frame.t)
        fallen = watch.watcher.sunk
        gone = self._announcer.seen(running, fallen, t, taken.arrived)
        if gone:
            self.note(taken.frame.t, "scratch_seen", shot=running, ball=CUE, pocket=fallen[CUE])
        self._alerts += gone
        foul, hit = watch.foreseen(), watch.watcher.first_hit
        early = self._announcer.foreseen(running, foul, hit.ball if hit is not None else "", t, taken.arrived)
        if early and hit is not None:
            self.note(taken.frame.t, "bad_hit_seen", shot=running, ball=hit.ball, t_contact=round(hit.t, 4))
        self._alerts += early
        if watch.at_rest and watch.watcher.next_index == running:
            self._alerts += self._announcer.called_off(running, "no shot came of it.", t, taken.arrived)

    def _absorb(self, step: Step, t: float, decided: float) -> None:
        """Keep entries and tell of them."""
        self._kept += step.entries
        for new in step.entries:
            shot = new.entry.index if isinstance(new.entry, Shot) else self._racks.watch.watcher.next_index - 1
            self._counters.shots += isinstance(new.entry, Shot)
            self._alerts += self._announcer.ruled(new.entry, shot, self._racks.t(t), decided)
        self._counters.alerts += len(self._alerts)
        if step.ended is not None:
            self._counters.racks += 1
            self._ended.append(step.ended)
            self._announcer = Announcer(self._racks.watch.record.rack_id, self._wall)

    def _notice_losses(self, taken: Taken) -> None:
        raw, gap = taken.frame, taken.health.gap
        if self._last_index is not None and raw.index > self._last_index + 1:
            self._losses.add(Loss(self._last_t, raw.t, raw.index - self._last_index - 1, "slow"))
        if gap is not None:
            self._counters.camera_gaps += 1
            self._losses.add(Loss(gap.after, gap.before, gap.missing, "camera"))
        self._last_index, self._last_t = raw.index, raw.t
        self._tell_losses(raw.t)

    def _tell_losses(self, t: float) -> None:
        for loss in self._losses.over(t):
            since = self._racks.t(loss.after)
            self.note(loss.before, "frames_missing", frames=loss.frames, since=round(since, 4), why=loss.why)

    def _notice_faults(self, taken: Taken) -> None:
        health = taken.health
        self._counters.faults = frozenset(fault.value for fault in health.faults)
        for fault in sorted(health.begun):
            self.note(taken.frame.t, "camera_fault", fault=fault.value)
        for fault in sorted(health.ended):
            self.note(taken.frame.t, "camera_fault_over", fault=fault.value)
