"""From causes to the events of a shot: in time order, each with its uncertainty and its confidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from calibration.table import Table
from record.events import BallContact, CameToRest, Event, OffTable, Pocketed, RailContact, SideCrossing, Strike
from record.names import CUE, Ball, Place
from tracking.contacts import Causes, Contact, Touch
from tracking.cushions import perhaps_touched
from tracking.driven import driven_touches
from tracking.grazes import grazes
from tracking.motions import Bend, Knot, Motion
from tracking.pockets import beyond_mouth, fall, leaves_table, over_rail
from tracking.rails import FROZEN, clearance
from tracking.samples import Floats
from tracking.twice import turned_between

SURE: Final = 0.998
NOSE: Final = 0.0015
"""How well a nose line's place is known, metres."""
VAGUE: Final = 0.012
"""A kink beside a pocket whose time is not known to this, seconds, may be the beginning of a fall."""
LEAVING: Final = 0.15
"""For so long, seconds, a ball that falls, or flies off, is still seen on a way that is none."""
HARD: Final = 0.9
"""A jolt of this share of the speed is more than a fall's."""
LAST: Final = 0.4
"""Probability of a jaw's touch that only the last sighting before a fall speaks for."""
APART: Final = 0.4
"""A soft touch within so many seconds of one that is told is that one."""
STRANGE: Final = 0.25
"""A jump of velocity of this size, m/s and as a share of the speed, asks for a cause."""


def confidence(cost: float, rival: float) -> float:
    """From how well the cause fits and by how much it beats the next best one (a likelihood ratio)."""
    fit = float(np.exp(-max(cost - 8.0, 0.0) / 12.0))
    against = 1.0 / (1.0 + float(np.exp(-0.5 * rival)))
    return round(min(fit * against, SURE), 3)


def moments(
    table: Table,
    motions: Mapping[Ball, Motion],
    still: Mapping[Ball, Floats],
    striker: Ball,
    start: Knot,
    found: Causes,
) -> tuple[list[Event], float, list[str]]:
    """Events of a shot, the time of its rest, and notes for review."""
    events: list[Event] = [Strike(t=_t(start.t), t_sigma=_t(max(start.sigma, 5e-4)), confidence=SURE, ball=striker)]
    events += [_contact(c) for c in found.contacts]
    events += [_touch(table, motions[t.ball], t) for t in found.touches]
    notes: list[str] = []
    ends = [start.t]
    for ball, moved in motions.items():
        stop = _stop(moved)
        if stop is not None:
            events.append(CameToRest(t=_t(stop.t), t_sigma=_t(stop.sigma), confidence=SURE, ball=ball))
            ends.append(stop.t)
            events += _end_at_rail(table, moved, stop, found)
        events += _grazes(table, moved, found)
        if moved.after is None:
            ends.append(moved.last_seen)
            events += _gone(table, moved, notes)
        crossing = _crossing(table, moved) if ball != CUE else None
        if crossing is not None:
            events.append(crossing)
    events += driven_touches(table, events, motions, _lay(motions, still))
    events += turned_between(table, events, motions, still)
    notes += [f"{k.ball} changed its course at {k.t:.3f} s without a cause that was seen" for k in _strange(found)]
    return sorted(_in_time(events, start.t, striker), key=lambda e: (e.t, _rank(e, striker))), max(ends), notes


def _lay(motions: Mapping[Ball, Motion], still: Mapping[Ball, Floats]) -> dict[Ball, Floats]:
    """Where balls lay before the shot, of those that did."""
    return {**still, **{ball: moved.before for ball, moved in motions.items() if moved.before is not None}}


def _strange(found: Causes) -> list[Knot]:
    """Changes of velocity that are too large for a slide's end, a spin or an error of the places."""
    return [k for k in found.unexplained if k.jolt > max(STRANGE, STRANGE * float(np.hypot(*k.arriving)))]


def _in_time(events: list[Event], strike: float, striker: Ball) -> list[Event]:
    """Nothing comes before the strike, and a ball touches nothing after it has fallen."""
    events = _after_their_cause(events, striker)
    fallen = {e.ball: e.t for e in events if isinstance(e, Pocketed)}
    timely: list[Event] = []
    for event in events:
        latest = min((fallen[b] for b in _of(event) if b in fallen), default=np.inf)
        touch = isinstance(event, BallContact | RailContact)
        t = _t(min(max(event.t, strike + 1e-4), latest - 1e-3)) if touch else event.t
        timely.append(event if t == event.t else event.model_copy(update={"t": t}))
    return timely


def _after_their_cause(events: list[Event], striker: Ball) -> list[Event]:
    """Other balls meet only after the struck ball has met one of them: one told earlier is that much less certain."""
    firsts = [e.t for e in events if isinstance(e, BallContact) and striker in e.balls]
    if not firsts:
        return events
    first = min(firsts)
    return [_not_before(e, first, striker) for e in events]


def _not_before(event: Event, first: float, striker: Ball) -> Event:
    if not isinstance(event, BallContact) or striker in event.balls or event.t >= first:
        return event
    return event.model_copy(update={"t": first, "t_sigma": _t(max(event.sigma, first - event.t))})


def _of(event: Event) -> tuple[Ball, ...]:
    return event.balls if isinstance(event, BallContact) else (event.ball,) if isinstance(event, RailContact) else ()


def _rank(event: Event, striker: Ball) -> int:
    """Of events at one instant, the struck ball's come first."""
    return 0 if isinstance(event, Strike) or (isinstance(event, BallContact) and striker in event.balls) else 1


def _t(t: float) -> float:
    return round(t, 4)


def _contact(contact: Contact) -> BallContact:
    return BallContact(
        t=_t(contact.t),
        t_sigma=_t(contact.sigma),
        confidence=round(contact.chance * confidence(contact.cost, contact.rival), 3),
        balls=contact.balls if contact.balls[0] == CUE else tuple(sorted(contact.balls, key=_order)),  # type: ignore[arg-type]
    )


def _order(ball: Ball) -> tuple[int, str]:
    return (0 if ball == CUE else 1, ball.zfill(3))


def _touch(table: Table, motion: Motion, touch: Touch) -> RailContact:
    frozen = not touch.jaw and _never_left(table, motion, touch)
    speed = float(np.hypot(*motion.path.speed_on(motion.path.stretch(touch.t - 1e-6), touch.t)))
    sigma = float(np.hypot(touch.sigma, NOSE / max(speed, 0.05)))
    vague = min(1.0, VAGUE / touch.sigma) if touch.jaw and touch.sigma > 0.0 else 1.0
    if motion.vanished and _may_be_leaving(table, motion, touch):
        vague = min(vague, LAST)
    return RailContact(
        t=_t(touch.t),
        t_sigma=_t(sigma),
        confidence=round(vague * touch.chance * confidence(touch.cost, touch.rival), 3),
        ball=touch.ball,
        rail=touch.rail,
        jaw=True if touch.jaw else None,
        frozen=True if frozen else None,
    )


def _never_left(table: Table, motion: Motion, touch: Touch) -> bool:
    """The ball lay against that rail and was never farther from it than `FROZEN` before the touch."""
    start = next((k.t for k in motion.knots() if k.kind is Bend.START), None)
    if motion.before is None or start is None:
        return False
    way = motion.path.at(np.arange(start, touch.t, 0.004))
    return max(clearance(table, touch.rail, place) for place in (motion.before, *way)) < FROZEN + 0.0005


def _may_be_leaving(table: Table, motion: Motion, touch: Touch) -> bool:
    """A bend just before a ball is not seen any more may be the beginning of its fall, or of its flight over a rail."""
    left = motion.last_seen - touch.t
    if left < LEAVING and over_rail(table, motion):
        return True
    if not touch.jaw:
        return False
    place = motion.path.place(touch.t)
    inside = any(beyond_mouth(pocket, place) for pocket in table.pockets.values())
    knot = next((k for k in motion.knots() if k.index == touch.knot), None)
    soft = knot is None or knot.jolt < HARD * float(np.hypot(*knot.arriving))
    return (left < 1.5 * motion.frame and touch.sigma > VAGUE) or (left < LEAVING and inside and soft)


def _end_at_rail(table: Table, motion: Motion, stop: Knot, found: Causes) -> list[Event]:
    """A touch that cannot be told from stopping short is stated with its probability."""
    near = perhaps_touched(table, motion)
    if near is None or any(t.ball == motion.ball and t.rail == near[0] and stop.t - t.t < 1.0 for t in found.touches):
        return []
    rail, chance = near
    return [RailContact(t=_t(stop.t), t_sigma=0.2, confidence=round(chance, 3), ball=motion.ball, rail=rail)]


def _grazes(table: Table, motion: Motion, found: Causes) -> list[Event]:
    """Soft touches that no bend of the path has told."""
    mine = [t for t in found.touches if t.ball == motion.ball]
    told = [g for g in grazes(table, motion) if not any(t.rail == g.rail and abs(t.t - g.t) < APART for t in mine)]
    return [
        RailContact(t=_t(g.t), t_sigma=_t(g.sigma), confidence=round(g.chance, 3), ball=motion.ball, rail=g.rail)
        for g in told
    ]


def _stop(motion: Motion) -> Knot | None:
    """The end of a motion; of a ball that hung and dropped later, the end of its motion before it dropped."""
    stops = [k for k in motion.knots() if k.kind is Bend.STOP]
    return stops[-1] if stops and motion.path.still[-1] else None


def _gone(table: Table, motion: Motion, notes: list[str]) -> list[Event]:
    drop = fall(table, motion)
    if drop is not None:
        return [
            Pocketed(
                t=_t(drop.t),
                t_sigma=_t(drop.sigma),
                confidence=round(drop.confidence, 3),
                ball=motion.ball,
                pocket=drop.pocket,
            )
        ]
    left = leaves_table(table, motion) if motion.vanished else 0.0
    if left > 0.0:
        return [OffTable(t=_t(motion.last_seen), t_sigma=_t(motion.frame), confidence=left, ball=motion.ball)]
    notes.append(f"{motion.ball} was last seen at {motion.last_seen:.3f} s")
    return []


def _crossing(table: Table, motion: Motion) -> SideCrossing | None:
    """The first time that a ball's whole body is past the line through the side pockets."""
    samples = motion.samples
    origin: Place | Floats = motion.before if motion.before is not None else samples.xy[0]
    side = np.sign(origin[0]) or 1.0
    times = np.arange(samples.t[0], motion.last_seen, 0.002)
    past = np.flatnonzero(-side * motion.path.at(times)[:, 0] > table.ball_radius)
    if not len(past):
        return None
    t = float(times[past[0]])
    speed = abs(float(motion.path.speed_on(motion.path.stretch(t), t)[0]))
    return SideCrossing(t=_t(t), t_sigma=_t(min(0.002 / max(speed, 0.01), 0.2)), confidence=SURE, ball=motion.ball)
