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
    """The shots that were told, and what it cost: seconds over all frames, and of them to read the shot at its end.

    `early`: the first ball hit as it was told while the shot went on, and the frame's time at which it was.
    """

    shots: tuple[Shot, ...]
    watching: float
    reading: float
    early: tuple[str, float] | None = None


def told(table: Table, positions: Positions, sigma: float) -> Told:
    """Watch positions frame by frame, as if live."""
    watcher = Watcher(table)
    shots: list[Shot] = []
    watching, reading = 0.0, 0.0
    early: tuple[str, float] | None = None
    for frame in detections(table, positions, sigma):
        began = time.perf_counter()
        happened = watcher.update(frame)
        lasted = time.perf_counter() - began
        watching += lasted
        if early is None and watcher.first_hit is not None:
            early = watcher.first_hit.ball, frame.t
        ended = [h.shot for h in happened if isinstance(h, ShotEnded)]
        reading += lasted if ended else 0.0
        shots += ended
    shots += [h.shot for h in watcher.finish() if isinstance(h, ShotEnded)]
    return Told(tuple(shots), watching, reading, early)
