"""When a moving ball touched a resting one: the moment at which their centres were one diameter apart.

The hitter's path up to the touch and the place of the resting ball are known from many sightings each; where the two
meet tells the time better than the kink that follows, the more so the fuller the hit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.table import Table
from record.names import Ball
from tracking.contacts import Causes, Contact
from tracking.motions import Bend, Motion
from tracking.samples import Floats

GAP: Final = 0.0007
"""How well the distance of two centres is known, metres: places near each other err together."""
KINK: Final = 0.0015
"""A kink is known no better than this, seconds: the touch lasts, and a slide follows it."""
AGREED: Final = 0.6
"""Frames by which the meeting may lie off the kink; beyond that it was another meeting."""


@dataclass(frozen=True, eq=False)
class Heading:
    """A ball on its way: at `place` with `velocity` at time `t`; `sigma` of its place, metres."""

    t: float
    place: Floats
    velocity: Floats
    sigma: float


@dataclass(frozen=True, eq=False)
class Meeting:
    """When a ball on its way touches a resting one, and the unit vector from the striker's centre to that ball's."""

    t: float
    line: Floats


def meeting(heading: Heading, target: Floats, diameter: float) -> Meeting | None:
    """The first touch of a ball in straight motion with a resting one: |p + v u - q| = d for the smaller u."""
    apart = target - heading.place
    speed2 = float(heading.velocity @ heading.velocity)
    if speed2 < 1e-6:
        return None
    along = float(apart @ heading.velocity) / speed2
    beside = float(apart @ apart) - along**2 * speed2
    if beside >= diameter**2:
        return None
    u = along - float(np.sqrt((diameter**2 - beside) / speed2))
    line = (target - heading.place - heading.velocity * u) / diameter
    return Meeting(heading.t + u, line)


def heading_of(hitter: Motion, t: float) -> Heading:
    """A ball's undisturbed motion just before a touch about `t`, prolonged to it."""
    path = hitter.path
    near = [k for k in hitter.knots() if k.kind is Bend.KINK and abs(k.t - t) < 1.2 * hitter.frame]
    stretch = min(near, key=lambda k: abs(k.t - t)).index if near else path.stretch(t - 1e-6)
    if path.still[stretch]:
        stretch = min(stretch + 1, len(path.still) - 1)
    begin = float(path.begins[stretch])
    seen = int(np.sum((hitter.samples.t > begin) & (hitter.samples.t < t)))
    sigma = float(np.median(hitter.noise)) * 1.3 / np.sqrt(max(min(seen, 8), 1))
    return Heading(t, path.on(stretch, t), path.speed_on(stretch, t), sigma)


def timed(table: Table, motions: Mapping[Ball, Motion], found: Causes) -> Causes:
    """The causes, with each touch of a resting ball at the time that geometry gives it."""
    contacts = [c if c.weighed else _timed(table, motions, c) for c in found.contacts]
    return replace(found, contacts=tuple(sorted(contacts, key=lambda c: c.t)))


def _timed(table: Table, motions: Mapping[Ball, Motion], contact: Contact) -> Contact:
    for struck, hitter in (contact.balls, contact.balls[::-1]):
        starts = [k for k in motions[struck].knots() if k.kind is Bend.START] if struck in motions else []
        start = next((k for k in starts if (struck, k.index) in contact.knots), None)
        if start is None or hitter not in motions:
            continue
        heading = heading_of(motions[hitter], contact.t)
        met = meeting(heading, start.place, table.ball_diameter)
        if met is None or abs(met.t - contact.t) > AGREED * motions[hitter].frame + 3.0 * contact.sigma:
            continue
        closing = max(float(heading.velocity @ met.line), 0.02)
        sigma = float(np.hypot(heading.sigma, GAP)) / closing
        weights = np.array([sigma, max(contact.sigma, KINK)]) ** -2.0
        t = float(np.average([met.t, contact.t], weights=weights))
        return replace(contact, t=t, sigma=float(np.sum(weights) ** -0.5))
    return contact
