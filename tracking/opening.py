"""Which ball the struck ball touched first, by likelihood over all that may have happened.

Its way up to the touch says where it was heading, within limits; the resting balls' places are known well. Guesses
drawn within those limits are played forward, and each is weighed by where all balls are seen to be just afterwards:
the ball struck leaves along the line of centres, the striker to the side away from it, a ball behind it follows. The
likelihood of each ball's having been the first is that of the best guess in which it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.table import RAILS, RailName, Table
from record.names import Ball
from tracking.approach import Approach, approach_to
from tracking.collisions import Noses, Replay, replayed
from tracking.motions import Bend, Knot, Motion
from tracking.rails import clearance
from tracking.samples import Floats

DRAWS: Final = 160
ROUNDS: Final = 4
ELITE: Final = 24
REST: Final = 0.0004
"""Standard error of a resting ball's place, metres."""
BOUNCE: Final = (0.94, 0.03)
"""Restitution of two balls, and how far it varies."""
THROW: Final = 0.04
"""Friction turns a way by about so much, radians."""
BEND: Final = 1.5
"""Accelerations of the cloth, m/s², that a straight way leaves out."""
STIRRED: Final = 0.0015
"""Standard error with which a ball that is not seen to move has stayed, metres."""
TOUCHING: Final = 0.003
"""Resting balls nearer than this may touch, metres."""
LIKELY: Final = 0.5
"""A touch that follows is told where at least this share of the likely guesses has it."""
UNSEEN: Final = (0.6, 0.25, 0.0)
"""Without a sighting between the start and the touch, or with one, its time is known to this share of a frame only."""
MODEL: Final = 0.0006
"""What the replay leaves out (the touch lasts, ways are bent) puts a time off by about so much, seconds."""
WORST: Final = 60.0
"""One ball's way adds at most so much (χ²): a wrong track is no proof."""
AFTER: Final = 3.3
"""Frames watched after the touch; at least `BRIEF` seconds."""
BRIEF: Final = 0.045
CROWD: Final = 8
"""Where more balls than this are set in motion at once, only the way up to the touch tells."""
CAUTION: Final = 0.6
"""Log-odds are shrunk by this factor: what is left out of the model is no noise."""
SLOW: Final = 0.12
"""A ball that starts slower than this, m/s, does not tell when: its start is seen late, or much too early."""
LOOKED: Final = 0.6
GLANCE: Final = 0.003
"""The way of a ball that glances off another may seem to pass it by so much, metres."""
TRIES: Final = 4
"""Starts of other balls that are tried for the time of the touch: one that creeps off seems to start too early."""
SURE: Final = 8.0
"""Log-odds are never trusted beyond this."""


@dataclass(frozen=True)
class Meeting:
    """Two balls that touched: when, and in which share of the likely guesses they did."""

    balls: tuple[Ball, Ball]
    t: float
    sigma: float
    share: float


@dataclass(frozen=True)
class Rebound:
    """A ball that touched a rail: when, and in which share of the likely guesses it did."""

    ball: Ball
    rail: RailName
    t: float
    sigma: float
    share: float


@dataclass(frozen=True)
class First:
    """A ball that may have been touched first: when, with which probability, and what touched what right after it.

    `meetings` hold the first touch too; `until` is how far they were followed, seconds.
    """

    ball: Ball
    t: float
    sigma: float
    chance: float
    until: float
    meetings: tuple[Meeting, ...] = ()
    rebounds: tuple[Rebound, ...] = ()


@dataclass(frozen=True, eq=False)
class _Scene:
    """What a guess is compared with: names (0 the striker), resting places, sightings about the touch."""

    table: Table
    names: tuple[Ball, ...]
    places: Floats
    seen: tuple[tuple[Floats, Floats, Floats], ...]
    moved: tuple[bool, ...]
    start: float
    touch: float
    until: float
    vague: float


@dataclass(frozen=True, eq=False)
class _Guesses:
    """S draws: standard normal (S, 4 + 1 + 2 N) for the approach, the bounce, the resting places; how each fits."""

    standard: Floats
    replay: Replay
    score: Floats


def openings(
    table: Table, motions: Mapping[Ball, Motion], still: Mapping[Ball, Floats], striker: Ball, turns: Sequence[Knot]
) -> list[First]:
    """Balls that may have been touched first, the likeliest first; empty where none was or nothing can be told.

    `turns`: knots at which the striker's way is known to have turned before (its start, rails).
    """
    starts = {b: t for b, m in motions.items() if b != striker and (t := _stirred(m)) is not None}
    starts |= {b: _passed(table, motions[striker], motions[b], starts[b]) for b in starts if _creeps(motions[b])}
    for touch in sorted(starts.values())[:TRIES]:
        approach = approach_to(motions[striker], touch, turns)
        if approach is None:
            continue
        found = _weighed(_scene(table, motions, still, striker, starts, approach), approach)
        if found:
            return found
    return []


def _stirred(moved: Motion) -> float | None:
    """When a resting ball began to move; of one that vanished from its place, when it was last there."""
    if moved.before is None:
        return None
    start = next((k.t for k in moved.knots() if k.kind is Bend.START), None)
    return start if start is not None else moved.last_seen + 0.5 * moved.frame


def _creeps(moved: Motion) -> bool:
    """A start so slow tells no time."""
    start = next((k for k in moved.knots() if k.kind is Bend.START), None)
    return start is not None and float(np.hypot(*start.leaving)) < SLOW


def _passed(table: Table, striker: Motion, moved: Motion, start: float) -> float:
    """When the striker came by a ball that starts too slowly to tell: about then, if it did, it was touched."""
    assert moved.before is not None
    times = np.arange(start - LOOKED, start + LOOKED, 0.002)
    away = np.hypot(*(striker.path.at(times) - moved.before).T) - table.ball_diameter
    near = np.flatnonzero(away < GLANCE)
    return float(times[near[0]]) if len(near) else start


def _scene(
    table: Table,
    motions: Mapping[Ball, Motion],
    still: Mapping[Ball, Floats],
    striker: Ball,
    starts: Mapping[Ball, float],
    approach: Approach,
) -> _Scene:
    moved = motions[striker]
    after = max(AFTER * moved.frame, BRIEF)
    start, until = approach.t - 3.0 * moved.frame, approach.t + after
    lie: dict[Ball, Floats] = dict(still)
    lie |= {b: m.before for b, m in motions.items() if b != striker and b in starts and m.before is not None}
    reach = float(np.hypot(*approach.velocity)) * after + 2.0 * table.ball_diameter
    near = {b: float(np.hypot(*(p - approach.place))) for b, p in lie.items()}
    chosen = [b for b in near if near[b] < reach or starts.get(b, np.inf) < until]
    chosen = sorted(chosen, key=lambda b: (starts.get(b, np.inf) > until, near[b]))[: 2 * CROWD]
    names = (striker, *chosen)
    seen = [_sightings(table, moved, approach.t - 0.3 * moved.frame, until)]
    for ball in chosen:
        if ball in starts and starts[ball] < until:
            seen.append(_sightings(table, motions[ball], approach.t - 1.5 * moved.frame, until))
        else:
            seen.append((np.array([until]), lie[ball][None], np.array([STIRRED])))
    places = np.array([approach.place, *(lie[b] for b in chosen)])
    stirred = (True, *(starts.get(b, np.inf) < until for b in chosen))
    vague = UNSEEN[min(approach.seen, len(UNSEEN) - 1)] * moved.frame
    return _Scene(table, names, places, tuple(seen), stirred, start, approach.t, until, vague)


def _sightings(table: Table, moved: Motion, start: float, until: float) -> tuple[Floats, Floats, Floats]:
    """Times, places and their errors within an interval, up to the first cushion that the ball comes to."""
    samples = moved.samples
    inside = (samples.t >= start) & (samples.t <= until)
    t, xy, noise = samples.t[inside], samples.xy[inside], moved.noise[inside]
    if len(t):
        gaps = np.array([min(clearance(table, rail, place) for rail in RAILS) for place in xy])
        at_rail = np.flatnonzero(gaps < 0.006)
        if len(at_rail):
            keep = np.arange(len(t)) < at_rail[0]
            t, xy, noise = t[keep], xy[keep], noise[keep]
    return t, xy, noise


def _weighed(scene: _Scene, approach: Approach) -> list[First]:
    rng = np.random.default_rng(0)
    size = 5 + 2 * len(scene.names)
    crowded = sum(scene.moved) - 1 > CROWD
    draws = DRAWS if crowded else 3 * DRAWS
    before = _played(scene, approach, rng.standard_normal((draws, size)), weigh=not crowded)
    candidates = [n for n in range(1, len(scene.names)) if scene.moved[n] or _passes_on(scene, n)]
    candidates = [n for n in candidates if _within_reach(scene, approach, n) or np.any(before.replay.first == n)]
    if not candidates:
        return []
    if crowded or len(candidates) == 1:
        return _by_approach(scene, before, candidates)
    best = {n: _searched(scene, approach, before, n, rng) for n in candidates}
    found = {n: g for n, g in best.items() if g is not None}
    if not found:
        return _by_approach(scene, before, candidates)
    tops = {n: float(np.max(g.score)) for n, g in found.items()}
    return _firsts(scene, found, tops)


def _passes_on(scene: _Scene, n: int) -> bool:
    """A ball that touches one that moved: it may have passed all it got on to it, and hardly moved itself."""
    gaps = np.hypot(*(scene.places[1:] - scene.places[n]).T) - scene.table.ball_diameter
    return any(scene.moved[k + 1] and k + 1 != n and gap < TOUCHING for k, gap in enumerate(gaps))


def _within_reach(scene: _Scene, approach: Approach, n: int) -> bool:
    """The way may pass this ball within one diameter, as far as it is known."""
    way, off = approach.velocity, scene.places[n] - approach.place
    speed = max(float(np.hypot(*way)), 1e-6)
    along = float(off @ way) / speed
    across = abs(float(off[1] * way[0] - off[0] * way[1])) / speed
    u = along / speed
    c = approach.covariance[1]
    spread = float(np.sqrt(max(c[0, 0] + 2 * u * c[0, 1] + u * u * c[1, 1], 0.0)))
    late = (scene.until - scene.touch) * speed + scene.table.ball_diameter
    return across < scene.table.ball_diameter + 3.0 * spread + 3.0 * REST and -scene.table.ball_diameter < along < late


def _played(scene: _Scene, approach: Approach, standard: Floats, weigh: bool = True) -> _Guesses:
    """Play guesses forward and say how each fits: log of prior times likelihood."""
    count, balls = len(standard), len(scene.names)
    places, velocities = approach.drawn(standard[:, :4])
    bounce = np.clip(BOUNCE[0] + BOUNCE[1] * standard[:, 4], 0.8, 1.0)
    shifts = standard[:, 5:].reshape(count, balls, 2) * REST
    lie = scene.places[None] + shifts
    lie[:, 0] = places + velocities * (scene.start - scene.touch)
    noses = Noses.of(scene.table)
    replay = replayed(scene.start, scene.until, lie, velocities, bounce, scene.table.ball_diameter, noses)
    score = -0.5 * np.sum(standard**2, axis=1)
    if weigh:
        for n in range(balls):
            score = score - 0.5 * _misfit(scene, replay, n)
    return _Guesses(standard, replay, score)


def _misfit(scene: _Scene, replay: Replay, n: int) -> Floats:
    """(S,) χ² of one ball's sightings; accelerations and throw, which the replay leaves out, are averaged over."""
    t, xy, noise = scene.seen[n]
    if not len(t):
        return np.zeros(replay.begins.shape[1])
    off = replay.at(n, t) - xy
    gone = np.hypot(*(xy - scene.places[n]).T) if n else np.abs(t - scene.touch) * 0.5
    bend = 0.5 * np.maximum(t - scene.touch, 0.0) ** 2
    covariance = np.diag(noise**2) + BEND**2 * np.outer(bend, bend) + THROW**2 * np.outer(gone, gone)
    inverse = np.linalg.inv(covariance)
    return np.asarray(np.minimum(np.einsum("smk,mn,snk->s", off, inverse, off), WORST))


def _searched(scene: _Scene, approach: Approach, before: _Guesses, n: int, rng: np.random.Generator) -> _Guesses | None:
    """Guesses in which ball `n` is touched first, drawn ever nearer to the best of them."""
    mine = before.replay.first == n
    pool, scores = before.standard[mine], before.score[mine]
    aimed = _aimed(scene, approach, n, before.standard[:DRAWS], rng)
    guesses = before
    for turn in range(ROUNDS):
        draws = aimed if turn == 0 else _around(pool, scores, rng)
        guesses = _played(scene, approach, draws)
        mine = guesses.replay.first == n
        pool = np.concatenate([pool, guesses.standard[mine]])
        scores = np.concatenate([scores, guesses.score[mine]])
        if not len(scores):
            return None
    order = np.argsort(-scores)[: 4 * ELITE]
    return _played(scene, approach, pool[order])


def _aimed(scene: _Scene, approach: Approach, n: int, standard: Floats, rng: np.random.Generator) -> Floats:
    """Draws turned so that the way passes over ball `n`, full or thin."""
    draws = standard.copy()
    target = scene.places[n] @ approach.axes.T
    u = (target[0] - approach.mean[0, 0]) / max(approach.mean[0, 1], 0.05)
    wanted = target[1] + rng.uniform(-0.97, 0.97, len(draws)) * scene.table.ball_diameter
    c = approach.covariance[1]
    root = np.linalg.cholesky(c)
    # The way's offset at the target is mean + g · z for z the two standard draws across: the least change of z does it.
    g = np.array([root[0, 0] + u * root[1, 0], u * root[1, 1]])
    now = approach.mean[1, 0] + u * approach.mean[1, 1] + draws[:, 2:4] @ g
    draws[:, 2:4] += ((wanted - now) / max(float(g @ g), 1e-12))[:, None] * g
    return draws


def _around(pool: Floats, scores: Floats, rng: np.random.Generator) -> Floats:
    """New draws about the best so far."""
    best = pool[np.argsort(-scores)[:ELITE]]
    centre = best.mean(axis=0)
    spread = np.maximum(best.std(axis=0), 0.08)
    fresh = centre + spread * rng.standard_normal((DRAWS, pool.shape[1]))
    if len(best) >= 8:
        narrow = np.cov(best[:, :4].T) + 1e-3 * np.eye(4)
        fresh[:, :4] = rng.multivariate_normal(centre[:4], 1.3 * narrow, DRAWS, method="cholesky")
    return np.asarray(fresh)


def _by_approach(scene: _Scene, guesses: _Guesses, candidates: Sequence[int]) -> list[First]:
    """Only the way up to the touch decides: the share of draws in which each ball comes first."""
    firsts = guesses.replay.first
    counts = {n: int(np.sum(firsts == n)) for n in candidates}
    total = sum(counts.values())
    if not total:
        return []
    chances = {n: count / (total + 0.01) for n, count in counts.items() if count}
    return [_told(scene, guesses, n, chances[n]) for n in sorted(chances, key=lambda n: -chances[n])]


def _firsts(scene: _Scene, found: Mapping[int, _Guesses], tops: Mapping[int, float]) -> list[First]:
    best = max(tops.values())
    odds = {n: float(np.exp(-min(CAUTION * (best - top), SURE))) for n, top in tops.items()}
    total = sum(odds.values())
    ranked = sorted(odds, key=lambda n: -odds[n])
    return [_told(scene, found[n], n, odds[n] / total) for n in ranked]


def _told(scene: _Scene, guesses: _Guesses, n: int, chance: float) -> First:
    """When ball `n` was touched: the mean over the guesses in which it was the first, weighed by how they fit."""
    mine = guesses.replay.first == n
    if not mine.any():
        return First(scene.names[n], scene.touch, 0.01, chance, scene.until)
    score = guesses.score[mine]
    weight = np.exp(CAUTION * (score - score.max()))
    weight = weight / weight.sum()
    t, sigma = _averaged(guesses.replay.first_t[mine], weight)
    sigma = max(sigma, scene.vague)
    meetings, rebounds = _touches(scene, guesses.replay, mine, weight)
    return First(scene.names[n], t, sigma, chance, scene.until, meetings, rebounds)


def _averaged(t: Floats, weight: Floats) -> tuple[float, float]:
    mean = float(weight @ t) / float(weight.sum())
    spread = float(weight @ (t - mean) ** 2) / float(weight.sum())
    return mean, float(np.sqrt(spread + MODEL**2))


def _touches(
    scene: _Scene, replay: Replay, mine: npt.NDArray[np.bool_], weight: Floats
) -> tuple[tuple[Meeting, ...], tuple[Rebound, ...]]:
    """Touches that most of the likely guesses have, each at its first time."""
    meetings: list[Meeting] = []
    rebounds: list[Rebound] = []
    pairs = {(int(a), int(b)) for a, b in replay.touched[:, mine].reshape(-1, 2) if a >= 0}
    for a, b in sorted(pairs):
        here = (replay.touched[:, mine] == (a, b)).all(axis=2)
        there = here.any(axis=0)
        share = float(weight[there].sum())
        if share < LIKELY:
            continue
        first = replay.begins[:, mine][np.argmax(here, axis=0), np.arange(here.shape[1])]
        t, sigma = _averaged(first[there], weight[there])
        sigma = max(sigma, scene.vague)
        rail = replay.rail(b)
        if rail is None:
            meetings.append(Meeting((scene.names[a], scene.names[b]), t, sigma, share))
        else:
            rebounds.append(Rebound(scene.names[a], rail, t, sigma, share))
    return tuple(sorted(meetings, key=lambda m: m.t)), tuple(sorted(rebounds, key=lambda r: r.t))
