"""Layouts and strokes drawn by chance, and shots of a wanted kind found by playing them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from calibration.table import Table
from lab.motion import Physics
from lab.shot import PlayedShot, Stroke
from lab.simulator import play

Floats = npt.NDArray[np.float64]
Layout = dict[str, tuple[float, float]]
ShotKind = Literal["pot", "miss", "kick", "break", "wrong_ball", "scratch", "no_contact"]

_RACK_ROWS: Final = (1, 2, 3, 2, 1)
_ROW: Final = np.sqrt(3) / 2


class NoSuchShotError(RuntimeError):
    """No shot of the wanted kind turned up within the tries."""


def random_layout(table: Table, rng: np.random.Generator, balls: int = 6) -> Layout:
    """The cue ball and `balls` of the nine, no two nearer than 5 mm; the 9 among them."""
    numbers = sorted([*rng.choice(np.arange(1, 9), balls - 1, replace=False).tolist(), 9])
    half = np.array([table.length, table.width]) / 2 - table.ball_radius - 0.002
    places: list[Floats] = []
    while len(places) < balls + 1:
        place = rng.uniform(-1, 1, 2) * half
        if all(np.hypot(*(place - other)) > table.ball_diameter + 0.005 for other in places):
            places.append(place)
    return {name: (float(x), float(y)) for name, (x, y) in zip(["cue", *map(str, numbers)], places, strict=True)}


def nine_ball_rack(table: Table, rng: np.random.Generator, gap: float = 5e-5) -> Layout:
    """A nine-ball rack with gaps of about `gap` between balls and the cue ball behind the head string."""
    d = table.ball_diameter + gap
    x0, _ = table.foot_spot
    spots = [(x0 + k * d * _ROW, (j - (n - 1) / 2) * d) for k, n in enumerate(_RACK_ROWS) for j in range(n)]
    others = [str(n) for n in range(2, 9)]
    rng.shuffle(others)
    names = ["1", *others[:3], "9", *others[3:]]
    jitter = rng.uniform(-gap / 4, gap / 4, (9, 2))
    layout = {n: (float(x + dx), float(y + dy)) for n, (x, y), (dx, dy) in zip(names, spots, jitter, strict=True)}
    layout["cue"] = (table.head_string - 0.05, float(rng.uniform(-0.3, 0.3) * table.width))
    return layout


def lowest(layout: Mapping[str, tuple[float, float]]) -> str:
    """The lowest numbered ball on the table: the one to hit first in nine-ball."""
    return str(min(int(name) for name in layout if name != "cue"))


def _aimed(layout: Layout, target: Floats, speed: float, rng: np.random.Generator, spin: bool = True) -> Stroke:
    way = target - np.array(layout["cue"])
    way /= np.linalg.norm(way)
    follow = float(rng.uniform(-0.8, 1.0)) if spin else 0.0
    return Stroke((float(way[0] * speed), float(way[1] * speed)), follow, float(rng.normal(0, 0.1)) if spin else 0.0)


def _attempt(table: Table, layout: Layout, kind: ShotKind, rng: np.random.Generator) -> Stroke:
    ball = np.array(layout[lowest(layout)])
    speed = float(rng.uniform(1.2, 4.0))
    match kind:
        case "break":
            return _aimed(
                layout, ball + np.array([0.0, rng.normal(0, 0.004)]), float(rng.uniform(7, 10)), rng, spin=False
            )
        case "pot" | "scratch":
            pocket = list(table.pockets.values())[rng.integers(6)]
            line = np.array(pocket.mouth_centre) - ball
            ghost = ball - line / np.linalg.norm(line) * table.ball_diameter
            return _aimed(layout, ghost, speed, rng)
        case "kick":
            mirrored = ball.copy()
            axis = int(rng.random() < 0.7)
            half = (table.length, table.width)[axis] / 2 - table.ball_radius
            mirrored[axis] = rng.choice([-1, 1]) * 2 * half - ball[axis]
            return _aimed(layout, mirrored, speed * 1.3, rng)
        case "wrong_ball":
            others = [n for n in layout if n not in ("cue", lowest(layout))]
            return _aimed(layout, np.array(layout[others[rng.integers(len(others))]]), speed, rng)
        case "no_contact":
            return _aimed(layout, rng.uniform(-0.5, 0.5, 2) * [table.length, table.width], speed, rng)
        case "miss":
            side = rng.normal(0, 0.4 * table.ball_diameter, 2)
            return _aimed(layout, ball + side, speed, rng)


def is_of_kind(shot: PlayedShot, kind: ShotKind) -> bool:
    """Whether a played shot is what was wanted."""
    wanted = lowest(shot.layout_before)
    potted = {e.ball for e in shot.of("pocketed")}
    first = shot.first_contact
    right = first == wanted
    rail_first = any(e.ball == "cue" for e in shot.events[: _index_of_contact(shot)] if e.type == "rail_contact")
    match kind:
        case "break":
            return right
        case "pot":
            return right and wanted in potted and "cue" not in potted
        case "scratch":
            return right and "cue" in potted
        case "kick":
            return right and rail_first and "cue" not in potted
        case "wrong_ball":
            return first is not None and not right and not rail_first
        case "no_contact":
            return first is None
        case "miss":
            return right and not potted and not rail_first


def _index_of_contact(shot: PlayedShot) -> int:
    return next((k for k, e in enumerate(shot.events) if e.type == "ball_contact"), len(shot.events))


def random_shot(
    table: Table,
    kind: ShotKind,
    rng: np.random.Generator,
    layout: Layout | None = None,
    t_strike: float = 0.0,
    physics: Physics | None = None,
    tries: int = 200,
) -> PlayedShot:
    """A shot of this kind, from `layout` or from layouts drawn anew for every try.

    Raises:
        NoSuchShotError: none of `tries` strokes was of the kind.
    """
    for _ in range(tries):
        here = layout or (
            nine_ball_rack(table, rng) if kind == "break" else random_layout(table, rng, int(rng.integers(3, 8)))
        )
        shot = play(table, here, _attempt(table, here, kind, rng), t_strike, physics)
        if is_of_kind(shot, kind):
            return shot
    raise NoSuchShotError(f"no {kind} in {tries} tries")
