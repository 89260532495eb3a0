"""Feeds the watchdog while frames really advance: a process that lives but hangs is started anew by systemd."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from device.health.systemd import Notifier
from device.live.counters import Counters, Progress

_STALE: Final = 10.0
_USUAL: Final = 5.0


class Pulse:
    """Looks at the loop's progress now and then.

    Fed are a frame that was dealt with, and, while the camera is known to be lost, each bounded try to get it back: a
    service that waits for its camera in the open does not hang.
    """

    def __init__(self, notifier: Notifier, counters: Counters, progress: Progress, clock: Callable[[], float]) -> None:
        self._notifier, self._counters, self._progress, self._clock = notifier, counters, progress, clock
        self.every = _USUAL if notifier.watchdog is None else min(_USUAL, notifier.watchdog / 3)

    def beat(self) -> bool:
        """Say how it goes; feeds the watchdog, and says whether it did."""
        alive = self._clock() - self._progress.at < _STALE
        self._notifier.send(STATUS=self.status())
        if alive:
            self._notifier.send(WATCHDOG=1)
        return alive

    def status(self) -> str:
        counters = self._counters
        if not counters.watching:
            return f"not watching: the camera is lost ({counters.camera_losses} times)"
        if counters.faults:
            return f"not calling: the camera's picture is {', '.join(sorted(counters.faults))}"
        rate = "?" if counters.rate is None else f"{counters.rate:.1f}"
        return f"watching at {rate} frames/s, {counters.shots} shots, {counters.frames_dropped} frames dropped"

    def run(self, stop: threading.Event) -> None:
        while not stop.wait(self.every):
            self.beat()
