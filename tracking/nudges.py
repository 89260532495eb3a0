"""Balls that a shot moved by millimetres: never seen to move, they lie elsewhere when it is over."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Final

import numpy as np

from tracking.rest import resting_place
from tracking.samples import Floats
from tracking.tracks import Phase, Track

NUDGED: Final = 0.0025
"""Two rests of one ball farther apart than this, metres, beside the error of both, are two places."""


def places_of(tracks: Iterable[Track]) -> dict[int, Floats]:
    """Where the resting balls lie, by track key."""
    return {track.key: track.place.copy() for track in tracks if track.phase is Phase.RESTING and track.rested}


def nudged(tracks: Iterable[Track], lay: Mapping[int, Floats], moved: Container[int]) -> dict[int, Floats]:
    """Where balls lay that have been nudged since they lay at `lay`; each one's place is put right."""
    found: dict[int, Floats] = {}
    for track in tracks:
        if track.phase is not Phase.RESTING or track.key in moved or track.key not in lay:
            continue
        place = resting_place(track.sightings)
        if place is None or float(np.max([s.covered for s in track.sightings][-10:])) > 0.1:
            continue
        error = track.sightings[-1].sigma / 3.0
        if float(np.hypot(*(place - lay[track.key]))) > NUDGED + error:
            found[track.key] = lay[track.key]
            track.place, track.weight = place, 6.0
    return found
