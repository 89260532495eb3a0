"""From the configuration to a camera; each adapter's library is only imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from device.cameras.camera import Camera
from device.cameras.settings import AnyCamera, FileCamera, GstreamerCamera, PiCamera, RtspCamera, V4l2Camera


def make_camera(settings: AnyCamera, clock: Callable[[], float], sleep: Callable[[float], object]) -> Camera:
    """The camera that the configuration names, not opened yet."""
    match settings:
        case FileCamera():
            from device.cameras.replay import Replay

            return Replay(settings, clock, sleep)
        case V4l2Camera():
            from device.cameras.v4l2 import V4l2

            return V4l2(settings)
        case RtspCamera():
            from device.cameras.rtsp import Rtsp

            return Rtsp(settings)
        case GstreamerCamera():
            from device.cameras.gstreamer import Gstreamer

            return Gstreamer(settings)
        case PiCamera():
            from device.cameras.picamera import Picamera

            return Picamera(settings)
