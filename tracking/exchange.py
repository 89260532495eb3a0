"""A swap of names put right in the open.

When balls turn out at rest to bear each other's names, they were exchanged somewhere on the way: the head of each path
belongs to the name it began under, its tail to another. Where the cut lies is told by the looks on the way and by
nearness: balls are only mistaken for one another where they come together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from record.names import Ball
from tracking.episode import History
from tracking.samples import Floats, Samples
from vision.detections import BALL_NAMES

TOGETHER: Final = 0.06
"""Scale of a distance at which balls are easily mistaken for one another, metres."""


def exchanged(histories: Mapping[Ball, History], renamed: Mapping[Ball, Ball]) -> dict[Ball, History]:
    """Histories by the names they began under, with tails exchanged as `renamed` (was → is) says."""
    mended = dict(histories)
    pending = {was: now for was, now in renamed.items() if was in histories and now in histories}
    while pending:
        a, b = next(iter(pending.items()))
        del pending[a]
        if a == b:
            continue
        first, second = mended[a], mended[b]
        t = _moment(first, second, a, b)
        mended[a], mended[b] = _spliced(first, second, t), _spliced(second, first, t)
        # The tail that belonged to a now lies under b; whoever was to give b its tail finds it under a.
        onward = pending.pop(b, None)
        if onward is not None and onward != a:
            pending[a] = onward
    return mended


def _moment(one: History, two: History, a: Ball, b: Ball) -> float:
    """The likeliest time of the exchange."""
    times = np.union1d(one.samples.t, two.samples.t)
    cuts = np.concatenate([times - 1e-4, times[-1:] + 1e-4])
    apart = np.hypot(*(_places(one.samples, cuts) - _places(two.samples, cuts)).T)
    score = _evidence(one.samples, a, b, cuts) + _evidence(two.samples, b, a, cuts) - 0.5 * (apart / TOGETHER) ** 2
    return float(cuts[int(np.argmax(score))])


def _places(samples: Samples, t: Floats) -> Floats:
    return np.stack([np.interp(t, samples.t, samples.xy[:, axis]) for axis in range(2)], axis=1)


def _evidence(samples: Samples, before: Ball, after: Ball, cuts: Floats) -> Floats:
    """(K,) log-odds of looks for "`before` up to the cut, `after` beyond it"."""
    if before not in BALL_NAMES or after not in BALL_NAMES:
        return np.zeros(len(cuts))
    odds = np.log(np.maximum(samples.looks[:, BALL_NAMES.index(before)], 0.02))
    odds = np.clip(odds - np.log(np.maximum(samples.looks[:, BALL_NAMES.index(after)], 0.02)), -2.0, 2.0)
    total = np.concatenate([[0.0], np.cumsum(odds)])
    return np.asarray(2.0 * total[np.searchsorted(samples.t, cuts)])


def _spliced(head: History, tail: History, t: float) -> History:
    """The first's path up to `t`, the second's from there."""
    late = tail.samples.t > t
    samples = head.samples.where(head.samples.t <= t).joined(tail.samples.where(late))
    return replace(head, samples=samples, after=tail.after, vanished=tail.vanished, hidden=tail.hidden)
