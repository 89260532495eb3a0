"""Soft touches of a cushion that bend a path by millimetres: seen in the gap to the nose line, averaged over frames.

A ball that rolls slowly keeps its direction until it lies. If the gap to a nose line shrinks to nothing and grows
again, the cushion turned it round, however little the path shows of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import ndtr

from calibration.table import RAILS, RailName, Table
from tracking.motions import WANDER, Bend, Motion
from tracking.rails import INWARD, mouth
from tracking.samples import Floats

WINDOWS: Final = (5, 9)
"""Frames over which gaps are averaged: few for what is quick, more for what is faint."""
CLOSE: Final = 0.0025
"""A ball whose averaged gap stays wider than this, metres, has not touched."""
AROUND: Final = 0.8
"""Seconds before and after the narrowest gap in which it must be wider."""
SURE: Final = 2.0
"""Standard errors at which widening and chance are as likely: the narrowest of many gaps is narrow by chance, too."""
MOSTLY: Final = 70
"""The gap of either side is the one that it exceeds but for this share, per cent, of the time."""
FAINTEST: Final = 0.1
FASTEST: Final = 0.35
"""Faster balls, m/s towards the rail, bend their path for all to see."""


@dataclass(frozen=True)
class Graze:
    """A rail that a ball seems to have touched softly: when, and how likely it did."""

    rail: RailName
    t: float
    sigma: float
    chance: float


def grazes(table: Table, motion: Motion) -> Iterator[Graze]:
    """Places at which the averaged gap to a nose line shrank to nothing and grew again, the likeliest of each rail."""
    for rail in RAILS:
        found = [graze for window in WINDOWS if (graze := _narrowest(table, motion, rail, window)) is not None]
        if found:
            yield max(found, key=lambda graze: graze.chance)


def _narrowest(table: Table, motion: Motion, rail: RailName, window: int) -> Graze | None:
    start = next((k.t for k in motion.knots() if k.kind is Bend.START), -np.inf)
    samples = motion.samples.between(start, np.inf)
    if len(samples) < 3 * window:
        return None
    half = table.length / 2 if rail in ("head", "foot") else table.width / 2
    gaps = samples.xy @ np.array(INWARD[rail]) + half - table.ball_radius
    smooth, t = _averaged(gaps, window), _averaged(samples.t, window)
    k = int(np.argmin(smooth))
    error = float(np.hypot(np.median(motion.noise) / np.sqrt(window), WANDER))
    if smooth[k] > CLOSE or mouth(table, rail, samples.xy[min(k + window // 2, len(samples) - 1)]) is not None:
        return None
    before = smooth[(t > t[k] - AROUND) & (t < t[k])]
    after = smooth[(t > t[k]) & (t < t[k] + AROUND)]
    if not len(before) or not len(after) or _rate(smooth, t, k) > FASTEST:
        return None
    widened = min(float(np.percentile(side, MOSTLY)) for side in (before, after)) - float(smooth[k])
    chance = float(ndtr(widened / (1.4 * error) - SURE))
    if chance < FAINTEST:
        return None
    return Graze(rail, float(t[k]), 0.5 * window * motion.frame, min(chance, 0.99))


def _averaged(values: Floats, window: int) -> Floats:
    return np.asarray(np.convolve(values, np.full(window, 1.0 / window), mode="valid"))


def _rate(smooth: Floats, t: Floats, k: int) -> float:
    """How fast the gap shrank before its narrowest, m/s."""
    first = max(k - 6, 0)
    return float((smooth[first] - smooth[k]) / (t[k] - t[first])) if k > first else 0.0
