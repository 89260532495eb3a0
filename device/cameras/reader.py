"""A camera's own reading thread with room for one frame: a frame not taken in time is replaced, never queued."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from device.cameras.camera import CameraLostError, SourceEndedError
from vision.frame import Frame

_LAST_WAIT: Final = 2.5


class Reader:
    """Calls `read` in a thread until it fails or `close` is called; `replaced` counts frames that nobody took."""

    def __init__(self, read: Callable[[], Frame | None], name: str) -> None:
        self._read = read
        self._fresh = threading.Condition()
        self._slot: Frame | None = None
        self._failure: Exception | None = None
        self._closing = False
        self.replaced = 0
        self._thread = threading.Thread(target=self._run, name=f"read {name}", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._closing:
                frame = self._read()
                if frame is not None:
                    self._put(frame)
        except Exception as error:
            with self._fresh:
                self._failure = error
                self._fresh.notify_all()

    def _put(self, frame: Frame) -> None:
        with self._fresh:
            self.replaced += self._slot is not None
            self._slot = frame
            self._fresh.notify_all()

    def next_frame(self, timeout: float) -> Frame | None:
        """As `Camera.next_frame`."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._slot is not None or self._failure is not None, timeout)
            frame, self._slot = self._slot, None
            if frame is not None:
                return frame
            if self._failure is None:
                return None
            if isinstance(self._failure, CameraLostError | SourceEndedError):
                raise self._failure
            raise CameraLostError(f"reading the camera failed: {self._failure}") from self._failure

    def close(self) -> bool:
        """End the thread; one that hangs inside a driver is left behind after a while.

        Says whether it has ended: only then may what it reads from be closed under it.
        """
        self._closing = True
        if self._thread is not threading.current_thread():
            self._thread.join(_LAST_WAIT)
        return not self._thread.is_alive()
