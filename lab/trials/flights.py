"""Shots in which a ball leaves the cloth: the cue ball jumped over another, a ball that flies off the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.table import Table
from lab.motion import GRAVITY, Leg, Physics
from lab.shot import Happening, PlayedShot, Stroke, Way
from lab.trials import aims, setups
from lab.trials.setups import Random
from lab.trials.world import Mouths, play

Flight = Callable[[Table, Random, Physics, Mouths], PlayedShot | None]


def _flight(start: float, end: float, place: np.ndarray, velocity: np.ndarray, rise: float) -> Leg:
    zero = np.zeros(3)
    return Leg(start, end, place, velocity, np.zeros(2), zero, zero, False, rise)


def jumped(table: Table, rng: Random, physics: Physics, mouths: Mouths) -> PlayedShot | None:
    """The cue ball is struck up, passes over the ball in its way, lands, goes on; None where it does not clear it."""
    layout = setups.open_layout(table, rng, balls=int(rng.integers(3, 7)))
    target = aims.numbered(layout, rng)
    start, goal = aims.spot(layout, "cue"), aims.spot(layout, target)
    way = goal - start
    length = float(np.hypot(*way))
    if length < 0.5:
        return None
    way = way / length
    speed, rise = float(rng.uniform(1.5, 3.0)), float(rng.uniform(0.9, 1.6))
    lasts = 2 * rise / GRAVITY
    share = rng.uniform(0.35, 0.65)
    block = next(n for n in (str(k) for k in range(1, 16)) if n not in layout)
    hurdle = start + way * speed * lasts * share + np.array([-way[1], way[0]]) * rng.normal(0, 0.01)
    height = rise * share * lasts - 0.5 * GRAVITY * (share * lasts) ** 2
    landing = start + way * speed * lasts
    others = [np.array(p) for n, p in layout.items() if n != "cue"]
    crowded = any(np.hypot(*(o - p)) < 1.05 * table.ball_diameter for o in others for p in (hurdle, landing))
    half = np.array([table.length, table.width]) / 2 - table.ball_radius - 0.02
    on_table = all((np.abs(p) < half).all() for p in (hurdle, landing))
    clears = height > table.ball_diameter and np.hypot(*(landing - hurdle)) > 1.2 * table.ball_diameter
    if crowded or not on_table or not clears or speed * lasts > length - table.ball_diameter:
        return None
    if min(np.hypot(*(hurdle - start)), np.inf) < 1.3 * table.ball_diameter:
        return None
    layout[block] = (float(hurdle[0]), float(hurdle[1]))
    landed = {**layout, "cue": (float(landing[0]), float(landing[1]))}
    velocity = 0.95 * speed * way
    rest = play(table, landed, Stroke((float(velocity[0]), float(velocity[1])), 0.2), physics, mouths, lasts)
    legs = (_flight(0.0, lasts, start, speed * way, rise), *rest.ways["cue"].legs)
    ways = {n: Way((replace(w.legs[0], start=0.0), *w.legs[1:]), w.gone) for n, w in rest.ways.items() if n != "cue"}
    ways["cue"] = Way(legs, rest.ways["cue"].gone)
    events = (
        Happening(0.0, "strike", ball="cue"),
        Happening(share * lasts, "jump", ball="cue", over=block),
        *(e for e in rest.events if e.type != "strike"),
    )
    stroke = Stroke((float(speed * way[0]), float(speed * way[1])))
    return PlayedShot(table, layout, ways, events, 0.0, rest.t_rest, stroke)


def flown(table: Table, rng: Random, physics: Physics, mouths: Mouths) -> PlayedShot | None:
    """A fast ball that, at a cushion, goes over it and is not seen again; None where none is fast enough."""
    layout = setups.open_layout(table, rng, balls=int(rng.integers(2, 6)))
    target = aims.cut(table, layout, aims.numbered(layout, rng), rng, 0.8)
    stroke = aims.towards(layout, target, float(rng.uniform(4.0, 9.0)), float(rng.uniform(-0.3, 0.5)))
    shot = play(table, layout, stroke, physics, mouths)
    if not shot.of("ball_contact"):
        return None
    first = shot.of("ball_contact")[0].t
    for event in shot.of("rail_contact"):
        ball = event.ball
        if ball is None or event.jaw or event.t < first:
            continue
        velocity = shot.ways[ball].velocity(event.t - 1e-6)
        later = [e for e in shot.of("ball_contact") if e.balls and ball in e.balls and e.t > event.t]
        if float(np.hypot(*velocity)) > 2.5 and not later:
            return _over(shot, ball, event.t, velocity, float(rng.uniform(0.8, 1.6)))
    return None


def _over(shot: PlayedShot, ball: str, t: float, velocity: np.ndarray, rise: float) -> PlayedShot:
    way = shot.ways[ball]
    place = way([t])[0]
    gone = t + 0.3
    legs = (*(g for g in way.legs if g.start < t - 1e-9), _flight(t, gone, place, 0.85 * velocity, rise))
    events = [e for e in shot.events if e.t < t or ball not in (e.ball, *(e.balls or ()))]
    off = Happening(t, "off_table", ball=ball)
    ordered = tuple(sorted([*events, off], key=lambda e: e.t))
    ways = {**shot.ways, ball: Way(legs, gone)}
    return PlayedShot(shot.table, shot.layout_before, ways, ordered, shot.t_strike, shot.t_rest, shot.stroke)


FLIGHTS: Final[Mapping[str, Flight]] = {"jump": jumped, "off the table": flown}
