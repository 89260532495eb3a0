"""A video file as a camera: at the pace it was taken, or as fast as it can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from device.cameras.camera import CameraError, CameraFacts, SourceEndedError
from device.cameras.rate import RateMeter
from device.cameras.settings import FileCamera
from device.decoded import frame_of
from device.source import SourceError, VideoFile
from vision.frame import Frame


class Replay:
    """Plays a file; `sleep` waits at most the seconds it is given."""

    def __init__(self, settings: FileCamera, clock: Callable[[], float], sleep: Callable[[float], object]) -> None:
        self._settings, self._clock, self._sleep = settings, clock, sleep
        self._frames: Iterator[Frame] | None = None
        self._ahead: Frame | None = None
        self._started: float | None = None
        self._meter = RateMeter()

    def open(self) -> None:
        try:
            self._frames = self._played(VideoFile(self._settings.path))
            self._ahead = next(self._frames)
        except (SourceError, StopIteration) as error:
            raise CameraError(str(error)) from None

    def _played(self, file: VideoFile) -> Iterator[Frame]:
        offset = last = 0.0
        step, index = 0.0, 0
        for _ in range(self._settings.times):
            for t, picture in file.decoded():
                step, last = offset + t - last or step, offset + t
                yield frame_of(picture, last, index)
                index += 1
            offset = last + step

    def next_frame(self, timeout: float) -> Frame | None:
        frame = self._ahead
        if self._frames is None or frame is None:
            raise SourceEndedError(f"{self._settings.path} is at its end")
        if self._settings.speed == "live" and not self._is_due(frame, timeout):
            return None
        self._meter.add(frame.t)
        self._ahead = next(self._frames, None)
        return frame

    def _is_due(self, frame: Frame, timeout: float) -> bool:
        now = self._clock()
        self._started = now - frame.t if self._started is None else self._started
        wait = self._started + frame.t - now
        if wait > 0:
            self._sleep(min(wait, timeout))
        return wait <= timeout

    def lock(self) -> None:
        """A file's exposure is what it was."""

    def unlock(self) -> None:
        """A file's exposure is what it was."""

    def facts(self) -> CameraFacts:
        size, layout = (self._ahead.size, self._ahead.layout) if self._ahead is not None else (None, "?")
        return CameraFacts(f"file {self._settings.path.name}", size, layout, None, self._meter.rate)

    def close(self) -> None:
        self._frames = self._ahead = None
