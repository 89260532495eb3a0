"""Cameras and clocks that do what a test says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from device.cameras.camera import Camera, CameraError, CameraFacts
from vision.frame import Frame

Picture = npt.NDArray[np.uint8]


class Clock:
    """A clock that only moves when it is told to, or when somebody sleeps."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def raw(t: float, picture: Picture, index: int = 0) -> Frame:
    return Frame(t, picture, index)


Step = Frame | Exception | None


class ScriptedCamera:
    """Gives what the script says, one step a call: a frame, None for none in time, or an exception."""

    def __init__(self, steps: Iterable[Step], opens: bool = True) -> None:
        self._steps: Iterator[Step] = iter(steps)
        self._opens = opens
        self.closed = 0

    def open(self) -> None:
        if not self._opens:
            raise CameraError("not there")

    def next_frame(self, timeout: float) -> Frame | None:
        step = next(self._steps, None)
        if isinstance(step, Exception):
            raise step
        return step

    def lock(self) -> None: ...

    def unlock(self) -> None: ...

    def facts(self) -> CameraFacts:
        return CameraFacts("scripted")

    def close(self) -> None:
        self.closed += 1


def take_all(camera: Camera, taken: list[Frame], timeout: float = 0.1) -> None:
    """Take frames until the camera raises."""
    while True:
        frame = camera.next_frame(timeout)
        if frame is not None:
            taken.append(frame)
