"""What passes from capture to detection."""

from __future__ import annotations

from dataclasses import dataclass

from device.cameras.faults import Health
from vision.frame import Frame


@dataclass(frozen=True, eq=False)
class Taken:
    """A frame, how it was found, and when it arrived (seconds on this process's monotonic clock)."""

    frame: Frame
    health: Health
    arrived: float
