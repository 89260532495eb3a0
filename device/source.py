"""Frames from files: any container PyAV reads, each frame with its own presentation time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import av
import av.error
import cv2
import numpy as np
import numpy.typing as npt

from device.decoded import frame_of
from vision.frame import Frame

PICTURES: Final = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"})

_BAND: Final = 64


class SourceError(ValueError):
    """A source that cannot be read at all; the message says why in one sentence."""


class VideoFile:
    """A video file as a source of frames.

    After iterating, `damage` says what cut the file short, or is None.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damage: str | None = None
        if not path.is_file():
            raise SourceError(f"no such file: {path}")

    def __iter__(self) -> Iterator[Frame]:
        """Frames in order; frames whose time does not advance are left out.

        Raises:
            SourceError: the file is no video, or holds no frame that can be decoded.
        """
        for index, (t, picture) in enumerate(self.decoded()):
            yield frame_of(picture, t, index)

    def decoded(self) -> Iterator[tuple[float, av.VideoFrame]]:
        """The same frames with their times, in the layout that the decoder gave them.

        Raises:
            SourceError: as iterating does.
        """
        self.damage = None
        count = 0
        try:
            with av.open(str(self.path)) as container:
                if not container.streams.video:
                    raise SourceError(f"{self.path} holds no video")
                for timed in self._timed(container):
                    count += 1
                    yield timed
        except (av.error.FFmpegError, ValueError) as error:
            if isinstance(error, SourceError):
                raise
            if count == 0:
                raise SourceError(f"{self.path} is not a video that can be read ({_reason(error)})") from None
            self.damage = f"the file is damaged after {count} frames ({_reason(error)})"
        if count == 0:
            raise SourceError(f"{self.path} holds no frames that can be decoded")

    def _timed(self, container: av.container.InputContainer) -> Iterator[tuple[float, av.VideoFrame]]:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        start: float | None = None
        last = -1.0
        last_packet, index = 0.0, 0
        for packet in container.demux(stream):
            if packet.is_corrupt:
                self.damage = f"the file holds damaged data after {index} frames"
            if packet.pts is not None and packet.time_base is not None:
                last_packet = max(last_packet, float((packet.pts + (packet.duration or 0)) * packet.time_base))
            for picture in packet.decode():
                if picture.time is None:
                    continue
                start = float(picture.time) if start is None else start
                t = float(picture.time) - start
                if t <= last:
                    continue
                last = t
                yield t, picture
                index += 1
        self._note_missing_end(stream, last, start or 0.0)

    def _note_missing_end(self, stream: av.VideoStream, last: float, start: float) -> None:
        if self.damage is None and stream.duration is not None and stream.time_base is not None:
            promised = float(stream.duration * stream.time_base)
            if promised - last > max(0.5, 0.02 * promised):
                self.damage = f"the file ends at {last:.2f} s of {promised:.2f} s"


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).splitlines()[0][:120]


def is_picture(path: Path) -> bool:
    return path.suffix.lower() in PICTURES


def read_picture(path: Path) -> Frame:
    """A still picture as a frame at time 0.

    Raises:
        SourceError: it is not there or not a picture.
    """
    if not path.is_file():
        raise SourceError(f"no such file: {path}")
    pixels = cv2.imdecode(np.fromfile(path, dtype=np.uint8), cv2.IMREAD_COLOR) if path.stat().st_size else None
    if pixels is None:
        raise SourceError(f"{path} is not a picture that can be read")
    return Frame(0.0, np.asarray(pixels, dtype=np.uint8), 0)


def empty_look(path: Path, over: float = 12.0, count: int = 15) -> Frame:
    """A source's typical picture: the median of frames spread over its first seconds, so that people vanish.

    Raises:
        SourceError: the source cannot be read.
    """
    if is_picture(path):
        return read_picture(path)
    kept: list[Frame] = []
    step = over / count
    for frame in VideoFile(path):
        if frame.t > over:
            break
        if not kept or frame.t >= kept[-1].t + step:
            kept.append(frame)
    if len(kept) < 3:
        return kept[0]
    return median_frame(kept)


def median_frame(frames: list[Frame]) -> Frame:
    """The median of frames of one source; planes are not converted for it."""
    first = frames[0]
    return Frame(first.t, median_picture([frame.data for frame in frames]), 0, first.layout, first.width)


def median_picture(pictures: list[npt.NDArray[np.uint8]]) -> npt.NDArray[np.uint8]:
    """The median of pictures, a band of rows at a time: large pictures must not fill a small machine's memory."""
    found = np.empty_like(pictures[0])
    for top in range(0, len(found), _BAND):
        rows = slice(top, top + _BAND)
        found[rows] = np.median(np.stack([picture[rows] for picture in pictures]), axis=0)
    return found
