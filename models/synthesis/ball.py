"""One ball: its paint, its exact outline in a picture, and how it looks through every pixel."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from models.synthesis.colours import IVORY, SPOT_RED, WHITE, YELLOWED, Colour
from models.synthesis.light import Light
from models.synthesis.rays import Rays

Field = npt.NDArray[np.floating[Any]]
Floats = npt.NDArray[np.float64]

_MASK: Final = 64
_FAINT: Final = np.float32(1e-12)


@dataclass(frozen=True, eq=False)
class Paint:
    """How a ball is painted. Stripes run round the ball's z axis, number spots sit at ±x (and ±y with `four_spots`).

    `spot` and `stripe` are the sines of half their angular widths; a cue ball may carry `dots` (M, 3), unit places
    of dots, each of this angular radius (`dot_size`, radians).
    """

    body: Colour
    ground: Colour = field(default_factory=lambda: IVORY)
    striped: bool = False
    number: str = ""
    spot: float = 0.34
    stripe: float = 0.56
    dots: Field | None = None
    dot_size: float = 0.17
    dot_tone: Colour = field(default_factory=lambda: SPOT_RED)
    four_spots: bool = False
    ringed: bool = False


@dataclass(frozen=True, eq=False)
class Ball:
    """A ball somewhere: centre (3,) in the table frame, its turn (3, 3: ball frame → table frame), its paint."""

    centre: Field
    turn: Field
    paint: Paint
    radius: float


@dataclass(frozen=True, eq=False)
class Sprite:
    """A piece of picture to lay over another: `light` (h, w, 3) already weighted by `alpha` (h, w)."""

    left: int
    top: int
    light: Field
    alpha: Field


@functools.cache
def _digits(text: str) -> Field:
    """Ink (_MASK, _MASK) of a number as printed in its spot; row 0 is its top edge."""
    ink = np.zeros((_MASK * 2, _MASK * 2), dtype=np.uint8)
    scale = 2.1 if len(text) == 1 else 1.6
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 8)
    place = (_MASK - width // 2, _MASK + height // 2)
    cv2.putText(ink, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, 8, cv2.LINE_AA)
    if text in ("6", "9"):
        cv2.line(ink, (_MASK - 18, _MASK + 38), (_MASK + 18, _MASK + 38), 255, 7, cv2.LINE_AA)
    return cv2.resize(ink, (_MASK, _MASK), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _put_spot(colours: Field, local: Field, paint: Paint, axis: int) -> None:
    """Paints the two number spots that face along ±`axis` of the ball's frame."""
    others = (1, 2) if axis == 0 else (0, 2)
    out2 = local[:, others[0]] ** 2 + local[:, others[1]] ** 2
    inside = out2 < paint.spot**2
    if not inside.any():
        return
    spots = local[inside]
    side = np.sign(spots[:, axis]) * (1 if axis == 0 else -1)
    u = spots[:, others[0]] * side / paint.spot
    v = -spots[:, others[1]] / paint.spot
    ink = _digits(paint.number)[
        ((v + 1) * (_MASK - 1) / 2).astype(int).clip(0, _MASK - 1),
        ((u + 1) * (_MASK - 1) / 2).astype(int).clip(0, _MASK - 1),
    ]
    if paint.ringed:
        ink = np.maximum(ink, np.sqrt(out2[inside]) > 0.86 * paint.spot)
    colours[inside] = paint.ground * (1 - 0.97 * ink[:, None])


def albedo(paint: Paint, local: Field) -> Field:
    """Colours (N, 3) at unit places (N, 3) of the ball's own frame."""
    colours = np.empty((len(local), 3), dtype=np.float32)
    colours[:] = paint.body
    if paint.striped:
        colours[np.abs(local[:, 2]) > paint.stripe] = paint.ground
    if paint.number:
        _put_spot(colours, local, paint, axis=0)
        if paint.four_spots:
            _put_spot(colours, local, paint, axis=1)
    if paint.dots is not None:
        colours[(local @ paint.dots.T).max(axis=1) > np.cos(paint.dot_size)] = paint.dot_tone
    return colours


def outline(camera: Camera, centre: npt.ArrayLike, radius: float, points: int = 64) -> Floats:
    """The ball's outline in the picture, exactly: pixels (points, 2) of the circle where lines of sight graze it."""
    c = np.asarray(centre, dtype=np.float64)
    sight = camera.centre - c
    distance = float(np.linalg.norm(sight))
    sight /= distance
    across = np.cross(sight, [0.0, 1.0, 0.0])
    across /= np.linalg.norm(across)
    along = np.cross(sight, across)
    middle = c + sight * radius**2 / distance
    limb = radius * np.sqrt(1 - (radius / distance) ** 2)
    angle = np.linspace(0, 2 * np.pi, points, endpoint=False)[:, None]
    return camera.project(middle + limb * (np.cos(angle) * across + np.sin(angle) * along))


def cue_paint(kind: str) -> Paint:
    """A cue ball: `plain`, `ivory`, `yellowed`, `measles` (six red dots) or `dot` (one)."""
    six = np.concatenate([np.eye(3), -np.eye(3)]).astype(np.float32)
    match kind:
        case "plain":
            return Paint(WHITE)
        case "ivory":
            return Paint(IVORY)
        case "yellowed":
            return Paint(YELLOWED)
        case "measles":
            return Paint(WHITE, dots=six)
        case "dot":
            return Paint(WHITE, dots=six[:1])
    raise ValueError(f"unknown cue ball {kind!r}")


def draw(rays: Rays, ball: Ball, light: Light, below: Colour, glow: float, fine: int = 3) -> Sprite | None:
    """The ball as the camera sees it; None where it lies outside the picture or behind the camera.

    `below` (3,) is the light that comes back from the cloth around it, `glow` how bright the lamps' mirror images are
    beside the lamps' light, `fine` the samples along a pixel's side.
    """
    edge = outline(rays.camera, ball.centre, ball.radius, 24)
    left, top = np.floor(edge.min(axis=0)).astype(int) - 1
    right, bottom = np.ceil(edge.max(axis=0)).astype(int) + 2
    width, height = rays.camera.size
    if right <= 0 or bottom <= 0 or left >= width or top >= height or right - left > width:
        return None
    directions = rays.patch(int(left), int(top), int(right - left), int(bottom - top), fine)
    sight = directions.reshape(-1, 3)
    sight = sight / np.linalg.norm(sight, axis=1, keepdims=True)
    away = rays.centre - ball.centre.astype(np.float32)
    half = sight @ away
    gap = half**2 - (away @ away - np.float32(ball.radius) ** 2)
    hit = gap > 0
    sight = sight[hit]
    reach = -half[hit] - np.sqrt(gap[hit])
    normals = (away + reach[:, None] * sight) / np.float32(ball.radius)
    places = ball.centre.astype(np.float32) + normals * np.float32(ball.radius)
    shown = albedo(ball.paint, normals @ ball.turn.astype(np.float32)) * light.on_ball(places, normals, below)
    shown += light.mirrored(places, normals, sight, 0.02, glow)
    samples = np.zeros((len(hit), 4), dtype=np.float32)
    samples[hit, :3] = shown
    samples[hit, 3] = 1
    shape = (bottom - top, fine, right - left, fine, 4)
    mean = samples.reshape(shape).mean(axis=(1, 3))
    return Sprite(int(left), int(top), mean[..., :3], mean[..., 3])
