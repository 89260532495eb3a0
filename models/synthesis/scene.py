"""Scenes drawn by chance: any table, camera, light, balls and people that a hall or a bar may have."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import SIZES, Table
from models.synthesis.arrangements import NINE_BALL, TRIANGLE, rack, scatter
from models.synthesis.ball import Paint, cue_paint
from models.synthesis.camera_effects import Development
from models.synthesis.colours import (
    BALL_SETS,
    CLOTHS,
    FLOORS,
    IVORY,
    RAILS,
    SPOT_RED,
    WHITE,
    colour,
    varied,
)
from models.synthesis.light import Lamp, Light
from models.synthesis.people import Limb, arm, cue_stick, player
from models.synthesis.render import Look, Placed, Projection
from models.synthesis.table_picture import TableStyle

Floats = npt.NDArray[np.float64]

NAMES = ("cue", *(str(n) for n in range(1, 16)))


@dataclass(frozen=True, eq=False)
class Scene:
    """All that `render.Stage` needs for one picture."""

    camera: Camera
    look: Look
    balls: tuple[Placed, ...]
    limbs: tuple[Limb, ...]
    projections: tuple[Projection, ...]
    development: Development


def random_table(rng: np.random.Generator) -> Table:
    if rng.random() < 0.15:
        length = rng.uniform(1.6, 2.2)
        return Table(length, length / rng.uniform(1.96, 2.04), rng.uniform(0.050, 0.0572))
    return Table(*list(SIZES.values())[rng.integers(len(SIZES))])


def camera_over(
    table: Table, size: tuple[int, int], place: Floats, look_at: Floats, roll: float, focal: float, dist: Floats
) -> Camera:
    """A camera at `place` (3,) that looks at (x, y, 0); with no roll the picture's right is the table's +x."""
    forward = np.array([*look_at, 0.0]) - place
    forward /= np.linalg.norm(forward)
    right = np.array([np.cos(roll), np.sin(roll), 0.0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    rotation = np.array([right, np.cross(forward, right), forward])
    middle = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    k = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    return Camera(k, dist, rotation, -rotation @ place, size)


def random_camera(table: Table, rng: np.random.Generator) -> Camera:
    sizes = ((1280, 720), (960, 540), (1024, 576), (1456, 1088), (1920, 1080))
    size = sizes[rng.choice(len(sizes), p=[0.4, 0.15, 0.15, 0.12, 0.18])]
    height = rng.uniform(1.5, 4.0) * table.length / 2.54
    tilt = np.abs(rng.normal(0, 0.10)) if rng.random() < 0.85 else rng.uniform(0.1, 0.4)
    bearing = rng.uniform(0, 2 * np.pi)
    place = np.array([np.cos(bearing) * np.tan(tilt) * height, np.sin(bearing) * np.tan(tilt) * height, height])
    look = rng.normal(0, 0.05, 2)
    roll = rng.choice([0.0, np.pi]) + rng.normal(0, 0.03)
    if rng.random() < 0.06:
        roll += np.pi / 2
    distance = float(np.linalg.norm(place - [*look, 0]))
    fill = rng.uniform(0.66, 0.95)
    focal = fill * min(size[0] / table.length, size[1] / table.width) * distance
    if abs(np.sin(roll)) > 0.5:
        focal = fill * min(size[1] / table.length, size[0] / table.width) * distance
    k1 = rng.uniform(-0.12, 0.03) * min(1.0, (focal / size[0]) ** 2 * 1.5)
    dist = np.array([k1, 0.1 * abs(k1), rng.normal(0, 3e-4), rng.normal(0, 3e-4), 0.0])
    return camera_over(table, size, place, look, roll, focal, dist)


def random_light(table: Table, rng: np.random.Generator) -> Light:
    height = rng.uniform(0.8, 2.2)
    sky_share = rng.uniform(0.1, 0.65)
    count = int(rng.choice([1, 2, 3, 4, 6]))
    long_tubes = rng.random() < 0.3
    tint = np.array([rng.uniform(0.94, 1.06), 1.0, rng.uniform(0.94, 1.06)], dtype=np.float32)
    across = rng.uniform(0.05, 0.35) * table.width
    spread = rng.uniform(0.3, 0.8) * table.length
    lamps = []
    for k in range(count):
        x = (k - (count - 1) / 2) * spread / max(count - 1, 1) + rng.normal(0, 0.08)
        y = across * (-1) ** k * (count > 1) + rng.normal(0, 0.08)
        half = (rng.uniform(0.3, 0.7), rng.uniform(0.02, 0.05)) if long_tubes else tuple(rng.uniform(0.02, 0.22, 2))
        place = np.array([x, y, height], dtype=np.float32)
        lamps.append(Lamp(place, (float(half[0]), float(half[1])), rng.normal(0, 0.03), rng.uniform(0.6, 1.4), tint))
    if rng.random() < 0.2:
        lamps = [_aside(lamp, table, rng) for lamp in lamps]
    here = np.zeros(2, dtype=np.float32)
    bare = Light(tuple(lamps), np.zeros(3, dtype=np.float32)).on_cloth(here).mean()
    share = (1 - sky_share) / float(bare)
    scaled = tuple(Lamp(x.place, x.half, x.turn, x.power * share, x.tint) for x in lamps)
    sky = np.full(3, sky_share, dtype=np.float32)
    return Light(scaled, sky, sides=float(rng.uniform(0.02, 0.6)), bounce=float(rng.uniform(0.15, 0.8)))


def _aside(lamp: Lamp, table: Table, rng: np.random.Generator) -> Lamp:
    """The lamp of a neighbouring table, or a window."""
    angle = rng.uniform(0, 2 * np.pi)
    shift = rng.uniform(0.3, 0.9) * table.length * np.array([np.cos(angle), np.sin(angle), 0.0])
    return replace(lamp, place=np.asarray(lamp.place + shift, dtype=np.float32))


def random_style(rng: np.random.Generator) -> TableStyle:
    cloth = varied(list(CLOTHS.values())[rng.integers(len(CLOTHS))], rng, 0.015, 0.12, 0.2)
    lines = [x for x, p in (("head string", 0.3), ("d", 0.2), ("foot string", 0.1), ("rack", 0.1)) if rng.random() < p]
    lines += [str(rng.choice(["spots", "foot spot", "ringed spots"]))] if rng.random() < 0.7 else []
    return TableStyle(
        cloth,
        varied(RAILS[rng.integers(len(RAILS))], rng, 0.01, 0.2, 0.3),
        varied(FLOORS[rng.integers(len(FLOORS))], rng, 0.05, 0.3, 0.4),
        grain=rng.uniform(0, 0.6),
        texture=rng.uniform(0.05, 1.0),
        wear=rng.uniform(0, 0.8),
        cushion_width=rng.uniform(0.035, 0.055),
        rail_width=rng.uniform(0.06, 0.13),
        diamond=rng.choice(["dot", "rhombus", "none"], p=[0.5, 0.4, 0.1]),
        castings=rng.choice(["none", "metal", "dark", "brass"], p=[0.4, 0.25, 0.2, 0.15]),
        pocket=rng.choice(["dark", "net", "lined", "ringed"], p=[0.45, 0.15, 0.2, 0.2]),
        wedges=float(rng.uniform(0.1, 0.8)) if rng.random() < 0.3 else 0.0,
        lines=tuple(lines),
        marks=int(rng.poisson(6)),
        line_colour=colour(236, 234, 226) if rng.random() < 0.6 else colour(16, 16, 16),
        markers=bool(rng.random() < 0.15),
        seed=int(rng.integers(1 << 31)),
    )


def random_turn(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """A rotation (3, 3), evenly spread over all."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    q[:, 0] *= np.sign(np.linalg.det(q))
    return np.asarray(q, dtype=np.float32)


def ball_paints(rng: np.random.Generator, make: str | None = None, spread: float = 1.0) -> dict[str, Paint]:
    """One set's sixteen paints by name; all of one make, off its book colours by `spread` (1: as worn sets are)."""
    make = make or str(rng.choice(list(BALL_SETS), p=[0.33, 0.17, 0.17, 0.15, 0.08, 0.1]))
    plain = make == "snooker" and rng.random() < 0.7
    ground = varied(IVORY if rng.random() < 0.7 else WHITE, rng, 0.01, 0.2, 0.05)
    spot, stripe = rng.uniform(0.28, 0.40), rng.uniform(0.48, 0.66)
    four, ringed = bool(rng.random() < 0.15), bool(rng.random() < 0.2)
    paints = {"cue": _random_cue_ball(rng)}
    for n in range(1, 16):
        body = varied(BALL_SETS[make][(n - 1) % 8], rng, 0.008 * spread, 0.025 * spread, 0.08 * spread)
        number = "" if plain else str(n)
        paints[str(n)] = Paint(body, ground, n > 8, number, spot, stripe, four_spots=four, ringed=ringed)
    return paints


def _random_cue_ball(rng: np.random.Generator) -> Paint:
    kind = str(rng.choice(["plain", "ivory", "yellowed", "measles", "dot"], p=[0.3, 0.12, 0.12, 0.33, 0.13]))
    paint = cue_paint(kind)
    if paint.dots is None:
        return paint
    ink = SPOT_RED if rng.random() < 0.75 else varied(SPOT_RED, rng, 0.3, 0.3, 0.5)
    return replace(paint, dot_size=float(rng.uniform(0.10, 0.26)), dot_tone=ink)


def exposure_path(place: Floats, radius: float, rng: np.random.Generator) -> Floats:
    """Three points along a straight, evenly run path through one exposure."""
    speed = float(np.exp(rng.uniform(np.log(0.2), np.log(9.0))))
    exposure = float(np.exp(rng.uniform(np.log(1 / 500), np.log(1 / 40))))
    angle = rng.uniform(0, 2 * np.pi)
    half = min(speed * exposure / 2, 0.12) * np.array([np.cos(angle), np.sin(angle), 0.0])
    middle = np.array([*place, radius])
    return np.array([middle - half, middle, middle + half])


def random_balls(table: Table, rng: np.random.Generator) -> tuple[Placed, ...]:
    paints = ball_paints(rng)
    moving_share = rng.choice([0.0, 0.25, 0.8], p=[0.5, 0.35, 0.15])
    names = list(NAMES)
    if rng.random() < 0.18:
        rows = NINE_BALL if rng.random() < 0.4 else TRIANGLE
        places = rack(table, rows) + rng.normal(0, 0.0003, 2)
        names = names[1 : len(places) + 1]
        rng.shuffle(names)
        names = [*names, "cue"]
        places = np.concatenate(
            [places, [[rng.uniform(-0.45, 0) * table.length, rng.uniform(-0.4, 0.4) * table.width]]]
        )
    else:
        rng.shuffle(names)
        places = scatter(table, int(rng.integers(3, 17)), rng, float(rng.choice([0.1, 0.35, 0.7])))
    balls = []
    for name, place in zip(names, places, strict=False):
        path = np.array([[*place, table.ball_radius]])
        if rng.random() < moving_share:
            path = exposure_path(place, table.ball_radius, rng)
        balls.append(Placed(name, path, random_turn(rng), paints[name]))
    return (*balls, *_dropped(table, names[len(balls) :], paints, rng))


def _dropped(table: Table, names: list[str], paints: dict[str, Paint], rng: np.random.Generator) -> list[Placed]:
    """Balls that lie in the pockets, below the cloth."""
    found = []
    for name in names[: int(rng.choice([0, 1, 2, 3], p=[0.5, 0.25, 0.15, 0.1]))]:
        pocket = list(table.pockets.values())[rng.integers(6)]
        place = np.asarray(pocket.centre) + rng.normal(0, 0.25 * pocket.radius, 2)
        path = np.array([[*place, -rng.uniform(0.03, 0.09)]])
        found.append(Placed(name, path, random_turn(rng), paints[name], in_pocket=True))
    return found


def random_limbs(table: Table, rng: np.random.Generator) -> tuple[Limb, ...]:
    limbs: list[Limb] = []
    for _ in range(int(rng.choice([0, 1, 2], p=[0.35, 0.45, 0.2]))):
        half = np.array([table.length, table.width]) / 2
        axis = int(rng.random() < 0.7)
        anchor = rng.uniform(-1, 1, 2) * half
        anchor[axis] = (half[axis] + rng.uniform(0.15, 0.4)) * rng.choice([-1, 1])
        reach = anchor * 1.0
        reach[axis] = np.sign(anchor[axis]) * rng.uniform(-0.1, 1.0) * half[axis]
        reach[1 - axis] += rng.normal(0, 0.2)
        pick = rng.random()
        if pick < 0.6:
            limbs += player(anchor, reach, rng)
        elif pick < 0.8:
            limbs += arm(np.array([*anchor, 0.35]), np.array([*reach, rng.uniform(0.03, 0.25)]), rng)
        else:
            back = np.array([*(anchor - reach), 0.2 * float(np.linalg.norm(anchor - reach))])
            limbs += cue_stick(np.array([*reach, 0.035]), back / np.linalg.norm(back), rng)
    return tuple(limbs)


def random_projections(table: Table, balls: tuple[Placed, ...], rng: np.random.Generator) -> tuple[Projection, ...]:
    """Circles round balls (not quite in the middle) and lines, thrown on the cloth by a projector."""
    if rng.random() > 0.2:
        return ()
    tone = np.asarray(colour(*rng.integers(80, 255, 3)) * rng.uniform(0.3, 1.6), dtype=np.float32)
    angle = np.linspace(0, 2 * np.pi, 40)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    middles = [b.middle[:2] for b in balls if not b.in_pocket and rng.random() < 0.8]
    middles += list(rng.uniform(-0.45, 0.45, (3, 2)) * [table.length, table.width])
    radius = rng.uniform(1.1, 2.4) * table.ball_radius
    width = float(rng.uniform(0.003, 0.012))
    found = [Projection(m + rng.normal(0, 0.15, 2) * radius + circle * radius, width, tone) for m in middles]
    lines = rng.uniform(-0.5, 0.5, (2, 4, 2)) * [table.length, table.width]
    return (*found, *(Projection(line, width, tone) for line in lines[: rng.integers(3)]))


def random_development(rng: np.random.Generator) -> Development:
    warm = rng.normal(0, 0.10)
    tint = rng.normal(0, 0.035)
    dim = rng.random() < 0.2
    return Development(
        exposure=float(np.exp(rng.normal(-0.05, 0.25))) * (rng.uniform(0.25, 0.6) if dim else 1.0),
        balance=(float(np.exp(-warm)), float(np.exp(tint)), float(np.exp(warm))),
        gamma=rng.uniform(0.85, 1.15),
        shoulder=rng.uniform(0.1, 0.5),
        saturation=rng.uniform(0.75, 1.35),
        vignette=rng.uniform(0, 0.45),
        softness=rng.uniform(0.3, 1.3),
        sharpen=rng.uniform(0, 1.0) if rng.random() < 0.4 else 0.0,
        noise=rng.uniform(4, 11) if dim else float(rng.choice([0.5, 1.5, 3, 5])),
        banding=rng.uniform(0.02, 0.08) if rng.random() < 0.15 else 0.0,
        band_rows=rng.uniform(80, 500),
        band_phase=rng.random(),
        black=rng.uniform(0, 0.05),
        quality=int(rng.uniform(45, 97)),
    )


def random_scene(rng: np.random.Generator) -> Scene:
    """A scene; the same generator state gives the same scene."""
    table = random_table(rng)
    look = Look(table, random_style(rng), random_light(table, rng), glow=float(rng.uniform(4, 30)))
    balls = random_balls(table, rng)
    return Scene(
        random_camera(table, rng),
        look,
        balls,
        random_limbs(table, rng),
        random_projections(table, balls, rng),
        random_development(rng),
    )
