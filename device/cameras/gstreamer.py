"""Any GStreamer pipeline (Argus on a Jetson, libcamerasrc, a test source), run as its own process.

The wheels of OpenCV and PyAV hold no GStreamer, and a camera stack that crashes should not take the rulings with it.
So `gst-launch-1.0` runs the pipeline and writes raw video with its times (Matroska, steps of 10 µs) into a pipe.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import threading
from collections.abc import Iterator
from typing import Final

import av
import av.error

from device.cameras.addresses import without_password
from device.cameras.camera import CameraError, CameraFacts, CameraLostError
from device.cameras.rate import RateMeter
from device.cameras.reader import Reader
from device.cameras.settings import GstreamerCamera
from device.decoded import frame_of
from vision.frame import Frame

PROGRAM: Final = "gst-launch-1.0"
_INTO_THE_PIPE: Final = (
    "! videoconvert ! video/x-raw,format=I420 "
    "! matroskamux streamable=true timecodescale=10000 min-cluster-duration=0 max-cluster-duration=100000000 "
    "! fdsink fd=1 sync=false"
)
_SAID: Final = 4000
_END: Final = 2.0


class Gstreamer:
    """One pipeline."""

    def __init__(self, settings: GstreamerCamera) -> None:
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._container: av.container.InputContainer | None = None
        self._pictures: Iterator[av.VideoFrame] | None = None
        self._reader: Reader | None = None
        self._complaints = b""
        self._listener: threading.Thread | None = None
        self._meter = RateMeter()
        self._start: float | None = None
        self._count = 0
        self._size: tuple[int, int] | None = None

    def open(self) -> None:
        program = shutil.which(PROGRAM)
        if program is None:
            raise CameraError(
                f"{PROGRAM} is missing: sudo apt-get install gstreamer1.0-tools gstreamer1.0-plugins-good"
            )
        command = [program, "-q", *shlex.split(self._settings.pipeline), *shlex.split(_INTO_THE_PIPE)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._process = process
        self._listener = threading.Thread(target=self._listen, args=(process,), daemon=True)
        self._listener.start()
        try:
            self._connect(process)
        except CameraError:
            self.close()
            raise
        self._reader = Reader(self._read, "GStreamer")

    def _connect(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        handle = process.stdout.fileno()
        ready, _, _ = select.select([handle], [], [], self._settings.start_timeout)
        if not ready:
            raise CameraError(f"the pipeline gives nothing within {self._settings.start_timeout:g} s")
        try:
            # PyAV reads the pipe by itself: no frame passes through Python on its way to the decoder.
            self._container = av.open(
                f"pipe:{handle}", format="matroska", options={"probesize": "32", "analyzeduration": "0"}
            )
            self._pictures = self._container.decode(self._container.streams.video[0])
        except (av.error.FFmpegError, IndexError, ValueError):
            process.kill()
            process.wait()
            assert self._listener is not None
            self._listener.join(_END)
            raise CameraError(f"the pipeline failed: {self._complaint()}") from None

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Keep the end of what the pipeline complains of."""
        assert process.stderr is not None
        while chunk := os.read(process.stderr.fileno(), 4096):
            self._complaints = (self._complaints + chunk)[-_SAID:]

    def _complaint(self) -> str:
        lines = [line.strip() for line in self._complaints.decode(errors="replace").splitlines() if line.strip()]
        told = next((line for line in lines if "ERROR" in line or "erroneous" in line), lines[-1] if lines else "")
        return without_password(told[:200]) or "it ended without saying why"

    def _read(self) -> Frame | None:
        assert self._pictures is not None
        try:
            picture = next(self._pictures)
        except (StopIteration, av.error.FFmpegError):
            raise CameraLostError(f"the pipeline ended: {self._complaint()}") from None
        if picture.time is None:
            return None
        self._start = float(picture.time) if self._start is None else self._start
        raw = frame_of(picture, float(picture.time) - self._start, self._count)
        self._count += 1
        self._meter.add(raw.t)
        self._size = raw.size
        return raw

    def next_frame(self, timeout: float) -> Frame | None:
        assert self._reader is not None
        return self._reader.next_frame(timeout)

    def lock(self) -> None:
        """A running pipeline cannot be told: lock the exposure in it (nvarguscamerasrc aelock=true awblock=true)."""

    def unlock(self) -> None:
        """See `lock`."""

    def facts(self) -> CameraFacts:
        return CameraFacts("GStreamer pipeline", self._size, "i420", None, self._meter.rate)

    def close(self) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(_END)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        ended = self._reader is None or self._reader.close()
        if self._container is not None and ended:
            self._container.close()
        if process is not None:
            if self._listener is not None:
                self._listener.join(_END)
            for end in (process.stdout, process.stderr):
                if end is not None:
                    end.close()
        self._process = self._container = self._pictures = self._reader = self._listener = None
