"""Where a ball's path bends: the cheapest cut of its sightings into quadratic stretches.

An optimal partition by dynamic programming (Auger & Lawrence 1989; Killick, Fearnhead & Eckley 2012): each stretch
costs the squared residuals of its best fit, in units of the noise, plus a fixed price. A stretch is quadratic in time
with an acceleration that friction allows, or it is a rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tracking.samples import Floats, Samples

PUSH: Final = 1.2
"""Expected size of an acceleration between contacts, m/s² (sliding friction 0.2); a soft limit."""
STEEPEST: Final = 2.8
"""No cloth slows a ball harder than this, m/s² (sliding friction 0.29) …"""
BEYOND: Final = 0.5
"""… and what seems to is worth less the farther it lies beyond, in these units."""
UNLIKELY: Final = 60.0
"""An impossible acceleration costs at most so much."""
SPEED: Final = 5.0
"""Expected size of a speed, m/s; a very soft limit."""
PRICE: Final = 20.0
"""Price of one more stretch: two coordinates of three parameters each, and the place of the cut."""
REST_PRICE: Final = 4.0
SHIFT_PRICE: Final = 18.0
"""Price of a rest after a rest: balls do not hop."""
BRIEFEST: Final = 0.15
"""Shorter stays, in seconds, are no rests: a slow ball seems to lie for some frames."""
FAR_OFF: Final = 0.02
"""A sighting farther off than this, metres, is no error of a detector but a ball that was somewhere else for a frame:
struck, and stopped by the next ball."""
BAND: Final = 100
"""Longest stretch looked at, in samples; longer ones come as several that are joined again later."""


@dataclass(frozen=True)
class Stretch:
    """Samples `first` to `last` (exclusive) between two kinks; `still`: at rest."""

    first: int
    last: int
    still: bool


def cut(samples: Samples, noise: Floats) -> list[Stretch]:
    """Stretches of a path, in order; `noise` (N,) is each coordinate's standard error."""
    moving, still = _costs(samples.t, samples.xy, 1.0 / noise**2)
    count = len(samples)
    best = np.full(count + 1, np.inf)
    best[0] = -PRICE
    came = np.zeros(count + 1, dtype=np.int64)
    calm = np.zeros(count + 1, dtype=np.bool_)
    for end in range(1, count + 1):
        low = max(0, end - BAND)
        starts = np.arange(low, end)
        lengths = end - starts - 1
        run = best[starts] + moving[lengths, starts] + PRICE
        lie = best[starts] + still[lengths, starts] + np.where(calm[starts], SHIFT_PRICE, REST_PRICE)
        a, b = int(np.argmin(run)), int(np.argmin(lie))
        calm[end] = lie[b] < run[a]
        best[end], came[end] = (lie[b], starts[b]) if calm[end] else (run[a], starts[a])
    stretches: list[Stretch] = []
    end = count
    while end > 0:
        stretches.append(Stretch(int(came[end]), end, bool(calm[end])))
        end = int(came[end])
    return _joined(stretches[::-1], samples, noise)


def _joined(stretches: list[Stretch], samples: Samples, noise: Floats) -> list[Stretch]:
    """Neighbouring rests at one place are one rest, split by the band only; at two places the first was slow motion."""
    merged: list[Stretch] = []
    for stretch in stretches:
        if not (merged and merged[-1].still and stretch.still):
            merged.append(stretch)
            continue
        last = merged[-1]
        apart = np.median(samples.xy[last.first : last.last], axis=0)
        apart = apart - np.median(samples.xy[stretch.first : stretch.last], axis=0)
        if float(np.hypot(*apart)) < 0.0005 + float(np.median(noise)):
            merged[-1] = Stretch(last.first, stretch.last, True)
        else:
            merged[-1:] = [Stretch(last.first, last.last, False), stretch]
    return merged


def _costs(t: Floats, xy: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """(BAND, N) squared residuals of the stretch that starts at column's sample and has row + 1 samples."""
    count = len(t)
    rows = min(BAND, count)
    moving = np.full((BAND, count), np.inf)
    still = np.full((BAND, count), np.inf)
    s = np.zeros((5, count))
    m = np.zeros((3, 2, count))
    q = np.zeros(count)
    for row in range(rows):
        n = count - row
        u, w = t[row:] - t[:n], weight[row:]
        d = (xy[row:] - xy[:n]).T
        power = w
        for k in range(5):
            s[k, :n] += power
            if k < 3:
                m[k, :, :n] += power * d
            power = power * u
        q[:n] += w * (d[0] ** 2 + d[1] ** 2)
        explained, pull = _explained(s[:, :n], m[:, :, :n])
        moving[row, :n] = q[:n] - explained + too_steep(pull)
        if row >= 2:
            lying = q[:n] - np.sum(m[0, :, :n] ** 2, axis=0) / s[0, :n]
            still[row, :n] = np.where(u >= BRIEFEST, lying, np.inf)
    return np.maximum(moving, 0.0), np.maximum(still, 0.0)


def too_steep(pull: Floats) -> Floats:
    """What accelerations of these sizes, m/s², cost for being more than friction allows."""
    return np.asarray(np.minimum((np.maximum(pull - STEEPEST, 0.0) / BEYOND) ** 2, UNLIKELY))


def _explained(s: Floats, m: Floats) -> tuple[Floats, Floats]:
    """bᵀA⁻¹b of the ridge normal equations for position, velocity and acceleration, both coordinates summed; and the
    size of the acceleration."""
    a00, a01, a02 = s[0], s[1], s[2] / 2
    a11, a12, a22 = s[2] + 1 / SPEED**2, s[3] / 2, s[4] / 4 + 1 / PUSH**2
    c00, c01, c02 = a11 * a22 - a12**2, a02 * a12 - a01 * a22, a01 * a12 - a02 * a11
    c11, c12, c22 = a00 * a22 - a02**2, a01 * a02 - a00 * a12, a00 * a11 - a01**2
    det = a00 * c00 + a01 * c01 + a02 * c02
    b0, b1, b2 = m[0], m[1], m[2] / 2
    total = c00 * b0**2 + c11 * b1**2 + c22 * b2**2 + 2 * (c01 * b0 * b1 + c02 * b0 * b2 + c12 * b1 * b2)
    pull = (c02 * b0 + c12 * b1 + c22 * b2) / det
    return np.asarray(np.sum(total, axis=0) / det), np.asarray(np.hypot(pull[0], pull[1]))


def measured_noise(samples: Samples) -> float:
    """How the true noise compares with the stated one: from third divided differences, whose median kinks hardly touch.

    Places repeated to the last digit were not measured again and say nothing of it.
    """
    fresh = np.concatenate([[True], np.any(np.diff(samples.xy, axis=0) != 0.0, axis=1)])
    t, xy, sigma = samples.t[fresh], samples.xy[fresh], samples.sigma[fresh]
    if len(xy) < 8:
        return 1.0
    four = np.arange(len(xy) - 3)[:, None] + np.arange(4)
    apart = t[four][:, :, None] - t[four][:, None, :]
    weight = 1.0 / np.prod(apart + np.eye(4), axis=2)
    third = np.einsum("nk,nkd->nd", weight, xy[four]) / np.linalg.norm(weight, axis=1)[:, None]
    scale = np.median(np.abs(third) / sigma[3:, None]) / 0.6745
    return float(np.clip(scale, 0.5, 3.0))


def without_outliers(samples: Samples, noise: Floats) -> npt.NDArray[np.bool_]:
    """(N,) False where a sighting lies off both the line before and the line after it, yet not between them."""
    good = np.ones(len(samples), dtype=np.bool_)
    if len(samples) < 5:
        return good
    t, xy = samples.t[:, None], samples.xy
    one, two, here, four, five = xy[:-4], xy[1:-3], xy[2:-2], xy[3:-1], xy[4:]
    back = two + (two - one) * (t[2:-2] - t[1:-3]) / (t[1:-3] - t[:-4])
    ahead = four - (five - four) * (t[3:-1] - t[2:-2]) / (t[4:] - t[3:-1])
    across = four - two
    # Anywhere between its neighbours is on the way: what started or was hit between two frames keeps no pace.
    share = np.sum((here - two) * across, axis=1) / np.maximum(np.sum(across * across, axis=1), 1e-12)
    between = two + across * np.clip(share, 0.0, 1.0)[:, None]
    slack = 4.0 * noise[2:-2] + 0.5 * PUSH * (t[3:-1] - t[1:-3])[:, 0] ** 2
    off = np.minimum(_size(here - back) / 2, np.minimum(_size(here - ahead) / 2, _size(here - between)))
    good[2:-2] = (off < slack) | (off > FAR_OFF)
    return good


def _size(vectors: Floats) -> Floats:
    return np.asarray(np.hypot(vectors[:, 0], vectors[:, 1]))
