"""USB cameras: found by names that stay, and a capture device that behaves as OpenCV's V4L2 backend does."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from device.cameras.camera import CameraError, CameraLostError
from device.cameras.settings import V4l2Camera
from device.cameras.v4l2 import V4l2
from device.cameras.video_devices import find_device, lasting_name
from tests.device.cameras.scripted import take_all
from vision.frame import Frame

NAME = "usb-Arducam_AR0234_0001-video-index0"


def plug(dev: Path, number: int, name: str = NAME) -> Path:
    """A camera in a made-up /dev: its device file and its two by-id links."""
    (dev / "v4l" / "by-id").mkdir(parents=True, exist_ok=True)
    for index in (0, 1):
        device = dev / f"video{number + index}"
        device.touch()
        link = dev / "v4l" / "by-id" / name.replace("index0", f"index{index}")
        link.unlink(missing_ok=True)
        os.symlink(f"../../video{number + index}", link)
    return dev / f"video{number}"


def test_the_only_camera_is_found_and_comes_back_under_another_number(tmp_path: Path) -> None:
    device = plug(tmp_path, 0)
    assert find_device("auto", tmp_path) == device
    name = lasting_name(device, tmp_path)
    assert name == NAME
    device.unlink()
    again = plug(tmp_path, 4)
    assert find_device(name, tmp_path) == again
    assert find_device(str(tmp_path / "v4l" / "by-id" / NAME), tmp_path) == again


def test_two_cameras_must_be_told_apart(tmp_path: Path) -> None:
    plug(tmp_path, 0)
    other = plug(tmp_path, 2, "usb-Other-video-index0")
    with pytest.raises(CameraError, match=r"usb-Arducam.*usb-Other"):
        find_device("auto", tmp_path)
    assert find_device("Other", tmp_path) == other


def test_no_camera_says_so(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="none is connected"):
        find_device("auto", tmp_path)
    with pytest.raises(CameraError, match="no camera /dev/v4l/by-id/x"):
        find_device("/dev/v4l/by-id/x", tmp_path)


class FakeCapture:
    """OpenCV's V4L2 capture: settings it takes over, buffers stamped in milliseconds, then unplugged."""

    def __init__(self, size: tuple[int, int] = (640, 480), frames: int = 8, opens: bool = True) -> None:
        self._values: dict[int, float] = {
            cv2.CAP_PROP_FRAME_WIDTH: size[0],
            cv2.CAP_PROP_FRAME_HEIGHT: size[1],
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
        }
        self._frames, self._opens, self._count = frames, opens, 0
        self.released = 0

    def isOpened(self) -> bool:  # noqa: N802
        return self._opens

    def set(self, prop: int, value: float, /) -> bool:
        if prop not in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._values[prop] = value
        return True

    def get(self, prop: int, /) -> float:
        if prop == cv2.CAP_PROP_POS_MSEC:
            return 7_000_000.0 + 1000 * self._count / 60
        return self._values.get(prop, 0.0)

    def read(self) -> tuple[bool, npt.NDArray[np.uint8] | None]:
        if self._count >= self._frames:
            return False, None
        self._count += 1
        return True, np.full((480, 640, 3), self._count, dtype=np.uint8)

    def release(self) -> None:
        self.released += 1


def settings(**more: object) -> V4l2Camera:
    return V4l2Camera.model_validate({"kind": "v4l2", "width": 640, "height": 480, **more})


def test_exposure_is_fixed_times_are_the_drivers_and_unplugging_is_a_loss(tmp_path: Path) -> None:
    plug(tmp_path, 0)
    capture = FakeCapture()
    camera = V4l2(settings(exposure_us=2000), lambda device: capture, tmp_path)
    camera.open()
    taken: list[Frame] = []
    with pytest.raises(CameraLostError, match="is its cable in"):
        take_all(camera, taken)
    assert taken[-1].t == pytest.approx(7 / 60)
    facts = camera.facts()
    assert (facts.exposure_us, facts.locked, facts.name) == (2000.0, True, NAME)
    assert capture.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0
    assert capture.get(cv2.CAP_PROP_FOURCC) == cv2.VideoWriter.fourcc(*"MJPG")
    camera.close()
    assert capture.released == 1


def test_a_size_that_the_camera_does_not_have_is_refused(tmp_path: Path) -> None:
    plug(tmp_path, 0)
    capture = FakeCapture(size=(320, 240))
    with pytest.raises(CameraError, match="gives 320×240, not 640×480"):
        V4l2(settings(), lambda device: capture, tmp_path).open()
    assert capture.released == 1


def test_a_camera_held_by_another_program(tmp_path: Path) -> None:
    plug(tmp_path, 0)
    with pytest.raises(CameraError, match="another program may hold it"):
        V4l2(settings(), lambda device: FakeCapture(opens=False), tmp_path).open()


def test_opencvs_own_backend_refuses_what_is_no_camera(tmp_path: Path) -> None:
    plug(tmp_path, 0)
    with pytest.raises(CameraError, match="cannot open"):
        V4l2(settings(), dev=tmp_path).open()
