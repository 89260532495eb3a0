"""The Raspberry Pi adapter against a faithful stand-in for picamera2 (there is no libcamera where the tests run)."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from device.cameras.camera import CameraError
from device.cameras.picamera import Picamera
from device.cameras.sensors import SENSORS
from device.cameras.settings import PiCamera
from tests.device.cameras import fake_picamera2
from tests.device.cameras.fake_picamera2 import Picamera2


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2)


@pytest.fixture
def camera(library: None) -> Iterator[Picamera]:
    camera = Picamera(PiCamera(kind="picamera2"))
    camera.open()
    yield camera
    camera.close()


def inside(camera: Picamera) -> Picamera2:
    found = camera._camera
    assert isinstance(found, Picamera2)
    return found


def run(camera: Picamera, count: int) -> None:
    for _ in range(count):
        assert camera.next_frame(0.1) is not None


def test_frames_come_as_yuv_by_the_sensors_own_time_and_every_buffer_goes_back(camera: Picamera) -> None:
    frames = [camera.next_frame(0.1) for _ in range(30)]
    times = [frame.t for frame in frames if frame is not None]
    assert np.diff(times) == pytest.approx(1 / 60, abs=1e-6)
    assert inside(camera).free == 6
    first = frames[0]
    assert first is not None
    assert first.layout == "i420"
    assert first.luma.shape == (1088, 1456)
    assert first.pixels.shape == (1088, 1456, 3)
    grey = first.pixels[500, 700].astype(int)
    assert np.ptp(grey) <= 1


def test_the_presets_ask_for_the_sensors_modes(library: None) -> None:
    for preset, size, frame in (("imx296", (1456, 1088), 16667), ("imx708", (2304, 1296), 17857)):
        camera = Picamera(PiCamera.model_validate({"kind": "picamera2", "preset": preset, "exposure_us": 90000}))
        camera.open()
        config = inside(camera).config
        assert config["main"] == {"format": "YUV420", "size": size}
        assert config["controls"]["FrameDurationLimits"] == (frame, frame)
        assert config["controls"]["ExposureTime"] == frame
    assert SENSORS["imx296"].line_time == 0.0


def test_a_lock_holds_what_the_light_asked_for_and_is_seen_in_the_metadata(library: None) -> None:
    camera = Picamera(PiCamera(kind="picamera2", exposure_us=None))
    camera.open()
    run(camera, 10)
    before = camera.facts()
    camera.lock()
    run(camera, 5)
    facts = camera.facts()
    assert facts.locked is True
    assert facts.exposure_us == before.exposure_us
    assert facts.colour_gains == before.colour_gains
    assert inside(camera).asked[-1].keys() >= {"AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"}
    camera.unlock()
    run(camera, 5)
    assert camera.facts().locked is False
    assert camera.facts().exposure_us != before.exposure_us


def test_a_lock_that_does_not_take_is_seen(library: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Picamera2, "ignores_lock", True)
    camera = Picamera(PiCamera(kind="picamera2", exposure_us=None))
    camera.open()
    run(camera, 3)
    camera.lock()
    run(camera, 5)
    assert camera.facts().locked is None
    run(camera, 30)
    assert camera.facts().locked is False


def test_a_stalled_camera_gives_nothing_and_loses_no_buffer(camera: Picamera) -> None:
    run(camera, 3)
    inside(camera).stalled = True
    assert all(camera.next_frame(0.01) is None for _ in range(20))
    inside(camera).stalled = False
    run(camera, 10)
    assert inside(camera).free == 6


def test_no_library_and_no_camera_say_what_to_do(library: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Picamera2, "attached", 0)
    with pytest.raises(CameraError, match=r"check its cable"):
        Picamera(PiCamera(kind="picamera2")).open()
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match=r"apt-get install python3-picamera2"):
        Picamera(PiCamera(kind="picamera2")).open()
