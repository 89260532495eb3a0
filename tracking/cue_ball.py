"""What only the struck ball does: it jumps over a ball in its way, or is struck twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from calibration.table import Table
from record.events import DoubleHit, Jump
from record.names import Ball
from tracking.motions import Bend, Knot, Motion
from tracking.samples import Floats

THROUGH: Final = 0.72
"""A way that leads nearer past a resting ball's centre than this share of a diameter leads through it, or over it."""
PLAINLY: Final = 0.45
"""Nearer than this, no error of a place explains it: balls in the air seem to lie beside their true places."""
SLOWEST: Final = 0.8
"""No ball is jumped slower than this, m/s."""
GAP: Final = 0.025
"""Balls farther apart before the stroke than this, metres, can be struck fairly however the cue is held."""
SPIN: Final = 2.5
"""Topspin drives a ball on by no more than this, m/s²."""
SHARE: Final = 0.35
"""A fair full hit leaves the striker less than this share of the speed it gave, along the line of centres."""
WATCHED: Final = (0.02, 0.12)
"""Seconds after the touch over which the two speeds are compared."""


def jumped_over(table: Table, striker: Motion, start: Knot, still: Mapping[Ball, Floats]) -> list[Jump]:
    """Resting balls that the struck ball passed over: it came through where they lie, and they did not move."""
    end = striker.last_seen
    times = np.arange(start.t, min(end, start.t + 1.5), 0.001)
    if len(times) < 3:
        return []
    way = striker.path.at(times)
    found: list[Jump] = []
    for ball, place in still.items():
        away = np.hypot(*(way - place).T)
        k = int(np.argmin(away))
        share = float(away[k]) / table.ball_diameter
        speed = float(np.hypot(*striker.path.speed_on(striker.path.stretch(float(times[k])), float(times[k]))))
        passed = 0 < k < len(times) - 1 and max(away[0], away[-1]) > table.ball_diameter
        if share < THROUGH and passed and away[0] > table.ball_diameter and speed > SLOWEST:
            sure = 0.95 if share < PLAINLY else 0.6
            found.append(Jump(t=round(float(times[k]), 4), t_sigma=0.01, confidence=sure, ball=striker.ball, over=ball))
    return found


def struck_twice(
    table: Table, motions: Mapping[Ball, Motion], striker: Ball, first: Ball, touch: float
) -> list[DoubleHit]:
    """A double hit or a push is suspected: balls lay close together, and the striker ran on faster than is fair."""
    mine, other = motions[striker], motions.get(first)
    if mine.before is None or other is None or other.before is None:
        return []
    line = other.before - mine.before
    apart = float(np.hypot(*line))
    gap = apart - table.ball_diameter
    start = next((k for k in mine.knots() if k.kind is Bend.START), None)
    if not 0.001 < gap < GAP or start is None:
        return []
    line = line / apart
    low, high = touch + WATCHED[0], touch + WATCHED[1]
    if min(mine.last_seen, other.last_seen) < high:
        return []
    lasted = WATCHED[1] - WATCHED[0]
    ran, given = (float((m.path.place(high) - m.path.place(low)) @ line) / lasted for m in (mine, other))
    ran -= SPIN * 0.5 * sum(WATCHED)
    if given < 0.3 or ran < SHARE * given:
        return []
    sure = float(np.clip(0.5 + (ran / given - SHARE), 0.5, 0.9))
    return [DoubleHit(t=round(touch, 4), t_sigma=0.01, confidence=round(sure, 3), ball=first, gap=round(gap, 4))]
