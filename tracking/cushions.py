"""Soft meetings with a cushion that a fit glides over: a slow ball turns round at a nose line."""

from __future__ import annotations

from typing import Final

import numpy as np

from calibration.table import RAILS, RailName, Table
from tracking.motions import Bend, Motion
from tracking.rails import INWARD, clearance, mouth

TOUCHED: Final = 0.005
"""The path, fitted with a knot there, must come this close to touching, metres."""
CUT_SHORT: Final = 0.015
"""A fit that glides over a turn cuts it short by up to so much, metres."""
GAIN: Final = 4.0
"""By how much the kink must better the fit (χ²)."""
BESIDE: Final = 0.15
"""A knot so near in time, seconds, may have been put where two things happened."""
DYING: Final = 0.008
"""A ball that ends farther from the cushion than this, metres, has bounced visibly or not at all."""
TURNED: Final = 0.015
"""Speed away from the cushion that counts as turned back, m/s."""
LAST_BREATH: Final = np.array([0.2, 0.35, 0.5])
"""Seconds before a ball lies at which it may have run towards a rail."""


def with_cushion_knots(table: Table, motion: Motion) -> Motion:
    """The motion, with a knot wherever the ball came to a nose line, turned back, and the fit is the better for it.

    A knot nearby may stand for that touch and something else at once: then it is also tried without it.
    """
    for rail in RAILS:
        for t in _turning_times(table, motion, rail):
            if min((abs(float(k) - t) for k in motion.path.knots), default=1.0) < motion.frame:
                continue
            tried = [bent for bent in _bent_at(motion, t) if _turns_back(table, bent, rail, t)]
            best = min(tried, key=lambda m: m.path.misfit, default=motion)
            if best.path.misfit < motion.path.misfit - GAIN:
                motion = best
        motion = _dying(table, motion, rail)
    return motion


def _bent_at(motion: Motion, t: float) -> list[Motion]:
    """The motion with one more knot at `t`, and with one there in the place of another nearby."""
    near = [k for k in motion.knots() if k.kind is Bend.KINK and abs(k.t - t) < BESIDE]
    instead = [motion.without(k.index) for k in near]
    return [motion.with_knot(t), *(other.with_knot(t) for other in instead)]


def _dying(table: Table, motion: Motion, rail: RailName) -> Motion:
    """A ball that reached a cushion with its last breath bounces back by millimetres: try that for its end."""
    path = motion.path
    if motion.after is None or len(path.knots) < 2 or not path.still[-1] or path.still[-2]:
        return motion
    stop, normal = float(path.knots[-1]), np.array(INWARD[rail])
    approaching = float(path.speed_on(len(path.still) - 2, stop - 0.15) @ normal) < -TURNED
    if not approaching or clearance(table, rail, motion.after) > DYING or mouth(table, rail, motion.after) is not None:
        return motion
    bent = motion.bounced_before_rest(stop, stop + 0.25)
    return bent if bent.path.misfit < path.misfit - GAIN and _turns_back(table, bent, rail, stop, 0.5) else motion


def perhaps_touched(table: Table, motion: Motion) -> tuple[RailName, float] | None:
    """The cushion beside which a ball came to rest on its way towards it, and the probability that it touched it.

    A ball that lies a millimetre off may have stopped short or bounced: the pictures do not tell which.
    """
    path = motion.path
    if motion.after is None or len(path.knots) < 2 or not path.still[-1]:
        return None
    stop = float(path.knots[-1])
    for rail in RAILS:
        gap = clearance(table, rail, motion.after)
        before = [float(path.speed_on(path.stretch(t), t) @ np.array(INWARD[rail])) for t in stop - LAST_BREATH]
        toward = min(before)
        if gap < 0.003 and toward < -0.01 and mouth(table, rail, motion.after) is None:
            return rail, float(np.clip(0.7 - 0.2 * max(gap, 0.0) / 0.001, 0.1, 0.7))
    return None


def _turning_times(table: Table, motion: Motion, rail: RailName) -> list[float]:
    """Moments at which the fitted path is nearest to a nose line and about to touch it."""
    times = np.arange(motion.samples.t[0], motion.last_seen, 0.01)
    if len(times) < 3:
        return []
    places = motion.path.at(times)
    normal = np.array(INWARD[rail])
    half = table.length / 2 if rail in ("head", "foot") else table.width / 2
    gaps = places @ normal + half - table.ball_radius
    low = np.flatnonzero((gaps[1:-1] < gaps[:-2]) & (gaps[1:-1] < gaps[2:]) & (gaps[1:-1] < CUT_SHORT)) + 1
    return [float(times[k]) for k in low if mouth(table, rail, places[k]) is None]


def _turns_back(table: Table, motion: Motion, rail: RailName, t: float, share: float = 1.0) -> bool:
    knot = min(motion.knots(), key=lambda k: abs(k.t - t))
    normal = np.array(INWARD[rail])
    touching = abs(clearance(table, rail, knot.place)) < TOUCHED
    return (
        touching and float(knot.arriving @ normal) < -share * TURNED and float(knot.leaving @ normal) > share * TURNED
    )
