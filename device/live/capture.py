"""The capture worker: takes frames from the camera as they come, judges their health, and never waits for detection."""

from __future__ import annotations

import threading
from collections.abc import Callable

from device.cameras.camera import CameraFacts, SourceEndedError
from device.cameras.faults import FaultWatch
from device.cameras.reopening import ReopeningCamera
from device.live.counters import Counters, Progress
from device.live.exposure import Order
from device.live.queues import Latest
from device.live.taken import Taken

_WAIT = 0.2


class Capture:
    """Reads one camera into a queue until it ends, is gone for good, or `stop` is set.

    `patient` waits for room in the queue instead of dropping the oldest frame: for files that are read as fast as they
    can be.
    """

    def __init__(
        self,
        camera: ReopeningCamera,
        faults: FaultWatch,
        queue: Latest[Taken],
        counters: Counters,
        progress: Progress,
        clock: Callable[[], float],
        stop: threading.Event,
        patient: bool = False,
    ) -> None:
        self._camera, self._faults, self._queue = camera, faults, queue
        self._counters, self._progress, self._clock = counters, progress, clock
        self._stop, self._patient = stop, patient
        self._order: Order | None = None
        self._locked = False
        self.facts = CameraFacts("not opened")
        self.lock_failed = False
        """The camera was told to hold its exposure, and its own word on later frames is that it does not."""
        self.failure: Exception | None = None

    def ask(self, order: Order) -> None:
        """Have the exposure locked or unlocked before the next frame; from any thread."""
        self._order = order

    def run(self) -> None:
        try:
            while not self._stop.is_set():
                self._step()
        except SourceEndedError:
            pass
        except Exception as error:
            self.failure = error
        finally:
            self._counters.watching = False
            self._queue.close()

    def _step(self) -> None:
        raw = self._camera.next_frame(_WAIT)
        self._counters.watching = self._camera.watching
        self._counters.camera_losses = self._camera.losses
        if raw is None:
            if not self._camera.watching:
                self._progress.at = self._clock()
            return
        self._obey()
        taken = Taken(raw, self._faults.check(raw), self._clock())
        self._counters.frames_taken += 1
        while self._patient and self._queue.full and not self._stop.is_set():
            self._queue.wait_for_room(_WAIT)
        self._queue.put(taken)
        self._counters.frames_dropped = self._queue.dropped

    def _obey(self) -> None:
        order, self._order = self._order, None
        if order is Order.LOCK:
            self._camera.lock()
            self._locked = True
        elif order is Order.UNLOCK:
            self._camera.unlock()
            self._locked = False
        if self._counters.frames_taken % 30 == 0:
            self.facts = self._camera.facts()
            self._counters.rate = self.facts.rate
            self.lock_failed = self._locked and self.facts.locked is False
