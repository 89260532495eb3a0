"""Which contacts explain all changes of velocity (DESIGN, *How a contact is told*).

Every knot of every path asks for a cause. A ball can only be pushed away from what it touched, so a cause must lie one
diameter (a ball) or one radius (a cushion) off, opposite to the push, at that time, and lose what the other gained.
Causes are compared by χ²; none that fits means that the cause was not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.table import RailName, Table
from record.names import Ball
from tracking.motions import Bend, Knot, Motion
from tracking.paths import Line
from tracking.rails import INWARD, clearance, meetings
from tracking.samples import Floats

UNEXPLAINED: Final = 30.0
"""χ² beyond which a cause is no explanation."""
THROW: Final = 0.09
"""Friction turns a driven ball by some degrees from the line of centres, radians."""
PLACE: Final = 0.003
"""How well two centres' distance is known beside a knot, metres."""
NEAR: Final = 0.03
"""Balls whose surfaces stay farther apart than this, metres, are not looked at."""
AGREES: Final = 6.0
"""What is told of a knot may worsen the fit by so much (χ²); more, and it is not so."""
HELD: Final = 0.004
"""A ball so near to a rail may lie against it, metres."""
FASTEST: Final = 20.0
"""No two balls approach each other faster than this, m/s."""
WEAKEST: Final = 0.03
"""A jump below this, m/s, does not ask for a cause."""


@dataclass(frozen=True)
class Contact:
    """Two balls touched.

    `knots`: (ball, knot) that it explains; `rival`: χ² by which the next best cause is worse; `chance`: probability
    that it was these two and in this order, where others come into question; `weighed`: told by weighing all guesses
    of what may have happened about that time, which also tells the time best.
    """

    balls: tuple[Ball, Ball]
    t: float
    sigma: float
    cost: float
    rival: float
    knots: tuple[tuple[Ball, int], ...]
    chance: float = 1.0
    weighed: bool = False


@dataclass(frozen=True)
class Touch:
    """A ball touched a cushion; `knot` is -1 where no bend of its path shows it, only what came before and after."""

    ball: Ball
    rail: RailName
    jaw: bool
    t: float
    sigma: float
    cost: float
    rival: float
    knot: int
    chance: float = 1.0


@dataclass(frozen=True)
class Causes:
    contacts: tuple[Contact, ...]
    touches: tuple[Touch, ...]
    unexplained: tuple[Knot, ...]


@dataclass(frozen=True, eq=False)
class _Candidate:
    cost: float
    t: float
    other: Ball
    partner: Knot | None
    mirrored: RailName | None = None


def causes(table: Table, motions: Mapping[Ball, Motion], still: Mapping[Ball, Floats], striker: Ball | None) -> Causes:
    """Explain all knots of all motions."""
    knots = {ball: list(motion.knots()) for ball, motion in motions.items()}
    contacts: list[Contact] = []
    touches: list[Touch] = []
    unexplained: list[Knot] = []
    asking = [k for ball in knots for k in knots[ball] if k.kind is not Bend.STOP and k.jolt > WEAKEST]
    asking.sort(key=lambda k: (k.kind is not Bend.START, k.t))
    for knot in asking:
        if knot.kind is Bend.START and knot.ball == striker and knot.index == _first_start(knots[knot.ball]):
            continue
        frame = motions[knot.ball].frame
        balls = _ball_causes(table, knot, motions, still, knots, frame)
        cushions = _cushion_causes(table, knot)
        done = any((knot.ball, knot.index) in c.knots for c in contacts)
        costs = sorted([c.cost for c in balls[:2]] + [m.cost for m in cushions] + [UNEXPLAINED])
        ball_cost = balls[0].cost if balls else np.inf
        rail_cost = min((m.cost for m in cushions), default=np.inf)
        if min(ball_cost, rail_cost) >= UNEXPLAINED:
            if not done:
                unexplained.append(knot)
            continue
        rival = costs[1] - costs[0]
        if rail_cost < ball_cost:
            for meeting in cushions:
                if meeting.cost < min(rail_cost + 6.0, UNEXPLAINED) and not (done and meeting.cost > 9.0):
                    touches.append(
                        Touch(knot.ball, meeting.rail, meeting.jaw, knot.t, knot.sigma, meeting.cost, rival, knot.index)
                    )
        elif not done:
            contacts.append(_contact(knot, balls[0], rival))
            if balls[0].mirrored is not None:
                touches.append(_rebound(table, knot, balls[0]))
    return Causes(tuple(_once(contacts)), tuple(touches), tuple(unexplained))


def _first_start(knots: Sequence[Knot]) -> int:
    return next((k.index for k in knots if k.kind is Bend.START), -1)


def _cushion_causes(table: Table, knot: Knot) -> list:  # type: ignore[type-arg]
    if knot.kind is Bend.START:
        return []
    into = float(np.hypot(*knot.arriving))
    return meetings(table, knot.place, knot.arriving, knot.leaving, min(into * knot.sigma, 0.01))


def _ball_causes(
    table: Table,
    knot: Knot,
    motions: Mapping[Ball, Motion],
    still: Mapping[Ball, Floats],
    knots: Mapping[Ball, Sequence[Knot]],
    frame: float,
) -> list[_Candidate]:
    """Balls that may have been touched at a knot, best first."""
    window = min(max(3.0 * knot.sigma, 0.004) + 0.5 * frame, 2.0 * frame + 0.01)
    times = knot.t + np.linspace(-window, window, 61)
    mine = motions[knot.ball]
    here = np.tile(knot.place, (len(times), 1)) if knot.kind is Bend.START else mine.path.at(times)
    found: list[_Candidate] = []
    for other in [*motions, *still]:
        if other == knot.ball:
            continue
        moved = motions.get(other)
        about = moved.path.at(times[::30]) if moved else still[other][None]
        nearest = float(np.min(np.hypot(*(here[30] - about).T))) - table.ball_diameter
        if nearest > NEAR + FASTEST * window:
            continue
        for there in _ways(moved, knots.get(other, ()), times, frame) if moved else [np.tile(still[other], (61, 1))]:
            gaps = np.hypot(*(here - there).T) - table.ball_diameter
            if np.min(np.abs(gaps)) < NEAR:
                found += _judged(table, knot, other, moved, times, here, there, gaps, knots.get(other, ()), frame)
    best: dict[Ball, _Candidate] = {}
    for candidate in sorted(found, key=lambda c: c.cost):
        best.setdefault(candidate.other, candidate)
    return list(best.values())


def _ways(moved: Motion, knots: Sequence[Knot], times: Floats, frame: float) -> list[Floats]:
    """A moving ball's places as fitted, and as they would be had its kink nearby come later (its time is uncertain)."""
    ways = [moved.path.at(times)]
    near = _knot_near(knots, float(np.mean(times)), frame)
    if near is not None:
        u = (times - moved.path.begins[near.index])[:, None]
        k = near.index
        ways.append(moved.path.anchors[k] + moved.path.velocity[k] * u + 0.5 * moved.path.push[k] * u**2)
    return ways


def _judged(
    table: Table,
    knot: Knot,
    other: Ball,
    moved: Motion | None,
    times: Floats,
    here: Floats,
    there: Floats,
    gaps: Floats,
    others: Sequence[Knot],
    frame: float,
) -> list[_Candidate]:
    """χ² of one possible partner, with the push as seen and, beside a rail, as it was before the rail turned it."""
    slack = float(np.hypot(knot.sigma, 0.15 * frame))
    geometry = (gaps / PLACE) ** 2 + ((times - knot.t) / slack) ** 2
    variants: list[tuple[RailName | None, Floats, float]] = [(None, knot.jump, 0.0)]
    if knot.kind is Bend.START:
        variants += _turned_back(table, knot, frame)
    found: list[_Candidate] = []
    lines = (here - there) / np.maximum(np.hypot(*(here - there).T), 1e-6)[:, None]
    for rail, push, price in variants:
        size = float(np.hypot(*push))
        angle = np.arccos(np.clip(lines @ push / size, -1.0, 1.0))
        blur = np.hypot(np.hypot(THROW, 0.03 / size), PLACE / table.ball_diameter)
        total = geometry + (angle / blur) ** 2 + price
        best = int(np.argmin(total))
        partner = _knot_near(others, float(times[best]), frame)
        held = moved is None and _held(table, there[best], -lines[best])
        cost = float(total[best]) + (0.0 if held else _momentum(knot, push, lines[best], partner, moved))
        found.append(_Candidate(cost, float(times[best]), other, partner, rail))
    return found


def _turned_back(table: Table, knot: Knot, frame: float) -> list[tuple[RailName | None, Floats, float]]:
    """A ball struck into a rail close by seems to start away from it."""
    variants: list[tuple[RailName | None, Floats, float]] = []
    for rail, inward in INWARD.items():
        normal = np.array(inward)
        off = float(knot.jump @ normal)
        if off > 0.02 and clearance(table, rail, knot.place) < off * 1.5 * frame + 0.004:
            variants.append((rail, knot.jump - 2.2 * off * normal, 4.0))
    return variants


def _knot_near(knots: Sequence[Knot], t: float, frame: float) -> Knot | None:
    near = [k for k in knots if k.kind is not Bend.STOP and abs(k.t - t) < 3.0 * k.sigma + 1.0 * frame]
    return min(near, key=lambda k: abs(k.t - t), default=None)


def _held(table: Table, place: Floats, push: Floats) -> bool:
    """A ball against a rail that is pushed into it stays where it is, and gives the momentum back."""
    for rail, inward in INWARD.items():
        if clearance(table, rail, place) < HELD and float(push @ np.array(inward)) < -0.3:
            return True
    return False


def _momentum(knot: Knot, push: Floats, line: Floats, partner: Knot | None, moved: Motion | None) -> float:
    """Equal masses: what one gained along the line of centres the other lost."""
    gained = float(push @ line)
    if partner is None:
        free = 0.1 if moved is not None else 0.03
        return min((gained / free) ** 2, 14.0)
    lost = -float(partner.jump @ line)
    return min(((gained - lost) / (0.1 + 0.2 * abs(gained))) ** 2, 12.0)


def _contact(knot: Knot, cause: _Candidate, rival: float) -> Contact:
    explained = [(knot.ball, knot.index)]
    times, weights = [knot.t], [1.0 / _time_error(knot) ** 2]
    if cause.partner is not None:
        explained.append((cause.other, cause.partner.index))
        times.append(cause.partner.t)
        weights.append(1.0 / _time_error(cause.partner) ** 2)
    t = float(np.average(times, weights=weights))
    sigma = float(1.0 / np.sqrt(np.sum(weights)))
    pair = (knot.ball, cause.other)
    return Contact(pair, t, sigma, cause.cost, rival, tuple(explained))


def _time_error(knot: Knot) -> float:
    """A start is told by prolonging a path whose first slide is seen poorly: it errs more than its fit says."""
    return float(np.hypot(knot.sigma, 0.003 if knot.kind is Bend.START else 0.0004))


def _rebound(table: Table, knot: Knot, cause: _Candidate) -> Touch:
    """The rail that a ball met right after it was struck towards it."""
    rail = cause.mirrored
    assert rail is not None
    gap = max(clearance(table, rail, knot.place), 0.0)
    speed = max(float(knot.jump @ np.array(INWARD[rail])), 0.05)
    t = cause.t + gap / speed
    return Touch(knot.ball, rail, False, t, max(knot.sigma, 0.002), cause.cost, 4.0, knot.index)


def _once(contacts: Sequence[Contact]) -> list[Contact]:
    """The same touch told from both balls' knots is one."""
    kept: list[Contact] = []
    for contact in sorted(contacts, key=lambda c: c.cost):
        same = [k for k in kept if set(k.balls) == set(contact.balls) and set(k.knots) & set(contact.knots)]
        if not same:
            kept.append(contact)
    return sorted(kept, key=lambda c: c.t)


def agreed(
    table: Table, motions: Mapping[Ball, Motion], still: Mapping[Ball, Floats], found: Causes
) -> dict[Ball, Motion]:
    """Motions fitted anew with what the causes say about their knots' places."""
    lines: dict[Ball, dict[int, Line]] = {ball: {} for ball in motions}
    for touch in found.touches:
        path = motions[touch.ball].path
        if not touch.jaw and not path.still[touch.knot]:
            normal = np.array(INWARD[touch.rail])
            half = table.length / 2 if touch.rail in ("head", "foot") else table.width / 2
            lines[touch.ball][touch.knot] = Line(normal, table.ball_radius - half, 0.0015)
    for contact in found.contacts:
        for ball, index in contact.knots:
            other = contact.balls[1] if ball == contact.balls[0] else contact.balls[0]
            path = motions[ball].path
            if path.still[index] or index in lines[ball]:
                continue
            there = motions[other].path.place(contact.t) if other in motions else still[other]
            apart = path.place(float(path.knots[index])) - there
            normal = apart / max(float(np.hypot(*apart)), 1e-6)
            lines[ball][index] = Line(normal, float(normal @ there) + table.ball_diameter, 0.0015)
    return {ball: _agreeing(motions[ball], known) for ball, known in lines.items()}


def _agreeing(moved: Motion, known: dict[int, Line]) -> Motion:
    """The motion with what is known of its knots, unless its sightings speak against that."""
    if not known:
        return moved
    better = moved.refitted(known)
    return better if better.path.misfit < moved.path.misfit + AGREES * (1 + len(known)) else moved


def with_missing_knots(
    table: Table, motions: Mapping[Ball, Motion], still: Mapping[Ball, Floats], found: Causes
) -> dict[Ball, Motion]:
    """Where a ball was set in motion and nothing fitted explains it, let the ball that came by have been deflected.

    Two contacts of one ball within a frame or two show as one kink; the start of the other ball tells when the
    second one was.
    """
    better = dict(motions)
    for knot in found.unexplained:
        if knot.kind is not Bend.START:
            continue
        hitter = _passing(table, knot, better)
        if hitter is None:
            continue
        moved = better[hitter]
        t = knot.t + 1e-4
        if moved.path.still[moved.path.stretch(t)]:
            continue
        if min((abs(k.t - t) for k in moved.knots() if k.kind is not Bend.START), default=1.0) > 0.3 * moved.frame:
            better[hitter] = moved.with_knot(t)
    return better


def _passing(table: Table, knot: Knot, motions: Mapping[Ball, Motion]) -> Ball | None:
    """The moving ball that came nearest to where a hitter's centre must have been."""
    ghost = knot.place - table.ball_diameter * knot.jump / max(knot.jolt, 1e-6)
    away: dict[Ball, float] = {}
    for ball, moved in motions.items():
        if ball != knot.ball:
            times = knot.t + np.linspace(-1.0, 1.0, 21) * moved.frame
            away[ball] = float(np.min(np.hypot(*(moved.path.at(times) - ghost).T)))
    nearest = min(away, key=lambda ball: away[ball], default=None)
    return nearest if nearest is not None and away[nearest] < 1.2 * table.ball_diameter else None
