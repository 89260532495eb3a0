"""Is the camera where it was when it was calibrated? If not: wait until it is still, and calibrate anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from calibration.calibration import Calibration, recalibrated
from calibration.drift import Drift, DriftWatch
from vision.frame import Frame

_EVERY: Final = 0.5
"""Seconds between looks while nothing seems wrong, and between two looks that must agree after a bump."""
_MOVED: Final = 1.2
"""Pixels (at 1280 wide; more in proportion) by which the picture must have shifted."""
_STILL: Final = 0.5
_AGREEING: Final = 0.45


@dataclass(frozen=True, eq=False)
class Moved:
    """The camera was moved by `shift` pixels and is still again; `calibration` is the new one, None if none fits."""

    t: float
    shift: float
    calibration: Calibration | None


class Steadiness:
    """Watches one camera's frames for a shift of the whole picture.

    `blind` is true while the camera is seen to have moved and has not been calibrated anew: nothing may be called.
    """

    def __init__(self, frame: Frame, calibration: Calibration) -> None:
        self._begin(frame, calibration)

    def _begin(self, frame: Frame, calibration: Calibration) -> None:
        self._calibration = calibration
        self._watch = DriftWatch(frame.pixels, calibration.camera, calibration.table)
        self._limit = _MOVED * max(1.0, frame.pixels.shape[1] / 1280)
        self._due = frame.t + _EVERY
        self._seen: Drift | None = None
        self.blind = False

    def check(self, frame: Frame, suspicious: bool) -> Moved | None:
        """Look at a frame if it is time to, or if something seems wrong."""
        if frame.t < self._due and not (suspicious and not self.blind):
            return None
        self._due = frame.t + _EVERY
        drift = self._watch.compare(frame.pixels)
        if drift is None or drift.agreeing < _AGREEING:
            return None
        if drift.shift < self._limit:
            self.blind, self._seen = False, None
            return None
        still = self._seen is not None and abs(drift.shift - self._seen.shift) < _STILL
        self.blind, self._seen = True, drift
        return self._settled(frame, drift) if still else None

    def _settled(self, frame: Frame, drift: Drift) -> Moved:
        found = recalibrated(frame.pixels, self._calibration)
        if found is not None:
            self._begin(frame, found)
        return Moved(frame.t, drift.shift, found)
