"""A network camera by RTSP, through PyAV: time-outs on opening and reading, and never an old frame."""

from __future__ import annotations

from collections.abc import Iterator

import av
import av.error

from device.cameras.addresses import without_password
from device.cameras.camera import CameraError, CameraFacts, CameraLostError
from device.cameras.rate import RateMeter
from device.cameras.reader import Reader
from device.cameras.settings import RtspCamera
from device.decoded import frame_of
from vision.frame import Frame


class Rtsp:
    """One stream. A lost one is opened again by `ReopeningCamera`."""

    def __init__(self, settings: RtspCamera) -> None:
        self._settings = settings
        self._container: av.container.InputContainer | None = None
        self._reader: Reader | None = None
        self._pictures: Iterator[av.VideoFrame] | None = None
        self._meter = RateMeter()
        self._start: float | None = None
        self._count = 0
        self._size: tuple[int, int] | None = None
        self._layout = "?"

    @property
    def _shown(self) -> str:
        return without_password(self._settings.url)

    def open(self) -> None:
        wanted = self._settings
        options: dict[str, str] = {"rtsp_transport": wanted.transport}
        try:
            container = av.open(wanted.url, options=options, timeout=(wanted.open_timeout, wanted.read_timeout))
        except (av.error.FFmpegError, OSError, ValueError) as error:
            raise CameraError(
                f"cannot open {self._shown} ({_reason(error)}): check address, password and that the camera is on"
            ) from None
        self._container = container
        if not container.streams.video:
            self.close()
            raise CameraError(f"{self._shown} sends no video")
        stream = container.streams.video[0]
        # One thread in the decoder: each further one would hold a frame back.
        stream.thread_count = 1
        self._pictures = container.decode(stream)
        self._reader = Reader(self._read, self._shown)

    def _read(self) -> Frame | None:
        assert self._pictures is not None
        try:
            picture = next(self._pictures)
        except StopIteration:
            raise CameraLostError(f"{self._shown} ended the stream") from None
        except (av.error.FFmpegError, OSError) as error:
            raise CameraLostError(f"{self._shown} sends nothing any more ({_reason(error)})") from None
        if picture.time is None:
            return None
        self._start = float(picture.time) if self._start is None else self._start
        raw = frame_of(picture, float(picture.time) - self._start, self._count)
        self._count += 1
        self._meter.add(raw.t)
        self._size, self._layout = raw.size, raw.layout
        return raw

    def next_frame(self, timeout: float) -> Frame | None:
        assert self._reader is not None
        return self._reader.next_frame(timeout)

    def lock(self) -> None:
        """RTSP has no say over the exposure: fix it in the camera's own settings."""

    def unlock(self) -> None:
        """See `lock`."""

    def facts(self) -> CameraFacts:
        return CameraFacts(self._shown, self._size, self._layout, None, self._meter.rate)

    def close(self) -> None:
        ended = self._reader is None or self._reader.close()
        if self._container is not None and ended:
            self._container.close()
        self._reader = self._container = self._pictures = None


def _reason(error: Exception) -> str:
    text = str(getattr(error, "strerror", None) or error).splitlines()
    return without_password(text[0][:120]) if text else type(error).__name__
