"""A clip written as MP4: each frame at its own time, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import av.error
import cv2
import numpy as np
import numpy.typing as npt

from device.clips.ring import Still
from device.files import OutputError, sync_folder

UNFINISHED: Final = ".clip-part"
_TICKS: Final = Fraction(1, 90_000)

Masking = Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.uint8]]


class ClipError(Exception):
    """There is nothing to write."""


def write_clip(path: Path, stills: Sequence[Still], masked: Masking = lambda pixels: pixels) -> int:
    """Write frames as H.264 in MP4 (yuv420p); says how many bytes it became.

    The file has its name only when it is whole and on the disk; a writer that was killed leaves a file that ends in
    `.clip-part`, which `remove_unfinished` takes away. `masked` hides what must not be shown.

    Raises:
        ClipError: there are no frames.
        OutputError: it cannot be written (a full disk, say); then nothing is left of it.
    """
    if not stills:
        raise ClipError("no frames are held of this time")
    part = path.with_name(path.name + UNFINISHED)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write the clip {path}: {error.strerror}") from None
    try:
        _encode(part, stills, masked)
        handle = os.open(part, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        size = part.stat().st_size
        os.replace(part, path)
        sync_folder(path.parent)
    except (OSError, av.error.FFmpegError) as error:
        part.unlink(missing_ok=True)
        raise OutputError(f"cannot write the clip {path}: {error.strerror or error}") from None
    return size


def _encode(path: Path, stills: Sequence[Still], masked: Masking) -> None:
    first = _picture(stills[0])
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=60, options={"preset": "ultrafast", "crf": "23", "threads": "1"})
        stream.height, stream.width = first.shape[0] // 2 * 2, first.shape[1] // 2 * 2
        stream.pix_fmt, stream.time_base, stream.codec_context.time_base = "yuv420p", _TICKS, _TICKS
        for still in stills:
            pixels = np.ascontiguousarray(masked(_picture(still))[: stream.height, : stream.width])
            frame = av.VideoFrame.from_ndarray(pixels, format="bgr24")
            frame.pts, frame.time_base = round((still.t - stills[0].t) / _TICKS), _TICKS
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def _picture(still: Still) -> npt.NDArray[np.uint8]:
    return np.asarray(cv2.imdecode(np.frombuffer(still.jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def remove_unfinished(folder: Path) -> int:
    """Take away what killed writers have left; says how many."""
    left = list(folder.glob(f"*{UNFINISHED}")) if folder.is_dir() else []
    for path in left:
        path.unlink(missing_ok=True)
    return len(left)
