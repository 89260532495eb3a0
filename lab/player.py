"""The player of a simulated shot: steps in, strokes, steps back."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.shot import PlayedShot
from models.synthesis.people import Limb, arm, cue_stick

Floats = npt.NDArray[np.float64]

_COMES: Final = 1.1
_STANDS: Final = 0.75
_DRAWS: Final = 0.35
_FOLLOWS: Final = 0.08
_LEAVES: Final = 0.7
_AWAY: Final = 1.6
_BRIDGE: Final = 0.24


def times_of_player(shot: PlayedShot) -> tuple[float, float]:
    """From when to when the player may be in the picture."""
    return shot.t_strike - _COMES, shot.t_strike + _FOLLOWS + _LEAVES


def _smooth(share: float) -> float:
    s = float(np.clip(share, 0, 1))
    return s * s * (3 - 2 * s)


def _away(since: float) -> float:
    """How far the player stands back from the shot, metres, `since` seconds after the strike."""
    if since < 0:
        return _AWAY * (1 - _smooth((since + _COMES) / (_COMES - _STANDS)))
    return _AWAY * _smooth((since - _FOLLOWS) / _LEAVES)


def _tip_gap(since: float, speed: float) -> float:
    """Gap between the cue's tip and where the cue ball lay (negative: followed through)."""
    if since >= 0:
        return -0.08 * _smooth(since / _FOLLOWS)
    if since > -0.09:
        return min(0.16, -since * 0.7 * speed)
    if since > -_DRAWS:
        return min(0.16, 0.063 * speed) * _smooth((since + _DRAWS) / (_DRAWS - 0.09)) + 0.01
    return 0.01 + 0.015 * (1 - math.cos(2 * math.pi * (since + _DRAWS) / 0.4))


def player_at(shot: PlayedShot, t: float, seed: int) -> tuple[Limb, ...]:
    """The player's limbs and cue at time `t`; empty where nobody is near. The same seed dresses the same player."""
    start, end = times_of_player(shot)
    if not start < t < end:
        return ()
    rng = np.random.default_rng(seed)
    since = t - shot.t_strike
    velocity = np.array(shot.stroke.velocity)
    speed = float(np.hypot(*velocity))
    aim = velocity / speed
    side = np.array([-aim[1], aim[0]])
    radius = shot.table.ball_radius
    ball = np.array(shot.layout_before[shot.stroke.ball])
    behind = ball - aim * _away(since)
    tip = behind - aim * (radius + 0.006 + _tip_gap(since, speed))
    back = np.array([*-aim, 0.07])
    cue = cue_stick(np.array([*tip, radius]), back / np.linalg.norm(back), rng)
    wrist = np.array([*(behind - aim * (_BRIDGE + 0.12) + side * 0.03), 0.05])
    shoulder = np.array([*(behind - aim * 0.85 + side * 0.22), 0.32])
    return (*arm(shoulder, wrist, rng), *cue)
