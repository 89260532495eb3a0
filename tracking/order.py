"""Which of two balls the cue ball touched first, when both were touched within a frame or two.

The undisturbed approach says when each ball would be touched: the difference, against its own uncertainty, is one
witness. The other is what came of it: the cue ball leaves to the side away from the ball it struck first, so that the
two orders predict other velocities for the balls struck (equal masses, nearly elastic).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.stats import norm

from record.names import Ball
from tracking.samples import Floats

RESTITUTION: Final = 0.94
SURE: Final = 12.0
"""Log-odds are never trusted beyond this: models have faults."""
REST_SIGMA: Final = 0.0006
"""Standard error of a resting ball's place, metres."""


@dataclass(frozen=True, eq=False)
class Approach:
    """A ball on its way: at `place` with `velocity` at time `t`; `sigma` of its place, metres."""

    t: float
    place: Floats
    velocity: Floats
    sigma: float


@dataclass(frozen=True, eq=False)
class Meeting:
    """When an approach touches a resting ball, and the unit vector from the striker's centre to that ball's."""

    t: float
    line: Floats


def meeting(approach: Approach, target: Floats, diameter: float) -> Meeting | None:
    """The first touch of a ball in straight motion with a resting one: |p + v u - q| = d for the smaller u."""
    apart = target - approach.place
    speed2 = float(approach.velocity @ approach.velocity)
    if speed2 < 1e-6:
        return None
    along = float(apart @ approach.velocity) / speed2
    beside = float(apart @ apart) - along**2 * speed2
    if beside >= diameter**2:
        return None
    u = along - float(np.sqrt((diameter**2 - beside) / speed2))
    line = (target - approach.place - approach.velocity * u) / diameter
    return Meeting(approach.t + u, line)


def chance_first(
    approach: Approach, places: Mapping[Ball, Floats], speeds: Mapping[Ball, Floats], a: Ball, b: Ball, diameter: float
) -> float | None:
    """Probability that `a` was touched before `b`; None when the approach reaches neither.

    Args:
        places: resting places of both, metres.
        speeds: their velocities after the hit as seen, m/s.
    """
    meet_a, meet_b = meeting(approach, places[a], diameter), meeting(approach, places[b], diameter)
    if meet_a is None and meet_b is None:
        return None
    odds = 0.0
    if meet_a is not None and meet_b is not None:
        odds = _odds_of_approach(approach, meet_a, meet_b)
    odds += 0.5 * (
        _misfit(approach, places, speeds, b, a, diameter) - _misfit(approach, places, speeds, a, b, diameter)
    )
    return float(1.0 / (1.0 + np.exp(-np.clip(odds, -SURE, SURE))))


def _odds_of_approach(approach: Approach, a: Meeting, b: Meeting) -> float:
    """Log-odds that a comes first, from the two times of touch and their common and separate errors."""
    closing_a, closing_b = float(a.line @ approach.velocity), float(b.line @ approach.velocity)
    slope = a.line / closing_a - b.line / closing_b
    variance = (approach.sigma**2) * float(slope @ slope)
    variance += REST_SIGMA**2 * (closing_a**-2 + closing_b**-2)
    z = np.clip((b.t - a.t) / np.sqrt(variance + 1e-12), -6.0, 6.0)
    return float(norm.logcdf(z) - norm.logcdf(-z))


def _misfit(
    approach: Approach,
    places: Mapping[Ball, Floats],
    speeds: Mapping[Ball, Floats],
    first: Ball,
    second: Ball,
    diameter: float,
) -> float:
    """χ² of the velocities seen, had `first` been touched first; the approach may be off sideways by its error."""
    speed = float(np.hypot(*approach.velocity))
    sideways = np.array([-approach.velocity[1], approach.velocity[0]]) / max(speed, 1e-6)
    best = 50.0
    for shift in np.linspace(-2.0, 2.0, 9):
        moved = Approach(approach.t, approach.place + sideways * shift * approach.sigma, approach.velocity, 0.0)
        cost = shift**2 + _replayed(moved, places, speeds, first, second, diameter)
        best = min(best, cost)
    return best


def _replayed(
    approach: Approach,
    places: Mapping[Ball, Floats],
    speeds: Mapping[Ball, Floats],
    first: Ball,
    second: Ball,
    diameter: float,
) -> float:
    hit = meeting(approach, places[first], diameter)
    if hit is None:
        return 50.0
    share = 0.5 * (1.0 + RESTITUTION)
    given = share * float(approach.velocity @ hit.line) * hit.line
    cost = _apart(given, speeds[first])
    after = Approach(hit.t, places[first] - diameter * hit.line, approach.velocity - given, 0.0)
    again = meeting(after, places[second], diameter)
    passed = np.zeros(2)
    if again is not None and again.t >= hit.t - 1e-4:
        passed = share * float(after.velocity @ again.line) * again.line
    return cost + _apart(passed, speeds[second])


def _apart(expected: Floats, seen: Floats) -> float:
    size = 0.08 + 0.1 * float(np.hypot(*seen))
    return min(float(np.sum((expected - seen) ** 2)) / size**2, 25.0)
