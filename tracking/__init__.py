"""From detections to shots: who is who, where every ball went, when a shot began and ended, what happened in it.

`Watcher.update` takes one frame's `Detections` and returns what happened: a shot began, a shot ended (with its
layouts, events and trajectories), something was seen between shots.
"""

from tracking.happenings import Happening, NamesCorrected, Noticed, ShotEnded, ShotStarted, ShotWithdrawn
from tracking.tracks import Ball
from tracking.watcher import Watcher

__all__ = [
    "Ball",
    "Happening",
    "NamesCorrected",
    "Noticed",
    "ShotEnded",
    "ShotStarted",
    "ShotWithdrawn",
    "Watcher",
]
