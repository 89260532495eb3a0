"""Alerts to every way out, each by its own thread and queue: a slow or dead one holds no other up."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from device.alerts.alert import Alert, AlertSink, Kind, RefusedError
from device.cameras.backoff import Backoff

_MOST_WAITING: Final = 10_000
_END: Final = 2.0


@dataclass
class Delivery:
    """How one way out does. `latencies`: seconds from the deciding frame's arrival to delivery, the last ones."""

    delivered: int = 0
    failures: int = 0
    dropped: int = 0
    waiting: int = 0
    last_error: str | None = None
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=1000))


class _Way:
    """One sink with its queue. Final and withdrawn alerts wait until they get through, in order.

    A provisional alert that could not be delivered before its shot's ruling came is left out: it would be old news.
    """

    def __init__(
        self, sink: AlertSink, clock: Callable[[], float], backoff: Backoff, complain: Callable[[str], None]
    ) -> None:
        self.sink, self._clock, self._backoff, self._complain = sink, clock, backoff, complain
        self.state = Delivery()
        self._queue: deque[Alert] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"alerts {sink.name}", daemon=True)
        self._thread.start()

    def put(self, alert: Alert) -> None:
        with self._changed:
            if alert.kind is not Kind.PROVISIONAL:
                self._leave_out_old_news(alert)
            if len(self._queue) >= _MOST_WAITING:
                self._queue.popleft()
                self.state.dropped += 1
            self._queue.append(alert)
            self.state.waiting = len(self._queue)
            self._changed.notify()

    def _leave_out_old_news(self, alert: Alert) -> None:
        """The first of the queue may be on its way out at this moment: it stays."""
        tried, waiting = list(self._queue)[:1], list(self._queue)[1:]
        kept = [one for one in waiting if one.kind is not Kind.PROVISIONAL or one.shot != alert.shot]
        self._queue = deque(tried + kept)

    def _run(self) -> None:
        failed = 0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._closing)
                if not self._queue:
                    return
                alert = self._queue[0]
            try:
                self.sink.deliver(alert)
            except RefusedError as error:
                self._refused(alert, error)
                continue
            except Exception as error:  # whatever breaks in a sink must not take the others or the rulings with it
                failed += 1
                if not self._wait_after(failed, error):
                    return
                continue
            failed = 0
            self._done(alert)

    def _wait_after(self, failed: int, error: Exception) -> bool:
        """Say what went wrong and wait; false when it is time to end."""
        self.state.failures += 1
        self.state.last_error = str(error)
        if failed == 1:
            self._complain(f"alerts by {self.sink.name} do not get through ({error}); they wait and are tried again")
        with self._changed:
            return not self._changed.wait_for(lambda: self._closing, self._backoff.wait(failed))

    def _refused(self, alert: Alert, error: Exception) -> None:
        self._complain(f"{self.sink.name} does not take alert {alert.id} ({error}); it is left out")
        with self._changed:
            if self._queue and self._queue[0] is alert:
                self._queue.popleft()
            self.state.dropped += 1
            self.state.failures += 1
            self.state.waiting = len(self._queue)
            self._changed.notify_all()

    def _done(self, alert: Alert) -> None:
        with self._changed:
            if self._queue and self._queue[0] is alert:
                self._queue.popleft()
            self.state.waiting = len(self._queue)
            self.state.delivered += 1
            self.state.last_error = None
            self.state.latencies.append(self._clock() - alert.decided)
            self._changed.notify_all()

    def wait_empty(self, timeout: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: not self._queue, timeout)

    def close(self) -> None:
        with self._changed:
            self._closing = True
            self._changed.notify_all()

    def join(self, timeout: float) -> None:
        self._thread.join(timeout)
        self.sink.close()


class Dispatcher:
    """Hands alerts to sinks; `send` never waits."""

    def __init__(
        self,
        sinks: Sequence[AlertSink],
        clock: Callable[[], float],
        complain: Callable[[str], None] = lambda text: None,
        backoff: Backoff = Backoff(0.25, 30.0),  # noqa: B008
    ) -> None:
        self._ways = [_Way(sink, clock, backoff, complain) for sink in sinks]

    def send(self, alert: Alert) -> None:
        for way in self._ways:
            way.put(alert)

    @property
    def states(self) -> dict[str, Delivery]:
        return {way.sink.name: way.state for way in self._ways}

    def flush(self, timeout: float) -> bool:
        """Wait until all is delivered, at most so many seconds for each way; says whether it is."""
        emptied = [way.wait_empty(timeout) for way in self._ways]
        return all(emptied)

    def close(self) -> None:
        """End: what waits has a moment to get through, then the threads are left."""
        self.flush(_END / 2)
        for way in self._ways:
            way.close()
        for way in self._ways:
            way.join(_END / max(len(self._ways), 1))
