"""The rate a camera really has, from its frames' own times: what it claims is not believed."""

from __future__ import annotations

from collections import deque
from typing import Final

_WINDOW: Final = 120
_LEAST: Final = 10


class RateMeter:
    """Frames a second over the last frames."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=_WINDOW)

    def add(self, t: float) -> None:
        """A frame's time; one that does not advance begins anew."""
        if self._times and t <= self._times[-1]:
            self._times.clear()
        self._times.append(t)

    @property
    def rate(self) -> float | None:
        """None until there are enough frames."""
        if len(self._times) < _LEAST:
            return None
        return (len(self._times) - 1) / (self._times[-1] - self._times[0])
