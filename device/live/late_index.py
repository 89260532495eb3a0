"""The index of a watch: opened at the start if it can be, else again and again; the watch never waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from device.store.library import Library
from device.store.opening import StoreError

EVERY: Final = 60.0
"""Seconds between two tries to open an index that could not be opened."""


class LateIndex:
    """An index that may come later.

    Args:
        open_library: opens it.
        clock: monotonic seconds.
        complain: is told once that it cannot be opened, and once when it can.
    """

    def __init__(
        self, open_library: Callable[[], Library], clock: Callable[[], float], complain: Callable[[str], None]
    ) -> None:
        self._open, self._clock, self._complain = open_library, clock, complain
        self._library: Library | None = None
        self._failed: float | None = None
        self.library()

    def library(self) -> Library | None:
        """The index, None as long as it cannot be opened; it brings itself up to the records when it can."""
        if self._library is not None or not self._due():
            return self._library
        try:
            self._library = self._open()
        except (StoreError, OSError) as error:
            if self._failed is None:
                self._complain(f"the index cannot be opened ({error}); the watch goes on without it and tries again")
            self._failed = self._clock()
            return None
        if self._failed is not None:
            self._complain("the index is there again")
        return self._library

    def _due(self) -> bool:
        return self._failed is None or self._clock() - self._failed >= EVERY
