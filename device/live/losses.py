"""Frames that are missing: told in the record, and beside each shot that they fell into."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, Literal

Why = Literal["camera", "slow"]
"""`camera`: it gave none. `slow`: this machine could not keep up, and the oldest waiting frames were left out."""

_OVER_AFTER: Final = 1.0
_KEPT: Final = 120.0


@dataclass(frozen=True)
class Loss:
    """So many frames are missing after one time and before another, seconds."""

    after: float
    before: float
    frames: int
    why: Why

    def joined(self, other: Loss) -> Loss:
        return Loss(self.after, other.before, self.frames + other.frames, self.why)


class Losses:
    """Gathers losses that follow each other into one, and knows for a while where they were."""

    def __init__(self) -> None:
        self._past: deque[Loss] = deque()
        self._open: dict[Why, Loss] = {}

    def add(self, loss: Loss) -> None:
        self._past.append(loss)
        while self._past and self._past[0].before < loss.before - _KEPT:
            self._past.popleft()
        known = self._open.get(loss.why)
        self._open[loss.why] = loss if known is None else known.joined(loss)

    def over(self, t: float) -> list[Loss]:
        """Stretches of losses that have ended by time `t`, each told once."""
        ended = [loss for loss in self._open.values() if t - loss.before >= _OVER_AFTER]
        for loss in ended:
            del self._open[loss.why]
        return ended

    def remark(self, start: float, end: float) -> str | None:
        """What must be said of a shot from `start` to `end`."""
        inside = [loss for loss in self._past if loss.before > start and loss.after < end]
        missing = sum(loss.frames for loss in inside)
        if not missing:
            return None
        longest = max(inside, key=lambda loss: loss.before - loss.after)
        span = longest.before - longest.after
        return f"{missing} frames are missing during this shot, the longest stretch {span:.2f} s"
