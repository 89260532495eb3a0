"""The capture worker over cameras that misbehave: it never hangs, never hides a loss, and obeys orders."""

from __future__ import annotations

import threading
from dataclasses import replace

from device.cameras.camera import Camera, CameraFacts, CameraLostError, SourceEndedError
from device.cameras.faults import FaultWatch
from device.cameras.reopening import ReopeningCamera
from device.live.capture import Capture
from device.live.counters import Counters, Progress
from device.live.exposure import Order
from device.live.queues import Latest
from device.live.taken import Taken
from tests.device.cameras.scripted import Clock, ScriptedCamera, Step, raw
from tests.device.clips import grey
from vision.frame import Frame


def frames(count: int, start: int = 0) -> list[Step]:
    return [raw(k / 30, grey(k % 200), k) for k in range(start, start + count)]


class Obedient(ScriptedCamera):
    """Remembers its orders; `holds` is what it says of its lock."""

    def __init__(self, steps: list[Step], holds: bool | None = None) -> None:
        super().__init__(steps)
        self.orders: list[str] = []
        self.holds = holds

    def lock(self) -> None:
        self.orders.append("lock")

    def unlock(self) -> None:
        self.orders.append("unlock")

    def facts(self) -> CameraFacts:
        return replace(super().facts(), locked=self.holds)


def capture(openings: list[Camera], size: int = 10) -> tuple[Capture, Latest[Taken], Counters, Progress, Clock]:
    clock, counters, progress, queue = Clock(), Counters(), Progress(), Latest[Taken](size)
    camera = ReopeningCamera(lambda: openings.pop(0), clock, clock.sleep)
    camera.open()
    worker = Capture(camera, FaultWatch(), queue, counters, progress, clock, threading.Event())
    return worker, queue, counters, progress, clock


def drained(queue: Latest[Taken]) -> list[Frame]:
    found = []
    while (taken := queue.get(0.0)) is not None:
        found.append(taken.frame)
    return found


def test_it_never_waits_for_detection_and_counts_what_that_costs() -> None:
    worker, queue, counters, _, _ = capture([ScriptedCamera([*frames(25), SourceEndedError()])])
    worker.run()
    assert [frame.index for frame in drained(queue)] == list(range(15, 25))
    assert (counters.frames_taken, counters.frames_dropped) == (25, 15)
    assert worker.failure is None
    assert queue.closed


def test_an_unplugged_camera_comes_back_and_meanwhile_shows_that_it_is_tried() -> None:
    first = ScriptedCamera([*frames(3), CameraLostError("unplugged")])
    second = ScriptedCamera([*frames(3), SourceEndedError()])
    worker, queue, counters, progress, clock = capture([first, second])
    before = progress.at
    worker.run()
    times = [frame.t for frame in drained(queue)]
    assert len(times) == 6
    assert times[3] - times[2] > 0.3
    assert counters.camera_losses == 1
    assert progress.at > before
    assert clock.now > 1000.0


def test_a_camera_that_never_comes_back_ends_the_worker_with_the_reason() -> None:
    dead = [ScriptedCamera([], opens=False) for _ in range(60)]
    worker, queue, counters, _, _ = capture([ScriptedCamera([CameraLostError("gone")]), *dead])
    worker.run()
    assert "did not come back" in str(worker.failure)
    assert queue.closed
    assert not counters.watching


def test_orders_are_obeyed_before_the_next_frame_and_a_lock_that_fails_is_known() -> None:
    camera = Obedient([*frames(70), SourceEndedError()], holds=False)
    worker, _, _, _, _ = capture([camera])
    worker.ask(Order.LOCK)
    worker.run()
    assert camera.orders == ["lock"]
    assert worker.lock_failed


def test_a_camera_that_measures_on_purpose_has_not_failed_to_lock() -> None:
    camera = Obedient([*frames(70), SourceEndedError()], holds=False)
    worker, _, _, _, _ = capture([camera])
    worker.ask(Order.UNLOCK)
    worker.run()
    assert camera.orders == ["unlock"]
    assert not worker.lock_failed
