"""A USB camera through V4L2, by OpenCV: format and rate asked for and checked, automatic exposure off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from device.cameras.camera import CameraError, CameraFacts, CameraLostError
from device.cameras.rate import RateMeter
from device.cameras.reader import Reader
from device.cameras.settings import V4l2Camera
from device.cameras.video_devices import find_device, lasting_name
from vision.frame import Frame

_MANUAL, _AUTOMATIC = 1.0, 3.0
"""V4L2_CID_EXPOSURE_AUTO: manual, and aperture priority, which is what USB cameras call automatic."""
_UNIT_US: Final = 100.0
"""V4L2_CID_EXPOSURE_ABSOLUTE counts in 100 µs."""
_FEW: Final = 3
"""Reads may fail so often in a row before the camera counts as lost."""


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def set(self, prop: int, value: float, /) -> bool: ...
    def get(self, prop: int, /) -> float: ...
    def read(self) -> tuple[bool, npt.NDArray[np.uint8] | None]: ...
    def release(self) -> None: ...


def _opencv(device: str) -> Capture:
    return cv2.VideoCapture(device, cv2.CAP_V4L2)  # type: ignore[return-value]


class V4l2:
    """One V4L2 device; found again by its lasting name when it comes back under another number."""

    def __init__(
        self, settings: V4l2Camera, open_device: Callable[[str], Capture] = _opencv, dev: Path = Path("/dev")
    ) -> None:
        self._settings, self._open_device, self._dev = settings, open_device, dev
        self._capture: Capture | None = None
        self._reader: Reader | None = None
        self._meter = RateMeter()
        self._name = settings.device
        self._start: float | None = None
        self._count = self._failed = 0
        self._size: tuple[int, int] | None = None
        self._exposure: float | None = None
        self._fixed: bool | None = None

    def open(self) -> None:
        device = find_device(self._settings.device, self._dev)
        self._name = lasting_name(device, self._dev)
        capture = self._open_device(str(device))
        if not capture.isOpened():
            capture.release()
            raise CameraError(
                f"cannot open {device}: another program may hold it, or the user is not in the group video"
            )
        self._capture = capture
        try:
            self._negotiate(capture)
        except CameraError:
            self.close()
            raise
        self.lock()
        self._reader = Reader(self._read, self._name)

    def _negotiate(self, capture: Capture) -> None:
        wanted = self._settings
        capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*wanted.format)))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, wanted.width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, wanted.height)
        capture.set(cv2.CAP_PROP_FPS, wanted.rate)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 2)
        width, height = (int(capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        if (width, height) != (wanted.width, wanted.height):
            raise CameraError(
                f"{self._name} gives {width}×{height}, not {wanted.width}×{wanted.height}: "
                "set camera.width and camera.height to what `v4l2-ctl --list-formats-ext` shows"
            )
        self._size = (width, height)

    def lock(self) -> None:
        capture, wanted = self._capture, self._settings
        if capture is None or wanted.exposure_us is None:
            return
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
        capture.set(cv2.CAP_PROP_EXPOSURE, wanted.exposure_us / _UNIT_US)
        capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        if wanted.gain is not None:
            capture.set(cv2.CAP_PROP_GAIN, wanted.gain)
        took = capture.get(cv2.CAP_PROP_EXPOSURE) * _UNIT_US
        self._exposure = took
        automatic = capture.get(cv2.CAP_PROP_AUTO_EXPOSURE)
        self._fixed = automatic == _MANUAL and abs(took - wanted.exposure_us) <= max(_UNIT_US, 0.1 * wanted.exposure_us)

    def unlock(self) -> None:
        """Only a camera left to its own exposure is given it back: a fixed one stays as the configuration says."""
        if self._capture is not None and self._settings.exposure_us is None:
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)

    def _read(self) -> Frame | None:
        assert self._capture is not None
        done, picture = self._capture.read()
        if not done or picture is None:
            self._failed += 1
            if self._failed >= _FEW:
                raise CameraLostError(f"{self._name} gives no pictures any more: is its cable in?")
            return None
        self._failed = 0
        # The driver's own time of the buffer, milliseconds on the monotonic clock.
        stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        self._start = stamp if self._start is None else self._start
        t = stamp - self._start
        self._meter.add(t)
        raw = Frame(t, picture, self._count)
        self._count += 1
        return raw

    def next_frame(self, timeout: float) -> Frame | None:
        assert self._reader is not None
        return self._reader.next_frame(timeout)

    def facts(self) -> CameraFacts:
        return CameraFacts(
            self._name,
            self._size,
            self._settings.format,
            self._settings.rate,
            self._meter.rate,
            self._exposure,
            self._settings.gain,
            None,
            self._fixed,
        )

    def close(self) -> None:
        ended = self._reader is None or self._reader.close()
        if self._capture is not None and ended:
            self._capture.release()
        self._reader = self._capture = None
