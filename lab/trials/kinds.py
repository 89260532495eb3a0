"""The kinds of shot that trials play, each with a set-up drawn by chance and what makes a shot one of that kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.table import Table
from lab.motion import Physics
from lab.shot import Happening, PlayedShot, Stroke
from lab.trials import aims, setups
from lab.trials.flights import FLIGHTS
from lab.trials.setups import Layout, Random
from lab.trials.world import BadPlayError, Mouths, play

SetUp = Callable[[Table, Random], tuple[Layout, Stroke]]
Wanted = Callable[[PlayedShot], bool]


@dataclass(frozen=True)
class Kind:
    """One kind of shot: what it is called, how one is set up, and whether a played shot is one."""

    name: str
    set_up: SetUp
    wanted: Wanted


class NoSuchShotError(RuntimeError):
    """No shot of the wanted kind turned up within the tries."""


# -- what a played shot did


def cue_contacts(shot: PlayedShot) -> list[Happening]:
    return [e for e in shot.of("ball_contact") if e.balls and "cue" in e.balls]


def gap_after_first(shot: PlayedShot) -> float:
    """Seconds from the cue ball's first contact to its first with another ball; inf where there is none."""
    met = cue_contacts(shot)
    others = [e.t for e in met[1:] if e.balls and set(e.balls) != set(met[0].balls or ())]
    return others[0] - met[0].t if others else np.inf


def _rails(shot: PlayedShot, ball: str, before: float = np.inf) -> list[Happening]:
    return [e for e in shot.of("rail_contact") if e.ball == ball and e.t < before]


def _hit(shot: PlayedShot) -> bool:
    return bool(cue_contacts(shot))


def _first_t(shot: PlayedShot) -> float:
    return cue_contacts(shot)[0].t if _hit(shot) else np.inf


def _scratches_off(rails: int) -> Wanted:
    def wanted(shot: PlayedShot) -> bool:
        fell = next((e.t for e in shot.of("pocketed") if e.ball == "cue"), None)
        return fell is not None and _hit(shot) and len([e for e in _rails(shot, "cue", fell) if not e.jaw]) == rails

    return wanted


def _nearest_pass(shot: PlayedShot) -> float:
    """Smallest gap between the cue ball and a ball that never moves, metres."""
    times = np.arange(shot.t_strike, shot.t_rest, 0.001)
    way = shot.ways["cue"](times)
    still = [n for n, w in shot.ways.items() if not any(g.velocity.any() for g in w.legs)]
    gaps = [float(np.nanmin(np.hypot(*(way - np.array(shot.layout_before[n])).T))) for n in still]
    return min(gaps, default=np.inf) - shot.table.ball_diameter


def _dies_at_rail(shot: PlayedShot) -> bool:
    """A ball that ends within 12 mm of a nose line which it came to slowly."""
    for name, (x, y) in shot.layout_after.items():
        gap = min(shot.table.rail_distance(r, x, y) for r in ("head", "foot", "left", "right"))
        slow = [e for e in _rails(shot, name) if float(np.hypot(*shot.ways[name].velocity(e.t - 1e-6))) < 0.2]
        rolled = np.hypot(x - shot.layout_before[name][0], y - shot.layout_before[name][1]) > 0.05
        if rolled and gap - shot.table.ball_radius < 0.012 and (slow or not _rails(shot, name)):
            return True
    return False


def _rattles(shot: PlayedShot) -> bool:
    fallen = {e.ball for e in shot.of("pocketed")}
    jaws = [e.ball for e in shot.of("rail_contact") if e.jaw and e.ball not in fallen]
    return any(jaws.count(ball) >= 2 for ball in jaws)


def _twice(shot: PlayedShot) -> bool:
    """The cue ball meets the same ball twice, apart in time."""
    met = cue_contacts(shot)
    same = [e.t for e in met if set(e.balls or ()) == set(met[0].balls or ())] if met else []
    return len(same) >= 2 and same[-1] - same[0] > 0.05


# -- set-ups


def _plain(follow: tuple[float, float], english: float = 0.0, fast: tuple[float, float] = (0.6, 5.0)) -> SetUp:
    def set_up(table: Table, rng: Random) -> tuple[Layout, Stroke]:
        layout = setups.open_layout(table, rng)
        target = aims.cut(table, layout, aims.numbered(layout, rng), rng)
        side = float(rng.choice([-1, 1])) * english * rng.uniform(0.5, 1.2)
        return layout, aims.towards(layout, target, aims.any_speed(rng, *fast), float(rng.uniform(*follow)), side)

    return set_up


def _pot(table: Table, rng: Random) -> tuple[Layout, Stroke]:
    layout = setups.open_layout(table, rng)
    ball = aims.spot(layout, aims.numbered(layout, rng))
    ghost = aims.ghost(table, ball, aims.mouth(table, rng))
    return layout, aims.towards(layout, ghost, aims.any_speed(rng, 0.8), float(rng.uniform(-0.8, 1.0)))


def _kick(table: Table, rng: Random) -> tuple[Layout, Stroke]:
    layout = setups.open_layout(table, rng)
    target = aims.cut(table, layout, aims.numbered(layout, rng), rng, 0.7)
    axis = int(rng.random() < 0.7)
    image = aims.mirrored(table, target, axis, int(rng.choice([-1, 1])))
    return layout, aims.towards(layout, image, aims.any_speed(rng, 1.2), float(rng.uniform(0, 1)), rng.normal(0, 0.2))


def _masse(table: Table, rng: Random) -> tuple[Layout, Stroke]:
    layout, stroke = _plain((-0.5, 0.5), fast=(0.8, 2.5))(table, rng)
    return layout, Stroke(
        stroke.velocity, stroke.follow, stroke.english, float(rng.choice([-1, 1])) * rng.uniform(0.4, 1.2)
    )


def _combination(table: Table, rng: Random) -> tuple[Layout, Stroke]:
    layout = setups.open_layout(table, rng)
    a, b = (str(n) for n in rng.choice([n for n in layout if n != "cue"], 2, replace=False))
    first, second = aims.spot(layout, a), aims.spot(layout, b)
    through = aims.ghost(table, second, aims.mouth(table, rng)) + rng.normal(0, 0.01, 2)
    return layout, aims.towards(
        layout, aims.ghost(table, first, through), aims.any_speed(rng, 1.2), rng.uniform(-0.5, 0.8)
    )


def _pair(low: float, high: float) -> SetUp:
    """Two balls beside each other and the cue ball sent between them: both are hit, one a little before the other."""

    def set_up(table: Table, rng: Random) -> tuple[Layout, Stroke]:
        middle = setups.somewhere(table, rng, 0.2)
        turn = rng.uniform(0, 2 * np.pi)
        side = np.array([np.cos(turn), np.sin(turn)])
        gap = rng.uniform(low, high)
        half = 0.5 * (table.ball_diameter + gap)
        a, b = middle + half * side, middle - half * side
        layout = setups.scattered(
            table, rng, ["cue"], {"1": (float(a[0]), float(a[1])), "2": (float(b[0]), float(b[1]))}, 0.15
        )
        layout = setups.scattered(table, rng, ["5", "7", "9"], layout, 0.01)
        target = middle + rng.normal(0, 0.006, 2)
        return layout, aims.towards(layout, target, aims.any_speed(rng, 0.8, 6.0), float(rng.uniform(-0.6, 1.0)))

    return set_up


def _clustered(gaps: tuple[float, float]) -> SetUp:
    def set_up(table: Table, rng: Random) -> tuple[Layout, Stroke]:
        names = [str(n) for n in rng.choice(np.arange(1, 10), int(rng.integers(2, 6)), replace=False)]
        layout = setups.open_layout(table, rng, setups.cluster(table, rng, names, gaps))
        target = aims.cut(table, layout, names[int(rng.integers(len(names)))], rng, 0.8)
        return layout, aims.towards(layout, target, aims.any_speed(rng, 0.8), float(rng.uniform(-0.6, 1.0)))

    return set_up


def _railed(what: str, gap: tuple[float, float]) -> SetUp:
    """A ball (`object` or `cue`) against, or beside, a rail."""

    def set_up(table: Table, rng: Random) -> tuple[Layout, Stroke]:
        place = setups.at_rail(table, rng, float(rng.uniform(*gap)))
        name = "cue" if what == "cue" else str(rng.integers(1, 10))
        layout = setups.open_layout(table, rng, {name: (float(place[0]), float(place[1]))})
        ball = name if name != "cue" else aims.numbered(layout, rng)
        target = aims.cut(table, layout, ball, rng, 0.8)
        return layout, aims.towards(layout, target, aims.any_speed(rng), float(rng.uniform(-0.6, 1.0)))

    return set_up


def _hanging(table: Table, rng: Random) -> tuple[Layout, Stroke]:
    place = setups.over_pocket(table, rng)
    name = str(rng.integers(1, 10))
    layout = setups.open_layout(table, rng, {name: (float(place[0]), float(place[1]))})
    return layout, aims.towards(layout, aims.cut(table, layout, name, rng, 0.7), aims.any_speed(rng, 0.5, 3.0), 0.3)


def _jaw(table: Table, rng: Random) -> tuple[Layout, Stroke]:
    layout = setups.open_layout(table, rng)
    ball = aims.spot(layout, aims.numbered(layout, rng))
    pocket = list(table.pockets.values())[int(rng.integers(6))]
    tip = np.array(pocket.jaws[int(rng.integers(2))])
    target = tip + (np.array(pocket.mouth_centre) - tip) * rng.uniform(0.1, 0.7)
    return layout, aims.towards(layout, aims.ghost(table, ball, target), aims.any_speed(rng, 1.5), 0.2)


def _dying(table: Table, rng: Random) -> tuple[Layout, Stroke]:
    layout = setups.open_layout(table, rng, balls=int(rng.integers(1, 5)))
    ball = aims.numbered(layout, rng)
    return layout, aims.towards(layout, aims.cut(table, layout, ball, rng, 0.5), aims.any_speed(rng, 0.4, 1.3), 0.6)


def _passing(table: Table, rng: Random) -> tuple[Layout, Stroke]:
    layout = setups.open_layout(table, rng)
    ball = aims.spot(layout, aims.numbered(layout, rng))
    way = ball - aims.spot(layout, "cue")
    side = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
    off = float(rng.choice([-1, 1])) * (table.ball_diameter + rng.uniform(0.0003, 0.008))
    return layout, aims.towards(layout, ball + side * off, aims.any_speed(rng), 0.8)


def _scratching(rails: int) -> SetUp:
    """The cue ball grazes a ball on its way to a pocket's image in so many rails."""

    def set_up(table: Table, rng: Random) -> tuple[Layout, Stroke]:
        cue, image = setups.somewhere(table, rng, 0.1), aims.mouth(table, rng)
        axis = int(rng.integers(2))
        for k in range(rails):
            image = aims.mirrored(table, image, (axis + k) % 2, int(rng.choice([-1, 1])) * (1 + 2 * (k // 2)))
        way = (image - cue) / np.hypot(*(image - cue))
        side = np.array([-way[1], way[0]]) * rng.choice([-1, 1])
        ball = cue + way * rng.uniform(0.12, 0.4) + side * rng.uniform(0.8, 0.99) * table.ball_diameter
        half = np.array([table.length, table.width]) / 2 - table.ball_radius
        ball = np.clip(ball, -half, half)
        given = {"cue": (float(cue[0]), float(cue[1])), "1": (float(ball[0]), float(ball[1]))}
        layout = setups.open_layout(table, rng, given, balls=int(rng.integers(2, 5)))
        turned = image + side * rng.normal(0, 0.05) * np.hypot(*(image - cue))
        return layout, aims.towards(layout, turned, float(rng.uniform(1.5 + rails, 4.5 + 1.5 * rails)), 0.9)

    return set_up


def _safe(table: Table, rng: Random) -> tuple[Layout, Stroke]:
    layout = setups.open_layout(table, rng)
    target = aims.cut(table, layout, aims.numbered(layout, rng), rng, 0.8)
    return layout, aims.towards(layout, target, aims.any_speed(rng, 0.3, 1.0), float(rng.uniform(-0.3, 0.8)))


def _break(balls: int) -> SetUp:
    def set_up(table: Table, rng: Random) -> tuple[Layout, Stroke]:
        layout = setups.racked(table, rng, balls)
        apex = np.array(table.foot_spot) + np.array([0.0, rng.normal(0, 0.004)])
        return layout, aims.towards(layout, apex, float(rng.uniform(5.0, 10.0)), float(rng.uniform(-0.1, 0.3)))

    return set_up


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind("stun", _plain((-0.1, 0.1)), _hit),
        Kind("follow", _plain((0.4, 1.2)), _hit),
        Kind("draw", _plain((-1.0, -0.3)), _hit),
        Kind("english", _plain((-0.5, 0.8), 0.8), _hit),
        Kind("masse", _masse, _hit),
        Kind("pot", _pot, lambda s: bool({e.ball for e in s.of("pocketed")} - {"cue"})),
        Kind("kick", _kick, lambda s: _hit(s) and bool(_rails(s, "cue", _first_t(s)))),
        Kind("bank", _pot, lambda s: _hit(s) and any(e.ball != "cue" for e in s.of("rail_contact"))),
        Kind("combination", _combination, lambda s: any("cue" not in (e.balls or ()) for e in s.of("ball_contact"))),
        Kind("carom", _plain((-0.5, 1.0)), lambda s: 0.02 < gap_after_first(s) < np.inf),
        Kind("kiss", _clustered((0.002, 0.06)), lambda s: len(s.of("ball_contact")) >= 3),
        Kind("split hit", _pair(0.0005, 0.03), lambda s: gap_after_first(s) < 0.012),
        Kind("frozen balls", _clustered((0.0, 0.0001)), _hit),
        Kind("cluster", _clustered((0.0005, 0.01)), _hit),
        Kind("frozen to rail", _railed("object", (0.0, 0.0002)), _hit),
        Kind("cue ball at rail", _railed("cue", (0.0, 0.001)), _hit),
        Kind("along a rail", _railed("object", (0.0, 0.015)), lambda s: _hit(s) and len(s.of("rail_contact")) >= 2),
        Kind("hanging", _hanging, lambda s: bool(s.of("pocketed"))),
        Kind("jaw rattle", _jaw, _rattles),
        Kind("double kiss", _railed("object", (0.0, 0.1)), _twice),
        Kind("dying roll", _dying, _dies_at_rail),
        Kind("near miss", _passing, lambda s: 0.0 < _nearest_pass(s) < 0.012),
        Kind("safety", _safe, lambda s: _hit(s) and not s.of("pocketed")),
        Kind("scratch off no rail", _pot, _scratches_off(0)),
        Kind("scratch off one rail", _scratching(1), _scratches_off(1)),
        Kind("scratch off two rails", _scratching(2), _scratches_off(2)),
        Kind("scratch off three rails", _scratching(3), _scratches_off(3)),
        Kind("break of nine", _break(9), _hit),
        Kind("break of fifteen", _break(15), _hit),
    )
}
"""Shots that roll; `FLIGHTS` has those that fly."""

NAMES: Final = (*KINDS, *FLIGHTS)


def any_physics(rng: Random) -> Physics:
    """Cloth, balls and cushions as they are found: fast and slow, clean and worn."""
    return Physics(
        slide=float(rng.uniform(0.15, 0.25)),
        roll=float(rng.uniform(0.006, 0.014)),
        ball_bounce=float(rng.uniform(0.92, 0.98)),
        ball_friction=float(rng.uniform(0.03, 0.08)),
        rail_bounce=float(rng.uniform(0.75, 0.88)),
        rail_friction=float(rng.uniform(0.12, 0.22)),
    )


def any_mouths(rng: Random) -> Mouths:
    """Pockets as they are cut: tight and loose."""
    return Mouths(
        corner_mouth=float(rng.uniform(0.111, 0.120)),
        corner_depth=float(rng.uniform(0.022, 0.030)),
        side_mouth=float(rng.uniform(0.126, 0.134)),
        side_depth=float(rng.uniform(0.048, 0.056)),
    )


def shot_of(kind: str, table: Table, rng: Random, tries: int = 1000) -> PlayedShot:
    """A shot of a kind, found by playing strokes until one is.

    Raises:
        NoSuchShotError: none of `tries` was of the kind.
    """
    for _ in range(tries):
        physics, mouths = any_physics(rng), any_mouths(rng)
        try:
            if kind in FLIGHTS:
                flown = FLIGHTS[kind](table, rng, physics, mouths)
                if flown is not None:
                    return flown
                continue
            layout, stroke = KINDS[kind].set_up(table, rng)
            shot = play(table, layout, stroke, physics, mouths)
        except BadPlayError:
            continue
        if KINDS[kind].wanted(shot):
            return shot
    raise NoSuchShotError(f"no {kind} in {tries} tries")
