"""An episode of motion read as a shot: what was struck, what it did, how it ended; or as a hand at work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.table import Table
from record.entries import Observation
from record.events import DoubleHit, Event
from record.names import CUE, Ball, Layout
from record.shot import Shot
from tracking.contacts import Causes, agreed, causes, with_missing_knots
from tracking.cue_ball import jumped_over, struck_twice
from tracking.cushions import with_cushion_knots
from tracking.episode import Episode
from tracking.events import moments
from tracking.firsts import DECIDED, settled, turns_of
from tracking.frozen import touching
from tracking.motions import Bend, Motion, motion
from tracking.opening import First, openings
from tracking.pockets import without_fall
from tracking.samples import Floats
from tracking.sole import sole_causes
from tracking.timing import timed
from tracking.trajectories import trajectory

SLOWEST_STROKE: Final = 0.08
"""A ball that starts slower than this was nudged, not struck; m/s."""
RISING: Final = 1.35
"""A struck ball only slows down until it meets something; a carried one speeds up by more than this factor."""
ROLLED: Final = 0.25
"""A ball still moves at a stroke if it has rolled for so many seconds before it."""
CREEPING: Final = 0.02
"""Slower balls are not said to move, m/s."""
BLENDED: Final = 0.15
"""A picture blended of two, as converted recordings hold, makes a stroke begin slowly for so many seconds."""
HAND: Final = 0.5
"""A ball that is covered for this share of its way is in a hand."""


@dataclass(frozen=True)
class Reading:
    """A shot, or None with the `reason`, and what else was noticed."""

    shot: Shot | None
    reason: str = ""
    observations: tuple[Observation, ...] = ()


def read_episode(table: Table, episode: Episode, index: int) -> Reading:
    """Tell a stroke from a hand, and work out a stroke's events."""
    fitted = (motion(without_fall(table, history)) for history in episode.moved)
    motions = {m.ball: with_cushion_knots(table, m) for m in fitted if m is not None}
    lying = dict(episode.still)
    for history in episode.moved:
        if history.ball not in motions and history.before is not None and not history.vanished:
            lying[history.ball] = (float(history.before[0]), float(history.before[1]))
    still = {ball: np.array(place) for ball, place in lying.items()}
    striker = struck_ball(table, motions, lying)
    if striker is None:
        return Reading(None, "no ball was struck", tuple(_moved_by_hand(motions)))
    found = causes(table, motions, still, striker)
    motions = with_missing_knots(table, motions, still, found)
    found = causes(table, motions, still, striker)
    motions = agreed(table, motions, still, found)
    found = causes(table, motions, still, striker)
    start = next(k for k in motions[striker].knots() if k.kind is Bend.START)
    jumps = jumped_over(table, motions[striker], start, still)
    over = {jump.over for jump in jumps}
    standing = {ball: place for ball, place in still.items() if ball not in over}
    found = sole_causes(table, motions, striker, settled(table, motions, standing, striker, found))
    found = timed(table, motions, found)
    suspected: list[Event] = [*jumps, *_struck_twice(table, motions, striker, found)]
    return Reading(_shot(table, episode, index, motions, lying, still, striker, found, suspected))


def first_hit(table: Table, episode: Episode) -> First | None:
    """The struck ball's first contact as far as an episode that still goes on tells it; None while it is open."""
    fitted = (motion(without_fall(table, history)) for history in episode.moved)
    motions = {m.ball: m for m in fitted if m is not None}
    striker = struck_ball(table, motions, episode.still)
    if striker is None:
        return None
    still = {ball: np.array(place) for ball, place in episode.still.items()}
    found = causes(table, motions, still, striker)
    firsts = openings(table, motions, still, striker, turns_of(motions[striker], found))
    return firsts[0] if firsts and firsts[0].chance >= DECIDED else None


def _struck_twice(table: Table, motions: Mapping[Ball, Motion], striker: Ball, found: Causes) -> list[DoubleHit]:
    first = min((c for c in found.contacts if striker in c.balls), key=lambda c: c.t, default=None)
    if first is None:
        return []
    other = first.balls[1] if first.balls[0] == striker else first.balls[0]
    return struck_twice(table, motions, striker, other, first.t)


def struck_ball(table: Table, motions: Mapping[Ball, Motion], lying: Layout) -> Ball | None:
    """The ball that was struck: the cue ball, or, where none is known by that name, the first anonymous one to move."""
    if CUE in motions:
        return CUE if is_stroke(motions[CUE], len(motions) > 1) else None
    if CUE in lying:
        return None
    strange = [m for ball, m in motions.items() if ball.startswith("?") and is_stroke(m, len(motions) > 1)]
    return min(strange, key=_first_moved).ball if strange else None


def _first_moved(motion: Motion) -> float:
    """When a ball began to move; of one that vanished from its place unseen, when it was last there."""
    started = next((k.t for k in motion.knots() if k.kind is Bend.START), None)
    return started if started is not None else motion.last_seen


def is_stroke(motion: Motion, company: bool) -> bool:
    """An impulse from rest, then free running; not a hand that speeds the ball up and covers it on its way.

    `company`: other balls moved as well. A ball in the open that sets others in motion was struck, however
    its speed seems to rise: it met the first of them before its own start could be seen well.
    """
    start = next((k for k in motion.knots() if k.kind is Bend.START), None)
    if start is None or motion.before is None:
        return False
    first = max(float(np.hypot(*k.leaving)) for k in motion.knots() if start.t <= k.t <= start.t + BLENDED)
    if first < SLOWEST_STROKE:
        return False
    way = motion.samples.between(start.t + 0.1, np.inf)
    away = np.hypot(*(way.xy - motion.before).T) > 0.05
    if np.any(away) and float(np.mean(way.covered[away])) > HAND:
        return False
    if company and len(way) and float(np.mean(way.covered)) < 0.1:
        return True
    speeds = _speeds(motion, start.t)
    return bool(len(speeds) == 0 or np.max(speeds) < RISING * first + 0.15)


def _speeds(motion: Motion, start: float) -> Floats:
    times = np.arange(start, motion.path.knots[-1], 0.02) if len(motion.path.knots) > 1 else np.zeros(0)
    if len(times) < 2:
        return np.zeros(0)
    return np.asarray(np.hypot(*np.diff(motion.path.at(times), axis=0).T) / 0.02)


def _moved_by_hand(motions: Mapping[Ball, Motion]) -> list[Observation]:
    seen = []
    for ball, moved in motions.items():
        if moved.after is not None and (moved.before is None or np.hypot(*(moved.after - moved.before)) > 0.006):
            at = (round(float(moved.after[0]), 4), round(float(moved.after[1]), 4))
            what = "cue_ball_placed" if ball == CUE else "ball_moved"
            seen.append(Observation(t=round(moved.last_seen, 4), what=what, ball=ball, at=at))
        elif moved.after is None:
            seen.append(Observation(t=round(moved.last_seen, 4), what="ball_removed", ball=ball))
    return seen


def rolled_at(motion: Motion, t: float) -> bool:
    """A ball that was known, and rolled in the open before `t` and at `t`; what a hand shoves or covers did not."""
    way = motion.samples.between(t - ROLLED, t)
    if motion.ball.startswith("?") or len(way) < 5 or float(np.max(way.covered)) > 0.3:
        return False
    times = np.linspace(way.t[0], t, 9)
    if times[-1] - times[0] < 0.5 * ROLLED:
        return False
    steps = np.diff(motion.path.at(times), axis=0) / np.diff(times)[:, None]
    speeds = np.hypot(*steps.T)
    steady = float(np.hypot(*np.std(steps, axis=0))) < 0.3 * float(np.mean(speeds)) + 0.02
    return steady and float(np.min(speeds)) > CREEPING


def _shot(
    table: Table,
    episode: Episode,
    index: int,
    motions: Mapping[Ball, Motion],
    lying: Layout,
    still: Mapping[Ball, Floats],
    striker: Ball,
    found: Causes,
    suspected: list[Event],
) -> Shot:
    start = next(k for k in motions[striker].knots() if k.kind is Bend.START)
    before = dict(lying)
    for ball, moved in motions.items():
        place = moved.before if moved.before is not None else moved.path.place(start.t)
        before[ball] = (float(place[0]), float(place[1]))
    after = dict(lying)
    for ball, moved in motions.items():
        if moved.after is not None:
            after[ball] = (float(moved.after[0]), float(moved.after[1]))
        elif moved.hidden:
            place = moved.samples.xy[-1]
            after[ball] = (float(place[0]), float(place[1]))
    events, rest, notes = moments(table, motions, still, striker, start, found)
    events = sorted([*events, *suspected], key=lambda e: e.t) if suspected else events
    if episode.cut:
        notes.append("cut short: the source ended before the balls came to rest")
    already = [b for b, m in motions.items() if b != striker and rolled_at(m, start.t)]
    return Shot(
        index=index,
        t_strike=round(start.t, 4),
        t_rest=round(max(rest, start.t), 4),
        layout_before=_rounded(before),
        layout_after=_rounded(after),
        frozen=touching(table, before),
        moving_at_strike=sorted(already),
        events=events,
        notes=notes,
        trajectories={ball: trajectory(m) for ball, m in sorted(motions.items())},
    )


def _rounded(layout: Layout) -> Layout:
    return {ball: (round(x, 4), round(y, 4)) for ball, (x, y) in sorted(layout.items())}
