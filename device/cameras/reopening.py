"""A camera that is opened again when it is lost, with growing waits and an end to the tries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from device.cameras.backoff import Backoff
from device.cameras.camera import Camera, CameraError, CameraFacts, CameraGoneError, CameraLostError
from vision.frame import Frame

STALLED: Final = 5.0
"""Seconds without a frame after which a camera counts as lost, though it says nothing."""
TRIES: Final = 20
"""Tries in a row (about eight minutes) after which the process should end and be started anew."""


class ReopeningCamera:
    """Wraps a camera so that its frames go on after a loss.

    Times go on too: each opening's frames are placed on this process's monotonic clock by their arrival, so that
    `t` never jumps back and shows the gap. `make` makes a new, unopened camera; `sleep` waits at most the seconds it is
    given; `lost` is told why, once for each loss.
    """

    def __init__(
        self,
        make: Callable[[], Camera],
        clock: Callable[[], float],
        sleep: Callable[[float], object],
        lost: Callable[[str], None] = lambda why: None,
        backoff: Backoff = Backoff(),  # noqa: B008
        tries: int = TRIES,
    ) -> None:
        self._make, self._clock, self._sleep, self._lost = make, clock, sleep, lost
        self._backoff, self._tries = backoff, tries
        self._camera: Camera | None = None
        self._origin: float | None = None
        self._offset: float | None = None
        self._last_t = -1.0
        self._count = 0
        self._failures = 0
        self._due = 0.0
        self._heard = 0.0
        self.losses = 0

    @property
    def watching(self) -> bool:
        """Frames are coming (or may come); false while the camera is lost."""
        return self._camera is not None

    def open(self) -> None:
        """The first opening: its failure is the caller's to show."""
        camera = self._make()
        try:
            camera.open()
        except CameraError:
            camera.close()
            raise
        self._camera, self._heard, self._offset = camera, self._clock(), None

    def next_frame(self, timeout: float) -> Frame | None:
        """As `Camera.next_frame`; None while the camera is lost.

        Raises:
            CameraGoneError: it did not come back in all the tries allowed.
        """
        if self._camera is None:
            self._try_again(timeout)
            return None
        try:
            raw = self._camera.next_frame(timeout)
        except CameraLostError as error:
            self._give_up(str(error))
            return None
        now = self._clock()
        if raw is None:
            if now - self._heard > STALLED:
                self._give_up(f"no frame came for {STALLED:g} s")
            return None
        self._heard, self._failures = now, 0
        return self._placed(raw, now)

    def _placed(self, raw: Frame, now: float) -> Frame | None:
        """The frame on the one time line that all openings share; None where its time does not advance."""
        if self._origin is None:
            self._origin = now - raw.t
        if self._offset is None:
            self._offset = now - self._origin - raw.t if self.losses else 0.0
        t = raw.t + self._offset
        if t <= self._last_t:
            return None
        self._last_t = t
        placed = raw.at(t, self._count)
        self._count += 1
        return placed

    def _give_up(self, why: str) -> None:
        assert self._camera is not None
        self._close()
        self.losses += 1
        self._fail()
        self._lost(why)

    def _fail(self) -> None:
        self._failures += 1
        self._due = self._clock() + self._backoff.wait(self._failures)

    def _try_again(self, timeout: float) -> None:
        wait = self._due - self._clock()
        if wait > 0:
            self._sleep(min(wait, timeout))
            return
        if self._failures > self._tries:
            raise CameraGoneError(f"the camera did not come back in {self._tries} tries")
        try:
            self.open()
        except CameraError:
            self._fail()

    def lock(self) -> None:
        if self._camera is not None:
            self._camera.lock()

    def unlock(self) -> None:
        if self._camera is not None:
            self._camera.unlock()

    def facts(self) -> CameraFacts:
        if self._camera is None:
            return CameraFacts("lost")
        return replace(self._camera.facts())

    def _close(self) -> None:
        if self._camera is not None:
            self._camera.close()
        self._camera = None

    def close(self) -> None:
        self._close()
