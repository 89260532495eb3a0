"""Whether a ball at rest was struck, or only set in motion by another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from tracking.samples import Sighting
from tracking.tracks import Track

DART: Final = 0.3
"""A stroke sends a ball off at least this fast, m/s …"""
APART: Final = 0.3
"""… and no ball this near, metres, can have sent it."""


def struck_alone(ball: Track, seen: Sighting, rolling: Iterable[Track]) -> bool:
    """A resting ball darts off while no ball that rolls is near it."""
    before = next((s for s in reversed(ball.sightings) if s.t < ball.t), None)
    strayed = np.hypot(seen.x - ball.place[0], seen.y - ball.place[1]) / max(seen.t - ball.t, 1e-3)
    ran = strayed if before is None else np.hypot(seen.x - before.x, seen.y - before.y) / (seen.t - before.t)
    speed = min(strayed, ran)
    return bool(speed > DART) and all(np.hypot(*(other.xy - ball.place)) > APART for other in rolling)
