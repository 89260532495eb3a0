"""A ball's path as a chain of stretches, each quadratic in time, joined without gaps at its knots.

Fitted by Gauss-Newton over everything at once: first place, each stretch's velocity and acceleration, and the times
of the knots; residuals are reweighted by Huber's function. What is known about a knot (a nose line, a ball one diameter
away, an end of motion) enters as one more measurement, so that times and places agree with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np

from tracking.kinks import PUSH, too_steep
from tracking.samples import Floats

HUBER: Final = 2.0
CAP: Final = 16.0
"""One sighting adds at most so much to a path's misfit: an outlier is no reason for a kink."""
ROUNDS: Final = 6
STOPPED: Final = 0.01
"""Standard error of "the velocity is zero" where a motion ends, m/s."""


@dataclass(frozen=True, eq=False)
class Line:
    """Known about a knot: normal · place = offset, within `sigma`."""

    normal: Floats
    offset: float
    sigma: float


@dataclass(frozen=True, eq=False)
class Path:
    """A piecewise quadratic path.

    Attributes:
        start: time of `origin`.
        origin: (2,) first place.
        knots: (S-1,) times at which stretches meet.
        velocity, push: (S, 2) velocity at the start of each stretch, and its constant acceleration.
        still: (S,) stretches at rest.
        knot_sigma: (S-1,) standard errors of the knots' times.
        place_sigma: standard error of a place on the path, about.
    """

    start: float
    origin: Floats
    knots: Floats
    velocity: Floats
    push: Floats
    still: tuple[bool, ...]
    knot_sigma: Floats = field(default_factory=lambda: np.zeros(0))
    place_sigma: float = 0.001
    misfit: float = 0.0

    @cached_property
    def begins(self) -> Floats:
        """(S,) start times of the stretches."""
        return np.concatenate([[self.start], self.knots])

    @cached_property
    def anchors(self) -> Floats:
        """(S, 2) places at the starts of the stretches."""
        lasting = np.diff(self.begins)[:, None]
        steps = self.velocity[:-1] * lasting + 0.5 * self.push[:-1] * lasting**2
        return np.concatenate([self.origin[None], self.origin + np.cumsum(steps, axis=0)])

    def stretch(self, t: float) -> int:
        return int(np.searchsorted(self.knots, t, side="right"))

    def at(self, t: Floats) -> Floats:
        """Places (N, 2) at times (N,)."""
        k = np.searchsorted(self.knots, t, side="right")
        u = (t - self.begins[k])[:, None]
        return np.asarray(self.anchors[k] + self.velocity[k] * u + 0.5 * self.push[k] * u**2)

    def place(self, t: float) -> Floats:
        return np.asarray(self.at(np.array([t]))[0])

    def on(self, stretch: int, t: float) -> Floats:
        """Place at `t` if that stretch went on for ever in both directions."""
        u = t - self.begins[stretch]
        return np.asarray(self.anchors[stretch] + self.velocity[stretch] * u + 0.5 * self.push[stretch] * u**2)

    def speed_on(self, stretch: int, t: float) -> Floats:
        """(2,) velocity at `t` on that stretch, prolonged where need be."""
        return np.asarray(self.velocity[stretch] + self.push[stretch] * (t - self.begins[stretch]))

    def arriving(self, knot: int) -> Floats:
        return self.speed_on(knot, float(self.knots[knot]))

    def leaving(self, knot: int) -> Floats:
        return np.asarray(self.velocity[knot + 1])


def fit(
    t: Floats,
    xy: Floats,
    noise: Floats,
    knots: Sequence[float],
    still: Sequence[bool],
    known: dict[int, Line] | None = None,
    rounds: int = ROUNDS,
    quiet: Sequence[int] = (),
) -> Path:
    """Fit a path with given first guesses of its knots.

    Args:
        t, xy, noise: (N,), (N, 2), (N,) sightings and their standard errors.
        knots: S - 1 times, rising.
        still: S flags.
        known: what is known of knots, by index.
        quiet: knots over which the velocity does not jump (a slide that becomes a roll).
    """
    known = known or {}
    span = float(np.median(np.diff(t))) if len(t) > 1 else 0.02
    step_limit = np.where(np.asarray(still[1:], dtype=np.bool_), 4.0 * span, span)
    best = _at(t, xy, noise, np.array(knots, dtype=np.float64), still, known, quiet, np.ones(len(t)))
    share = 1.0
    for _ in range(max(rounds, 1) - 1):
        if not len(best.taus) or np.all(np.abs(best.shift) * share < 2e-5):
            break
        taus = _ordered(best.taus + share * np.clip(best.shift, -step_limit, step_limit), float(t[0]), float(t[-1]))
        trial = _at(t, xy, noise, taus, still, known, quiet, best.weight)
        # A step of Gauss-Newton may overshoot where two knots lie close: then a shorter one is tried.
        better = trial.cost < best.cost + 1e-3
        best, share = (trial, 1.0) if better else (best, 0.35 * share)
    pull = best.path.push
    bends = float(np.sum((pull / PUSH) ** 2) + np.sum(too_steep(np.hypot(pull[:, 0], pull[:, 1]))))
    return replace(best.path, knot_sigma=best.sigma, misfit=best.cost + bends)


@dataclass(frozen=True, eq=False)
class _Trial:
    """A fit with its knots at `taus`: the step that it asks for, the knots' errors, the next weights, the misfit."""

    taus: Floats
    path: Path
    shift: Floats
    sigma: Floats
    weight: Floats
    cost: float


def _at(
    t: Floats,
    xy: Floats,
    noise: Floats,
    taus: Floats,
    still: Sequence[bool],
    known: dict[int, Line],
    quiet: Sequence[int],
    weight: Floats,
) -> _Trial:
    path, shift, sigma = _Problem(t, xy, noise, weight, taus, tuple(still), known, tuple(quiet)).solved()
    residual = np.hypot(*((path.at(t) - xy) / noise[:, None]).T)
    huber = np.where(residual < HUBER * 1.4, residual**2, 2 * HUBER * 1.4 * residual - (HUBER * 1.4) ** 2)
    following = np.sqrt(np.minimum(1.0, HUBER * 1.4 / np.maximum(residual, 1e-9)))
    return _Trial(taus, path, shift, sigma, following, float(np.sum(np.minimum(huber, CAP))))


def _ordered(taus: Floats, low: float, high: float) -> Floats:
    taus = np.clip(taus, low - 0.2, high + 0.2)
    for k in range(1, len(taus)):
        taus[k] = max(taus[k], taus[k - 1] + 1e-4)
    return taus


class _Problem:
    """One linearised least-squares problem: unknowns are origin, (velocity, push) of stretches, shifts of knots."""

    def __init__(
        self,
        t: Floats,
        xy: Floats,
        noise: Floats,
        weight: Floats,
        taus: Floats,
        still: tuple[bool, ...],
        known: dict[int, Line],
        quiet: tuple[int, ...],
    ) -> None:
        self.t, self.xy, self.noise, self.weight = t, xy, noise, weight
        self.taus, self.still, self.known, self.quiet = taus, still, known, quiet
        self.begins = np.concatenate([[t[0]], taus])
        self.columns = np.cumsum([1] + [0 if s else 2 for s in still])
        self.width = int(self.columns[-1])

    def basis(self, times: Floats) -> Floats:
        """(N, width) how places at `times` depend on one coordinate's unknowns."""
        rows = np.zeros((len(times), self.width))
        rows[:, 0] = 1.0
        ends = np.concatenate([self.taus, [np.inf]])
        for k, still in enumerate(self.still):
            if still:
                continue
            begin = self.begins[k]
            u = np.minimum(times, ends[k]) - begin
            u = np.where(times > begin, u, 0.0) if k else u
            column = self.columns[k]
            rows[:, column], rows[:, column + 1] = u, 0.5 * u * u
        return rows

    def solved(self) -> tuple[Path, Floats, Floats]:
        scale = self.weight / self.noise
        base = self.basis(self.t)
        coordinate = self._linear(base * scale[:, None], self.xy * scale[:, None])
        path = self._path(coordinate)
        if not len(self.taus):
            return path, np.zeros(0), np.zeros(0)
        return self._refined(path, base, scale)

    def _linear(self, base: Floats, target: Floats) -> Floats:
        """Ridge least squares: accelerations are small, and everything is bounded."""
        ridge = np.full(self.width, 1e-6)
        ridge[[self.columns[k] + 1 for k, still in enumerate(self.still) if not still]] += PUSH**-2
        return np.asarray(np.linalg.solve(base.T @ base + np.diag(ridge), base.T @ target))

    def _path(self, unknown: Floats) -> Path:
        count = len(self.still)
        velocity, push = np.zeros((count, 2)), np.zeros((count, 2))
        for k, still in enumerate(self.still):
            if not still:
                velocity[k], push[k] = unknown[self.columns[k]], unknown[self.columns[k] + 1]
        return Path(float(self.t[0]), unknown[0], self.taus, velocity, push, self.still)

    def _refined(self, path: Path, base: Floats, scale: Floats) -> tuple[Path, Floats, Floats]:
        """Gauss-Newton step with the knots' times free; unknowns x, y interleaved by block, then the shifts."""
        w, knots = self.width, len(self.taus)
        jumps = np.array([path.arriving(k) - path.leaving(k) for k in range(knots)])
        later = (self.t[:, None] > self.taus[None]) * scale[:, None]
        weighted = base * scale[:, None]
        rows, values = self._beliefs(path, w, knots, jumps)
        normal = rows.T @ rows + 1e-4 * np.eye(2 * w + knots)
        right = rows.T @ values
        square, cross, shared = weighted.T @ weighted, weighted.T @ later, later.T @ later
        for axis in range(2):
            mine, jump = slice(axis * w, (axis + 1) * w), jumps[:, axis]
            seen = self.xy[:, axis] * scale
            normal[mine, mine] += square
            normal[mine, 2 * w :] += cross * jump
            normal[2 * w :, mine] += (cross * jump).T
            normal[2 * w :, 2 * w :] += shared * np.outer(jump, jump)
            right[mine] += weighted.T @ seen
            right[2 * w :] += jump * (later.T @ seen)
        inverse = np.linalg.inv(normal)
        unknown = inverse @ right
        sigma = np.sqrt(np.maximum(np.diag(inverse)[2 * w :], 1e-12))
        fitted = self._path(np.stack([unknown[:w], unknown[w : 2 * w]], axis=1))
        return fitted, unknown[2 * w :], sigma

    def _beliefs(self, path: Path, w: int, knots: int, jumps: Floats) -> tuple[Floats, Floats]:
        """Soft facts: accelerations are small, knots stay near, motions end with no speed, knots lie on their lines."""
        rows: list[Floats] = []
        values: list[float] = []

        def fact(row: Floats, value: float, sigma: float) -> None:
            rows.append(row / sigma)
            values.append(value / sigma)

        size = 2 * w + knots
        for k, still in enumerate(self.still):
            for axis in range(2):
                if still:
                    continue
                row = np.zeros(size)
                row[axis * w + self.columns[k] + 1] = 1.0
                fact(row, 0.0, PUSH)
                if k + 1 < len(self.still) and self.still[k + 1]:
                    u = self.taus[k] - self.begins[k]
                    row = np.zeros(size)
                    row[axis * w + self.columns[k]], row[axis * w + self.columns[k] + 1] = 1.0, u
                    row[2 * w + k] = path.push[k, axis]
                    fact(row, 0.0, STOPPED)
        for k in range(knots):
            row = np.zeros(size)
            row[2 * w + k] = 1.0
            fact(row, 0.0, 0.1 if self.still[k + 1] else 0.02)
            if k in self.quiet:
                self._same_velocity(k, w, size, fact)
        at_knots = self.basis(self.taus)
        for k, line in self.known.items():
            row = np.zeros(size)
            arriving = path.arriving(k)
            for axis in range(2):
                row[axis * w : (axis + 1) * w] = line.normal[axis] * at_knots[k]
                earlier = self.taus < self.taus[k]
                row[2 * w :] += np.where(earlier, line.normal[axis] * jumps[:, axis], 0.0)
            row[2 * w + k] += float(line.normal @ arriving)
            fact(row, line.offset, line.sigma)
        return np.array(rows).reshape(-1, size), np.array(values)

    def _same_velocity(self, k: int, w: int, size: int, fact: object) -> None:
        u = self.taus[k] - self.begins[k]
        for axis in range(2):
            row = np.zeros(size)
            row[axis * w + self.columns[k]], row[axis * w + self.columns[k] + 1] = 1.0, u
            if not self.still[k + 1]:
                row[axis * w + self.columns[k + 1]] -= 1.0
            fact(row, 0.0, 0.01)  # type: ignore[operator]
