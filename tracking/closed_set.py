"""The set of balls as it is seen: how sure each name is, and whether the balls make a set at all.

A name is given by one assignment over all balls and all looks of a rest (`tracking.identity`); this is the evidence
that it rested on, kept so that a wrong name can be explained, and looked at by itself so that a set that is none
(two cue balls, a ball too many, one of another set) is said and not forced.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from record.names import Ball
from record.shot import Identity
from tracking.samples import Floats
from tracking.tracks import Track
from vision.detections import BALL_NAMES

_TOLD: Final = 3
"""So many names are told with their chances."""
_WORTH_TELLING: Final = 0.01
_BEYOND_DOUBT: Final = 0.95
_FITS_NONE: Final = 0.3
"""A ball whose likeliest name of the set has less than this is of another set, or no ball of ours."""
_LOOKS: Final = 4.0
"""Looks without which nothing is said of a ball."""


@dataclass
class Evidence:
    """What the looks of a rest said of each ball, by track key, as it was when something first moved."""

    looks: dict[int, tuple[float, Floats]] = field(default_factory=dict)

    def keep(self, tracks: Iterable[Track]) -> None:
        """Remember the looks of these tracks, unless they are remembered already."""
        for track in tracks:
            self.looks.setdefault(track.key, (track.looked, track.looks.copy()))

    def identities(self, names: Mapping[int, Ball]) -> dict[Ball, Identity]:
        """The evidence under the names that were given."""
        return {names[key]: identity(*seen) for key, seen in self.looks.items() if key in names and seen[0] > 0}


def chances(looks: Floats) -> Floats:
    """(17,) summed log-probabilities as chances that sum to one."""
    return np.asarray(np.exp(looks - np.logaddexp.reduce(looks)))


def identity(looked: float, looks: Floats) -> Identity:
    """The likeliest names of one ball by its looks alone."""
    share = chances(looks)
    best = [int(k) for k in np.argsort(-share)[:_TOLD] if share[k] >= _WORTH_TELLING]
    told = {("none" if k == len(BALL_NAMES) else BALL_NAMES[k]): round(float(share[k]), 3) for k in best}
    return Identity(looks=round(looked, 1), chances=told)


@dataclass(frozen=True)
class SetCheck:
    """What is not as in a set.

    Attributes:
        sure: share of the balls whose own looks leave one name beyond doubt.
        balls: how many were looked at often enough.
        twice: names that more than one ball bears beyond doubt.
        foreign: how many fit no name of the set.
        missing: names of the set that no ball bears; of interest only where a whole set should lie.
    """

    sure: float
    balls: int
    twice: tuple[Ball, ...] = ()
    foreign: int = 0
    missing: tuple[Ball, ...] = ()

    @property
    def sound(self) -> bool:
        """Every ball may be the one that no other is."""
        return not self.twice and not self.foreign


def check(seen: Iterable[tuple[float, Floats]], names: Collection[Ball], given: Collection[Ball]) -> SetCheck:
    """Look at the balls' evidence (looks, (17,) summed log-probabilities) for trouble with the set `names`.

    `given` are the names that the balls were given in the end.
    """
    rows = [chances(looks) for looked, looks in seen if looked >= _LOOKS]
    columns = [k for k, name in enumerate(BALL_NAMES) if name in names]
    sure, bearers, foreign = 0, dict.fromkeys(names, 0), 0
    for row in rows:
        best = columns[int(np.argmax(row[columns]))]
        if row[best] > _BEYOND_DOUBT:
            sure += 1
            bearers[BALL_NAMES[best]] += 1
        elif row[best] < _FITS_NONE:
            foreign += 1
    twice = tuple(name for name, count in bearers.items() if count > 1)
    missing = tuple(name for name in BALL_NAMES if name in names and name not in given)
    return SetCheck(sure / len(rows) if rows else 0.0, len(rows), twice, foreign, missing)
