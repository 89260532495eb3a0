"""Training samples out of synthetic scenes: top views for the finder, crops for the namer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import Table
from models.rectified import CROP_BALL_PIXELS, CROP_SIZE, TopView, crop_placements, cut, to_crop
from models.synthesis.overlays import with_graphics
from models.synthesis.render import Stage, Truth
from models.synthesis.scene import (
    NAMES,
    random_balls,
    random_development,
    random_limbs,
    random_projections,
    random_scene,
)
from models.synthesis.things import random_things
from models.training.conditions import conditions

Floats = npt.NDArray[np.float64]
Field = npt.NDArray[np.floating[Any]]
Picture = npt.NDArray[np.uint8]

NOT_A_BALL: Final = len(NAMES)
UNKNOWN_NAME: Final = -1
"""The name of a ball that somebody marked without saying which it is."""
STRIDE: Final = 4
SEEN: Final = 0.25
"""Below this visible share nobody can be asked where a ball is or what it is called."""

_PICTURES_A_STAGE: Final = 3
_NEGATIVES: Final = 9


@dataclass(frozen=True, eq=False)
class FinderSample:
    """A top view (H, W, 3) and its balls: places (N, 2) in its pixels, visible shares (N,); cover (H/4, W/4),
    NaN where nobody knows it."""

    picture: Picture
    balls: Floats
    visible: Floats
    cover: Field


@dataclass(frozen=True, eq=False)
class NamerSamples:
    """Crops (N, 40, 40, 3) with what is true of them.

    `centre` (N, 2) from the crop's middle, crop pixels; `name` (N,) index, `NOT_A_BALL` for none; `covered` (N,);
    `streak` (N, 2) half-length in crop pixels, NaN where nobody knows it.
    """

    crops: Picture
    centre: Field
    name: npt.NDArray[np.int64]
    covered: Field
    streak: Field


def believed(camera: Camera, rng: np.random.Generator) -> Camera:
    """The camera as a calibration may have it: a few pixels off."""
    if rng.random() < 0.3:
        return camera
    size = rng.choice([0.3, 1.0])
    bend, _ = cv2.Rodrigues(rng.normal(0, 0.0012 * size, 3))
    shift = rng.normal(0, 0.002 * size, 3)
    k = camera.K * np.array([[1, 1, 1], [1, 1, 1], [1, 1, 1]])
    k[:2, :2] *= 1 + rng.normal(0, 0.0015 * size)
    k[:2, 2] += rng.normal(0, 1.2 * size, 2)
    return replace(camera, K=k, R=bend @ camera.R, t=camera.t + shift)


def finder_sample(picture: Picture, truth: Truth, table: Table, camera: Camera) -> FinderSample:
    """What the finder sees through the believed `camera`, with the truth moved to where it sees it."""
    view = TopView(table)
    maps = view.maps(camera)
    columns, rows = view.size
    top = view.rectify(picture, maps)
    cover = cv2.remap(truth.cover, maps[0], maps[1], cv2.INTER_LINEAR)
    coarse = cv2.resize(cover, (columns // STRIDE, rows // STRIDE), interpolation=cv2.INTER_AREA)
    keep = truth.on_table
    places = view.to_pixels(camera.at_height(truth.px[keep], table.ball_radius))
    return FinderSample(top, places, truth.visible[keep], np.asarray(coarse, dtype=np.float32))


def _disc() -> npt.NDArray[np.bool_]:
    v, u = np.indices((CROP_SIZE, CROP_SIZE)) - (CROP_SIZE - 1) / 2
    return np.asarray(u**2 + v**2 < (CROP_BALL_PIXELS / 2) ** 2)


def _empty_places(truth: Truth, table: Table, camera: Camera, rng: np.random.Generator) -> Floats:
    """Table places (N, 2) where no ball is: anywhere, rails and pockets, beside balls, under hands and cues."""
    half = np.array([table.length, table.width]) / 2
    d = table.ball_diameter
    anywhere = rng.uniform(-1, 1, (3, 2)) * (half + 1.5 * d)
    pockets = np.array([p.centre for p in table.pockets.values()])
    rail = [pockets[rng.integers(6)] + rng.normal(0, spread * d, 2) for spread in (0.4, 0.4, 0.1)]
    spots = [np.array([sx * table.length / 4, 0.0]) + rng.normal(0, 0.15 * d, 2) for sx in (-1, 1)]
    found = [*anywhere, *rail, *spots, *truth.xy[~truth.on_table]]
    for k in rng.permutation(len(truth.xy))[:3]:
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.55, 1.2) * d
        found.append(truth.xy[k] + away * np.array([np.cos(angle), np.sin(angle)]))
    rows, columns = np.nonzero(truth.cover[::4, ::4] > 0.4)
    if len(rows):
        pick = rng.integers(0, len(rows), 4)
        found += list(camera.at_height(np.column_stack([columns[pick], rows[pick]]) * 4.0, table.ball_radius))
    return np.array(found)


def _inside(places: Floats, table: Table) -> npt.NDArray[np.bool_]:
    reach = np.array([table.length, table.width]) / 2 + 2 * table.ball_diameter
    return np.asarray((np.abs(places) < reach).all(axis=1))


def namer_samples(
    picture: Picture, truth: Truth, table: Table, camera: Camera, rng: np.random.Generator
) -> NamerSamples:
    """Crops of every ball and of places where none is, cut through the believed `camera`."""
    keep = truth.on_table & _inside(truth.xy, table)
    guess = camera.at_height(truth.px[keep], table.ball_radius)
    unit = table.ball_diameter / CROP_BALL_PIXELS
    guess = guess + rng.uniform(-5, 5, guess.shape) * unit * rng.choice([0.4, 1.0])
    placements = crop_placements(camera, guess, table.ball_diameter)
    middle = (CROP_SIZE - 1) / 2
    centre = to_crop(placements, truth.px[keep]) - middle
    streak = to_crop(placements, truth.px[keep] + truth.streak[keep]) - middle - centre
    empty = _empty_places(truth, table, camera, rng)
    blank = crop_placements(camera, empty[_inside(empty, table)], table.ball_diameter)
    blank = blank[far_from_balls(blank, truth, camera)][:_NEGATIVES]
    both = np.concatenate([placements, blank])
    crops = cut(picture, both)
    disc = _disc()
    hidden = [
        float(
            cv2.warpAffine(truth.cover, p, (CROP_SIZE, CROP_SIZE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)[
                disc
            ].mean()
        )
        for p in blank
    ]
    names = np.array([NAMES.index(n) for n, k in zip(truth.names, keep, strict=True) if k], dtype=np.int64)
    none = np.zeros((len(blank), 2))
    return NamerSamples(
        crops,
        np.concatenate([centre, none]).astype(np.float32),
        np.concatenate([names, np.full(len(blank), NOT_A_BALL)]),
        np.concatenate([1 - truth.visible[keep], hidden]).astype(np.float32),
        np.concatenate([streak, none]).astype(np.float32),
    )


def far_from_balls(placements: Floats, truth: Truth, camera: Camera) -> npt.NDArray[np.bool_]:
    """Which crops have no ball on the table near their middle."""
    far = np.ones(len(placements), dtype=bool)
    for px, streak in zip(truth.px[truth.on_table], truth.streak[truth.on_table], strict=True):
        for share in (-1, -0.5, 0, 0.5, 1):
            where = to_crop(placements, np.tile(px + share * streak, (len(placements), 1)))
            far &= np.hypot(*(where - (CROP_SIZE - 1) / 2).T) > 10.5
    return far


@dataclass(frozen=True, eq=False)
class Drawn:
    """A picture with its truth, its table, the camera as it is believed to be, and what the picture is like."""

    picture: Picture
    truth: Truth
    table: Table
    camera: Camera
    conditions: tuple[str, ...]


def pictures(rng: np.random.Generator) -> Iterator[Drawn]:
    """Endless pictures of every kind."""
    while True:
        scene = random_scene(rng)
        stage = Stage(scene.camera, scene.look)
        table = scene.look.table
        for _ in range(_PICTURES_A_STAGE):
            balls = random_balls(table, rng)
            thrown = random_projections(table, balls, rng)
            over = (*random_things(table, rng), *random_limbs(table, rng))
            development = random_development(rng)
            picture, truth = with_graphics(*stage.picture(balls, development, rng, over, thrown), rng)
            said = conditions(scene.look, scene.camera, development, truth)
            yield Drawn(picture, truth, table, believed(scene.camera, rng), said)
