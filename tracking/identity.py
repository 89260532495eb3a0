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

from record.names import CUE, Ball
from tracking.tracks import Track
from vision.detections import BALL_NAMES

UNNAMED: Final = float(np.log(0.35))
"""A name must be likelier than this, or the ball stays anonymous."""
CARRIED: Final = 4.0
"""Nats in favour of the name that a ball was tracked under."""
ENOUGH: Final = 3.0
"""Looks without which nobody is renamed; a name given on fewer is provisional."""
CUE_ALWAYS: Final = 1.5
"""Nats in favour of the cue ball: it is on the table more surely than any other."""
STRUCK: Final = 8.0
"""Nats in favour of the cue ball for the ball that moved first, and by nothing else: that is how it is used."""
BACK_AFTER: Final = 1.0
"""A pocketed ball that was spotted again is told by its name once it has been seen in the open for so many seconds."""
PATIENCE: Final = 2.0
"""A new ball is named after some looks, or without them after so many seconds."""
BACK_SURE: Final = 0.9


@dataclass
class Names:
    """The names of a watcher's tracks.

    Attributes:
        known: the names that may be given at all.
        bound: names by track key.
        fallen: names of pocketed balls; they are given again only to a ball that is plainly the one spotted.
        provisional: keys whose names rest on few looks; a better one replaces them as if they had always borne it.
        struck: key of the ball that was struck last.
    """

    known: Collection[str] = BALL_NAMES
    bound: dict[int, Ball] = field(default_factory=dict)
    fallen: set[Ball] = field(default_factory=set)
    provisional: set[int] = field(default_factory=set)
    struck: int | None = None

    def of(self, track: Track) -> Ball:
        return self.bound[track.key]

    def forget(self, key: int) -> None:
        self.bound.pop(key, None)
        self.provisional.discard(key)

    def bind(self, tracks: Sequence[Track], taken: Collection[str] = ()) -> dict[int, tuple[Ball, Ball]]:
        """Name all tracks jointly; returns those whose name changed from one number to another: key → (was, is)."""
        closed = {*taken, *(self.fallen - {CUE} - self._spotted(tracks))}
        struck = None if CUE in self.fallen else self.struck
        given = jointly_named(tracks, self.bound, [n for n in self.known if n not in closed], struck)
        changed: dict[int, tuple[Ball, Ball]] = {}
        for track in tracks:
            was, now = self.bound.get(track.key), given[track.key]
            if now is None:
                now = was if was is not None and was.startswith("?") else self._anonymous()
            if was is not None and was != now and not was.startswith("?"):
                changed[track.key] = (was, now)
            self.bound[track.key] = now
            if was is None and track.looked < ENOUGH:
                self.provisional.add(track.key)
            self.fallen.discard(now)
        return changed

    def corrected(self, resting: Sequence[Track], absent: Sequence[Track], taken: Collection[str]) -> dict[Ball, Ball]:
        """Bind the resting anew; returns was → is. A name that a vanished ball bore is swapped with it.

        Changes of provisional names are made, but not returned: the ball bore its name all the time.
        """
        changes = self.bind(resting, taken)
        changed, silent = dict(changes.values()), {was for key, (was, _) in changes.items() if key in self.provisional}
        for track in absent:
            name, given_up = self.bound.get(track.key), {now: was for was, now in changed.items()}
            if name is None or name not in given_up or name in changed:
                continue
            freed = given_up[name]
            silent |= {name} if freed in silent else set()
            while freed in given_up:
                freed = given_up[freed]
            self.bound[track.key] = changed[name] = freed
        self.provisional -= {track.key for track in resting if track.looked >= ENOUGH}
        return {was: now for was, now in changed.items() if was not in silent}

    def fall(self, pocketed: Collection[Ball]) -> None:
        """These balls are in pockets; the cue ball's name is free for whichever ball is set down as such."""
        self.fallen |= {ball for ball in pocketed if not ball.startswith("?")}

    def _spotted(self, tracks: Sequence[Track]) -> set[Ball]:
        """Pocketed balls that lie on the table again."""
        back: set[Ball] = set()
        for track in tracks:
            best = int(np.argmax(track.looks[:-1]))
            belief = float(track.looks[best] - np.logaddexp.reduce(track.looks))
            if self.bound.get(track.key, "?").startswith("?") and track.credit >= BACK_AFTER and track.looked >= ENOUGH:
                back |= {BALL_NAMES[best]} if belief > np.log(BACK_SURE) else set()
        return back & self.fallen

    def _anonymous(self) -> Ball:
        number = 1
        while f"?{number}" in self.bound.values():
            number += 1
        return f"?{number}"


def jointly_named(
    tracks: Sequence[Track], bound: Mapping[int, Ball], known: Collection[str], struck: int | None = None
) -> dict[int, Ball | None]:
    """The jointly likeliest names, None for a ball that is better left unnamed."""
    if not tracks:
        return {}
    columns = [k for k, name in enumerate(BALL_NAMES) if name in known]
    score = np.full((len(tracks), len(columns) + len(tracks)), UNNAMED)
    for row, track in enumerate(tracks):
        belief = track.looks - np.logaddexp.reduce(track.looks)
        was = bound.get(track.key)
        if track.looked < (1.0 if was is None else ENOUGH):
            belief = np.full(17, -20.0)
        for place, k in enumerate(columns):
            score[row, place] = belief[k]
            if BALL_NAMES[k] == CUE:
                struck_it = max(belief[k], UNNAMED) + STRUCK
                score[row, place] = struck_it if track.key == struck else belief[k] + CUE_ALWAYS
        if was in BALL_NAMES and was in known:
            place = columns.index(BALL_NAMES.index(was))
            score[row, place] = (0.0 if track.looked < ENOUGH else score[row, place]) + CARRIED
    rows, chosen = linear_sum_assignment(-np.maximum(score, -60.0))
    named: dict[int, Ball | None] = {}
    for row, column in zip(rows, chosen, strict=True):
        fits = column < len(columns) and score[row, column] > UNNAMED
        named[tracks[row].key] = BALL_NAMES[columns[column]] if fits else None
    return named


def nameable(tracks: Sequence[Track], names: Names, t: float, opened: float) -> list[Track]:
    """Balls that may be named: those just seen for the first time only after some looks, unless all are new."""
    early, wait = t < opened + PATIENCE, BACK_AFTER if names.fallen else 0.0
    known = [k for k in tracks if k.key in names.bound]
    fresh = [k for k in tracks if k.key not in names.bound]
    looked_at = [k for k in fresh if k.looked >= ENOUGH and k.credit >= wait]
    return [*known, *(fresh if early else [k for k in fresh if k in looked_at or t - k.born > PATIENCE])]
