"""Has the camera moved? Fixed features of rails and floor are followed from the picture of the calibration.

Players and balls move too, so the answer is the shift that most features outside the playing surface agree on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import Table

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]
Grey = npt.NDArray[np.uint8]

_WIDTH: Final = 960
_FEATURES: Final = 160
_AGREE: Final = 0.5
"""Features must agree on the shift to this many (reduced) pixels to count as following it."""


@dataclass(frozen=True)
class Drift:
    """How far the picture has shifted, in pixels of the picture (median), and the share of features that agree."""

    shift: float
    agreeing: float
    followed: int


class DriftWatch:
    """Compares pictures with the one that a calibration was made on."""

    def __init__(self, picture: Picture, camera: Camera, table: Table) -> None:
        self._scale = min(1.0, _WIDTH / picture.shape[1])
        plain = self._reduced(picture)
        self._reference = _evened(plain)
        mask = self._beside_the_cloth(camera, table)
        found = cv2.goodFeaturesToTrack(plain, _FEATURES, 0.01, 8, mask=mask)
        self._features = np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, dtype=np.float32)

    def compare(self, picture: Picture) -> Drift | None:
        """The shift of a picture against the reference; None where too few features can be followed to tell."""
        if len(self._features) < 12:
            return None
        now = _evened(self._reduced(picture))
        there, found = _followed(self._reference, now, self._features)
        back, again = _followed(now, self._reference, there)
        round_trip = np.linalg.norm(back - self._features, axis=2).ravel()
        kept = found & again & (round_trip < 0.7)
        if kept.sum() < 10 or kept.mean() < 0.25:
            return None
        return self._agreed(self._features[kept, 0], there[kept, 0])

    def _agreed(self, before: npt.NDArray[np.float32], after: npt.NDArray[np.float32]) -> Drift:
        """A bumped camera shifts and turns the whole picture: the shift of those features that one turn explains."""
        cv2.setRNGSeed(1)
        _, inliers = cv2.estimateAffinePartial2D(before, after, method=cv2.RANSAC, ransacReprojThreshold=_AGREE)
        agree = np.asarray(inliers).ravel() == 1 if inliers is not None else np.zeros(len(before), dtype=bool)
        move = np.linalg.norm(after - before, axis=1)
        length = float(np.median(move[agree])) if agree.any() else 0.0
        return Drift(length / self._scale, float(agree.mean()), len(before))

    def _reduced(self, picture: Picture) -> Grey:
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        if self._scale < 1.0:
            shrunk = cv2.resize(grey, None, fx=self._scale, fy=self._scale, interpolation=cv2.INTER_AREA)
            grey = np.asarray(shrunk, dtype=np.uint8)
        return grey

    def _beside_the_cloth(self, camera: Camera, table: Table) -> Grey:
        """Rails and their near surroundings: where nothing should move."""
        mask = np.zeros(self._reference.shape, np.uint8)
        for out, value in ((0.25, 255), (-0.01, 0)):
            corners = np.array(table.corners)
            px = camera.project_at(corners + out * np.sign(corners), table.nose_height) * self._scale
            cv2.fillConvexPoly(mask, np.round(px).astype(np.int32), value)
        return mask


def _followed(
    before: Grey, after: Grey, places: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Where features (N, 1, 2) of one picture lie in another, and which were found there (N,)."""
    guess = places.copy()
    there, found, _ = cv2.calcOpticalFlowPyrLK(before, after, places, guess, winSize=(21, 21), maxLevel=3)
    return np.asarray(there, dtype=np.float32), np.asarray(found).ravel() == 1


def _evened(grey: Grey) -> Grey:
    """The picture with brightness and contrast evened out locally: a dimmed lamp must not look like a shift."""
    level = grey.astype(np.float32)
    apart = level - cv2.blur(level, (19, 19))
    contrast = np.sqrt(np.maximum(cv2.blur(apart * apart, (41, 41)), 0.0)) + 2.0
    return np.clip(128 + 45 * apart / contrast, 0, 255).astype(np.uint8)
