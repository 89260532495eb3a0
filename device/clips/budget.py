"""Which clips must go: by days and by free disk, the oldest first; those that somebody may still ask for stay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400.0


@dataclass(frozen=True)
class Kept:
    """One clip file. `made` in seconds since 1970; `flagged`: a foul, a review or a protest hangs on it."""

    file: str
    made: float
    size: int
    flagged: bool


@dataclass(frozen=True)
class Budget:
    """`days` for ordinary clips; `free_bytes` must stay free on the disk, for which ordinary clips go. Flagged ones are
    kept, unless `flagged_days` says for how long; with less than `last_bytes` free no clip is begun."""

    days: float = 14
    flagged_days: float | None = None
    free_bytes: int = 2_000_000_000
    last_bytes: int = 300_000_000


def to_evict(clips: Sequence[Kept], budget: Budget, now: float, free: int) -> list[Kept]:
    """The clips to delete, in order, for `free` bytes of disk now.

    A clip from the future (the clock was wrong when it was made) counts as new, and is never too old.
    """
    oldest_first = sorted(clips, key=lambda clip: (clip.made, clip.file))
    old = [clip for clip in oldest_first if now - clip.made > _kept_for(clip, budget)]
    found = list(old)
    free += sum(clip.size for clip in old)
    for clip in (clip for clip in oldest_first if not clip.flagged and clip not in old):
        if free >= budget.free_bytes:
            break
        found.append(clip)
        free += clip.size
    return found


def _kept_for(clip: Kept, budget: Budget) -> float:
    """Seconds."""
    days = budget.flagged_days if clip.flagged else budget.days
    return math.inf if days is None else DAY * days


def room_for_more(budget: Budget, free: int) -> bool:
    """Another clip may be written: there is more free than must never be used."""
    return free >= budget.last_bytes
