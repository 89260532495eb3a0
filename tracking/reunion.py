"""Which lost ball a new path may be: where it could have gone since, and how it looks."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

import numpy as np

from record.names import Ball
from tracking.association import STALE, STROKE
from tracking.tracks import Phase, Track
from vision.detections import BALL_NAMES

FORGOTTEN: Final = 3.0
"""A moving ball lost for longer, in seconds, is not found again on the run."""
FARTHEST: Final = 1.5
STRANGER: Final = -2.0
"""Log-probability with which any look fits a ball that bears no name."""


def lost_ball(new: Track, known: Mapping[Track, Ball], t: float, bare: Container[Track] = ()) -> Track | None:
    """The lost ball of which a new path is likeliest the continuation, if of any.

    `bare`: resting balls whose places lie open, and empty. They have moved: what runs in the open may well be one of
    them, even if a fast ball's looks do not say so.
    """
    alike = {old: resemblance(name, new) for old, name in known.items()}
    open_run = new.credit > 0.0
    lost = {old: alike[old] for old in known if _may_be(old, new, 0.0 if old in bare and open_run else alike[old], t)}
    return max(lost, key=lambda old: lost[old], default=None)


def resemblance(name: Ball, new: Track) -> float:
    """Log-probability that a track's looks bear a name."""
    if name not in BALL_NAMES:
        return STRANGER
    return float(new.looks[BALL_NAMES.index(name)] - np.logaddexp.reduce(new.looks))


def _may_be(old: Track, new: Track, alike: float, t: float) -> bool:
    """A resting ball that was hidden must look like it and run; a moving one must be within its own reach."""
    gap = new.born - old.t
    if gap <= 0 or t - old.t < STALE:
        return False
    if old.phase is Phase.RESTING:
        within = min(STROKE * gap, FARTHEST)
        plausible = new.speed > 0.15 and alike > -1.0
    else:
        within = (1.3 * old.speed + 0.3) * gap + 0.05
        plausible = alike > -4.0 and gap < FORGOTTEN
    return plausible and float(np.hypot(*(new.xy - old.now))) < within + new.speed * (t - new.born)
