"""What can be wrong with a camera's pictures, told from the pictures and their times alone.

Everything is judged on a small grid of brightnesses (`thumbnail`), some thousand numbers a frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from device.cameras.rate import RateMeter
from vision.frame import Frame

Thumbnail = npt.NDArray[np.uint8]

_COLUMNS, _ROWS = 96, 64
_FROZEN_AFTER: Final = 3.0
"""Seconds of the very same picture. A sensor's noise never repeats; a network camera's encoder may for a second."""
_DARK_AFTER: Final = 1.0
_STRANGE_AFTER: Final = 1.0
_DARK: Final = 24.0
"""No part of a picture is brighter than this (of 255; a lens cap, the lights out)."""
_ALIKE: Final = 0.5
"""Pictures of one place correlate at least so much, whoever leans over the table."""
_TURNED: Final = -0.5
"""What tells a picture from the same one turned round (`lopsidedness`) correlates so little where it is turned."""
_SLOW: Final = 0.7
_SLOW_AFTER: Final = 3.0
_GAP: Final = 2.5
"""Steps of so many usual ones are a gap."""
_SETTLE: Final = 0.02


class Fault(StrEnum):
    """What is wrong. While one of `BLINDING` lasts, nothing that the camera shows may be called."""

    FROZEN = "frozen"
    BLACK = "black"
    GARBLED = "garbled"
    TURNED = "turned"
    SLOW = "slow"
    STALE = "stale"


BLINDING: Final = frozenset({Fault.FROZEN, Fault.BLACK, Fault.GARBLED, Fault.TURNED})


@dataclass(frozen=True)
class Gap:
    """No frame came between these two times, seconds; about so many are missing."""

    after: float
    before: float
    missing: int


@dataclass(frozen=True)
class Health:
    """How a frame was found: the faults that hold now, those that begin and end with it, and a gap before it."""

    faults: frozenset[Fault]
    begun: frozenset[Fault]
    ended: frozenset[Fault]
    gap: Gap | None

    @property
    def blind(self) -> bool:
        return bool(self.faults & BLINDING)


def thumbnail(luma: npt.NDArray[np.uint8]) -> Thumbnail:
    """A picture's brightness on a fixed grid."""
    step_y, step_x = max(1, luma.shape[0] // (2 * _ROWS)), max(1, luma.shape[1] // (2 * _COLUMNS))
    sparse = np.ascontiguousarray(luma[::step_y, ::step_x])
    return np.asarray(cv2.resize(sparse, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def alike(a: npt.NDArray[np.uint8 | np.float32], b: npt.NDArray[np.uint8 | np.float32]) -> float:
    """Correlation of two thumbnails, −1 to 1: a change of light leaves it as it is."""
    x, y = a.astype(np.float32).ravel(), b.astype(np.float32).ravel()
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size > 1e-6 else 0.0


def lopsidedness(small: Thumbnail) -> npt.NDArray[np.float32]:
    """What changes its sign when the picture is turned by half a turn. A table alone is nearly the same both ways."""
    return small.astype(np.float32) - small[::-1, ::-1].astype(np.float32)


class FaultWatch:
    """Looks at every frame in turn.

    Args:
        nominal_rate: what the camera should give, frames a second; None where it makes no claim.
        usual: thumbnail of the picture on which the camera was calibrated, if there is one.
    """

    def __init__(self, nominal_rate: float | None = None, usual: Thumbnail | None = None) -> None:
        self._nominal = nominal_rate
        self.usual = usual
        self._last: Thumbnail | None = None
        self._last_t: float | None = None
        self._meter = RateMeter()
        self._since: dict[Fault, float] = {}
        self._holding: frozenset[Fault] = frozenset()

    def check(self, raw: Frame) -> Health:
        """Judge one frame."""
        small = thumbnail(raw.luma)
        stale = self._last_t is not None and raw.t <= self._last_t
        gap = None if stale else self._gap(raw.t)
        if not stale:
            self._meter.add(raw.t)
        found = self._found(small, raw.t)
        if stale:
            found[Fault.STALE] = 0.0
        held = frozenset(fault for fault, after in found.items() if self._lasts(fault, raw.t, after))
        for fault in set(self._since) - set(found):
            del self._since[fault]
        health = Health(held, held - self._holding, self._holding - held, gap)
        self._holding, self._last = held, small
        self._last_t = raw.t if not stale else self._last_t
        if not held and not found:
            self._learn(small)
        return health

    def _found(self, small: Thumbnail, t: float) -> dict[Fault, float]:
        """Faults that this frame shows, each with the seconds that it must last to be believed."""
        found: dict[Fault, float] = {}
        if self._last is not None and np.array_equal(small, self._last):
            found[Fault.FROZEN] = _FROZEN_AFTER
        if float(small.max()) < _DARK:
            found[Fault.BLACK] = _DARK_AFTER
        elif (strange := self._strange(small)) is not None:
            found[strange] = _STRANGE_AFTER
        rate = self._meter.rate
        if self._nominal is not None and rate is not None and rate < _SLOW * self._nominal:
            found[Fault.SLOW] = _SLOW_AFTER
        return found

    def _strange(self, small: Thumbnail) -> Fault | None:
        if self.usual is None:
            return None
        if alike(lopsidedness(small), lopsidedness(self.usual)) < _TURNED:
            return Fault.TURNED
        return Fault.GARBLED if alike(small, self.usual) < _ALIKE else None

    def _lasts(self, fault: Fault, t: float, after: float) -> bool:
        return t - self._since.setdefault(fault, t) >= after

    def _gap(self, t: float) -> Gap | None:
        rate = self._meter.rate
        if self._last_t is None or rate is None or (t - self._last_t) * rate < _GAP:
            return None
        return Gap(self._last_t, t, round((t - self._last_t) * rate) - 1)

    def _learn(self, small: Thumbnail) -> None:
        """What the picture usually looks like, slowly: the day's light and moved chairs become usual."""
        if self.usual is None:
            self.usual = small
        else:
            mixed = cv2.addWeighted(self.usual, 1 - _SETTLE, small, _SETTLE, 0)
            self.usual = np.asarray(mixed, dtype=np.uint8)
