"""The first contact while the shot still goes on: looked at as soon as enough of what came of it has been seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tracking.opening import First

LOOKS: Final = (0.10, 0.16, 0.24)
"""Seconds after the first other ball was seen to move at which the question is asked, until it is decided."""


class EarlyLook:
    """Asks once or a few times a shot; `found` is the first contact, None while it is open."""

    def __init__(self) -> None:
        self.found: First | None = None
        self._due: list[float] = []

    def stirred(self, t: float) -> None:
        """A ball other than the struck one has begun to move."""
        if not self._due and self.found is None:
            self._due = [t + later for later in LOOKS]

    def look(self, t: float, first_hit: Callable[[], First | None]) -> None:
        """Ask `first_hit` if it is time to."""
        if self.found is None and self._due and t >= self._due[0]:
            self._due.pop(0)
            self.found = first_hit()
            if not self._due or self.found is not None:
                self._due = [float("inf")]

    def clear(self) -> None:
        """The shot is over."""
        self.found, self._due = None, []
