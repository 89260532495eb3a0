"""Who is who: a closed set in which every name exists once.

Names are bound jointly, by one assignment over all balls and all looks of a rest. Motion carries them through a shot;
at the next rest they are looked at anew. A ball that no name fits, or whose name another ball bears with better
right, is anonymous (`?1`, `?2` …) rather than guessed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from record.names import Ball
from tracking.tracks import Track
from vision.detections import BALL_NAMES

UNNAMED: Final = float(np.log(0.35))
"""A name must be likelier than this, or the ball stays anonymous."""
CARRIED: Final = 4.0
"""Nats in favour of the name that a ball was tracked under."""
ENOUGH: Final = 4.0
"""Looks without which nobody is named or renamed."""


@dataclass
class Names:
    """The names of a watcher's tracks, by track key; `known` are the names that may be given at all."""

    known: Collection[str] = BALL_NAMES
    bound: dict[int, Ball] = field(default_factory=dict)

    def of(self, track: Track) -> Ball:
        return self.bound[track.key]

    def forget(self, key: int) -> None:
        self.bound.pop(key, None)

    def bind(self, tracks: Sequence[Track], taken: Collection[str] = ()) -> dict[int, tuple[Ball, Ball]]:
        """Name all tracks jointly; returns those whose name changed from one number to another: key → (was, is)."""
        given = jointly_named(tracks, self.bound, [n for n in self.known if n not in taken])
        changed: dict[int, tuple[Ball, Ball]] = {}
        for track in tracks:
            was, now = self.bound.get(track.key), given[track.key]
            if now is None:
                now = was if was is not None and was.startswith("?") else self._anonymous()
            if was is not None and was != now and not was.startswith("?"):
                changed[track.key] = (was, now)
            self.bound[track.key] = now
        return changed

    def _anonymous(self) -> Ball:
        number = 1
        while f"?{number}" in self.bound.values():
            number += 1
        return f"?{number}"


def jointly_named(tracks: Sequence[Track], bound: Mapping[int, Ball], known: Collection[str]) -> dict[int, Ball | None]:
    """The jointly likeliest names, None for a ball that is better left unnamed."""
    if not tracks:
        return {}
    columns = [k for k, name in enumerate(BALL_NAMES) if name in known]
    score = np.full((len(tracks), len(columns) + len(tracks)), UNNAMED)
    for row, track in enumerate(tracks):
        belief = track.looks - np.logaddexp.reduce(track.looks)
        was = bound.get(track.key)
        if track.looked < ENOUGH:
            belief = np.full(17, -20.0)
        for place, k in enumerate(columns):
            score[row, place] = belief[k]
        if was in BALL_NAMES and was in known:
            place = columns.index(BALL_NAMES.index(was))
            score[row, place] = (0.0 if track.looked < ENOUGH else score[row, place]) + CARRIED
    rows, chosen = linear_sum_assignment(-np.maximum(score, -60.0))
    named: dict[int, Ball | None] = {}
    for row, column in zip(rows, chosen, strict=True):
        fits = column < len(columns) and score[row, column] > UNNAMED
        named[tracks[row].key] = BALL_NAMES[columns[column]] if fits else None
    return named
