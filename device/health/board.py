"""What the board tells of itself: temperature, under-voltage, throttling, memory of this process, the clock's state."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Final

_NOW: Final = {
    0: "the supply's voltage is too low",
    1: "the processor's frequency is capped",
    2: "the processor is throttled",
    3: "the temperature limit is active",
}
_SINCE_START: Final = {
    16: "the supply's voltage was too low",
    17: "the processor's frequency was capped",
    18: "the processor was throttled",
    19: "the temperature limit was active",
}
_UNSYNCHRONISED: Final = 5


def throttling(value: int) -> tuple[list[str], list[str]]:
    """The bits of `vcgencmd get_throttled` (Raspberry Pi documentation): what holds now, what held since the start."""
    now = [text for bit, text in _NOW.items() if value >> bit & 1]
    before = [text for bit, text in _SINCE_START.items() if value >> bit & 1]
    return now, before


def read_throttled() -> int | None:
    """The value that the firmware reports; None where this is no Raspberry Pi."""
    program = shutil.which("vcgencmd")
    if program is None:
        return None
    try:
        told = subprocess.run([program, "get_throttled"], capture_output=True, text=True, timeout=5, check=False).stdout
        return int(told.strip().partition("=")[2], 16)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def temperature(zones: Path = Path("/sys/class/thermal")) -> float | None:
    """The hottest thermal zone, degrees Celsius."""
    found = []
    for zone in sorted(zones.glob("thermal_zone*/temp")):
        try:
            found.append(int(zone.read_text().strip()) / 1000)
        except (OSError, ValueError):
            continue
    return max(found, default=None)


def resident_bytes(status: Path = Path("/proc/self/status")) -> int | None:
    """Memory that this process holds."""
    try:
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024
    except (OSError, StopIteration, ValueError, IndexError):
        return None


def clock_synchronised() -> bool | None:
    """The kernel's word on whether the wall clock is set by a time source; None where it does not say."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        # struct timex of adjtimex(2): zeroed, its `modes` of 0 only asks.
        return bool(library.adjtimex(ctypes.create_string_buffer(512)) not in (_UNSYNCHRONISED, -1))
    except (OSError, AttributeError):
        return None
