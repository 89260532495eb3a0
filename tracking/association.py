"""Which detection is which ball: one assignment a frame, by motion first and looks second.

A ball is expected where its motion leads (a narrow peak), where a rail would turn it back (a second one), or, after a
hit between two frames, anywhere it could have been driven (a broad one). Gates scale with speed and time, not frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from calibration.table import Table
from tracking.samples import Floats
from tracking.tracks import Phase, Track
from vision.detections import Detections

CLUTTER: Final = 0.02
"""Stray detections per square metre: a match must be likelier than that."""
MISS: Final = 0.03
"""Chance that a ball in the open is not detected in a frame."""
KINK: Final = 0.05
"""Chance that a moving ball is deflected between two frames."""
STRUCK: Final = 5e-3
"""Chance that a resting ball is set in motion between two frames though nothing that moves is near it."""
STROKE: Final = 14.0
"""Fastest stroke, m/s."""
STALE: Final = 0.12
"""A ball unseen for so many seconds is found again by its own path or by a new one that is seen to be its
continuation, never by a single sighting somewhere in reach."""
VOTE: Final = 3.0
"""A frame's looks count for at most this many nats: colour in motion only votes."""
NEWBORN: Final = 10.0
"""Of a ball that was seen for the first time a moment ago only its look is known: another look counts for so much
more against a match."""


@dataclass(frozen=True, eq=False)
class Matches:
    """`pairs` (K, 2): track row, detection row; `jumped` (K,): the match needs a hit or a rail on the way."""

    pairs: npt.NDArray[np.int64]
    jumped: npt.NDArray[np.bool_]


def assign(table: Table, tracks: Sequence[Track], seen: Detections) -> Matches:
    """The jointly likeliest assignment of a frame: known balls first, newcomers to what is left.

    A newcomer that has lain still for some frames is known as well: nobody else's missed ball is to be found there.
    """
    settled = np.array([track.rested or track.lies for track in tracks], dtype=np.bool_)
    known, fresh = np.flatnonzero(settled), np.flatnonzero(~settled)
    everything = np.arange(len(seen))
    first = _assigned(table, tracks, known, seen, everything)
    if not len(fresh):
        return first
    second = _assigned(table, tracks, fresh, seen, np.setdiff1d(everything, first.pairs[:, 1]))
    return Matches(np.concatenate([first.pairs, second.pairs]), np.concatenate([first.jumped, second.jumped]))


def _assigned(
    table: Table,
    everyone: Sequence[Track],
    rows: npt.NDArray[np.int64],
    everything: Detections,
    columns: npt.NDArray[np.int64],
) -> Matches:
    """The assignment among some tracks and some detections, in the numbering of all."""
    if not len(rows) or not len(columns):
        return Matches(np.zeros((0, 2), dtype=np.int64), np.zeros(0, dtype=np.bool_))
    tracks, seen = [everyone[row] for row in rows], _chosen(everything, columns)
    found = _jointly(table, tracks, seen)
    pairs = np.stack([rows[found.pairs[:, 0]], columns[found.pairs[:, 1]]], axis=1)
    return Matches(pairs, found.jumped)


def _chosen(seen: Detections, columns: npt.NDArray[np.int64]) -> Detections:
    if len(columns) == len(seen):
        return seen
    k = columns
    late = None if seen.late is None else seen.late[k]
    return Detections(seen.t, seen.px[k], seen.xy[k], seen.cov[k], seen.names[k], seen.covered[k], seen.cover, late)


def _jointly(table: Table, tracks: Sequence[Track], seen: Detections) -> Matches:
    narrow, broad = _densities(table, tracks, seen)
    vote = _votes(tracks, seen)
    likely = np.log(narrow + broad + 1e-300) + vote
    floor = np.log(CLUTTER * MISS)
    cost = np.full((len(tracks), len(seen) + len(tracks)), -floor)
    cost[:, : len(seen)] = np.where(likely > floor, -likely, 1e6)
    rows, columns = linear_sum_assignment(cost)
    real = (columns < len(seen)) & (cost[rows, columns] < 1e5)
    rows, columns = rows[real], columns[real]
    return Matches(np.stack([rows, columns], axis=1), broad[rows, columns] > narrow[rows, columns])


def _densities(table: Table, tracks: Sequence[Track], seen: Detections) -> tuple[Floats, Floats]:
    """(M, N) densities, 1/m²: of an undisturbed ball, and of one that was hit or turned back on the way."""
    there = np.array([track.predicted(seen.t) for track in tracks])
    spread = np.array([track.predicted_spread(seen.t) for track in tracks])
    resting = np.array([track.phase is Phase.RESTING for track in tracks])
    noise = 0.5 * (seen.cov[:, 0, 0] + seen.cov[:, 1, 1])
    away = np.sum((there[:, None] - seen.xy[None]) ** 2, axis=2)
    settled = np.array([seen.t - track.t < STALE for track in tracks]) | resting
    spread = np.where(settled, spread, np.minimum(spread, 0.03))
    narrow = _gauss(away, 2.0 * spread[:, None] ** 2 + 2.0 * noise[None])
    reach, chance = _reach(table, tracks, seen.t, there)
    from_here = np.array([track.now for track in tracks])
    strayed = np.sum((from_here[:, None] - seen.xy[None]) ** 2, axis=2)
    broad = chance[:, None] * _gauss(strayed, 0.5 * reach[:, None] ** 2 + noise[None])
    fresh = np.array([seen.t - track.t < STALE for track in tracks])
    broad = np.where((strayed < (1.3 * reach[:, None] + 0.01) ** 2) & fresh[:, None], broad, 0.0)
    limit = np.array([table.length, table.width]) / 2 - table.ball_radius
    turned = np.clip(there, -limit, limit) * 2 - there
    over = np.hypot(*(turned - there).T)
    bounced = np.sum((turned[:, None] - seen.xy[None]) ** 2, axis=2)
    mirrored = 0.5 * _gauss(bounced, (0.004 + 0.3 * over[:, None]) ** 2 + spread[:, None] ** 2 + noise[None])
    mirrored = np.where((over[:, None] > 0.001) & (fresh & ~resting)[:, None], mirrored, 0.0)
    return narrow, broad + mirrored


def _gauss(squared: Floats, variance: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * squared / variance) / (2 * np.pi * variance))


def _reach(table: Table, tracks: Sequence[Track], t: float, there: Floats) -> tuple[Floats, Floats]:
    """How far each ball may have been driven since it was last seen, and how likely it was driven at all."""
    ahead = np.array([min(max(t - track.t, 0.0), 1.0) for track in tracks])
    speed = np.array([0.0 if track.phase is Phase.RESTING else track.speed + track.drift for track in tracks])
    moving = speed > 0.03
    own = speed * ahead * 1.2 + 0.005
    if not moving.any():
        struck = np.minimum(STROKE * ahead, 0.5)
        return struck, np.full(len(tracks), STRUCK)
    here = np.array([track.now for track in tracks])
    fastest = np.zeros(len(tracks))
    for k in np.flatnonzero(moving):
        near = _beside(here, here[k], there[k]) < 2.5 * table.ball_diameter + speed[k] * ahead[k]
        near[k] = False
        fastest[near] = np.maximum(fastest[near], speed[k])
    hit = fastest > 0
    reach = np.maximum(own, 1.1 * fastest * ahead + 0.005)
    reach = np.where(hit | moving, reach, np.minimum(STROKE * ahead, 0.3))
    # A ball struck within the last frame has shown but a part of its speed.
    struck = np.array([track.phase is Phase.MOVING and track.t == track.moving_since for track in tracks])
    reach = np.where(struck, np.maximum(reach, np.minimum(STROKE * ahead, 0.3)), reach)
    return reach, np.where(hit | moving, KINK, STRUCK)


def _beside(points: Floats, start: Floats, end: Floats) -> Floats:
    """Distances of points (N, 2) from the stretch start–end."""
    along = end - start
    share = np.clip((points - start) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
    return np.asarray(np.hypot(*(points - start - share[:, None] * along).T))


def _votes(tracks: Sequence[Track], seen: Detections) -> Floats:
    """(M, N) how much each detection's look speaks for each track, in nats."""
    looks = np.array([track.looks - np.logaddexp.reduce(track.looks) for track in tracks])
    with np.errstate(divide="ignore"):
        agree = np.log(np.exp(looks) @ np.maximum(seen.names, 1e-3).T * seen.names.shape[1])
    known = np.array([track.rested or track.lies for track in tracks])[:, None]
    return np.asarray(np.where(known, np.clip(agree, -VOTE, VOTE), np.clip(NEWBORN * agree, -5 * VOTE, VOTE)))
