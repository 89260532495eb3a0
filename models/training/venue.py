"""One venue's own pictures: samples out of balls that a person marked, and networks that go on learning from them.

Drawn pictures of the same table through the same camera are mixed in, half and half, so that what is not in the
venue's pictures (a ball that was never there, a hand, a streak) is not forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from torch import nn

from calibration.camera import Camera
from calibration.table import Table
from models.labels import CLASSES, UNNAMED, Marked
from models.rectified import CROP_BALL_PIXELS, CROP_SIZE, TopView, crop_placements, cut, to_crop
from models.synthesis.render import Look, Stage
from models.synthesis.scene import (
    random_balls,
    random_development,
    random_light,
    random_limbs,
    random_projections,
    random_style,
)
from models.synthesis.things import random_things
from models.training import finder, namer
from models.training.networks import FinderNetwork, NamerNetwork
from models.training.samples import (
    NOT_A_BALL,
    STRIDE,
    UNKNOWN_NAME,
    FinderSample,
    NamerSamples,
    believed,
    finder_sample,
    namer_samples,
)

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

_A_STAGE: Final = 3
_RATE: Final = 4e-4
_REPEATS: Final = 12
"""Times that each marked ball is cut out, each time a little off its middle."""
_EMPTY: Final = 24
_JITTER: Final = 5.0
_APART: Final = 10.5


@dataclass(frozen=True, eq=False)
class Mount:
    """The venue's table and camera."""

    table: Table
    camera: Camera


def marked_samples(
    picture: Picture, marked: Marked, mount: Mount, rng: np.random.Generator
) -> tuple[FinderSample, NamerSamples]:
    """What a marked picture teaches; nothing is known of what hides the cloth, nor of movement."""
    table, camera = mount.table, mount.camera
    view = TopView(table)
    top = view.rectify(picture, view.maps(camera))
    px = np.array([box.centre for box in marked.boxes], dtype=np.float64).reshape(-1, 2)
    places = camera.at_height(px, table.ball_radius) if len(px) else np.zeros((0, 2))
    cells = (top.shape[0] // STRIDE, top.shape[1] // STRIDE)
    unknown = np.full(cells, np.nan, dtype=np.float32)
    seen = FinderSample(top, view.to_pixels(places), np.ones(len(px)), unknown)
    names = np.array(
        [UNKNOWN_NAME if box.name == UNNAMED else CLASSES.index(box.name) for box in marked.boxes], dtype=np.int64
    )
    return seen, _crops(picture, px, places, names, mount, rng)


def _crops(
    picture: Picture, px: Floats, places: Floats, names: npt.NDArray[np.int64], mount: Mount, rng: np.random.Generator
) -> NamerSamples:
    table, camera = mount.table, mount.camera
    again = np.repeat(np.arange(len(px)), _REPEATS)
    unit = table.ball_diameter / CROP_BALL_PIXELS
    off = rng.uniform(-_JITTER, _JITTER, (len(again), 2)) * unit
    at = crop_placements(camera, places[again] + off, table.ball_diameter)
    middle = (CROP_SIZE - 1) / 2
    centre = to_crop(at, px[again]) - middle if len(again) else np.zeros((0, 2))
    half = np.array([table.length, table.width]) / 2 + table.ball_diameter
    empty = crop_placements(camera, rng.uniform(-1, 1, (_EMPTY, 2)) * half, table.ball_diameter)
    empty = empty[_away_from(empty, px)]
    none = np.zeros((len(empty), 2))
    return NamerSamples(
        cut(picture, np.concatenate([at, empty])),
        np.concatenate([centre, none]).astype(np.float32),
        np.concatenate([names[again], np.full(len(empty), NOT_A_BALL)]),
        np.zeros(len(again) + len(empty), dtype=np.float32),
        np.full((len(again) + len(empty), 2), np.nan, dtype=np.float32),
    )


def _away_from(placements: Floats, px: Floats) -> npt.NDArray[np.bool_]:
    """Which crops (N,) have no marked ball near their middle."""
    far = np.ones(len(placements), dtype=bool)
    for place in px:
        where = to_crop(placements, np.tile(place, (len(placements), 1)))
        far &= np.hypot(*(where - (CROP_SIZE - 1) / 2).T) > _APART
    return far


def drawn_samples(mount: Mount, count: int, rng: np.random.Generator) -> Iterator[tuple[FinderSample, NamerSamples]]:
    """Drawn pictures of the venue's table through its camera: any cloth, light, balls and people."""
    for number in range(count):
        if number % _A_STAGE == 0:
            look = Look(mount.table, random_style(rng), random_light(mount.table, rng), glow=float(rng.uniform(4, 30)))
            stage = Stage(mount.camera, look)
        balls = random_balls(mount.table, rng)
        thrown = random_projections(mount.table, balls, rng)
        over = (*random_things(mount.table, rng), *random_limbs(mount.table, rng))
        picture, truth = stage.picture(balls, random_development(rng), rng, over, thrown)
        camera = believed(mount.camera, rng)
        yield (
            finder_sample(picture, truth, mount.table, camera),
            namer_samples(picture, truth, mount.table, camera, rng),
        )


def balanced(own: Sequence[FinderSample], drawn: Sequence[FinderSample]) -> list[FinderSample]:
    """Both sets, the smaller one repeated so that each is drawn from about as often."""
    times = max(1, round(len(drawn) / max(len(own), 1)))
    return [*(list(own) * times), *drawn]


@dataclass(frozen=True, eq=False)
class Tuned:
    """Both networks after they went on learning, and samples to fix their eight-bit ranges on."""

    finder: nn.Module
    namer: nn.Module
    views: finder.Views
    crops: namer.Crops


def tune(
    own: Sequence[tuple[FinderSample, NamerSamples]],
    drawn: Sequence[tuple[FinderSample, NamerSamples]],
    start: tuple[FinderNetwork, NamerNetwork],
    seed: int,
    told: Callable[[str], None],
    steps: tuple[int, int],
) -> Tuned:
    """Goes on from the networks in `start` for so many steps each."""
    views = finder.Views(balanced([top for top, _ in own], [top for top, _ in drawn]))
    crops = namer.Crops([one for _, one in own] + [one for _, one in drawn])
    found = finder.learn(start[0], views, steps[0], seed, _RATE, told)
    named = namer.learn(start[1], crops, steps[1], seed, _RATE, told)
    return Tuned(found, named, views, crops)
