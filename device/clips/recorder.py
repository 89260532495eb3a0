"""The clip workers: frames into the ring, shots cut out of it, budgets kept. They may lag; rulings never wait."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from device.clips.budget import Budget, Kept, room_for_more, to_evict
from device.clips.ring import Ring
from device.clips.writing import ClipError, Masking, remove_unfinished, write_clip
from vision.frame import Frame

_WAITING_FRAMES: Final = 8
_BEFORE: Final = 2.0
_AFTER: Final = 0.5
_NICE: Final = 10


@dataclass(frozen=True)
class Wanted:
    """A shot to cut out: from `start` to `end` in the camera's time."""

    rack: str
    number: int
    start: float
    end: float
    flagged: bool


class ShelfError(Exception):
    """The shelf cannot be read or written; the message is one sentence."""


@dataclass(frozen=True)
class Shelf:
    """Where clips are noted: all that are kept, a new one, one that is gone. Each may raise ShelfError."""

    kept: Callable[[], list[Kept]]
    add: Callable[[Kept, str, int], None]
    drop: Callable[[str], None]


class ClipRecorder:
    """Keeps the ring in a thread of its own and writes a clip of each shot in another.

    Args:
        ring: where the last seconds are held.
        folder: where clips are written, as `RACK-NNN.mp4`.
        free: bytes free on the folder's disk. `now`: the wall clock, seconds since 1970.
    """

    def __init__(
        self,
        ring: Ring,
        folder: Path,
        budget: Budget,
        shelf: Shelf,
        now: Callable[[], float],
        free: Callable[[], int],
        complain: Callable[[str], None],
    ) -> None:
        self._ring, self._folder, self._budget, self._shelf = ring, folder, budget, shelf
        self._now, self._free, self._complain = now, free, complain
        self._frames: deque[Frame] = deque(maxlen=_WAITING_FRAMES)
        self._wanted: deque[Wanted] = deque(maxlen=64)
        self._changed = threading.Condition()
        self._closing = False
        self._full = False
        self.masked: Masking | None = None
        self._filled = False
        self._filling = threading.Thread(target=self._fill, name="clips-ring", daemon=True)
        self._writing = threading.Thread(target=self._write_all, name="clips", daemon=True)

    def start(self) -> None:
        remove_unfinished(self._folder)
        self._filling.start()
        self._writing.start()

    def take(self, frame: Frame) -> None:
        """Hand a frame over; where the worker lags, the oldest that waits is left out."""
        with self._changed:
            self._frames.append(frame)
            self._changed.notify_all()

    def cut(self, rack: str, number: int, strike: float, rest: float, *, flagged: bool) -> None:
        """Have a shot's clip written: `strike` and `rest` in the camera's time."""
        with self._changed:
            self._wanted.append(Wanted(rack, number, strike - _BEFORE, rest + _AFTER, flagged))
            self._changed.notify_all()

    def picture(self) -> bytes | None:
        """The last picture, as JPEG."""
        last = self._ring.last()
        return None if last is None else last.jpeg

    def close(self, patience: float = 3.0) -> None:
        """End; what was asked for is still written, if that takes no longer than `patience` seconds."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._writing.is_alive():
            self._writing.join(patience)

    @property
    def running(self) -> bool:
        return self._writing.is_alive()

    def _fill(self) -> None:
        """Frames into the ring; that goes on while a clip is written, so that the next shot's beginning is there."""
        _give_way()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._frames or self._closing)
                frame = self._frames.popleft() if self._frames else None
                if frame is None:
                    self._filled = True
                    self._changed.notify_all()
                    return
            pixels = frame.pixels if self.masked is None else self.masked(frame.pixels)
            self._ring.add(frame.t, pixels)
            with self._changed:
                self._changed.notify_all()

    def _write_all(self) -> None:
        """Clips that are asked for, once their last frame is in the ring."""
        _give_way()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._due() or self._filled)
                if not self._wanted:
                    return
                wanted = self._wanted.popleft()
            self._write(wanted)

    def _due(self) -> bool:
        """A shot waits whose last frame has come."""
        last = self._ring.last()
        return bool(self._wanted) and last is not None and last.t >= self._wanted[0].end

    def _write(self, wanted: Wanted) -> None:
        """One clip; a disk or a shelf that fails stops clips, says so once, and nothing else. The next shot tries."""
        path = self._folder / f"{wanted.rack}-{wanted.number:03}.mp4"
        try:
            self._make_room()
            if not room_for_more(self._budget, self._free()):
                self._say_full()
                return
            size = write_clip(path, self._ring.cut(wanted.start, wanted.end))
            self._shelf.add(Kept(path.name, self._now(), size, wanted.flagged), wanted.rack, wanted.number)
        except ClipError:
            return
        except (OSError, ShelfError) as error:
            self._say_full(str(error))
            return
        self._full = False

    def _make_room(self) -> None:
        for clip in to_evict(self._shelf.kept(), self._budget, self._now(), self._free()):
            (self._folder / clip.file).unlink(missing_ok=True)
            self._shelf.drop(clip.file)

    def _say_full(self, why: str = "the disk is nearly full") -> None:
        if not self._full:
            self._complain(f"no clips are written ({why}); rulings and records go on")
        self._full = True


def _give_way() -> None:
    """Clips are the least of the workers: on Linux a thread has a priority of its own."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
