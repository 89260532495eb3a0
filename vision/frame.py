"""A picture with its own time: the value every camera and file hands on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Frame:
    """One frame as the sensor gave it.

    Attributes:
        t: seconds since the source's first frame, by the frame's own timestamp (middle of the exposure).
        pixels: (h, w, 3) BGR, 8 bit.
        index: how many frames the source gave before this one.
    """

    t: float
    pixels: npt.NDArray[np.uint8]
    index: int
