"""Close-ups: one ball and what lies round it, each under its own light, camera and set of balls.

A whole picture shows the namer a score of balls that share one light and one make; a close-up costs less and shares
nothing. Views are steeper here than a mount over a table gives, and sets differ more, so that a colour is learned as
what it is beside its white, its cloth and its highlights, not as a number of levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import Table
from models.rectified import CROP_BALL_PIXELS, CROP_SIZE
from models.synthesis.arrangements import scatter
from models.synthesis.ball import Paint
from models.synthesis.colours import BALL_SETS, IVORY, SPOT_RED, WHITE, YELLOWED, colour, varied
from models.synthesis.people import Limb, arm, cue_stick
from models.synthesis.render import Look, Placed, Projection, Stage
from models.synthesis.scene import (
    NAMES,
    camera_over,
    exposure_path,
    random_development,
    random_light,
    random_style,
    random_table,
    random_turn,
)
from models.synthesis.table_picture import Layers, TableStyle, paint_table
from models.training.samples import NamerSamples, believed, namer_samples

Floats = npt.NDArray[np.float64]

_A_TABLE: Final = 48
"""Close-ups drawn on one painted table: painting it costs as much as drawing twenty."""
_SIZE: Final = (1456, 1088)
_SMALLEST, _LARGEST = 11.0, 52.0
"""Diameter of a ball in the picture, pixels."""
_CUE_FIRST: Final = 0.08
_BESIDE: Final = 1.75
"""Side of what is drawn, in crops: room for a turned crop beside its place."""


def ball_set(rng: np.random.Generator) -> dict[str, Paint]:
    """Sixteen paints of one set, of any make and wear, its cue ball as cream or as white as its stripes or not."""
    make = str(rng.choice(list(BALL_SETS), p=[0.28, 0.18, 0.2, 0.14, 0.12, 0.08]))
    plain = make == "snooker" and rng.random() < 0.7
    ground = varied((IVORY, WHITE, YELLOWED)[rng.choice(3, p=[0.5, 0.35, 0.15])], rng, 0.015, 0.3, 0.08)
    spot, stripe = rng.uniform(0.26, 0.44), rng.uniform(0.42, 0.70)
    four, ringed = bool(rng.random() < 0.2), bool(rng.random() < 0.25)
    paints = {"cue": _cue_ball(ground, rng)}
    worn = rng.uniform(0.3, 1.8)
    for n in range(1, 16):
        body = varied(BALL_SETS[make][(n - 1) % 8], rng, 0.008 * worn, 0.05 * worn, 0.12 * worn)
        number = "" if plain else str(n)
        paints[str(n)] = Paint(body, ground, n > 8, number, spot, stripe, four_spots=four, ringed=ringed)
    return paints


def _cue_ball(ground: npt.NDArray[Any], rng: np.random.Generator) -> Paint:
    body = ground if rng.random() < 0.5 else varied((IVORY, WHITE, YELLOWED)[rng.integers(3)], rng, 0.015, 0.3, 0.08)
    six = np.concatenate([np.eye(3), -np.eye(3)]).astype(np.float32)
    dots = {"none": None, "measles": six, "dot": six[:1], "two": six[[0, 3]]}
    kind = str(rng.choice(list(dots), p=[0.3, 0.42, 0.18, 0.1]))
    ink = SPOT_RED if rng.random() < 0.55 else colour(*rng.integers(0, 160, 3))
    return Paint(body, body, dots=dots[kind], dot_size=float(rng.uniform(0.08, 0.30)), dot_tone=ink)


def _camera(table: Table, place: Floats, rng: np.random.Generator) -> Camera:
    """A camera that sees `place` (2,), a ball there `_SMALLEST` to `_LARGEST` pixels wide; a window of it."""
    height = rng.uniform(1.2, 4.0) * table.length / 2.54
    tilt = abs(rng.normal(0, 0.12)) if rng.random() < 0.65 else rng.uniform(0.2, 1.1)
    bearing = rng.uniform(0, 2 * np.pi)
    reach = np.tan(tilt) * height
    eye = np.array([reach * np.cos(bearing), reach * np.sin(bearing), height])
    look = rng.normal(0, 0.3, 2)
    away = float(np.linalg.norm(eye - [*place, table.ball_radius]))
    width = float(np.exp(rng.uniform(np.log(_SMALLEST), np.log(_LARGEST))))
    focal = width * away / table.ball_diameter
    camera = camera_over(table, _SIZE, eye, look, rng.choice([0.0, np.pi]) + rng.normal(0, 0.05), focal, np.zeros(5))
    return _window(camera, place, width, table)


def _window(camera: Camera, place: Floats, width: float, table: Table) -> Camera:
    """The part of a camera's picture that a crop at `place` may need, as a camera of its own."""
    side = int(np.ceil(_BESIDE * CROP_SIZE * width / CROP_BALL_PIXELS)) + 8
    middle = camera.project_at(place[None], table.ball_radius)[0]
    k = camera.K.copy()
    k[:2, 2] -= np.round(middle - side / 2)
    return replace(camera, K=k, size=(side, side))


def _neighbours(place: Floats, table: Table, rng: np.random.Generator) -> Floats:
    """Places (N, 2) of none to four balls beside one, many of them touching it."""
    d = table.ball_diameter
    found: list[Floats] = []
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.5, 0.25, 0.15, 0.1]))):
        angle = rng.uniform(0, 2 * np.pi)
        gap = d * (1.0005 + (rng.exponential(0.3) if rng.random() < 0.6 else 0.0))
        there = place + gap * np.array([np.cos(angle), np.sin(angle)])
        inside = (np.abs(there) < np.array([table.length, table.width]) / 2 - d / 2).all()
        if inside and all(np.hypot(*(there - other)) >= d for other in found):
            found.append(there)
    return np.array(found).reshape(-1, 2)


def _limbs(place: Floats, table: Table, rng: np.random.Generator) -> tuple[Limb, ...]:
    """Now and then a hand or a cue near the ball."""
    if rng.random() > 0.2:
        return ()
    angle = rng.uniform(0, 2 * np.pi)
    out = np.array([np.cos(angle), np.sin(angle)])
    tip = place + out * rng.uniform(-0.5, 2.5) * table.ball_diameter + rng.normal(0, 0.01, 2)
    if rng.random() < 0.5:
        back = np.array([*out, 0.2])
        return tuple(cue_stick(np.array([*tip, 0.035]), back / np.linalg.norm(back), rng))
    return tuple(arm(np.array([*(tip + 0.7 * out), 0.35]), np.array([*tip, rng.uniform(0.04, 0.2)]), rng))


def _halo(place: Floats, table: Table, rng: np.random.Generator) -> tuple[Projection, ...]:
    if rng.random() > 0.1:
        return ()
    angle = np.linspace(0, 2 * np.pi, 40)
    radius = rng.uniform(1.1, 2.4) * table.ball_radius
    ring = place + rng.normal(0, 0.15, 2) * radius + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    tone = np.asarray(colour(*rng.integers(80, 255, 3)) * rng.uniform(0.3, 1.6), dtype=np.float32)
    return (Projection(ring, float(rng.uniform(0.003, 0.012)), tone),)


def _one(table: Table, style: TableStyle, layers: Layers, rng: np.random.Generator) -> NamerSamples:
    place = scatter(table, 1, rng, 0.0)[0]
    camera = _camera(table, place, rng)
    look = Look(table, style, random_light(table, rng), glow=float(np.exp(rng.uniform(np.log(3), np.log(60)))))
    paints = ball_set(rng)
    names = _drawn_names(rng)
    places = np.concatenate([place[None], _neighbours(place, table, rng)])
    moving = rng.random() < 0.25
    balls = []
    for name, xy in zip(names, places, strict=False):
        path = np.array([[*xy, table.ball_radius]])
        if moving and rng.random() < 0.7:
            path = exposure_path(xy, table.ball_radius, rng)
        balls.append(Placed(name, path, random_turn(rng), paints[name]))
    light = random_development(rng)
    light = replace(light, balance=_cast(light.balance, rng), noise=light.noise * rng.uniform(0.5, 1.2))
    stage = Stage(camera, look, layers)
    picture, truth = stage.picture(balls, light, rng, _limbs(place, table, rng), _halo(place, table, rng))
    samples = namer_samples(picture, truth, table, believed(camera, rng), rng)
    # The ball in the middle comes first; the crops of others may reach past the window.
    return _rows(samples, slice(1))


def _drawn_names(rng: np.random.Generator) -> list[str]:
    """All names in any order, the cue ball first more often than one in sixteen: most of a game hangs on it."""
    names = [str(name) for name in rng.permutation(NAMES)]
    if rng.random() < _CUE_FIRST:
        names.remove(NAMES[0])
        names.insert(0, NAMES[0])
    return names


def _cast(balance: tuple[float, float, float], rng: np.random.Generator) -> tuple[float, float, float]:
    """A cast of colour stronger than a set white balance leaves: broadcast grading, bar lamps."""
    blue, green, red = np.array(balance) * np.exp(rng.normal(0, [0.07, 0.03, 0.07]))
    return float(blue), float(green), float(red)


def _rows(samples: NamerSamples, rows: slice) -> NamerSamples:
    return NamerSamples(
        samples.crops[rows], samples.centre[rows], samples.name[rows], samples.covered[rows], samples.streak[rows]
    )


def closeups(rng: np.random.Generator) -> Iterator[NamerSamples]:
    """Endless samples of one crop each."""
    while True:
        table, style = random_table(rng), random_style(rng)
        layers = paint_table(table, style, random_light(table, rng))
        for _ in range(_A_TABLE):
            yield _one(table, style, layers, rng)
