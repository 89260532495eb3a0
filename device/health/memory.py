"""Keeping the process small for months: how glibc's allocator holds memory, and when it gives some back."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Final

_ARENA_MAX: Final = -8
_ARENAS: Final = 2


def hold_little() -> None:
    """Two arenas for all threads instead of eight for each processor. Call before threads start; glibc only."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Return free memory to the system, after something that needed much once (finding the table)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
