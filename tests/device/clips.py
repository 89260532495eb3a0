"""Small video files made for tests."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]


def write_video(path: Path, frames: Iterable[tuple[float, Picture]]) -> Path:
    """Pictures with their times (any spacing) as an H.264 file."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(30))
        stream.pix_fmt, stream.codec_context.time_base = "yuv420p", Fraction(1, 90_000)
        stream.options = {"crf": "23", "preset": "ultrafast", "bf": "0"}
        for t, picture in frames:
            if stream.codec_context.is_open is False:
                stream.width, stream.height = picture.shape[1], picture.shape[0]
            shown = av.VideoFrame.from_ndarray(picture, format="bgr24")
            shown.pts, shown.time_base = round(t * 90_000), Fraction(1, 90_000)
            container.mux(stream.encode(shown))
        container.mux(stream.encode(None))
    return path


def grey(level: int, width: int = 320, height: int = 180) -> Picture:
    return np.full((height, width, 3), level, dtype=np.uint8)
