"""When a sighting is taken for a ball that lies on the table.

A hand, a sleeve or a head can look like a ball for seconds, even like a certain one. A ball is believed when it lies
still on the bed, in the open, for a while. What lies still in a source's very first frames is believed at once:
a stroke may follow before anything could be watched for long, and nothing had moved it yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from calibration.table import Table
from record.entries import Observation
from record.names import CUE, Ball
from tracking.happenings import Happening, Noticed
from tracking.pockets import by_pocket
from tracking.rails import lowest_clearance
from tracking.samples import Floats, Sighting
from tracking.tracks import Track
from vision.detections import Detections

STEADY: Final = 0.6
"""Seconds that a new ball must lie still in the open."""
OPENING: Final = 0.12
"""Balls first seen within so many seconds of a source's start were there before it."""
FLEETING: Final = 3.0
GLANCE: Final = 3
"""Sightings that a ball of the first frames needs."""
HIDING: Final = 0.4
"""Covered share, of a ball or of any place within two diameters, from which on it does not lie in the open."""
SHARP: Final = 0.03
"""What is a ball for certain has a centre known to this share of its diameter; a knuckle's is vaguer."""
OUTSIDE: Final = 0.008
"""A centre may seem so much nearer to a nose line than a radius, metres; beyond that it lies on no bed."""
STILL: Final = 0.0015
"""Movement within the first frames that still counts as none, metres, …"""
ASTRAY: Final = 4.5
"""… beside so many standard errors of a place: two places differ by chance, and balls are many."""
RUNNING: Final = 0.15
"""A ball of the first frames that is faster than this, m/s, was moving before the source began."""


def sightings_of(seen: Detections, diameter: float) -> list[Sighting]:
    """A frame's detections, one by one."""
    sigma = np.sqrt(0.5 * (seen.cov[:, 0, 0] + seen.cov[:, 1, 1]))
    late = np.zeros(len(seen)) if seen.late is None else seen.late
    numbers = np.column_stack([seen.xy, sigma, seen.covered, clarity(seen, diameter), late]).tolist()
    return [
        Sighting(seen.t, x, y, error, covered, seen.names[k], clear, late=late)
        for k, (x, y, error, covered, clear, late) in enumerate(numbers)
    ]


def clarity(seen: Detections, diameter: float) -> Floats:
    """(N,) 1 where nothing covers a ball or any place within two diameters, a half where only its centre is sharp."""
    sharp = np.sqrt(0.5 * (seen.cov[:, 0, 0] + seen.cov[:, 1, 1])) < SHARP * diameter
    if seen.cover is None or not len(seen):
        return np.where(seen.covered < HIDING, 1.0, 0.0)
    around = (seen.xy[:, None] + diameter * _RING[None]).reshape(-1, 2)
    near = seen.cover.at(around).reshape(len(seen), -1).max(axis=1)
    return np.where(seen.covered < HIDING, np.where(near < HIDING, 1.0, np.where(sharp, 0.5, 0.0)), 0.0)


def _ring() -> Floats:
    turns = np.arange(8) * np.pi / 4
    circle = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return np.concatenate([np.zeros((1, 2)), circle, 2.0 * circle])


_RING: Final = _ring()


def on_bed(table: Table, place: Floats) -> bool:
    """A ball can lie here: inside the nose lines, or over a pocket's edge."""
    return lowest_clearance(table, place) > -OUTSIDE or by_pocket(table, place) is not None


def lies_steadily(table: Table, track: Track, place: Floats) -> bool:
    """A track that rests at `place` has been seen there in the open for long enough to be a ball."""
    return track.credit >= STEADY and on_bed(table, place)


def lay_there(table: Table, track: Track, opened: float) -> Floats | None:
    """Where a ball lay when the source began, as far as its first frames tell; None where they do not."""
    first: Sequence[Sighting] = list(track.sightings)[:GLANCE]
    if track.born > opened + OPENING or track.seen != GLANCE or len(first) < GLANCE:
        return None
    places = np.array([(s.x, s.y) for s in first])
    drift = float(np.hypot(*(places[-1] - places[0])))
    place = np.asarray(np.median(places, axis=0))
    still = drift < STILL + ASTRAY * first[-1].sigma
    return place if still and all(s.clarity > 0.0 for s in first) and on_bed(table, place) else None


def placed(newcomers: Sequence[Track], names: Mapping[int, Ball], opened: float, t: float) -> list[Happening]:
    """Balls that were not there before, set down by a hand, as the observations that say so."""
    there = [k for k in newcomers if k.key in names and k.born > opened + 1.0]
    seen: list[Happening] = []
    for track in there:
        what = "cue_ball_placed" if names[track.key] == CUE else "ball_spotted"
        at = (round(float(track.place[0]), 4), round(float(track.place[1]), 4))
        seen.append(Noticed(Observation(t=round(t, 4), what=what, ball=names[track.key], at=at)))
    return seen


def fleeting(track: Track, opened: float) -> bool:
    """What came and went within a short while, without being seen to move, was no ball."""
    return track.born > opened + OPENING and track.t - track.born < FLEETING


def ran_already(table: Table, track: Track, opened: float) -> bool:
    """A ball that ran, in the open, when the source began."""
    seen = list(track.sightings)
    if track.rested or track.born > opened + OPENING or track.seen < 2 * GLANCE or track.speed < RUNNING:
        return False
    from_the_start = np.hypot(seen[GLANCE].x - seen[0].x, seen[GLANCE].y - seen[0].y) / (seen[GLANCE].t - seen[0].t)
    return from_the_start > RUNNING and all(s.clarity > 0.0 for s in seen) and on_bed(table, track.xy)
