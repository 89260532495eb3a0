"""One ball as it is followed: where it is, whether it rests, how it looks, and its sightings of late."""

from __future__ import annotations

import enum
from collections import deque
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from record.names import Ball as BallName
from record.names import Place
from tracking.samples import Floats, Sighting, flat

MEMORY: Final = 0.6
"""Seconds of sightings that a resting ball keeps: enough to see how a stroke began."""
DRAG: Final = 3.0
"""Largest deceleration of a sliding ball, m/s² (friction 0.3)."""
LOOK_FLOOR: Final = 0.02
"""No single look may say more against a name than this probability."""
LONGEST_GAP: Final = 0.1
"""What happened between two sightings farther apart than this, in seconds, was not seen."""
LOOKS_KEPT: Final = 40.0
"""Looks of one rest correlate: their summed log-probabilities count as at most so many independent ones."""
LIES_AFTER: Final = 5
LIES_WITHIN: Final = 0.004
"""A ball seen so often, and still within so many metres of where it was seen first, lies there."""


class Phase(enum.Enum):
    NEW = "new"
    RESTING = "resting"
    MOVING = "moving"
    GONE = "gone"


@dataclass(frozen=True)
class Ball:
    """A ball's present state: name, place (metres, table frame), whether it moves and when it was last seen."""

    name: BallName
    at: Place
    moving: bool
    seen: float


@dataclass(eq=False)
class Track:
    """A ball followed from frame to frame.

    Attributes:
        key: unique within a watcher.
        t, xy, velocity: state at the last sighting; metres, metres a second.
        spread, drift, link: standard errors of `xy` and `velocity`, and their covariance (one coordinate).
        place: resting place (running mean), while `phase` is RESTING.
        weight: how many sightings `place` rests on.
        looks: (17,) summed log-probabilities of the names over the present rest.
        looked: how many looks that sum holds.
        doubt: sightings in a row away from the resting place.
        credit: seconds in which it was seen in the open, half of those beside a hand or a cue; none once it is covered.
        sightings: since the last rest (MOVING) or of the last `MEMORY` seconds (RESTING).
    """

    key: int
    t: float
    xy: Floats
    born: float
    phase: Phase = Phase.NEW
    velocity: Floats = field(default_factory=lambda: np.zeros(2))
    spread: float = 0.002
    link: float = 0.0
    drift: float = 2.0
    place: Floats = field(default_factory=lambda: np.zeros(2))
    weight: float = 0.0
    looks: Floats = field(default_factory=lambda: np.zeros(17))
    looked: float = 0.0
    doubt: int = 0
    seen: int = 0
    rested: bool = False
    moving_since: float = 0.0
    credit: float = 0.0
    sightings: deque[Sighting] = field(default_factory=deque)

    @property
    def speed(self) -> float:
        return float(np.hypot(self.velocity[0], self.velocity[1]))

    @property
    def lies(self) -> bool:
        """Seen for some frames, and not to move."""
        first = self.sightings[0] if self.sightings else None
        if first is None or self.seen < LIES_AFTER:
            return False
        return float(np.hypot(self.xy[0] - first.x, self.xy[1] - first.y)) < LIES_WITHIN + 3.0 * first.sigma

    @property
    def now(self) -> Floats:
        """Best present place: the mean of a rest, the last state of a motion."""
        return self.place if self.phase is Phase.RESTING else self.xy

    def predicted(self, t: float) -> Floats:
        """Place at `t` if nothing happens on the way."""
        if self.phase is Phase.RESTING:
            return self.place
        ahead = min(t - self.t, 2.0)
        return self.xy + self.velocity * ahead

    def predicted_spread(self, t: float) -> float:
        """Standard error of that place, metres, one coordinate."""
        if self.phase is Phase.RESTING:
            return 0.002
        return float(np.sqrt(self._covariance(min(t - self.t, 2.0))[0]))

    def _covariance(self, ahead: float) -> tuple[float, float, float]:
        """Variances of place and velocity and their covariance, `ahead` seconds on (one coordinate)."""
        pull = (DRAG * ahead) ** 2
        place = self.spread**2 + 2 * self.link * ahead + (self.drift * ahead) ** 2 + 0.25 * pull * ahead**2
        return place, self.link + self.drift**2 * ahead + 0.5 * pull * ahead, self.drift**2 + pull

    def notice(self, seen: Sighting) -> None:
        """Take in how the ball looks; looks of one rest are not independent, so their number is bounded."""
        if seen.covered > 0.5 or flat(seen.look):
            return
        self.looks += np.log(np.maximum(seen.look, LOOK_FLOOR))
        self.looked += 1.0
        if self.looked > LOOKS_KEPT:
            self.looks *= LOOKS_KEPT / self.looked
            self.looked = LOOKS_KEPT

    def forget_looks(self) -> None:
        self.looks = np.zeros(17)
        self.looked = 0.0

    def remember(self, seen: Sighting, keep: bool = False) -> None:
        """Add a sighting; old ones are dropped unless the ball has moved in this shot."""
        lasted = seen.t - self.sightings[-1].t if self.sightings else 0.0
        self.credit = self.credit + seen.clarity * min(lasted, LONGEST_GAP) if seen.clarity else 0.0
        self.sightings.append(seen)
        self.seen += 1
        if not keep:
            self.trim()

    def repeated(self, seen: Sighting) -> bool:
        """Nobody looked anew: the same place to the last digit, and a look that tells nothing."""
        last = self.sightings[-1] if self.sightings else None
        return last is not None and (last.x, last.y) == (seen.x, seen.y) and flat(seen.look)

    def trim(self) -> None:
        while self.sightings and self.sightings[0].t < self.sightings[-1].t - MEMORY:
            self.sightings.popleft()

    def follow(self, seen: Sighting, jumped: bool) -> None:
        """Kalman step of a moving ball; after a jump (a kink on the way) the velocity starts anew."""
        here = np.array([seen.x, seen.y])
        ahead = seen.t - self.t
        if ahead <= 0:
            return
        if jumped:
            self.velocity = (here - self.now) / ahead
            self.drift, self.spread, self.link = 0.3 + 0.6 * self.speed, seen.sigma, 0.0
        else:
            place, link, drift = self._covariance(ahead)
            total = place + seen.sigma**2
            off = here - self.predicted(seen.t)
            here = here - off * (seen.sigma**2 / total)
            self.velocity = self.velocity + off * (link / total)
            self.spread = float(np.sqrt(place * seen.sigma**2 / total))
            self.link = link * seen.sigma**2 / total
            self.drift = float(np.sqrt(max(drift - link**2 / total, 1e-6)))
        self.xy, self.t = here, seen.t

    def continue_as(self, new: Track) -> None:
        """Take over the path of a track that turned out to be this ball, found again."""
        self.sightings.extend(s for s in new.sightings if s.t > self.t)
        self.t, self.xy, self.velocity = new.t, new.xy, new.velocity
        self.spread, self.link, self.drift = new.spread, new.link, new.drift
        if self.phase is not Phase.MOVING:
            self.phase, self.moving_since = Phase.MOVING, new.born
            self.looks, self.looked = new.looks, new.looked

    def resume(self, new: Track, t: float) -> None:
        """Come back to rest as `new`, a track that turned out to be this ball, lost on the way."""
        sightings = list(self.sightings) + [s for s in new.sightings if s.t > self.t]
        self.sightings = deque(sightings)
        self.settle(new.place, new.weight, t)
        self.looks, self.looked, self.credit = new.looks, new.looked, new.credit

    def settle(self, place: Floats, weight: float, t: float) -> None:
        self.phase, self.place, self.weight = Phase.RESTING, place, weight
        self.velocity, self.doubt, self.rested, self.t = np.zeros(2), 0, True, t
        self.xy = place

    def stay(self, seen: Sighting) -> None:
        """One more sighting of a rest; a repeated one measures nothing."""
        self.t, self.doubt = seen.t, 0
        if seen.again:
            return
        self.weight = min(self.weight + 1.0, 200.0)
        self.place = self.place + (np.array([seen.x, seen.y]) - self.place) / self.weight
