"""FFmpeg's frames as ours, converted only where their layout is not one of ours."""

from __future__ import annotations

from typing import Final

import av
import numpy as np

from vision.frame import Frame

_FULL_RANGE: Final = 2


def frame_of(picture: av.VideoFrame, t: float, index: int) -> Frame:
    """8-bit 4:2:0 in video range keeps its planes; all else becomes BGR."""
    size = (picture.width, picture.height)
    plain = picture.format.name == "yuv420p" and picture.color_range != _FULL_RANGE
    if plain and size[0] % 2 == 0 and size[1] % 2 == 0:
        return Frame(t, np.asarray(picture.to_ndarray(), dtype=np.uint8), index, "i420", size[0])
    return Frame(t, np.asarray(picture.to_ndarray(format="bgr24"), dtype=np.uint8), index)
