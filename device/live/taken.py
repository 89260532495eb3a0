"""What passes from capture to detection."""

from __future__ import annotations

from dataclasses import dataclass

from device.cameras.faults import Health
from device.cameras.raw import RawFrame


@dataclass(frozen=True, eq=False)
class Taken:
    """A frame, how it was found, and when it arrived (seconds on this process's monotonic clock)."""

    raw: RawFrame
    health: Health
    arrived: float
