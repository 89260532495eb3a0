"""Trials through the whole way: the played shot rendered as a video, found, watched and told from its pictures."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from calibration.calibration import calibrate
from calibration.table import Table
from device.commands.analyze import analyze
from device.source import empty_look
from lab.clips import ClipPlan, demo_look, write_clip
from lab.motion import Leg
from lab.shot import PlayedShot, Way
from lab.trials.flights import FLIGHTS
from lab.trials.kinds import NAMES, shot_of
from lab.trials.scoring import Score, scored
from lab.trials.telling import Told
from models.synthesis.scene import ball_paints, camera_over
from record.shot import Shot

KINDS: Final = tuple(name for name in NAMES if name not in FLIGHTS)
"""Kinds that can be drawn: a ball in the air cannot."""
SIZE: Final = (1280, 720)
RATE: Final = 60
BEFORE: Final = 1.5
AFTER: Final = 1.0
"""Seconds of picture before the stroke and after the last ball lies still."""


def rendered_trials(table: Table, seed: int, count: int, kinds: Sequence[str] = KINDS) -> Iterator[Score]:
    """Scores of `count` shots that were filmed; the table is found in the picture, the head end is told."""
    drawn = [kind for kind in kinds if kind in KINDS] or list(KINDS)
    for number in range(count):
        kind = drawn[number % len(drawn)]
        played = later(shot_of(kind, table, np.random.default_rng([seed, number])), BEFORE)
        yield scored(kind, number, played, _filmed(table, seed + number, played))


def _filmed(table: Table, seed: int, played: PlayedShot) -> Told:
    rng = np.random.default_rng(seed)
    place = np.array([*rng.uniform(-0.2, 0.2, 2), rng.uniform(2.4, 2.7)])
    camera = camera_over(table, SIZE, place, np.zeros(2), 0.01, 1060.0, np.array([-0.05, 0.006, 0.0, 0.0, 0.0]))
    look, development = demo_look(table, seed)
    duration = played.t_rest + AFTER
    plan = ClipPlan((played,), camera, look, ball_paints(rng, "standard"), development, duration, RATE, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trial.mp4"
        write_clip(plan, path)
        known = calibrate(empty_look(path).pixels, table, "left")
        done = analyze(path, known, "upl-8ball", ("A", "B"))
    shots = tuple(entry for entry in done.record.entries if isinstance(entry, Shot))
    return Told(shots, done.timing.watch, 0.0)


def later(shot: PlayedShot, by: float) -> PlayedShot:
    """The same shot, `by` seconds later."""

    def shifted(leg: Leg) -> Leg:
        return replace(leg, start=leg.start + by, end=leg.end + by)

    ways = {name: Way(tuple(shifted(leg) for leg in way.legs), way.gone + by) for name, way in shot.ways.items()}
    events = tuple(replace(event, t=event.t + by) for event in shot.events)
    return replace(shot, ways=ways, events=events, t_strike=shot.t_strike + by, t_rest=shot.t_rest + by)
