"""A fitted path as the record keeps it: few places, rounded, byte-stable."""

from __future__ import annotations

from typing import Final

import numpy as np

from record.shot import Trajectory
from tracking.motions import Motion

FINE: Final = 1 / 30
"""Time between kept places, seconds; knots are always kept."""
STRAIGHT: Final = 0.0005
"""Places are dropped where a straight run between their neighbours is this close, metres."""


def trajectory(motion: Motion) -> Trajectory:
    """Times and places from the first movement to the last sighting, rounded to 0.1 ms and 0.1 mm."""
    path, end = motion.path, motion.last_seen
    knots = path.knots[(path.knots > motion.samples.t[0]) & (path.knots < end)]
    start = float(knots[0]) if len(knots) and path.still[0] else float(motion.samples.t[0])
    stop = float(knots[-1]) if len(knots) and path.still[-1] else end
    times = np.unique(np.concatenate([np.arange(start, stop, FINE), knots, [stop]]))
    places = path.at(times)
    keep = _needed(times, places)
    return Trajectory(
        t=[round(float(t), 4) for t in times[keep]],
        x=[round(float(x), 4) for x in places[keep, 0]],
        y=[round(float(y), 4) for y in places[keep, 1]],
    )


def _needed(times: np.ndarray, places: np.ndarray) -> list[int]:
    """Greedy thinning: a place is kept when the run from the last kept one to the next leaves it by `STRAIGHT`."""
    kept = [0]
    for k in range(1, len(times) - 1):
        a, b = kept[-1], k + 1
        inside = np.arange(a + 1, b)
        share = ((times[inside] - times[a]) / (times[b] - times[a]))[:, None]
        line = places[a] + share * (places[b] - places[a])
        if np.max(np.hypot(*(places[inside] - line).T)) > STRAIGHT:
            kept.append(k)
    return [*kept, len(times) - 1] if len(times) > 1 else kept
