"""A ball that starts from rest needs a cause: where only one ball can have been it, it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.table import Table
from record.names import Ball
from tracking.contacts import Causes, Contact
from tracking.motions import Bend, Knot, Motion

SLACK: Final = 0.012
"""Gap between two surfaces, metres, that a fitted path may leave where the balls did touch."""
WIDE: Final = 0.03
"""A ball that stayed farther off than this, metres, cannot have been the cause."""
COVERED: Final = 0.3
CERTAIN: Final = 12.0
"""By how much (χ²) any other cause is worse than the only one there is."""


def sole_causes(table: Table, motions: Mapping[Ball, Motion], striker: Ball, found: Causes) -> Causes:
    """The causes, with every start that only one ball can explain laid to that ball, and for certain."""
    contacts = [c if c.weighed else _certain(table, motions, c) for c in found.contacts]
    left: list[Knot] = []
    for knot in found.unexplained:
        giver = _only_giver(table, motions, knot) if knot.kind is Bend.START and knot.ball != striker else None
        if giver is None:
            left.append(knot)
            continue
        told = ((knot.ball, knot.index),)
        sigma = max(knot.sigma, 0.25 * motions[giver].frame)
        contacts.append(Contact((giver, knot.ball), knot.t, sigma, 4.0, CERTAIN, told))
    return replace(found, contacts=tuple(sorted(contacts, key=lambda c: c.t)), unexplained=tuple(left))


def _certain(table: Table, motions: Mapping[Ball, Motion], contact: Contact) -> Contact:
    for struck, hitter in (contact.balls, contact.balls[::-1]):
        starts = [k for k in motions[struck].knots() if k.kind is Bend.START] if struck in motions else []
        start = next((k for k in starts if (struck, k.index) in contact.knots), None)
        if start is not None and _only_giver(table, motions, start) == hitter:
            return replace(contact, cost=min(contact.cost, 4.0), rival=max(contact.rival, CERTAIN), chance=1.0)
    return contact


def _only_giver(table: Table, motions: Mapping[Ball, Motion], start: Knot) -> Ball | None:
    """The one ball that was beside a ball as it started in the open, if it was there and no other was."""
    mine = motions[start.ball]
    about = mine.samples.between(start.t - 2.0 * mine.frame, start.t + 2.0 * mine.frame)
    if len(about) and float(np.max(about.covered)) > COVERED:
        return None
    gaps = {ball: _gap(table, moved, start) for ball, moved in motions.items() if ball != start.ball}
    near = [ball for ball, gap in gaps.items() if gap < WIDE]
    return near[0] if len(near) == 1 and gaps[near[0]] < SLACK else None


def _gap(table: Table, moved: Motion, start: Knot) -> float:
    """Smallest gap between a moving ball and a resting one about the time of its start, metres."""
    times = start.t + np.linspace(-1.0, 1.0, 41) * moved.frame
    return float(np.min(np.hypot(*(moved.path.at(times) - start.place).T))) - table.ball_diameter
