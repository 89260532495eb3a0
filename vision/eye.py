"""Frames in, detections out: where each ball is, what it may be, how much is covered, what hides the table.

The table is looked at twice: cheaply every frame (has a tile changed?), and thoroughly by the networks where it has.
What has not changed keeps its place; it is named anew a few balls a frame, so that evidence grows at rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.calibration import Calibration
from models.loading import Finder, Namer, Peaks
from models.rectified import CROP_SIZE, TopView, crop_placements, to_picture
from vision.change import CELL
from vision.crops import crops_of
from vision.detections import BALL_NAMES, Cover, Detections
from vision.frame import Frame, Lookup
from vision.survey import Survey, tile_of

Floats = npt.NDArray[np.float64]

_HEAT_AT_LEAST: Final = 0.25
_OFF_CENTRE: Final = 5.0
"""A ball found farther than this from its crop's middle, in crop pixels, is cut out anew."""
_WORTH_AT_LEAST: Final = 0.35
_SHARP: Final = 0.025
_RENAMED_A_FRAME: Final = 2
_NOT_A_BALL: Final = len(BALL_NAMES)
_UNKNOWN: Final = np.full(len(BALL_NAMES) + 1, 1 / (len(BALL_NAMES) + 1))


@dataclass(frozen=True, eq=False)
class _Look:
    """What the namer said of balls: places in the picture and on the table, and the rest as in `Detections`."""

    peaks: Floats
    px: Floats
    xy: Floats
    cov: Floats
    names: Floats
    covered: Floats
    score: Floats

    def __len__(self) -> int:
        return len(self.px)

    def taken(self, rows: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> _Look:
        return _Look(*(getattr(self, name)[rows] for name in _Look.__dataclass_fields__))

    def joined(self, other: _Look) -> _Look:
        names = _Look.__dataclass_fields__
        return _Look(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in names))


class Eye:
    """Looks at the frames of one calibrated camera, in order."""

    def __init__(self, calibration: Calibration, finder: Finder, namer: Namer) -> None:
        self.calibration = calibration
        self._namer = namer
        self._view = TopView(calibration.table)
        self._see = Lookup(*self._view.maps(calibration.camera))
        self._survey = Survey(finder)
        self._kept: _Look | None = None
        self._turn = 0

    @property
    def upset(self) -> bool:
        """In the last frame most of the rails looked different: the light, or the camera, may have moved."""
        return self._survey.upset

    def look(self, frame: Frame) -> Detections:
        """The balls seen in one frame.

        A ball in a part of the table that has not changed since it was last named keeps its place, and its row of
        `names` is flat (nothing new is known), unless it was its turn to be named again.
        """
        top_view = self._see(frame)
        renewed = self._survey.renew(top_view)
        findings = self._survey.findings
        assert findings is not None
        peaks = findings.peaks(_HEAT_AT_LEAST)
        anew, kept = self._split(peaks, renewed)
        fresh = self._name(frame, peaks.places[anew], peaks.score[anew])
        found = fresh if kept is None else fresh.joined(kept)
        found, new = _distinct(found, len(fresh), self.calibration.table.ball_diameter)
        self._kept = found
        names = np.where(new[:, None], found.names, _UNKNOWN)
        return Detections(
            frame.t, found.px, found.xy, found.cov, names, found.covered, _cover(findings.cover, self._view)
        )

    def _split(self, peaks: Peaks, renewed: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], _Look | None]:
        """Which peaks to name now, and the look to keep for the others."""
        every = np.arange(len(peaks))
        if self._kept is None or renewed.all():
            return every, None
        rows, columns = tile_of(peaks.places)
        stale = renewed[np.clip(rows, 0, renewed.shape[0] - 1), np.clip(columns, 0, renewed.shape[1] - 1)]
        known = np.full(len(peaks), -1)
        for number, place in enumerate(peaks.places):
            away = np.hypot(*(self._kept.peaks - place).T) if len(self._kept) else np.zeros(0)
            if len(away) and away.min() < 0.75:
                known[number] = int(away.argmin())
        anew = stale | (known < 0)
        quiet = every[~anew]
        if len(quiet):
            again = quiet[(self._turn + np.arange(min(_RENAMED_A_FRAME, len(quiet)))) % len(quiet)]
            self._turn += len(again)
            anew[again] = True
        return every[anew], self._kept.taken(known[~anew])

    def _name(self, frame: Frame, peaks: Floats, score: Floats) -> _Look:
        camera, table = self.calibration.camera, self.calibration.table
        xy = self._view.to_table(peaks)
        placements = crop_placements(camera, xy, table.ball_diameter)
        found = self._namer(crops_of(frame, placements))
        middle = (CROP_SIZE - 1) / 2
        far = np.hypot(*(found.centre - middle).T) > _OFF_CENTRE
        if far.any():
            moved = camera.at_height(to_picture(placements[far], found.centre[far]), table.ball_radius)
            placements[far] = crop_placements(camera, moved, table.ball_diameter)
            found = self._namer(crops_of(frame, placements))
        px = to_picture(placements, found.centre)
        places = camera.at_height(px, table.ball_radius)
        turn = camera.metres_per_pixel(places, table.ball_radius) @ placements[:, :, :2]
        cov = turn @ found.cov @ turn.transpose(0, 2, 1)
        return _Look(peaks, px, places, cov, found.names, found.covered, score)


def _distinct(found: _Look, fresh: int, diameter: float) -> tuple[_Look, npt.NDArray[np.bool_]]:
    """Leave out what is no ball, and the weaker of two that would overlap; say which of the rest are fresh."""
    new = np.arange(len(found)) < fresh
    worth = found.score * (1 - found.names[:, _NOT_A_BALL]) * _sharpness(found.cov, diameter)
    order = np.argsort(-worth, kind="stable")
    kept: list[int] = []
    for k in order:
        if worth[k] < _WORTH_AT_LEAST:
            continue
        if all(np.hypot(*(found.xy[k] - found.xy[other])) > 0.6 * diameter for other in kept):
            kept.append(int(k))
    rows = np.array(sorted(kept), dtype=np.int64)
    return found.taken(rows), new[rows]


def _sharpness(cov: Floats, diameter: float) -> Floats:
    """1 for a ball whose centre can be told (across its streak) to `_SHARP` diameters, less where it cannot (N,).

    A ball has a centre that can be told; a knuckle or a sleeve taken for one has not.
    """
    across = np.sqrt(np.clip(np.linalg.eigvalsh(cov)[:, 0], 1e-12, None)) if len(cov) else np.zeros(0)
    return np.minimum(1.0, _SHARP * diameter / np.maximum(across, 1e-9))


def _cover(cover: npt.NDArray[np.float32], view: TopView) -> Cover | None:
    """The finder's cover as a picture over the table frame, rows along +y."""
    if float(cover.max(initial=0.0)) < 0.5:
        return None
    rows = cover.shape[0]
    half_cell = view.to_table([(-0.5, CELL * rows - 0.5)])[0]
    origin = (float(half_cell[0]), float(half_cell[1]))
    return Cover(np.ascontiguousarray(cover[::-1]), origin, CELL * view.pitch)
