"""GStreamer pipelines, with the real gst-launch-1.0."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.cameras.camera import CameraError, CameraLostError
from device.cameras.gstreamer import Gstreamer
from device.cameras.settings import GstreamerCamera
from tests.device.cameras.scripted import take_all
from vision.frame import Frame


def pipeline(text: str) -> Gstreamer:
    return Gstreamer(GstreamerCamera(kind="gstreamer", pipeline=text))


def drained(camera: Gstreamer) -> list[float]:
    taken: list[Frame] = []
    with pytest.raises(CameraLostError, match="the pipeline ended"):
        take_all(camera, taken, 2.0)
    return [frame.t for frame in taken]


def test_a_live_source_keeps_its_times_and_says_its_size() -> None:
    camera = pipeline("videotestsrc is-live=true num-buffers=30 ! video/x-raw,width=320,height=240,framerate=60/1")
    camera.open()
    try:
        times = drained(camera)
        assert len(times) > 15
        assert all(abs(t * 60 - round(t * 60)) < 0.01 for t in times)
        assert camera.facts().size == (320, 240)
    finally:
        camera.close()


def test_a_recorded_file_through_a_pipeline(demo_clip: Path) -> None:
    camera = pipeline(f"filesrc location={demo_clip} ! qtdemux ! avdec_h264 ! identity sync=true")
    camera.open()
    try:
        frame = None
        while frame is None:
            frame = camera.next_frame(2.0)
        assert frame.size == (1280, 720)
        assert frame.layout == "i420"
    finally:
        camera.close()


def test_a_pipeline_that_is_none_is_one_line() -> None:
    with pytest.raises(CameraError, match='no element "nosuchsource"'):
        pipeline("nosuchsource").open()


def test_a_pipeline_that_gives_nothing_is_not_waited_for_for_ever() -> None:
    camera = Gstreamer(GstreamerCamera(kind="gstreamer", pipeline="appsrc is-live=true", start_timeout=0.3))
    with pytest.raises(CameraError, match="the pipeline"):
        camera.open()


def test_without_gstreamer_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CameraError, match=r"apt-get install gstreamer1.0-tools"):
        pipeline("videotestsrc").open()
