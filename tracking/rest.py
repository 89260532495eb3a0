"""When a ball lies still."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tracking.samples import Floats, Sighting

WATCHED: Final = 0.4
"""A ball must have lain still for so many seconds."""
CREEP: Final = 0.003
"""Movement between the halves of that time that still counts as none, metres."""
FEWEST: Final = 5


def resting_place(sightings: Sequence[Sighting]) -> Floats | None:
    """Median place of the last `WATCHED` seconds if the ball lay still in them, else None.

    Medians of two halves are compared, so that single outliers neither keep a ball awake nor put it to sleep.
    """
    end = sightings[-1].t
    late: list[Sighting] = []
    for sighting in reversed(sightings):
        late.append(sighting)
        if sighting.t < end - WATCHED:
            break
    if len(late) < FEWEST or end - late[-1].t < WATCHED:
        return None
    places = np.array([(s.x, s.y) for s in late])
    half = len(late) // 2
    newer, older = np.median(places[:half], axis=0), np.median(places[half:], axis=0)
    noise = late[0].sigma / np.sqrt(half)
    if float(np.hypot(*(newer - older))) > CREEP + 1.5 * noise:
        return None
    place = np.asarray(np.median(places, axis=0))
    stray = np.median(np.hypot(*(places - place).T))
    return place if stray < CREEP + 2.0 * late[0].sigma else None
