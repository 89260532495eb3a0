"""At rest a few frames a second are looked at; as soon as anything stirs, every frame, and those just passed over too.

So nothing of a stroke is missed: the frames passed over since the last look are kept and looked at first.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from device.live.taken import Taken

Luma = npt.NDArray[np.uint8]

_REDUCED: Final = 4
"""Every so many pixels each way are compared: far fewer than a ball has."""
_SIGMAS: Final = 8.0
_LEAST: Final = 6
"""Grey levels that a pixel must change by, at least."""
_PIXELS: Final = 3
"""So many compared pixels that changed are something that stirs; a ball has some thirty."""
_AWAKE: Final = 1.0
"""Seconds for which every frame is looked at after something stirred."""


class Stir:
    """Compares the table's part of a picture with how it was at the last look."""

    def __init__(self, area: tuple[slice, slice]) -> None:
        self._area = area
        self._reference: Luma | None = None
        self._noise = 1.0

    def _reduced(self, luma: Luma) -> Luma:
        return np.ascontiguousarray(luma[self._area][::_REDUCED, ::_REDUCED])

    def looked(self, luma: Luma) -> None:
        """This is how it is now."""
        self._reference = self._reduced(luma)

    def moved(self, luma: Luma) -> bool:
        """Something is no longer as it was."""
        if self._reference is None:
            return True
        difference = cv2.absdiff(self._reduced(luma), self._reference)
        level = 1.4826 * float(np.median(difference[::4, ::4]))
        self._noise += 0.1 * (level - self._noise)
        changed = cv2.threshold(difference, max(_LEAST, _SIGMAS * self._noise), 255, cv2.THRESH_BINARY)[1]
        return int(cv2.countNonZero(changed)) >= _PIXELS


class Pacing:
    """Chooses which frames to look at.

    Args:
        stir: tells whether the table's part of the picture has changed.
        rest_rate: looks a second while all is still.
    """

    def __init__(self, stir: Stir, rest_rate: float) -> None:
        self._stir = stir
        self._step = 1.0 / rest_rate
        self._held: list[Taken] = []
        self._awake_until = -np.inf
        self._looked = -np.inf
        self.passed_over = 0
        self.asleep = False
        """The last frame stirred nothing, nor did any shortly before it."""

    def choose(self, taken: Taken, at_rest: bool) -> list[Taken]:
        """The frames to look at now, in order; `at_rest`: by all that is known, no ball moves."""
        t = taken.frame.t
        if not at_rest or self._stir.moved(taken.frame.luma):
            self._awake_until = t + _AWAKE
        self.asleep = t >= self._awake_until
        if not self.asleep:
            return self._look([*self._held, taken])
        if t - self._looked >= self._step - 1e-4:
            self.passed_over += len(self._held)
            return self._look([taken])
        self._held.append(taken)
        return []

    def _look(self, chosen: list[Taken]) -> list[Taken]:
        self._held = []
        self._looked = chosen[-1].frame.t
        self._stir.looked(chosen[-1].frame.luma)
        return chosen
