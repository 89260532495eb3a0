"""Frames in, detections out: where each ball is, what it may be, how much is covered, what hides the table.

The table is looked at coarsely every frame (has a cell changed?), and thoroughly by the networks where it has: balls
that roll as foreseen are followed by the namer alone, all else is searched by the finder. What has not changed keeps
its place; it is named anew a few balls a frame, so that evidence grows at rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.calibration import Calibration
from models.loading import Finder, Namer, Peaks, best_of_close
from models.rectified import BALL_PIXELS, CROP_SIZE, TopView, crop_placements, to_picture
from vision.change import CELL, Cells, Tiles, tile_of, tiles_with
from vision.crops import crops_of
from vision.detections import BALL_NAMES, Cover, Detections
from vision.following import Course, can_follow, stirs, ways_of, zone
from vision.frame import Frame
from vision.outlook import Outlook
from vision.survey import MOST_TILES, Survey

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

_HEAT_AT_LEAST: Final = 0.25
_OFF_CENTRE: Final = 5.0
"""A ball found farther than this from its crop's middle, in crop pixels, is cut out anew."""
_WORTH_AT_LEAST: Final = 0.35
_SHARP: Final = 0.025
_RENAMED_A_FRAME: Final = 2
_NOT_A_BALL: Final = len(BALL_NAMES)
_UNKNOWN: Final = np.full(len(BALL_NAMES) + 1, 1 / (len(BALL_NAMES) + 1))
_SAME_PEAK: Final = 0.75
"""Top-view pixels within which a peak is the one that a ball was named at."""
_HELD_WORTH: Final = 0.5
_HELD_COVERED: Final = 0.4
_HELD_WITHIN: Final = 0.6
"""A followed ball is held where it is a ball without doubt, hardly covered, and so many diameters from where it was
foreseen."""


@dataclass(frozen=True, eq=False)
class _Look:
    """What the namer said of balls: places in the top view, the picture and on the table, and the rest as in
    `Detections` and `following.Course`."""

    peaks: Floats
    px: Floats
    xy: Floats
    cov: Floats
    names: Floats
    covered: Floats
    score: Floats
    way: Floats
    looks: Rows

    def __len__(self) -> int:
        return len(self.px)

    def taken(self, rows: Rows | npt.NDArray[np.bool_]) -> _Look:
        return _Look(*(getattr(self, name)[rows] for name in _Look.__dataclass_fields__))

    def joined(self, other: _Look) -> _Look:
        names = _Look.__dataclass_fields__
        return _Look(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in names))

    @property
    def course(self) -> Course:
        return Course(self.xy, self.way, self.looks)


class Eye:
    """Looks at the frames of one calibrated camera, in order."""

    def __init__(self, calibration: Calibration, finder: Finder, namer: Namer) -> None:
        self.calibration = calibration
        self._namer = namer
        self._view = TopView(calibration.table)
        self._survey = Survey(finder, Outlook(self._view, self._view.maps(calibration.camera)))
        self._kept: _Look | None = None
        self._t = -np.inf
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
        changed = self._survey.changes(frame)
        if self._survey.repeated and self._kept is not None:
            return self._as_before(frame.t, self._kept)
        dt = frame.t - self._t
        followed, before, tiles = self._follow(frame, changed, dt)
        renewed = self._survey.renew(frame, tiles)
        findings = self._survey.findings
        assert findings is not None
        peaks = findings.peaks(_HEAT_AT_LEAST)
        sighted = followed if before is None else followed.joined(before)
        anew, known = self._split(peaks, sighted, renewed, calm=not len(followed))
        fresh = self._name(frame, self._view.to_table(peaks.places[anew]), peaks.places[anew], peaks.score[anew])
        if self._kept is not None:
            fresh = replace(fresh, way=ways_of(fresh.xy, self._kept.course, dt, self.calibration.table.ball_diameter))
        found = fresh.joined(sighted.taken(known))
        new = np.concatenate([np.ones(len(fresh), dtype=bool), known < len(followed)])
        found, new = _distinct(found, new, self.calibration.table.ball_diameter)
        self._kept, self._t = found, frame.t
        names = np.where(new[:, None], found.names, _UNKNOWN)
        return Detections(
            frame.t, found.px, found.xy, found.cov, names, found.covered, _cover(findings.cover, self._view)
        )

    def _as_before(self, t: float, kept: _Look) -> Detections:
        """What the last frame showed, at another time."""
        findings = self._survey.findings
        assert findings is not None
        flat = np.tile(_UNKNOWN, (len(kept), 1))
        cover = _cover(findings.cover, self._view)
        return Detections(t, kept.px, kept.xy, kept.cov, flat, kept.covered, cover, repeated=True)

    def _follow(self, frame: Frame, changed: Cells, dt: float) -> tuple[_Look, _Look | None, Tiles]:
        """Balls followed to where they are now, the others as they were kept, and the tiles left to be searched."""
        table, kept = self.calibration.table, self._kept
        tiles = tiles_with(changed)
        if kept is None or not len(kept):
            return _nobody(), kept, tiles
        here = self._view.to_pixels(kept.xy)
        foreseen = kept.course.foreseen(dt)
        there = self._view.to_pixels(foreseen)
        stirred = stirs(changed, here, BALL_PIXELS) | stirs(changed, there, BALL_PIXELS)
        kept = _calmed(kept, ~stirred)
        zones = {
            int(k): zone(np.array([here[k], there[k]]), changed.shape, BALL_PIXELS)
            for k in np.flatnonzero(stirred & can_follow(kept.course, dt, table))
        }
        chased, searched = _unsearched(changed, zones, here, there, np.zeros_like(tiles))
        if not len(chased) or int(searched.sum()) > MOST_TILES:
            return _nobody(), kept, tiles
        found = self._name(frame, foreseen[chased], here[chased], kept.score[chased])
        held = self._held(found, foreseen[chased])
        lost = _tiles_at(tiles, *here[chased[~held]], *there[chased[~held]])
        kept_on, searched = _unsearched(changed, {k: zones[k] for k in chased[held]}, here, there, lost)
        held &= np.isin(chased, kept_on)
        now = self._view.to_pixels(found.xy)
        for k in np.flatnonzero(held):
            self._survey.moved(kept.peaks[chased[k]], now[k], zones[chased[k]])
        ways = (found.xy - kept.xy[chased]) / dt
        followed = replace(found, peaks=now, way=ways, looks=kept.looks[chased] + 1)
        rest = np.setdiff1d(np.arange(len(kept)), chased[held])
        return followed.taken(held), kept.taken(rest), searched

    def _held(self, found: _Look, foreseen: Floats) -> npt.NDArray[np.bool_]:
        """Which of the followed balls (N,) are where they were looked for, beyond doubt."""
        diameter = self.calibration.table.ball_diameter
        near = np.hypot(*(found.xy - foreseen).T) < _HELD_WITHIN * diameter
        return np.asarray((_worth(found, diameter) > _HELD_WORTH) & (found.covered < _HELD_COVERED) & near)

    def _split(self, peaks: Peaks, sighted: _Look, renewed: Tiles, *, calm: bool) -> tuple[Rows, Rows]:
        """Which peaks to name now, and the rows of what was sighted that stand for the others.

        While balls roll (not `calm`) those at rest are not named anew: there is enough to do.
        """
        known = np.full(len(peaks), -1)
        if len(peaks) and len(sighted):
            away = np.hypot(*(peaks.places[:, None] - sighted.peaks[None]).transpose(2, 0, 1))
            known = np.where(away.min(axis=1) < _SAME_PEAK, away.argmin(axis=1), -1)
        stale = renewed[tile_of(peaks.places, renewed.shape)]
        anew = stale | (known < 0)
        quiet = np.flatnonzero(~anew & (sighted.looks[known] == 0 if len(sighted) else True))
        if len(quiet) and calm and not renewed.all():
            again = quiet[(self._turn + np.arange(min(_RENAMED_A_FRAME, len(quiet)))) % len(quiet)]
            self._turn += len(again)
            anew[again] = True
        return np.flatnonzero(anew), known[~anew]

    def _name(self, frame: Frame, xy: Floats, peaks: Floats, score: Floats) -> _Look:
        """What the namer says of balls at table places (N, 2); how they go it cannot say."""
        camera, table = self.calibration.camera, self.calibration.table
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
        still, none = np.zeros_like(places), np.zeros(len(px), dtype=np.int64)
        return _Look(peaks, px, places, cov, found.names, found.covered, score, still, none)


def _nobody() -> _Look:
    none, pairs = np.zeros(0), np.zeros((0, 2))
    names = np.zeros((0, len(BALL_NAMES) + 1))
    return _Look(pairs, pairs, pairs, np.zeros((0, 2, 2)), names, none, none, pairs, none.astype(np.int64))


def _calmed(kept: _Look, still: npt.NDArray[np.bool_]) -> _Look:
    """The same balls; those that lie still (N,) go nowhere and are followed no more."""
    return replace(kept, way=np.where(still[:, None], 0.0, kept.way), looks=np.where(still, 0, kept.looks))


def _union(zones: Iterable[Cells], shape: tuple[int, ...]) -> Cells:
    whole = np.zeros(shape, dtype=bool)
    for one in zones:
        whole |= one
    return whole


def _unsearched(
    changed: Cells, zones: dict[int, Cells], here: Floats, there: Floats, more: Tiles
) -> tuple[Rows, Tiles]:
    """Which of the balls with `zones` lie wholly outside the tiles that must be searched, and those tiles.

    A tile must be searched where a change is not such a ball's own, and where `more` says so. A ball of which one tile
    is searched is left to the search, in all its tiles: half an old mark beside half a new one would hide it.
    """
    chased = list(zones)
    while True:
        searched = more | tiles_with(changed & ~_union([zones[k] for k in chased], changed.shape))
        left = [k for k in chased if not (searched & _tiles_at(more, here[k], there[k])).any()]
        if len(left) == len(chased):
            return np.array(chased, dtype=np.int64), searched
        more = more | _tiles_at(more, *(place[k] for k in chased if k not in left for place in (here, there)))
        chased = left


def _tiles_at(tiles: Tiles, *places: Floats) -> Tiles:
    """Those of the tiles (rows, columns) that hold one of the top-view places (2,)."""
    found = np.zeros(tiles.shape, dtype=bool)
    if places:
        found[tile_of(np.array(places), tiles.shape)] = True
    return found


def _worth(found: _Look, diameter: float) -> Floats:
    """How much each (N,) deserves to be called a ball, 0 to 1."""
    return np.asarray(found.score * (1 - found.names[:, _NOT_A_BALL]) * _sharpness(found.cov, diameter))


def _distinct(found: _Look, new: npt.NDArray[np.bool_], diameter: float) -> tuple[_Look, npt.NDArray[np.bool_]]:
    """Leave out what is no ball, and the weaker of two that would overlap; say which of the rest are new."""
    worth = _worth(found, diameter)
    order = np.argsort(-worth, kind="stable")
    order = order[worth[order] >= _WORTH_AT_LEAST]
    places = found.xy[order]
    close = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) <= 0.6 * diameter
    rows = np.sort(order[best_of_close(close)])
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
