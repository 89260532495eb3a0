"""A stand-in for picamera2 where there is no libcamera: the calls and values of its real API that the adapter uses.

As in the library: `capture_request(wait=False)` gives a job whose `get_result(timeout=…)` raises
`concurrent.futures.TimeoutError`; a job given up unclaimed keeps its buffer; `release` below zero is a RuntimeError;
controls take two frames to show in the metadata; YUV420 arrays are (h · 3/2, stride).
"""

from __future__ import annotations

import concurrent.futures
from typing import Any

import numpy as np
import numpy.typing as npt

_DELAY = 2


class Request:
    def __init__(self, camera: Picamera2, metadata: dict[str, Any]) -> None:
        self._camera, self._metadata, self._count = camera, metadata, 1

    def get_metadata(self) -> dict[str, Any]:
        return dict(self._metadata)

    def make_array(self, name: str) -> npt.NDArray[np.uint8]:
        if name != "main":
            raise RuntimeError(f"Stream {name!r} is not defined")
        width, height = self._camera.config["main"]["size"]
        array = np.zeros((height * 3 // 2, self._camera.stride(width)), dtype=np.uint8)
        array[:height, :width] = 100
        array[height:] = 128
        return array

    def release(self) -> None:
        self._count -= 1
        if self._count < 0:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._camera.free += 1


class Job:
    def __init__(self, camera: Picamera2) -> None:
        self._camera = camera

    def get_result(self, timeout: float | None = None) -> Request:
        if self._camera.stalled or self._camera.free == 0:
            raise concurrent.futures.TimeoutError
        return self._camera.complete()


class Picamera2:
    """One camera module that runs by being asked."""

    attached = 1
    ignores_lock = False

    def __init__(self, camera_num: int = 0) -> None:
        if camera_num >= self.attached:
            raise IndexError("list index out of range")
        self.config: dict[str, Any] = {}
        self.free = 0
        self.stalled = False
        self.started = self.closed = False
        self.asked: list[dict[str, Any]] = []
        self._controls: dict[str, Any] = {}
        self._pending: list[tuple[int, dict[str, Any]]] = []
        self._frame = 0

    def stride(self, width: int) -> int:
        return (width + 63) // 64 * 64

    def create_video_configuration(
        self, main: dict[str, Any], buffer_count: int = 6, controls: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        return {"main": dict(main), "buffer_count": buffer_count, "controls": dict(controls or {})}

    def configure(self, camera_config: dict[str, Any]) -> None:
        self.config = camera_config

    def start(self) -> None:
        self.started, self.free = True, self.config["buffer_count"]
        self._controls = {"ExposureTime": 8000, "AnalogueGain": 4.0, **self.config["controls"]}

    def set_controls(self, controls: dict[str, Any]) -> None:
        known = {"AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"}
        if unknown := set(controls) - known:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        self.asked.append(dict(controls))
        self._pending.append((self._frame + _DELAY, dict(controls)))

    def capture_request(self, wait: bool | None = None) -> Job | Request:
        if not self.started:
            raise RuntimeError("Camera is not started")
        return Job(self) if wait is False else self.complete()

    def complete(self) -> Request:
        self.free -= 1
        self._frame += 1
        for due, controls in list(self._pending):
            if due <= self._frame:
                if not self.ignores_lock:
                    self._controls |= controls
                self._pending.remove((due, controls))
        drift = 0 if self._controls.get("AeEnable") is False else self._frame
        frame = self.config["controls"]["FrameDurationLimits"][0]
        exposure = self._controls["ExposureTime"]
        metadata = {
            "SensorTimestamp": 5_000_000_000_000 + self._frame * frame * 1000,
            "ExposureTime": exposure if "ExposureTime" in self.config["controls"] else exposure + 600 * drift,
            "AnalogueGain": self._controls["AnalogueGain"],
            "ColourGains": self._controls.get("ColourGains", (1.5 + 0.1 * drift, 1.9)),
            "FrameDuration": frame,
        }
        return Request(self, metadata)

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        self.closed = True
