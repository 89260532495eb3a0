"""From a ball's sightings to its motion: a fitted path whose knots are the places where something happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from record.names import Ball
from tracking.episode import History
from tracking.kinks import BRIEFEST, Stretch, cut, measured_noise, without_outliers
from tracking.paths import Line, Path, fit
from tracking.samples import Floats, Samples

BUDGED: Final = 0.006
"""A ball that ends within this of where it lay, and was never farther away, has not moved; metres."""
SHIFTED: Final = 0.0025
"""Two rests farther apart than this, metres, are two places."""
JOLT: Final = 0.02
"""A velocity jump below this, m/s, is the noise of a fit or a roll setting in."""
NEEDED: Final = 10.0
"""A knot stays if the misfit would grow by more than this without it."""
EFFORT: Final = 500
"""Fits that only ask whether a knot is needed, times the knots of each, for one ball's path."""
TURNED: Final = 0.03
"""A ball that stops and starts within a moment, each with a jolt of this, m/s, has been turned round."""
BRIDGE: Final = 0.4
"""Two kinks within so many seconds may be one, with the path bent hard between them."""
BENT: Final = 1.0
"""No ball that rolls bends harder than this, m/s²."""
CREEP: Final = 1.5
"""A ball that starts, and is this much faster at its next bend, only seemed to start …"""
CREPT: Final = 0.002
"""… where it had come no farther than this, metres, beside the error of the places."""
DOZE: Final = 0.8
"""So much of a rest, seconds, is kept before a motion and after it …"""
STIR: Final = 0.003
"""… as far as the ball is no farther from its place than this, metres, beside the error of the places."""
TRIAL_ROUNDS: Final = 3
"""Rounds of a fit that only asks whether a knot is needed."""
REST_SIGMA: Final = 0.0004
WANDER: Final = 0.0004
"""Places err together over some frames (lens, light): no average takes that away, metres."""


class Bend(Enum):
    START = "start"
    STOP = "stop"
    KINK = "kink"


@dataclass(frozen=True, eq=False)
class Knot:
    """Something happened to `ball` here: velocities before and after, m/s."""

    ball: Ball
    index: int
    kind: Bend
    t: float
    sigma: float
    place: Floats
    arriving: Floats
    leaving: Floats

    @property
    def jump(self) -> Floats:
        return self.leaving - self.arriving

    @property
    def jolt(self) -> float:
        return float(np.hypot(*self.jump))


@dataclass(frozen=True, eq=False)
class Motion:
    """One ball that moved: its sightings, their noise (N,), its path, and where it lay before and after."""

    ball: Ball
    samples: Samples
    noise: Floats
    path: Path
    before: Floats | None
    after: Floats | None
    vanished: bool
    hidden: bool

    @property
    def frame(self) -> float:
        """Median time between sightings."""
        return float(np.median(np.diff(self.samples.t))) if len(self.samples) > 1 else 0.03

    @property
    def last_seen(self) -> float:
        return float(self.samples.t[-1])

    def knots(self) -> Iterator[Knot]:
        path = self.path
        for k, t in enumerate(path.knots):
            kind = Bend.START if path.still[k] else Bend.STOP if path.still[k + 1] else Bend.KINK
            yield Knot(
                self.ball,
                k,
                kind,
                float(t),
                float(path.knot_sigma[k]),
                path.place(float(t)),
                path.arriving(k),
                path.leaving(k),
            )

    def refitted(self, known: dict[int, Line]) -> Motion:
        """The same motion, with more known about its knots."""
        path = self.path
        better = fit(
            self.samples.t, self.samples.xy, self.noise, list(path.knots), path.still, known, quiet=self.soft()
        )
        return replace(self, path=better)

    def soft(self) -> list[int]:
        """Knots between moving stretches over which the velocity hardly jumps."""
        return [k.index for k in self.knots() if k.kind is Bend.KINK and k.jolt < JOLT]

    def with_knot(self, t: float) -> Motion:
        """The motion fitted anew with one more knot, on a moving stretch."""
        stretch = self.path.stretch(t)
        knots = sorted([*map(float, self.path.knots), t])
        still = [*self.path.still[: stretch + 1], *self.path.still[stretch:]]
        return replace(self, path=fit(self.samples.t, self.samples.xy, self.noise, knots, still))

    def bounced_before_rest(self, t: float, rest: float) -> Motion:
        """The motion fitted anew with its last kink at `t` and its end at `rest`."""
        knots = [*map(float, self.path.knots[:-1]), t, rest]
        still = [*self.path.still[:-1], False, True]
        return replace(self, path=fit(self.samples.t, self.samples.xy, self.noise, knots, still))

    def bridged_at(self, knot: int, t: float) -> Motion:
        """The motion fitted anew with one knot at `t` instead of `knot` and the next."""
        knots = [*map(float, self.path.knots[:knot]), t, *map(float, self.path.knots[knot + 2 :])]
        still = [*self.path.still[: knot + 1], *self.path.still[knot + 2 :]]
        return replace(self, path=fit(self.samples.t, self.samples.xy, self.noise, knots, still))

    def without(self, knot: int) -> Motion:
        """The motion fitted anew with one knot taken out."""
        knots = [float(t) for k, t in enumerate(self.path.knots) if k != knot]
        still = [s for k, s in enumerate(self.path.still) if k != knot + 1]
        return replace(self, path=fit(self.samples.t, self.samples.xy, self.noise, knots, still, rounds=TRIAL_ROUNDS))


def motion(history: History) -> Motion | None:
    """Fit a ball's motion; None when it only seemed to move or was seen too seldom to say anything."""
    samples = _awake(history)
    if len(samples) < 3:
        return None
    if history.vanished:
        samples = _without_stragglers(samples)
    noise = np.hypot(samples.sigma * measured_noise(samples), WANDER)
    good = without_outliers(samples, noise)
    samples, noise = samples.where(good), noise[good]
    samples, noise = _anchored(samples, noise, history)
    if not _went_anywhere(samples, noise, history):
        return None
    stretches = _tidied(cut(samples, noise), samples, noise, history)
    path = fit(samples.t, samples.xy, noise, _guesses(samples.t, stretches), [s.still for s in stretches])
    found = Motion(history.ball, samples, noise, path, history.before, history.after, history.vanished, history.hidden)
    return _woken(_pruned(found))


def _woken(found: Motion) -> Motion:
    """A resting ball that seems to creep before it runs was still at rest: noise can look like that."""
    path = found.path
    while len(path.knots) > 1 and path.still[0] and found.before is not None:
        crept = float(np.hypot(*(path.place(float(path.knots[1])) - found.before)))
        stops = path.still[2] and len(path.knots) > 2
        speeds_up = float(np.hypot(*path.leaving(1))) > CREEP * float(np.hypot(*path.leaving(0)))
        if not (path.still[1] or stops or speeds_up) or crept > CREPT + 2.0 * float(np.median(found.noise)):
            break
        gone = 2 if stops and not path.still[1] else 1
        knots, still = [float(t) for t in path.knots[gone:]], [True, *path.still[1 + gone :]]
        path = fit(found.samples.t, found.samples.xy, found.noise, knots, still)
        found = replace(found, path=path)
    return found


def _awake(history: History) -> Samples:
    """The sightings but for all of a long rest at either end: its place is known, and tells no more."""
    samples = history.samples
    if len(samples) < 3:
        return samples
    first, last = 0, len(samples) - 1
    if history.before is not None:
        first = _leaves(samples, history.before, np.arange(len(samples)))
    if history.after is not None:
        last = _leaves(samples, history.after, np.arange(len(samples))[::-1])
    return samples.between(samples.t[min(first, last)] - DOZE, samples.t[max(first, last)] + DOZE)


def _leaves(samples: Samples, place: Floats, order: npt.NDArray[np.int64]) -> int:
    """The first sighting, in this order, that is plainly away from a place; the last of them where none is."""
    away = np.hypot(*(samples.xy - place).T)[order] > STIR + 4.0 * samples.sigma[order]
    return int(order[int(np.argmax(away))]) if away.any() else int(order[-1])


def _without_stragglers(samples: Samples) -> Samples:
    """A vanished ball's last sightings, if they come after a gap and are but one or two, were something else."""
    gaps = np.flatnonzero(np.diff(samples.t) > 0.1)
    while len(gaps) and len(samples) - 1 - gaps[-1] <= 2:
        samples = samples.where(np.arange(len(samples)) <= gaps[-1])
        gaps = gaps[:-1]
    return samples


def _anchored(samples: Samples, noise: Floats, history: History) -> tuple[Samples, Floats]:
    """The resting places, known from many more sightings, stand in as one exact sighting at each end."""
    looks = samples.looks[:1]
    if history.before is not None:
        first = Samples(samples.t[:1] - 0.01, history.before[None], np.array([REST_SIGMA]), np.zeros(1), looks)
        samples, noise = first.joined(samples), np.concatenate([[REST_SIGMA], noise])
    if history.after is not None:
        last = Samples(samples.t[-1:] + 0.01, history.after[None], np.array([REST_SIGMA]), np.zeros(1), looks)
        samples, noise = samples.joined(last), np.concatenate([noise, [REST_SIGMA]])
    return samples, noise


def _went_anywhere(samples: Samples, noise: Floats, history: History) -> bool:
    if history.before is None:
        return True
    if history.after is None and history.vanished:
        return True
    away = np.hypot(*(samples.xy - history.before).T)
    far = away > np.maximum(BUDGED, 5.0 * noise)
    if history.after is not None and np.hypot(*(history.after - history.before)) > SHIFTED:
        return True
    return bool(np.sum(far) >= 3 and np.any(far[1:] & far[:-1]))


def _tidied(stretches: list[Stretch], samples: Samples, noise: Floats, history: History) -> list[Stretch]:
    """A path that began or ended at rest says so in its first and last stretch."""
    tidy = list(stretches)
    if history.before is not None:
        tidy = _calmed(tidy, samples, noise, history.before)
    if history.after is not None:
        count = len(samples)
        turned = [Stretch(count - s.last, count - s.first, s.still) for s in reversed(tidy)]
        backwards = samples.where(np.arange(count)[::-1])
        turned = _calmed(turned, backwards, noise[::-1], history.after)
        tidy = [Stretch(count - s.last, count - s.first, s.still) for s in reversed(turned)]
    if history.before is not None and not tidy[0].still:
        tidy.insert(0, Stretch(0, 1, True))
        tidy[1] = Stretch(1, tidy[1].last, tidy[1].still)
    if history.after is not None and not tidy[-1].still:
        first, end = tidy[-1].first, tidy[-1].last
        there = np.hypot(*(samples.xy - history.after).T) < 0.002 + 2.0 * noise
        arrived = max(end - int(np.argmin(there[::-1])), first + 2) if not there.all() else end - 1
        arrived = min(arrived, end - 1)
        tidy[-1:] = [Stretch(first, arrived, False), Stretch(arrived, end, True)]
    return [s for s in tidy if s.last > s.first]


def _calmed(stretches: list[Stretch], samples: Samples, noise: Floats, place: Floats) -> list[Stretch]:
    """Leading stretches that stay at a resting place are that rest: noise can look like creeping."""
    last = 0
    for stretch in stretches:
        whole = np.median(samples.xy[stretch.first : stretch.last], axis=0) - place
        end = np.median(samples.xy[max(stretch.first, stretch.last - 4) : stretch.last], axis=0) - place
        off = max(float(np.hypot(*whole)), float(np.hypot(*end)))
        usual = float(np.median(noise))
        away = np.hypot(*(samples.xy[stretch.first : stretch.last] - place).T)
        if off < 0.0005 + 1.5 * usual and np.percentile(away, 90) < 0.0005 + 3.2 * usual:
            last = stretch.last
        elif off > 6.0 * usual or stretch.last - stretch.first > 3:
            break
    if last == 0:
        return stretches
    rest = [s for s in stretches if s.first >= last]
    return [Stretch(0, last, True), *rest]


def _guesses(t: Floats, stretches: list[Stretch]) -> list[float]:
    return [float(0.5 * (t[s.first - 1] + t[s.first])) for s in stretches[1:]]


def _pruned(found: Motion) -> Motion:
    """Take out knots that the sightings do not need: splits of the band, weak bends, there-and-back of an outlier.

    The effort is bounded: a path of many knots is one of many errors, and pruning will not mend it.
    """
    left = EFFORT
    while left > 0:
        for simpler, fewer in _simpler(found):
            left -= len(found.path.knots)
            if simpler.path.misfit < found.path.misfit + NEEDED * fewer:
                found = simpler
                break
            if left <= 0:
                break
        else:
            break
    return found


def _simpler(found: Motion) -> Iterator[tuple[Motion, int]]:
    """Motions with fewer knots, each with the number of knots less, those likeliest to do as well first."""
    for a, b in pairwise(found.knots()):
        if a.kind is Bend.STOP and b.kind is Bend.START and b.t - a.t < BRIEFEST and min(a.jolt, b.jolt) > TURNED:
            yield found.bridged_at(a.index, 0.5 * (a.t + b.t)), 1
    for doubtful in _doubtful(found):
        simpler = found
        for index in sorted(doubtful, reverse=True):
            simpler = simpler.without(index)
        yield simpler, len(doubtful)
    for a, b in pairwise([k for k in found.knots() if k.kind is Bend.KINK]):
        bend = float(np.hypot(*(b.arriving - a.leaving)))
        if b.index == a.index + 1 and b.t - a.t < BRIDGE and bend > BENT * (b.t - a.t):
            yield found.bridged_at(a.index, 0.5 * (a.t + b.t)), 1


def _doubtful(found: Motion) -> list[tuple[int, ...]]:
    """Sets of knots that may be there for nothing, the most doubtful first."""
    kinks = [k for k in found.knots() if k.kind is Bend.KINK]
    weak = sorted((k for k in kinks if k.jolt < 0.3), key=lambda k: k.jolt)
    close = [
        (a, b)
        for a, b in pairwise(kinks)
        if b.t - a.t < 1.6 * found.frame and float(np.hypot(*(a.jump + b.jump))) < 0.35 * (a.jolt + b.jolt)
    ]
    return [(a.index, b.index) for a, b in close] + [(k.index,) for k in weak[:3]]
