"""Queues between workers: bounded, and full ones lose the oldest, counted. Late is better than wrong."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Latest(Generic[T]):
    """A queue of at most `size` items for one reader; putting never waits."""

    def __init__(self, size: int) -> None:
        self._items: deque[T] = deque()
        self._size = size
        self._changed = threading.Condition()
        self._closed = False
        self.dropped = 0

    def put(self, item: T) -> T | None:
        """Add an item; returns the oldest one where it had to go."""
        with self._changed:
            lost = self._items.popleft() if len(self._items) >= self._size else None
            self.dropped += lost is not None
            self._items.append(item)
            self._changed.notify_all()
            return lost

    def get(self, timeout: float) -> T | None:
        """The oldest item; None where none came within `timeout` seconds or the queue is closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._items or self._closed, timeout)
            if not self._items:
                return None
            item = self._items.popleft()
            self._changed.notify_all()
            return item

    def clear(self) -> None:
        """Begin anew: what waits is left out, and nothing counts as dropped."""
        with self._changed:
            self._items.clear()
            self.dropped = 0
            self._changed.notify_all()

    @property
    def full(self) -> bool:
        return len(self._items) >= self._size

    def wait_for_room(self, timeout: float) -> bool:
        """For a writer that can wait: true once an item would fit."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._items) < self._size, timeout)

    def __len__(self) -> int:
        return len(self._items)

    @property
    def closed(self) -> bool:
        """Nothing will come any more, and nothing is left."""
        return self._closed and not self._items

    def close(self) -> None:
        """No more items: what is in the queue can still be taken."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
