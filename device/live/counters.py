"""What the loop counts, for metrics, logs and the people who look after the box."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass
class Counters:
    """Each number is written by one worker only; readers take them as they are."""

    frames_taken: int = 0
    frames_looked_at: int = 0
    frames_passed_over: int = 0
    frames_dropped: int = 0
    camera_gaps: int = 0
    camera_losses: int = 0
    shots: int = 0
    racks: int = 0
    alerts: int = 0
    entries_waiting: int = 0
    entries_lost: int = 0
    recording_failures: int = 0
    queue_length: int = 0
    watching: bool = False
    at_rest: bool = True
    asleep: bool = False
    """Nothing stirs over the table: only some frames are looked at."""
    faults: frozenset[str] = frozenset()
    rate: float | None = None
    behind: float = 0.0
    """Seconds from a frame's arrival to the end of its look, the last one's."""
    looks: deque[float] = field(default_factory=lambda: deque(maxlen=2000))
    """The same of the last looks."""


@dataclass
class Progress:
    """The last sign of life: a frame that advanced and was dealt with, or a try to get the camera back."""

    at: float = 0.0
    frames: int = 0
