"""Many trials: each from its own seed, so that any one can be run again alone."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from calibration.table import Table
from lab.shot import PlayedShot
from lab.trials.camera import Conditions, seen
from lab.trials.kinds import NAMES, shot_of
from lab.trials.scoring import Score, scored
from lab.trials.telling import told
from tracking.positions import Positions


def kind_of(number: int, kinds: Sequence[str] = NAMES) -> str:
    return kinds[number % len(kinds)]


def trial(
    table: Table, seed: int, number: int, conditions: Conditions, kinds: Sequence[str] = NAMES
) -> tuple[PlayedShot, Positions]:
    """Trial `number` of a series: the shot as played and as seen."""
    rng = np.random.default_rng([seed, number])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        played = shot_of(kind_of(number, kinds), table, rng)
    return played, seen(played, conditions, rng)


def one(job: tuple[Table, int, int, Conditions, tuple[str, ...]]) -> Score:
    """One trial, scored."""
    table, seed, number, conditions, kinds = job
    played, positions = trial(table, seed, number, conditions, kinds)
    return scored(kind_of(number, kinds), number, played, told(table, positions, conditions.noise))


def trials(
    table: Table, seed: int, count: int, conditions: Conditions, kinds: tuple[str, ...] = NAMES, jobs: int = 1
) -> Iterator[Score]:
    """Scores of `count` trials, one after the other or in `jobs` processes."""
    work = [(table, seed, number, conditions, kinds) for number in range(count)]
    if jobs <= 1:
        yield from map(one, work)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(one, work, chunksize=8)
