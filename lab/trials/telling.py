"""A shot told from what was seen of it, by the very tracking that runs live."""

from __future__ import annotations

import time
from dataclasses import dataclass

from calibration.table import Table
from record.shot import Shot
from tracking import ShotEnded, Watcher
from tracking.positions import Positions, detections


@dataclass(frozen=True)
class Told:
    """The shots that were told, and what it cost: seconds over all frames, and of them to read the shot at its end."""

    shots: tuple[Shot, ...]
    watching: float
    reading: float


def told(table: Table, positions: Positions, sigma: float) -> Told:
    """Watch positions frame by frame, as if live."""
    watcher = Watcher(table)
    shots: list[Shot] = []
    watching, reading = 0.0, 0.0
    for frame in detections(table, positions, sigma):
        began = time.perf_counter()
        happened = watcher.update(frame)
        lasted = time.perf_counter() - began
        watching += lasted
        ended = [h.shot for h in happened if isinstance(h, ShotEnded)]
        reading += lasted if ended else 0.0
        shots += ended
    shots += [h.shot for h in watcher.finish() if isinstance(h, ShotEnded)]
    return Told(tuple(shots), watching, reading)
