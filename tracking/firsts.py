"""The cue ball's first contact, looked at once more: order of near-simultaneous hits, balls that touch each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.table import Table
from record.names import Ball
from tracking.contacts import Causes, Contact
from tracking.motions import Bend, Knot, Motion
from tracking.order import Approach, chance_first, meeting
from tracking.samples import Floats
from tracking.timing import approach_of

DECIDED: Final = 0.95
CLUSTER: Final = 0.0025
"""Resting balls this close may be touching: an impulse passes through them at once; metres."""
GUESS: Final = 0.6
"""Confidence in a contact that only the want of another cause speaks for."""
SHARED: Final = 0.6
"""Confidence in which of several touching balls passed an impulse on."""


@dataclass(frozen=True, eq=False)
class _Struck:
    place: Floats
    start: Knot


def settled(table: Table, motions: Mapping[Ball, Motion], striker: Ball, found: Causes) -> Causes:
    """The causes with the striker's first contact decided, or its alternatives given their probabilities."""
    struck = {ball: s for ball, m in motions.items() if ball != striker and (s := _start(m)) is not None}
    mine = [c for c in found.contacts if striker in c.balls]
    first_t = min((c.t for c in mine), default=None)
    if first_t is None:
        first_t = _possible_first(table, motions[striker], struck)
    if first_t is None:
        return _guessed(table, motions, striker, struck, _passed_on(table, struck, found))
    approach = approach_of(motions[striker], first_t)
    window = 1.6 * motions[striker].frame
    rivals = _rivals(table, approach, struck, mine, striker, first_t, window)
    if len(rivals) >= 1:
        found = _decided(table, approach, struck, striker, found, rivals)
    return _guessed(table, motions, striker, struck, _passed_on(table, struck, found))


def _guessed(
    table: Table, motions: Mapping[Ball, Motion], striker: Ball, struck: Mapping[Ball, _Struck], found: Causes
) -> Causes:
    """A ball moved before any contact of the striker that was told: who set it in motion, if not the striker?

    Such a contact is stated with a probability that nobody takes for a fact.
    """
    told = min((c.t for c in found.contacts if striker in c.balls), default=np.inf)
    early = [k for k in found.unexplained if k.kind is Bend.START and k.ball in struck and k.t < told - 0.01]
    if not early:
        return found
    knot = min(early, key=lambda k: k.t)
    times = knot.t + np.linspace(-1.5, 1.5, 31) * motions[striker].frame
    away = float(np.min(np.hypot(*(motions[striker].path.at(times) - knot.place).T)))
    if away > 3.0 * table.ball_diameter:
        return found
    contact = Contact(
        (striker, knot.ball), knot.t, 0.5 * motions[striker].frame, 4.0, 8.0, ((knot.ball, knot.index),), GUESS
    )
    doubted = [
        replace(c, chance=min(c.chance, 1 - GUESS)) if c.t == told and striker in c.balls else c for c in found.contacts
    ]
    rest = tuple(k for k in found.unexplained if k is not knot)
    return replace(found, contacts=tuple(sorted([contact, *doubted], key=lambda c: c.t)), unexplained=rest)


def _start(motion: Motion) -> _Struck | None:
    knot = next((k for k in motion.knots() if k.kind is Bend.START), None)
    return _Struck(knot.place, knot) if knot is not None else None


def _possible_first(table: Table, cue: Motion, struck: Mapping[Ball, _Struck]) -> float | None:
    """When no contact of the striker was found: the start of a ball that it may have come to."""
    starts = sorted(s.start.t for s in struck.values())
    for t in starts:
        approach = approach_of(cue, t)
        for s in struck.values():
            met = meeting(approach, s.place, table.ball_diameter)
            if met is not None and abs(met.t - s.start.t) < 1.5 * cue.frame and abs(s.start.t - t) < 1.5 * cue.frame:
                return t
    return None


def _rivals(
    table: Table,
    approach: Approach,
    struck: Mapping[Ball, _Struck],
    mine: list[Contact],
    striker: Ball,
    first_t: float,
    window: float,
) -> list[Ball]:
    """Balls that may have been touched first, in the order in which the approach would touch them."""
    touched = {ball for c in mine if abs(c.t - first_t) < window for ball in c.balls if ball != striker}
    times: dict[Ball, float] = {}
    for ball, s in struck.items():
        met = meeting(approach, s.place, table.ball_diameter)
        reached = met is not None and abs(met.t - first_t) < window and abs(met.t - s.start.t) < window
        if ball in touched or reached:
            times[ball] = met.t if met is not None else s.start.t
    return sorted(times, key=lambda ball: times[ball])


def _decided(
    table: Table,
    approach: Approach,
    struck: Mapping[Ball, _Struck],
    striker: Ball,
    found: Causes,
    rivals: list[Ball],
) -> Causes:
    contacts = list(found.contacts)
    first = rivals[0]
    sure = 1.0
    for other in rivals[1:3]:
        chance = _chance(table, approach, struck, first, other)
        if chance < 0.5:
            first, chance = other, 1.0 - chance
        sure = min(sure, chance)
    contacts = _with(contacts, striker, first, struck[first], approach, table)
    if sure < DECIDED:
        second = next(b for b in rivals if b != first)
        contacts = _with(contacts, striker, second, struck[second], approach, table)
        odds = {first: sure, second: 1.0 - sure}
        contacts = [
            replace(c, chance=odds[b]) if (b := _other(c, striker)) in odds and abs(c.t - approach.t) < 0.06 else c
            for c in contacts
        ]
        return replace(found, contacts=tuple(sorted(contacts, key=lambda c: c.t)))
    contacts = [_through(table, c, striker, first, struck) for c in contacts]
    contacts = _in_order(contacts, striker, first)
    return replace(found, contacts=tuple(sorted(contacts, key=lambda c: c.t)))


def _chance(table: Table, approach: Approach, struck: Mapping[Ball, _Struck], a: Ball, b: Ball) -> float:
    places = {k: struck[k].place for k in (a, b)}
    speeds = {k: struck[k].start.leaving for k in (a, b)}
    if float(np.hypot(*(places[a] - places[b]))) < table.ball_diameter + CLUSTER:
        # Touching balls share the impulse: what they do tells little, the approach tells it all.
        speeds = {}
    if not speeds:
        met_a, met_b = (meeting(approach, places[k], table.ball_diameter) for k in (a, b))
        if met_a is None or met_b is None:
            return 0.99 if met_a is not None else 0.01
        sigma = 1.5 * approach.sigma / max(float(np.hypot(*approach.velocity)), 0.1)
        return float(1.0 / (1.0 + np.exp(-np.clip(1.7 * (met_b.t - met_a.t) / sigma, -12.0, 12.0))))
    chance = chance_first(approach, places, speeds, a, b, table.ball_diameter)
    return 0.5 if chance is None else chance


def _other(contact: Contact, striker: Ball) -> Ball | None:
    if striker not in contact.balls:
        return None
    return contact.balls[1] if contact.balls[0] == striker else contact.balls[0]


def _with(
    contacts: list[Contact], striker: Ball, ball: Ball, struck: _Struck, approach: Approach, table: Table
) -> list[Contact]:
    """The contacts, with one of the striker and `ball` among them."""
    if any(_other(c, striker) == ball and abs(c.t - approach.t) < 0.06 for c in contacts):
        return contacts
    met = meeting(approach, struck.place, table.ball_diameter)
    t = met.t if met is not None else struck.start.t
    closing = float(approach.velocity @ met.line) if met is not None else 0.5
    sigma = max(approach.sigma / max(closing, 0.1), 3e-4)
    knots = ((ball, struck.start.index),)
    kept = [c for c in contacts if (ball, struck.start.index) not in c.knots]
    return [*kept, Contact((striker, ball), t, sigma, 4.0, 8.0, knots)]


def _through(table: Table, contact: Contact, striker: Ball, first: Ball, struck: Mapping[Ball, _Struck]) -> Contact:
    """A ball that touches the one struck first got its impulse through it, not from the cue ball."""
    ball = _other(contact, striker)
    if ball is None or ball == first or ball not in struck:
        return contact
    near = float(np.hypot(*(struck[ball].place - struck[first].place))) < table.ball_diameter + CLUSTER
    if not near or (ball, struck[ball].start.index) not in contact.knots:
        return contact
    return replace(contact, balls=(first, ball), chance=SHARED)


def _in_order(contacts: list[Contact], striker: Ball, first: Ball) -> list[Contact]:
    """The contact that was decided to be the first also comes first in time."""
    mine = [c for c in contacts if striker in c.balls]
    opening = next(c for c in mine if _other(c, striker) == first)
    earlier = [c for c in contacts if c is not opening and c.t < opening.t and (striker in c.balls or first in c.balls)]
    if not earlier or opening.t - min(c.t for c in earlier) > 0.05:
        return contacts
    t = min(c.t for c in earlier) - 1e-4
    return [replace(c, t=t) if c is opening else c for c in contacts]


def _passed_on(table: Table, struck: Mapping[Ball, _Struck], found: Causes) -> Causes:
    """Starts within a cluster of touching balls: each got its impulse from a neighbour that moved as well."""
    contacts, open_knots = list(found.contacts), []
    for knot in found.unexplained:
        giver = _neighbour(table, knot, struck) if knot.kind is Bend.START else None
        if giver is None:
            open_knots.append(knot)
            continue
        t = max(struck[giver].start.t, knot.t - 0.002)
        told = ((knot.ball, knot.index),)
        contacts.append(Contact((giver, knot.ball), t, max(knot.sigma, 1e-3), 4.0, 8.0, told, SHARED))
    return replace(found, contacts=tuple(sorted(contacts, key=lambda c: c.t)), unexplained=tuple(open_knots))


def _neighbour(table: Table, knot: Knot, struck: Mapping[Ball, _Struck]) -> Ball | None:
    best: tuple[float, Ball] | None = None
    for ball, other in struck.items():
        if ball == knot.ball or abs(other.start.t - knot.t) > 0.04:
            continue
        line = knot.place - other.place
        if float(np.hypot(*line)) > table.ball_diameter + 2 * CLUSTER:
            continue
        aligned = float(line @ knot.leaving) / max(knot.jolt * float(np.hypot(*line)), 1e-9)
        if aligned > 0.2 and (best is None or aligned > best[0]):
            best = (aligned, ball)
    return best[1] if best is not None else None
