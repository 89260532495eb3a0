"""A small table for tests: rolling balls, cushions, pockets, stepped finely; it knows exactly what happened."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from calibration.table import Table
from vision.detections import BALL_NAMES, Cover, Detections

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

STEP = 1e-3
DRAG = 0.25
BOUNCE = 0.8
ELASTIC = 0.95


@dataclass
class Truth:
    """`events`: (type, t, names or rail or pocket); `paths`: name → (T, 2) at multiples of `STEP`, NaN when gone."""

    events: list[tuple[str, float, tuple[str, ...]]] = field(default_factory=list)
    paths: dict[str, Floats] = field(default_factory=dict)

    def of(self, kind: str) -> list[tuple[float, tuple[str, ...]]]:
        return [(t, who) for what, t, who in self.events if what == kind]

    def at(self, name: str, t: float) -> Floats:
        path = self.paths[name]
        return np.asarray(path[min(max(round(t / STEP), 0), len(path) - 1)])


def played(
    table: Table,
    places: dict[str, tuple[float, float]],
    velocity: tuple[float, float],
    strike: float = 1.0,
    until: float = 8.0,
) -> Truth:
    """Strike the cue ball at `strike` seconds and let the balls roll."""
    names = list(places)
    p = np.array([places[n] for n in names], dtype=np.float64)
    v = np.zeros_like(p)
    truth = Truth()
    count = int(until / STEP) + 1
    record = np.full((count, len(names), 2), np.nan)
    alive = np.ones(len(names), dtype=bool)
    half = np.array([table.length, table.width]) / 2 - table.ball_radius
    for k in range(count):
        t = k * STEP
        record[k, alive] = p[alive]
        if k == round(strike / STEP):
            v[names.index("cue")] = velocity
            truth.events.append(("strike", t, ("cue",)))
        if not v.any():
            continue
        p = p + v * STEP
        speed = np.hypot(*v.T)
        v = v * (np.maximum(speed - DRAG * STEP, 0.0) / np.maximum(speed, 1e-12))[:, None]
        _pockets(table, names, p, v, alive, t, truth)
        _cushions(names, p, v, alive, half, table, t, truth)
        _collisions(table, names, p, v, alive, t, truth)
    truth.paths = {name: record[:, k] for k, name in enumerate(names)}
    return truth


def _pockets(table: Table, names: list[str], p: Floats, v: Floats, alive: Flags, t: float, truth: Truth) -> None:
    for pocket in table.pockets.values():
        inside = alive & (np.hypot(*(p - np.array(pocket.centre)).T) < 0.85 * pocket.radius)
        for k in np.flatnonzero(inside):
            truth.events.append(("pocketed", t, (names[k], pocket.name)))
            alive[k], v[k] = False, 0.0


def _cushions(
    names: list[str],
    p: Floats,
    v: Floats,
    alive: npt.NDArray[np.bool_],
    half: Floats,
    table: Table,
    t: float,
    truth: Truth,
) -> None:
    for k in np.flatnonzero(alive):
        if any(np.hypot(*(p[k] - np.array(q.mouth_centre))) < 0.075 for q in table.pockets.values()):
            continue
        for axis, rails in ((0, ("head", "foot")), (1, ("right", "left"))):
            if abs(p[k, axis]) > half[axis] and v[k, axis] * p[k, axis] > 0:
                late = (abs(p[k, axis]) - half[axis]) / abs(v[k, axis])
                truth.events.append(("rail_contact", t + STEP - late, (names[k], rails[int(p[k, axis] > 0)])))
                v[k, axis] *= -BOUNCE


def _collisions(table: Table, names: list[str], p: Floats, v: Floats, alive: Flags, t: float, truth: Truth) -> None:
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            if not (alive[a] and alive[b]):
                continue
            line = p[b] - p[a]
            apart = float(np.hypot(*line))
            closing = float((v[a] - v[b]) @ line) / max(apart, 1e-9)
            if apart < table.ball_diameter and closing > 0:
                truth.events.append(
                    ("ball_contact", t + STEP - (table.ball_diameter - apart) / closing, (names[a], names[b]))
                )
                push = 0.5 * (1 + ELASTIC) * closing * line / apart
                v[a], v[b] = v[a] - push, v[b] + push


def look(name: str | None, sure: float = 0.7) -> Floats:
    """Name probabilities of one look; None looks like nothing in particular."""
    if name is None:
        return np.full(17, 1 / 17)
    row = np.full(17, (1 - sure) / 16)
    row[BALL_NAMES.index(name)] = sure
    return row


def frame(
    t: float,
    seen: dict[str, Floats],
    rng: np.random.Generator,
    sigma: float = 0.0015,
    looks: dict[str, Floats] | None = None,
    covered: dict[str, float] | None = None,
    cover: Cover | None = None,
) -> Detections:
    """Detections of the given balls with noise."""
    names = [n for n in seen if np.isfinite(seen[n]).all()]
    count = len(names)
    xy = np.array([seen[n] for n in names]).reshape(-1, 2) + rng.normal(0.0, sigma, (count, 2))
    shown = [(looks or {}).get(n, look(n) if n in BALL_NAMES else look(None)) for n in names]
    hidden = np.array([(covered or {}).get(n, 0.0) for n in names])
    cov = np.tile(np.eye(2) * sigma**2, (count, 1, 1))
    return Detections(t, np.zeros((count, 2)), xy, cov, np.array(shown).reshape(-1, 17), hidden, cover)


def filmed(
    truth: Truth,
    times: Floats,
    seed: int = 0,
    sigma: float = 0.0015,
    drop: float = 0.01,
    looks: dict[str, Floats] | None = None,
) -> list[Detections]:
    """The frames of a camera that misses a ball now and then."""
    rng = np.random.default_rng(seed)
    frames = []
    for t in times:
        seen = {n: truth.at(n, float(t)) for n in truth.paths if rng.random() >= drop}
        frames.append(frame(float(t), seen, rng, sigma, looks))
    return frames


def cover_over(table: Table, spot: tuple[float, float], reach: float = 0.12) -> Cover:
    """A hand over one spot."""
    cell = 0.05
    shape = (int(table.width / cell) + 1, int(table.length / cell) + 1)
    origin = (-table.length / 2, -table.width / 2)
    row, column = np.indices(shape)
    x, y = origin[0] + (column + 0.5) * cell, origin[1] + (row + 0.5) * cell
    share = (np.hypot(x - spot[0], y - spot[1]) < reach).astype(np.float32)
    return Cover(share, origin, cell)
