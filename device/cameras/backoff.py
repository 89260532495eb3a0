"""How long to wait before the next try."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """Waits of `first` seconds, then twice as long each time, up to `most`."""

    first: float = 0.5
    most: float = 30.0

    def wait(self, failures: int) -> float:
        """Seconds to wait after so many failures in a row (one or more)."""
        return min(self.most, self.first * 2.0 ** min(failures - 1, 32))
