"""The struck ball's first contact, and what came of it at once, told by likelihood over all guesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.table import Table
from record.names import Ball
from tracking.contacts import Causes, Contact, Touch
from tracking.motions import Bend, Knot, Motion
from tracking.opening import First, Meeting, openings
from tracking.samples import Floats

DECIDED: Final = 0.977
"""Probability from which on one ball is said to have been hit before another: two standard errors."""
DOUBTED: Final = 0.02
"""Likelier rivals than this are named."""
SPLIT: Final = float(2.0 * np.sqrt(2.0))
"""Two times are told apart where they differ by two standard errors of their difference."""
LASTS: Final = 0.0004
"""Two balls touch for about so long, seconds: hits closer together overlap, and neither is the first."""
CLUSTER: Final = 0.0025
"""Resting balls this close may be touching: an impulse passes through them at once; metres."""
GUESS: Final = 0.6
"""Confidence in a contact that only the want of another cause speaks for."""
SHARED: Final = 0.6
"""Confidence in which of several touching balls passed an impulse on."""
CERTAIN: Final = 14.0
"""By how much (χ²) any other cause is worse than one that was found by weighing all guesses."""


@dataclass(frozen=True, eq=False)
class _Struck:
    place: Floats
    start: Knot


def settled(
    table: Table, motions: Mapping[Ball, Motion], still: Mapping[Ball, Floats], striker: Ball, found: Causes
) -> Causes:
    """The causes with the striker's first contact decided, or its alternatives given their probabilities."""
    struck = {ball: s for ball, m in motions.items() if ball != striker and (s := _start(m)) is not None}
    firsts = openings(table, motions, still, striker, turns_of(motions[striker], found))
    if firsts:
        return _passed_on(table, struck, _opened(motions, striker, struck, found, firsts))
    return _guessed(table, motions, striker, struck, _passed_on(table, struck, found))


def turns_of(striker: Motion, found: Causes) -> list[Knot]:
    """Knots at which the striker's way turned for a reason that is known: its start, and rails."""
    rails = {touch.knot for touch in found.touches if touch.ball == striker.ball}
    return [k for k in striker.knots() if k.kind is Bend.START or k.index in rails]


def _opened(
    motions: Mapping[Ball, Motion],
    striker: Ball,
    struck: Mapping[Ball, _Struck],
    found: Causes,
    firsts: Sequence[First],
) -> Causes:
    """The causes with what was weighed in the place of what had been told of the same moments."""
    best = firsts[0]
    met = {frozenset(m.balls) for m in best.meetings}
    told = [_contact(motions, m) for m in best.meetings]
    told = told or [_contact(motions, Meeting((striker, best.ball), best.t, best.sigma, 1.0))]
    told = _doubted(striker, told, firsts, motions)
    explained = {key for contact in told for key in contact.knots}
    kept = [c for c in found.contacts if not _replaced(c, best, met, explained, striker)]
    explained |= {key for contact in kept for key in contact.knots}
    rest = tuple(k for k in found.unexplained if (k.ball, k.index) not in explained)
    touches = (*found.touches, *_rebounds(motions, found, best))
    return Causes(tuple(sorted([*kept, *told], key=lambda c: c.t)), touches, rest)


def _rebounds(motions: Mapping[Ball, Motion], found: Causes, best: First) -> list[Touch]:
    """Touches of rails right after the first contact, where no bend of a path had told them already."""
    told: list[Touch] = []
    for rebound in best.rebounds:
        frame = motions[rebound.ball].frame if rebound.ball in motions else 0.03
        mine = [t for t in found.touches if t.ball == rebound.ball and t.rail == rebound.rail]
        if rebound.ball in motions and not any(abs(t.t - rebound.t) < 3.0 * frame for t in mine):
            sigma = max(rebound.sigma, 0.002)
            told.append(Touch(rebound.ball, rebound.rail, False, rebound.t, sigma, 0.0, CERTAIN, -1, rebound.share))
    return told


def _replaced(
    contact: Contact, best: First, met: set[frozenset[Ball]], explained: set[tuple[Ball, int]], striker: Ball
) -> bool:
    """A contact told before that the weighed ones stand for, or contradict."""
    if striker in contact.balls and contact.t < best.t + 2.0 * contact.sigma and best.ball not in contact.balls:
        return True
    if contact.t > best.until:
        return False
    return frozenset(contact.balls) in met or bool(set(contact.knots) & explained)


def _contact(motions: Mapping[Ball, Motion], meeting: Meeting) -> Contact:
    """A weighed touch, with the knots of both balls that it explains: starts, and bends about that time."""
    knots: list[tuple[Ball, int]] = []
    for ball in meeting.balls:
        moved = motions.get(ball)
        if moved is None:
            continue
        near = [k for k in moved.knots() if k.kind is not Bend.STOP and abs(k.t - meeting.t) < 1.6 * moved.frame]
        knots += [(ball, k.index) for k in near]
    return Contact(meeting.balls, meeting.t, meeting.sigma, 0.0, CERTAIN, tuple(knots), meeting.share, weighed=True)


def _doubted(
    striker: Ball, told: Sequence[Contact], firsts: Sequence[First], motions: Mapping[Ball, Motion]
) -> list[Contact]:
    """The contacts with the doubt about which ball came first: in their times where both were hit, else in both."""
    best = firsts[0]
    opening = next(c for c in told if striker in c.balls and best.ball in c.balls)
    others = [c for c in told if c is not opening]
    sure = best.chance
    for rival in firsts[1:]:
        second = next((c for c in others if striker in c.balls and rival.ball in c.balls), None)
        if second is not None:
            apart = max(second.t - opening.t, 1e-4)
            told_apart = best.chance / (best.chance + rival.chance) >= DECIDED and apart > LASTS
            limit, sigma = (min, 0.98 * apart / SPLIT) if told_apart else (max, 1.2 * apart / SPLIT)
            others = [replace(c, sigma=limit(c.sigma, sigma)) if c is second else c for c in others]
            opening = replace(opening, sigma=limit(opening.sigma, sigma))
            sure += rival.chance
        elif rival.chance >= DOUBTED:
            others.append(
                _contact(motions, Meeting((striker, rival.ball), rival.t, max(rival.sigma, 0.002), rival.chance))
            )
    return [replace(opening, chance=min(sure, 1.0)), *others]


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
