"""A Raspberry Pi camera module through picamera2: YUV420 as the sensor pipeline gives it, by the sensor's own time.

picamera2 comes from the system's packages (`python3-picamera2`). Its "RGB888" lies in memory as blue, green, red;
YUV420 has no such trap and is half the size.
"""

from __future__ import annotations

import concurrent.futures
import importlib
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from device.cameras.camera import CameraError, CameraFacts, CameraLostError
from device.cameras.rate import RateMeter
from device.cameras.sensors import SENSORS
from device.cameras.settings import PiCamera
from vision.frame import Frame

_BUFFERS: Final = 6
_TAKES: Final = 20
"""Frames after which a lock that the metadata does not show has not taken."""
_ALIKE: Final = 0.05


def _library() -> Any:
    try:
        return importlib.import_module("picamera2").Picamera2
    except ImportError:
        raise CameraError(
            "picamera2 is missing: sudo apt-get install python3-picamera2, and use a virtual environment made with "
            "--system-site-packages (deploy/raspberry-pi.sh does both)"
        ) from None


class Picamera:
    """One camera module. Each buffer is copied out and given back at once, so that the camera never waits for one."""

    def __init__(self, settings: PiCamera, library: Callable[[], Any] = _library) -> None:
        self._settings, self._library = settings, library
        self._mode = SENSORS[settings.preset]
        self._camera: Any = None
        self._job: Any = None
        self._meter = RateMeter()
        self._start: float | None = None
        self._count = 0
        self._metadata: dict[str, Any] = {}
        self._held: dict[str, Any] | None = None
        self._since_lock = 0

    def open(self) -> None:
        make = self._library()
        try:
            self._camera = make(self._settings.number)
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"format": "YUV420", "size": self._mode.size},
                    buffer_count=_BUFFERS,
                    controls=self._first_controls(),
                )
            )
            self._camera.start()
        except (RuntimeError, IndexError, OSError, ValueError) as error:
            self.close()
            raise CameraError(
                f"camera module {self._settings.number} ({self._settings.preset}) does not start ({error}): check its "
                "cable, and what `rpicam-hello --list-cameras` shows"
            ) from None

    def _first_controls(self) -> dict[str, Any]:
        frame = round(1e6 / self._mode.rate)
        controls: dict[str, Any] = {"FrameDurationLimits": (frame, frame), "AwbEnable": True, "AeEnable": True}
        if self._settings.mains:
            controls["AeFlickerMode"] = 1
            controls["AeFlickerPeriod"] = round(1e6 / (2 * self._settings.mains))
        return controls | self._wanted()

    def _wanted(self) -> dict[str, Any]:
        """What the configuration fixes; a sensor cannot expose for longer than a frame lasts."""
        fixed: dict[str, Any] = {}
        if self._settings.exposure_us is not None:
            fixed["ExposureTime"] = min(self._settings.exposure_us, round(1e6 / self._mode.rate))
        if self._settings.gain is not None:
            fixed["AnalogueGain"] = self._settings.gain
        return fixed

    def next_frame(self, timeout: float) -> Frame | None:
        if self._camera is None:
            raise CameraLostError("the camera module is closed")
        if self._job is None:
            self._job = self._camera.capture_request(wait=False)
        try:
            # A job that is not done in time is kept: given up, its buffer would never come back.
            request = self._job.get_result(timeout=timeout)
        except (concurrent.futures.TimeoutError, TimeoutError):
            return None
        except (RuntimeError, OSError, concurrent.futures.CancelledError) as error:
            self._job = None
            raise CameraLostError(f"the camera module failed: {error}") from None
        self._job = None
        try:
            metadata = request.get_metadata()
            data = np.asarray(request.make_array("main"), dtype=np.uint8)
        finally:
            request.release()
        return self._taken(data, metadata)

    def _taken(self, data: np.ndarray[Any, np.dtype[np.uint8]], metadata: dict[str, Any]) -> Frame | None:
        if "SensorTimestamp" not in metadata:
            return None
        self._metadata = metadata
        self._since_lock += 1
        # The first row's exposure began at the stamp; the frame's time is the middle of its exposure.
        stamp = metadata["SensorTimestamp"] * 1e-9 + metadata.get("ExposureTime", 0) * 0.5e-6
        self._start = stamp if self._start is None else self._start
        raw = Frame(stamp - self._start, data, self._count, "i420", self._mode.size[0])
        self._count += 1
        self._meter.add(raw.t)
        return raw

    def lock(self) -> None:
        """Hold what the last frame was taken with; `facts().locked` tells from later frames whether it took."""
        if self._camera is None or not self._metadata:
            return
        seen = self._metadata
        values = {key: seen[key] for key in ("ExposureTime", "AnalogueGain", "ColourGains") if key in seen}
        self._held = values | self._wanted()
        self._since_lock = 0
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **self._held})

    def unlock(self) -> None:
        if self._camera is None:
            return
        self._held = None
        self._camera.set_controls({"AeEnable": True, "AwbEnable": True, **self._wanted()})

    def _is_locked(self) -> bool | None:
        """The metadata shows the held values; None while that cannot be told yet."""
        if self._held is None:
            return False
        took = all(_alike(self._metadata.get(key), value) for key, value in self._held.items())
        return True if took else (None if self._since_lock < _TAKES else False)

    def facts(self) -> CameraFacts:
        seen = self._metadata
        gains = seen.get("ColourGains")
        return CameraFacts(
            self._settings.preset,
            self._mode.size,
            "YUV420",
            self._mode.rate,
            self._meter.rate,
            seen.get("ExposureTime"),
            seen.get("AnalogueGain"),
            None if gains is None else (float(gains[0]), float(gains[1])),
            self._is_locked(),
        )

    def close(self) -> None:
        camera, self._camera, self._job = self._camera, None, None
        if camera is None:
            return
        for step in (camera.stop, camera.close):
            try:
                step()
            except Exception:  # a driver in any state: what matters is that the next opening is tried
                continue


def _alike(seen: Any, held: Any) -> bool:
    if seen is None:
        return False
    pairs = zip(seen, held, strict=True) if isinstance(held, tuple | list) else [(seen, held)]
    return all(abs(float(a) - float(b)) <= _ALIKE * max(abs(float(b)), 1e-6) for a, b in pairs)
