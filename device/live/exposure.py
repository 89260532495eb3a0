"""When to let the camera measure the light: between shots, when all has been still for a while; never during one."""

from __future__ import annotations

from enum import Enum
from typing import Final

_STILL: Final = 2.0
_MEASURING: Final = 1.5
_EVERY: Final = 60.0
_AT_THE_START: Final = 2.0


class Order(Enum):
    LOCK = "lock"
    UNLOCK = "unlock"


class ExposureKeeper:
    """Says when to lock and unlock; the camera is measuring when it starts."""

    def __init__(self) -> None:
        self._started: float | None = None
        self._measuring_since: float | None = None
        self._locked_at: float | None = None
        self._still_since: float | None = None

    def step(self, t: float, at_rest: bool) -> Order | None:
        """One frame: its time, and whether nothing moves."""
        self._started = t if self._started is None else self._started
        self._still_since = (t if self._still_since is None else self._still_since) if at_rest else None
        if self._locked_at is None:
            return self._while_measuring(t, at_rest)
        still = self._still_since is not None and t - self._still_since >= _STILL
        if still and t - self._locked_at >= _EVERY:
            self._locked_at, self._measuring_since = None, t
            return Order.UNLOCK
        return None

    def _while_measuring(self, t: float, at_rest: bool) -> Order | None:
        since = self._measuring_since
        settled = t - since >= _MEASURING if since is not None else t - (self._started or 0.0) >= _AT_THE_START
        if settled or not at_rest:
            self._locked_at, self._measuring_since = t, None
            return Order.LOCK
        return None
