"""How often somebody may ask: a bucket of tries for each address, and a bound on how many are remembered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_REMEMBERED: Final = 4096


@dataclass(frozen=True)
class Rate:
    """`burst` at once, refilled at `per_second`."""

    burst: float
    per_second: float


class Limiter:
    """Token buckets by key; `clock` is monotonic seconds."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate, self._clock = rate, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Count one try; False where there have been too many."""
        now = self._clock()
        left, at = self._left.pop(key, (self._rate.burst, now))
        left = min(self._rate.burst, left + (now - at) * self._rate.per_second)
        allowed = left >= 1
        self._left[key] = (left - 1 if allowed else left, now)
        if len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)
        return allowed
