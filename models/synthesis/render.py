"""A scene's picture, and what is true about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import Table
from models.synthesis.ball import Ball, Paint, Sprite, draw
from models.synthesis.camera_effects import Development, develop
from models.synthesis.colours import Colour
from models.synthesis.light import Light
from models.synthesis.people import Cover, Limb, Slab, cover
from models.synthesis.rays import Rays
from models.synthesis.table_picture import Layers, TableStyle, paint_table

Field = npt.NDArray[np.floating[Any]]
Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

_MOST_INSTANTS: Final = 40


@dataclass(frozen=True, eq=False)
class Look:
    """All that stays the same from picture to picture: table, its style, lights, how mirror-like balls are."""

    table: Table
    style: TableStyle
    light: Light
    glow: float = 12.0


@dataclass(frozen=True, eq=False)
class Placed:
    """A ball in a picture: its path (K, 3) through the exposure (K = 1 at rest), evenly in time, its turn (3, 3)."""

    name: str
    path: Floats
    turn: Field
    paint: Paint
    in_pocket: bool = False

    @property
    def middle(self) -> Floats:
        """Centre (3,) in the middle of the exposure."""
        k = len(self.path)
        return np.asarray((self.path[(k - 1) // 2] + self.path[k // 2]) / 2)


@dataclass(frozen=True, eq=False)
class Projection:
    """Light thrown on the cloth by a projector: a closed or open line (K, 2) in metres."""

    line: Floats
    width: float
    tone: Colour


@dataclass(frozen=True, eq=False)
class Truth:
    """What is true of a picture; one row for each placed ball.

    `px` (N, 2) projections of the centres in mid-exposure; `streak` (N, 2) from there to where the centre is at the
    exposure's end; `visible` (N,) share of the ball's disc that no limb covers; `cover` (H, W) what limbs cover.
    """

    names: tuple[str, ...]
    xy: Floats
    px: Floats
    streak: Floats
    visible: Floats
    on_table: npt.NDArray[np.bool_]
    cover: Field


@dataclass(eq=False)
class Stage:
    """A camera over an empty table; `picture` adds balls and people. The empty table is drawn once.

    `layers` may be handed in where many stages show the same table.
    """

    camera: Camera
    look: Look
    layers: Layers | None = None
    _rays: Rays = field(init=False)
    _empty: Field = field(init=False)
    _ground: Field = field(init=False)
    _rail_alpha: Field = field(init=False)
    _rail_light: Field = field(init=False)

    def __post_init__(self) -> None:
        self._rays = Rays(self.camera)
        layers = self.layers or paint_table(self.look.table, self.look.style, self.look.light)
        directions = self._rays.whole()
        self._ground = self._rays.on_plane(directions, 0.0)
        lit = self._lit(self._ground)
        self._empty = _look_up(layers, layers.cloth, self._ground) * lit
        above = self._rays.on_plane(directions, self.look.table.nose_height)
        self._rail_alpha = _look_up(layers, layers.alpha, above)
        self._rail_light = _look_up(layers, layers.rails, above) * lit

    def _lit(self, ground: Field) -> Field:
        coarse = self.look.light.on_cloth(ground[::8, ::8])
        return np.asarray(cv2.resize(coarse, self.camera.size), dtype=np.float32)

    def light_picture(
        self, balls: Sequence[Placed], limbs: Sequence[Limb | Slab] = (), projections: Sequence[Projection] = ()
    ) -> tuple[Field, Truth]:
        """Linear light (H, W, 3) of the scene, and the truth about it."""
        scene = self._empty.copy()
        for projection in projections:
            self._project(scene, projection)
        sprites = {id(ball): self._sprite(ball) for ball in balls}
        for ball in balls:
            if not ball.in_pocket:
                self._shade(scene, ball)
        for ball in balls:
            if ball.in_pocket:
                _lay(scene, sprites[id(ball)], 0.45)
        scene += (self._rail_light - scene) * self._rail_alpha[..., None]
        far_first = sorted(balls, key=lambda b: -float(np.linalg.norm(b.middle - self.camera.centre)))
        for ball in far_first:
            if not ball.in_pocket:
                _lay(scene, sprites[id(ball)])
        lamp = max(self.look.light.lamps, key=lambda x: x.power)
        over = cover(self.camera, limbs, lamp.place, 0.9) if limbs else None
        if over is not None:
            scene *= over.shade[..., None]
            scene += (over.light - scene) * over.alpha[..., None]
        return scene, self._truth(balls, sprites, over)

    def picture(
        self,
        balls: Sequence[Placed],
        development: Development,
        rng: np.random.Generator,
        limbs: Sequence[Limb | Slab] = (),
        projections: Sequence[Projection] = (),
    ) -> tuple[Picture, Truth]:
        """The camera's picture (H, W, 3) BGR, and the truth about it."""
        scene, truth = self.light_picture(balls, limbs, projections)
        return develop(scene, development, rng), truth

    def _instants(self, ball: Placed) -> Floats:
        """The ball's path sampled so finely that a streak shows no steps."""
        if len(ball.path) == 1:
            return ball.path
        px = self.camera.project(ball.path)
        length = float(np.linalg.norm(np.diff(px, axis=0), axis=1).sum())
        count = int(np.clip(length / 1.5, 3, _MOST_INSTANTS))
        whole = np.linspace(0, len(ball.path) - 1, count)
        return np.column_stack([np.interp(whole, np.arange(len(ball.path)), axis) for axis in ball.path.T])

    def _sprite(self, ball: Placed) -> Sprite | None:
        below = np.asarray(self.look.style.cloth, dtype=np.float32)
        radius = self.look.table.ball_radius
        path = self._instants(ball)
        fine = 3 if len(path) == 1 else 2
        drawn = [
            draw(
                self._rays,
                Ball(p.astype(np.float32), ball.turn, ball.paint, radius),
                self.look.light,
                below,
                self.look.glow,
                fine,
            )
            for p in path
        ]
        return _mean_sprite([s for s in drawn if s is not None], len(path))

    def _shade(self, scene: Field, ball: Placed) -> None:
        radius = self.look.table.ball_radius
        path = self._instants(ball)
        path = path[:: max(1, len(path) // 6)]
        corners = [path[:, :2] + np.array([a, b]) * 3 * radius for a in (-1, 1) for b in (-1, 1)]
        for lamp in self.look.light.lamps:
            drop = 2 * radius / (lamp.place[2] - 2 * radius)
            fall = path[:, :2] - (lamp.place[:2] - path[:, :2]) * drop
            corners += [fall + np.array([a, b]) * 1.3 * radius for a in (-1, 1) for b in (-1, 1)]
        px = self.camera.project_at(np.concatenate(corners), 0.0)
        (x0, y0), (x1, y1) = np.floor(px.min(0)).astype(int), np.ceil(px.max(0)).astype(int)
        width, height = self.camera.size
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
        if x1 <= x0 or y1 <= y0:
            return
        xy = self._ground[y0:y1, x0:x1]
        shades = [self.look.light.ball_shade(xy, p.astype(np.float32), radius) for p in path]
        scene[y0:y1, x0:x1] *= np.mean(shades, axis=0)[..., None]

    def _project(self, scene: Field, projection: Projection) -> None:
        px = self.camera.project_at(projection.line, 0.0)
        width = max(1, round(projection.width * _scale(self.camera)))
        x0, y0 = np.maximum(np.floor(px.min(0)).astype(int) - width - 1, 0)
        x1, y1 = np.ceil(px.max(0)).astype(int) + width + 2
        area = scene[y0 : max(y1, 0), x0 : max(x1, 0)]
        if not area.size:
            return
        mask = np.zeros(area.shape[:2], dtype=np.uint8)
        cv2.polylines(mask, [np.round((px - [x0, y0]) * 8).astype(np.int32)], False, 255, width, cv2.LINE_AA, 3)
        area += (mask.astype(np.float32) / 255)[..., None] * projection.tone

    def _truth(self, balls: Sequence[Placed], sprites: dict[int, Sprite | None], over: Cover | None) -> Truth:
        width, height = self.camera.size
        hidden = over.alpha if over is not None else np.zeros((height, width), dtype=np.float32)
        middles = np.array([b.middle for b in balls]).reshape(-1, 3)
        ends = np.array([b.path[-1] for b in balls]).reshape(-1, 3)
        px = self.camera.project(middles)
        seen = [_share_open(sprites[id(b)], hidden) for b in balls]
        return Truth(
            tuple(b.name for b in balls),
            middles[:, :2],
            px,
            self.camera.project(ends) - px,
            np.array(seen),
            np.array([not b.in_pocket for b in balls], dtype=bool),
            hidden,
        )


def _scale(camera: Camera) -> float:
    """Pixels a metre in the table's middle."""
    return float(np.linalg.norm(np.diff(camera.project_at([[0.0, 0.0], [0.01, 0.0]], 0.0), axis=0)) * 100)


def _look_up(layers: Layers, layer: Field, xy: Field) -> Field:
    grid = layers.to_grid(xy)
    return np.asarray(cv2.remap(layer, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _window(sprite: Sprite, shape: tuple[int, ...]) -> tuple[tuple[slice, slice], tuple[slice, slice]] | None:
    """Where a sprite lies in a picture of this shape, and which part of it does."""
    h, w = sprite.alpha.shape
    y0, x0 = max(sprite.top, 0), max(sprite.left, 0)
    y1, x1 = min(sprite.top + h, shape[0]), min(sprite.left + w, shape[1])
    if y1 <= y0 or x1 <= x0:
        return None
    inner = np.s_[y0 - sprite.top : y1 - sprite.top, x0 - sprite.left : x1 - sprite.left]
    return np.s_[y0:y1, x0:x1], inner


def _lay(scene: Field, sprite: Sprite | None, strength: float = 1.0) -> None:
    place = _window(sprite, scene.shape) if sprite is not None else None
    if sprite is None or place is None:
        return
    outer, inner = place
    scene[outer] *= (1 - sprite.alpha[inner])[..., None]
    scene[outer] += sprite.light[inner] * strength


def _share_open(sprite: Sprite | None, hidden: Field) -> float:
    place = _window(sprite, hidden.shape) if sprite is not None else None
    if sprite is None or place is None:
        return 0.0
    outer, inner = place
    whole = float(sprite.alpha.sum())
    return float((sprite.alpha[inner] * (1 - hidden[outer])).sum() / max(whole, 1e-6))


def _mean_sprite(sprites: list[Sprite], count: int) -> Sprite | None:
    """The mean over `count` instants, those without a sprite being empty: what an exposure adds up to."""
    if not sprites:
        return None
    if count == 1:
        return sprites[0]
    left, top = min(s.left for s in sprites), min(s.top for s in sprites)
    right = max(s.left + s.alpha.shape[1] for s in sprites)
    bottom = max(s.top + s.alpha.shape[0] for s in sprites)
    light = np.zeros((bottom - top, right - left, 3), dtype=np.float32)
    alpha = np.zeros((bottom - top, right - left), dtype=np.float32)
    for s in sprites:
        area = np.s_[s.top - top : s.top - top + s.alpha.shape[0], s.left - left : s.left - left + s.alpha.shape[1]]
        light[area] += s.light
        alpha[area] += s.alpha
    return Sprite(left, top, light / count, alpha / count)
