"""A stroke played by *pooltool*: physics that nobody of this project wrote, with throw and restitution of real balls.

pooltool (Kiefl 2024, JOSS 9(101)) finds every event in closed form; between events a ball's way is quadratic in time,
so that places, times of contact and the order of contacts are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pooltool as pt
from pooltool.events import EventType
from pooltool.objects.table.specs import PocketTableSpecs
from pooltool.physics.engine import PhysicsEngine
from pooltool.physics.resolve.resolver import Resolver

from calibration.table import RAILS, PocketName, RailName, Table
from lab.motion import GRAVITY, Leg, Physics, collide
from lab.shot import Happening, PlayedShot, Stroke, Way

Floats = npt.NDArray[np.float64]

NOSES: Final[Mapping[str, RailName]] = {
    "3": "left",
    "6": "left",
    "12": "right",
    "15": "right",
    "18": "head",
    "9": "foot",
}
"""pooltool's numbers of the nose lines, as rails; all its other cushions are jaws."""
POCKETS: Final[Mapping[str, PocketName]] = {
    "lb": "head_left",
    "lc": "side_left",
    "lt": "foot_left",
    "rb": "head_right",
    "rc": "side_right",
    "rt": "foot_right",
}
AT_RAIL: Final = 0.0005
LEFT_RAIL: Final = 0.002
_STILL, _SLIDING, _ROLLING = 0, 2, 3
MOST_EVENTS: Final = 600


class BadPlayError(RuntimeError):
    """A shot that did not come to its end, or in which a ball went through a cushion: no shot of this world."""


@dataclass(frozen=True)
class Mouths:
    """How a table's pockets are cut: mouths, and how far the holes lie out and how wide they are, in metres."""

    corner_mouth: float = 0.1158
    corner_depth: float = 0.026
    corner_radius: float = 0.060
    side_mouth: float = 0.130
    side_depth: float = 0.052
    side_radius: float = 0.062


class _RealBalls:
    """Two balls meet: restitution and friction as `lab.motion.collide` has them, instead of pooltool's ideal ones."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics

    def resolve(self, ball1: Any, ball2: Any, inplace: bool = False) -> tuple[Any, Any]:
        if not inplace:
            ball1, ball2 = ball1.copy(), ball2.copy()
        a, b = ball1.state.rvw, ball2.state.rvw
        line = (b[0] - a[0])[:2]
        line = line / np.hypot(*line)
        va, wa, vb, wb = a[1, :2].copy(), a[2].copy(), b[1, :2].copy(), b[2].copy()
        collide(va, wa, vb, wb, line, ball1.params.R, self.physics, self.physics.ball_bounce)
        for ball, v, w in ((ball1, va, wa), (ball2, vb, wb)):
            ball.state.rvw[1, :2], ball.state.rvw[2] = v, w
            ball.state.s = _SLIDING
        return ball1, ball2


def play(
    table: Table,
    layout: Mapping[str, tuple[float, float]],
    stroke: Stroke,
    physics: Physics,
    mouths: Mouths,
    t_strike: float = 0.0,
) -> PlayedShot:
    """Plays `stroke` on `layout` (ball → x, y in the table frame) until everything lies still.

    Raises:
        BadPlayError: it does not end, or a ball escapes.
    """
    system = _system(table, layout, stroke, physics, mouths)
    resolver = Resolver.default()
    resolver.ball_ball = _RealBalls(physics)
    try:
        pt.simulate(system, engine=PhysicsEngine(resolver=resolver), inplace=True, max_events=MOST_EVENTS)
    except ValueError as error:
        raise BadPlayError(f"pooltool cannot play this: {error}") from None
    if len(system.events) >= MOST_EVENTS:
        raise BadPlayError(f"the shot did not end within {MOST_EVENTS} events")
    ways = {name: _way(table, system, name, physics, t_strike) for name in layout}
    escaped = [name for name, way in ways.items() if _escapes(table, way)]
    if escaped:
        raise BadPlayError(f"the {escaped[0]} went through a cushion")
    events = _happenings(table, system, layout, ways, stroke.ball, t_strike)
    rest = max((way.legs[-1].start for way in ways.values() if np.isinf(way.gone)), default=t_strike)
    rest = max([rest, *(way.gone for way in ways.values() if np.isfinite(way.gone))])
    return PlayedShot(table, dict(layout), ways, events, t_strike, rest, stroke)


def _system(
    table: Table, layout: Mapping[str, tuple[float, float]], stroke: Stroke, physics: Physics, mouths: Mouths
) -> Any:
    specs = PocketTableSpecs(
        l=table.length,
        w=table.width,
        cushion_height=table.nose_height,
        corner_pocket_width=mouths.corner_mouth,
        corner_pocket_depth=mouths.corner_depth,
        corner_pocket_radius=mouths.corner_radius,
        side_pocket_width=mouths.side_mouth,
        side_pocket_depth=mouths.side_depth,
        side_pocket_radius=mouths.side_radius,
        corner_jaw_radius=0.012,
        side_jaw_radius=0.006,
    )
    params = {
        "m": 0.17,
        "R": table.ball_radius,
        "u_s": physics.slide,
        "u_r": physics.roll,
        "u_sp_proportionality": 0.44,
        "e_c": physics.rail_bounce,
        "f_c": physics.rail_friction,
        "g": GRAVITY,
    }
    balls = {
        name: pt.Ball.create(name, xy=(table.width / 2 - y, x + table.length / 2), **params)
        for name, (x, y) in layout.items()
    }
    vx, vy = stroke.velocity
    struck, radius = balls[stroke.ball].state, table.ball_radius
    velocity = np.array([-vy, vx, 0.0])
    speed = float(np.hypot(vx, vy))
    forward = velocity / speed
    roll = np.array([-forward[1], forward[0], 0.0]) * stroke.follow + forward * stroke.swerve
    struck.rvw[1] = velocity
    struck.rvw[2] = (roll + np.array([0.0, 0.0, stroke.english])) * speed / radius
    struck.s = _SLIDING
    return pt.System(cue=pt.Cue(cue_ball_id=stroke.ball), table=pt.Table.from_table_specs(specs), balls=balls)


def _turned(vector: Floats) -> Floats:
    """pooltool's x, y → ours: its x runs to our right, its y to the foot."""
    return np.array([vector[1], -vector[0]])


def _way(table: Table, system: Any, name: str, physics: Physics, t_strike: float) -> Way:
    """A ball's legs: from event to event that it took part in."""
    history = system.balls[name].history.states
    legs: list[Leg] = []
    gone = np.inf
    last = -np.inf
    for event, state in zip(system.events, history, strict=False):
        if legs and name not in event.ids:
            continue
        if event.event_type == EventType.BALL_POCKET:
            gone = event.time + t_strike
            break
        if event.time == last:
            legs.pop()
        last = event.time
        place = _turned(state.rvw[0, :2] - np.array([table.width / 2, table.length / 2]))
        velocity = _turned(state.rvw[1, :2])
        spin = np.array([*_turned(state.rvw[2, :2]), state.rvw[2, 2]])
        legs.append(_leg(state.s, event.time + t_strike, place, velocity, spin, table.ball_radius, physics))
    ends = [part.start for part in legs[1:]] + [gone if np.isfinite(gone) else np.inf]
    closed = tuple(
        Leg(g.start, end, g.place, g.velocity, g.acceleration, g.spin, g.spin_change, g.rolling)
        for g, end in zip(legs, ends, strict=True)
    )
    return Way(closed, gone)


def _leg(kind: int, t: float, place: Floats, velocity: Floats, spin: Floats, radius: float, physics: Physics) -> Leg:
    push, whirl = np.zeros(2), np.zeros(3)
    if kind == _SLIDING:
        slip = velocity + radius * np.array([-spin[1], spin[0]])
        way = slip / max(float(np.hypot(*slip)), 1e-12)
        push = -physics.slide * GRAVITY * way
        whirl = 2.5 * physics.slide * GRAVITY / radius * np.array([-way[1], way[0], 0.0])
    elif kind == _ROLLING:
        push = -physics.roll * GRAVITY * velocity / max(float(np.hypot(*velocity)), 1e-12)
        whirl = np.array([-push[1], push[0], 0.0]) / radius
    else:
        velocity = np.zeros(2)
    return Leg(t, np.inf, place, velocity, push, spin, whirl, kind == _ROLLING)


def _happenings(
    table: Table,
    system: Any,
    layout: Mapping[str, tuple[float, float]],
    ways: Mapping[str, Way],
    struck: str,
    t_strike: float,
) -> tuple[Happening, ...]:
    found = [Happening(t_strike, "strike", ball=struck)]
    resting = [name for name, way in ways.items() if np.isinf(way.gone) and any(g.velocity.any() for g in way.legs)]
    for event in system.events:
        t, ids = event.time + t_strike, event.ids
        match event.event_type:
            case EventType.BALL_BALL:
                found.append(Happening(t, "ball_contact", balls=(ids[0], ids[1])))
            case EventType.BALL_LINEAR_CUSHION | EventType.BALL_CIRCULAR_CUSHION:
                found.append(_touch(table, layout, ways[ids[0]], ids[0], ids[1], t))
            case EventType.BALL_POCKET:
                found.append(Happening(t, "pocketed", ball=ids[0], pocket=POCKETS[ids[1]]))
    found += [Happening(_still_from(ways[ball]), "came_to_rest", ball=ball) for ball in resting]
    return tuple(sorted(found, key=lambda e: e.t))


def _escapes(table: Table, way: Way) -> bool:
    """Some leg begins beyond the nose lines, away from every pocket: balls against a rail are not held by pooltool."""
    for part in way.legs:
        x, y = part.place
        inside = all(table.rail_distance(rail, x, y) > 0.8 * table.ball_radius for rail in RAILS)
        if not inside and all(np.hypot(x - p.centre[0], y - p.centre[1]) > 0.14 for p in table.pockets.values()):
            return True
    last = way.legs[-1].at(min(way.legs[-1].end, way.legs[-1].start + 5.0))[0]
    return bool((np.abs(last) > np.array([table.length, table.width]) / 2 + 0.05).any())


def _still_from(way: Way) -> float:
    moving = [k for k, part in enumerate(way.legs) if part.velocity.any()]
    return way.legs[min(moving[-1] + 1, len(way.legs) - 1)].start if moving else way.legs[0].start


def _touch(
    table: Table, layout: Mapping[str, tuple[float, float]], way: Way, ball: str, cushion: str, t: float
) -> Happening:
    x, y = way([t])[0]
    jaw = cushion not in NOSES
    rail: RailName = min(RAILS, key=lambda r: table.rail_distance(r, x, y)) if jaw else NOSES[cushion]
    frozen = False
    if not jaw and table.rail_distance(rail, *layout[ball]) - table.ball_radius < AT_RAIL:
        times = np.linspace(way.legs[0].start, t, 60)
        away = max(table.rail_distance(rail, px, py) for px, py in way(times)) - table.ball_radius
        frozen = away < LEFT_RAIL
    return Happening(t, "rail_contact", ball=ball, rail=rail, jaw=jaw, frozen=frozen)
