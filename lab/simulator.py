"""Plays one shot: who touches what and when, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.table import RailName, Table
from lab.motion import Leg, Physics, collide, leg, rebound
from lab.shot import Happening, PlayedShot, Stroke, Way
from lab.walls import Walls, walls_of

Floats = npt.NDArray[np.float64]

_TOUCH: Final = 1e-5
"""Gaps below this count as touching."""
_BEND: Final = 1e-5
_LONGEST: Final = 0.02
"""Longest look ahead, shorter where balls would leave the straight line, on which contacts are reckoned, by `_BEND`."""
_SHORTEST: Final = 1e-7
_PATIENCE: Final = 60.0
_ROUNDS: Final = 200
_LEFT_RAIL: Final = 0.002
_AT_RAIL: Final = 0.0005


class _Run:
    """The state of a shot being played; each ball's present leg is exact, so nothing drifts."""

    def __init__(self, table: Table, layout: Mapping[str, tuple[float, float]], physics: Physics, t: float) -> None:
        self.table, self.physics, self.t = table, physics, t
        self.radius = table.ball_radius
        self.names = list(layout)
        self.walls: Walls = walls_of(table)
        self.events: list[Happening] = []
        still, none = np.zeros(2), np.zeros(3)
        places = [np.asarray(layout[name], dtype=np.float64) for name in self.names]
        self.legs: list[list[Leg]] = [[leg(t, p, still, none, self.radius, physics)] for p in places]
        self.on = np.ones(len(self.names), dtype=bool)
        self.gone = np.full(len(self.names), np.inf)
        self.pockets = list(table.pockets.values())
        self.holes = np.array([p.centre for p in self.pockets])
        self.hole_radii = np.array([p.radius for p in self.pockets])
        self.sync()
        gaps = self.wall_gaps()[0]
        self.frozen = gaps < _AT_RAIL

    def sync(self) -> None:
        """Gathers all present legs into arrays."""
        now = [ways[-1] for ways in self.legs]
        self.start = np.array([g.start for g in now])
        self.end = np.where(self.on, [g.end for g in now], np.inf)
        self.p0 = np.array([g.place for g in now])
        self.v0 = np.array([g.velocity for g in now])
        self.a0 = np.array([g.acceleration for g in now])
        self.i, self.j = np.triu_indices(len(self.names), 1)

    def moving(self) -> bool:
        return bool(np.isfinite(self.end).any())

    def kinematics(self) -> tuple[Floats, Floats]:
        dt = (self.t - self.start)[:, None]
        return self.p0 + dt * self.v0 + dt * dt / 2 * self.a0, self.v0 + dt * self.a0

    def change(self, k: int, velocity: Floats, spin: Floats) -> None:
        place = self.legs[k][-1].at(self.t)[0]
        self.legs[k].append(leg(self.t, place, velocity, spin, self.radius, self.physics))

    def wall_gaps(self) -> tuple[Floats, npt.NDArray[np.bool_], Floats]:
        """Gaps (N, W + T) to walls and tips, whether the ball is abreast of the wall, normals (N, W + T, 2)."""
        p, _ = self.kinematics()
        w = self.walls
        along = w.end - w.start
        length = np.linalg.norm(along, axis=1)
        away = p[:, None] - w.start
        share = (away * along).sum(-1) / length**2
        off = (away * w.normal).sum(-1)
        tip = p[:, None] - w.tips
        distance = np.linalg.norm(tip, axis=-1)
        normals = np.concatenate(
            [np.broadcast_to(w.normal, (len(p), w.count, 2)), tip / np.maximum(distance, 1e-12)[..., None]], axis=1
        )
        abreast = (share >= 0) & (share <= 1) & (off > 0)
        gaps = np.concatenate([off - self.radius, distance - self.radius], axis=1)
        return gaps, np.concatenate([abreast, np.ones(distance.shape, dtype=bool)], axis=1), normals

    def next_contact(self) -> float:
        """Time until the first contact if all went straight on; at most `_LONGEST`."""
        p, v = self.kinematics()
        pull = float(np.abs(self.a0[self.on]).max(initial=1e-6))
        best = min(_LONGEST, float(np.sqrt(2 * _BEND / pull)), float(self.end.min()) - self.t)
        live = self.on[self.i] & self.on[self.j] & ((v[self.i] != 0).any(1) | (v[self.j] != 0).any(1))
        i, j = self.i[live], self.j[live]
        if len(i):
            best = min(best, _meeting(p[j] - p[i], v[j] - v[i], 2 * self.radius))
        moving = self.on & (v != 0).any(1)
        if moving.any():
            best = min(best, self._next_wall(p[moving], v[moving]))
        return max(best, _SHORTEST)

    def _next_wall(self, p: Floats, v: Floats) -> float:
        """Time until one of the balls at `p` (M, 2), moving at `v` (M, 2), meets a wall, a tip or a pocket's edge."""
        w = self.walls
        closing = -(v @ w.normal.T)
        off = ((p[:, None] - w.start) * w.normal).sum(-1) - self.radius
        nearing = (closing > 1e-12) & (off > -self.radius)
        times = np.where(nearing, np.maximum(off, 0) / np.where(nearing, closing, 1.0), _LONGEST)
        spot = p[:, None] + np.minimum(times, _LONGEST)[..., None] * v[:, None]
        along = w.end - w.start
        share = ((spot - w.start) * along).sum(-1) / (along**2).sum(-1)
        best = float(np.where((share >= 0) & (share <= 1), times, _LONGEST).min())
        points = np.concatenate([w.tips, self.holes])
        reach = np.concatenate([np.full(len(w.tips), self.radius), self.hole_radii])
        apart = (points - p[:, None]).reshape(-1, 2)
        return min(best, _meeting(apart, np.repeat(-v, len(points), axis=0), np.tile(reach, len(p))))


def _meeting(apart: Floats, speed: Floats, reach: Floats | float) -> float:
    """Earliest time at which places `apart` (N, 2) that move at `speed` (N, 2) come within `reach`; inf for never."""
    a = (speed**2).sum(1)
    b = (apart * speed).sum(1)
    c = (apart**2).sum(1) - reach**2
    root = b * b - a * c
    ok = (b < 0) & (root >= 0) & (a > 0)
    if not ok.any():
        return np.inf
    times = np.maximum(c[ok], 0) / (-b[ok] + np.sqrt(root[ok]))
    return float(times.min())


def _settle_legs(run: _Run) -> None:
    """Balls that change from sliding to rolling or from rolling to rest."""
    for k in np.flatnonzero(run.on & (run.end <= run.t + 1e-12)):
        last = run.legs[k][-1]
        place, velocity, spin = last.at(last.end)
        if last.rolling:
            velocity, spin = np.zeros(2), np.zeros(3)
            run.events.append(Happening(run.t, "came_to_rest", ball=run.names[k]))
        else:
            spin = np.array([-velocity[1] / run.radius, velocity[0] / run.radius, spin[2]])
        run.legs[k].append(leg(run.t, place, velocity, spin, run.radius, run.physics))
        run.sync()


def _drop(run: _Run) -> None:
    p, _ = run.kinematics()
    deep = np.linalg.norm(p[:, None] - run.holes, axis=-1) < run.hole_radii + 1e-6
    for k in np.flatnonzero(run.on & deep.any(axis=1)):
        run.on[k], run.gone[k] = False, run.t
        run.events.append(
            Happening(run.t, "pocketed", ball=run.names[k], pocket=run.pockets[int(deep[k].argmax())].name)
        )
        run.sync()


def _bounce_all(run: _Run) -> None:
    """Settles every touch of this instant, again and again until nothing closes in on anything."""
    states = [ways[-1].at(run.t) for ways in run.legs]
    p, v, w = (np.array([state[n] for state in states]) for n in range(3))
    gaps, abreast, normals = run.wall_gaps()
    run.frozen &= gaps < _LEFT_RAIL
    apart = p[run.j] - p[run.i]
    distance = np.linalg.norm(apart, axis=1)
    pairs = np.flatnonzero((distance - 2 * run.radius < _TOUCH) & run.on[run.i] & run.on[run.j])
    walls = np.argwhere((gaps < _TOUCH) & abreast & run.on[:, None])
    balls_met: dict[int, None] = {}
    walls_met: dict[tuple[int, int], None] = {}
    for turn in range(_ROUNDS):
        bounce = run.physics.ball_bounce if turn < _ROUNDS // 2 else 0.0
        before = len(balls_met) + len(walls_met), v.copy()
        for k in pairs:
            a, b, line = int(run.i[k]), int(run.j[k]), apart[k] / distance[k]
            if (v[a] - v[b]) @ line > 1e-9:
                collide(v[a], w[a], v[b], w[b], line, run.radius, run.physics, bounce)
                balls_met[int(k)] = None
        for touching, wall in walls:
            if v[touching] @ normals[touching, wall] < -1e-9:
                normal = normals[touching, wall]
                rebound(v[touching], w[touching], normal, run.radius, run.physics, run.physics.rail_bounce)
                walls_met[int(touching), int(wall)] = None
        if (v == before[1]).all():
            break
    changed = {int(b) for pair in balls_met for b in (run.i[pair], run.j[pair])} | {ball for ball, _ in walls_met}
    for ball in changed:
        run.change(ball, v[ball], w[ball])
    for pair in balls_met:
        run.events.append(Happening(run.t, "ball_contact", balls=(run.names[run.i[pair]], run.names[run.j[pair]])))
    if changed:
        run.sync()
        _tell_rails(run, list(walls_met))


def _tell_rails(run: _Run, met: list[tuple[int, int]]) -> None:
    """Writes down the touches of rails; nose, facing and tip of one rail at one instant are one touch."""
    rails: dict[tuple[int, RailName], tuple[bool, bool]] = {}
    for ball, wall in met:
        key = (ball, run.walls.rails[wall])
        jaw, frozen = rails.get(key, (True, False))
        rails[key] = (jaw and bool(run.walls.jaws[wall]), frozen or bool(run.frozen[ball, wall]))
    for (ball, rail), (jaw, frozen) in rails.items():
        run.events.append(Happening(run.t, "rail_contact", ball=run.names[ball], rail=rail, jaw=jaw, frozen=frozen))


def play(
    table: Table,
    layout: Mapping[str, tuple[float, float]],
    stroke: Stroke,
    t_strike: float = 0.0,
    physics: Physics | None = None,
) -> PlayedShot:
    """Plays `stroke` on `layout` (ball → x, y) until everything lies still."""
    run = _Run(table, layout, physics or Physics(), t_strike)
    struck = run.names.index(stroke.ball)
    velocity = np.array(stroke.velocity, dtype=np.float64)
    run.change(struck, velocity, _spin(stroke, velocity, table.ball_radius))
    run.events.append(Happening(t_strike, "strike", ball=stroke.ball))
    run.sync()
    while run.moving() and run.t < t_strike + _PATIENCE:
        _bounce_all(run)
        run.t += run.next_contact()
        _settle_legs(run)
        _drop(run)
    ways = {name: Way(tuple(run.legs[k]), float(run.gone[k])) for k, name in enumerate(run.names)}
    return PlayedShot(table, dict(layout), ways, tuple(run.events), t_strike, run.t, stroke)


def _spin(stroke: Stroke, velocity: Floats, radius: float) -> Floats:
    follow = np.array([-velocity[1], velocity[0]]) / radius * stroke.follow
    return np.array([*follow, stroke.english * float(np.hypot(*velocity)) / radius])
