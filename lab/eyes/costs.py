"""What looking costs on one core: the whole table at rest, and a frame in which balls roll."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.calibration import Calibration, Residuals
from calibration.table import Table, table_named
from lab.clips import demo_look
from lab.eyes.labelled import Labelled
from models.loading import Finder, Namer
from models.synthesis.arrangements import scatter
from models.synthesis.render import Placed, Stage
from models.synthesis.scene import NAMES, ball_paints, camera_over, random_turn
from vision.eye import Eye
from vision.frame import Frame

Picture = npt.NDArray[np.uint8]

SIZE: Final = (1456, 1088)
_RATE: Final = 60
_FRAMES: Final = 40
_MOVING: Final = 6
_FASTEST: Final = 2.0


@dataclass(frozen=True, eq=False)
class Film:
    """Frames of a table with sixteen balls, six of which roll, as a sensor gives them (luma and chroma)."""

    calibration: Calibration
    frames: tuple[Frame, ...]
    places: npt.NDArray[np.float64]
    """Where the balls (rows as `NAMES`) are in each frame (K, 16, 2), metres."""


def film(seed: int = 5, count: int = _FRAMES) -> Film:
    """Six balls roll at up to 2 m/s; 1456 × 1088, 60 frames a second."""
    rng = np.random.default_rng(seed)
    table = table_named("9ft")
    camera = camera_over(table, SIZE, np.array([0.1, -0.16, 2.55]), np.array([0.01, 0.0]), 0.012, 1200.0, np.zeros(5))
    look, development = demo_look(table, seed)
    stage = Stage(camera, look)
    places = scatter(table, len(NAMES), rng, 0.0)
    ways = _ways(table, places, rng)
    paints, turns = ball_paints(rng, "standard", spread=0.0), [random_turn(rng) for _ in NAMES]
    way = np.array([places + ways * (k / _RATE) for k in range(count)])
    frames = []
    for k in range(count):
        balls = [
            Placed(name, np.array([[*xy, table.ball_radius]]), turn, paints[name])
            for name, xy, turn in zip(NAMES, way[k], turns, strict=True)
        ]
        picture, _ = stage.picture(balls, development, rng)
        frames.append(Frame(k / _RATE, _planes(picture), k, "i420"))
    return Film(Calibration(table, camera, "corners", Residuals(None, None, 0, 0), "told"), tuple(frames), way)


def _ways(table: Table, places: npt.NDArray[np.float64], rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Velocities (N, 2): six balls roll towards the middle, so that none leaves the table in the film's time."""
    ways = np.zeros_like(places)
    far = np.argsort(-np.hypot(*places.T))[:_MOVING]
    for k in far:
        aim = rng.uniform(-0.3, 0.3, 2) * [table.length, table.width] - places[k]
        ways[k] = aim / np.linalg.norm(aim) * rng.uniform(0.4, _FASTEST)
    return ways


def _planes(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), dtype=np.uint8)


def milliseconds(work: Callable[[], object], times: int) -> list[float]:
    """Processor time of each of `times` calls, after one that is not counted."""
    work()
    spent = []
    for _ in range(times):
        started = time.process_time()
        work()
        spent.append(1000 * (time.process_time() - started))
    return spent


def at_rest(shown: Film, finder: Finder, namer: Namer, times: int = 20) -> list[float]:
    """Milliseconds for a first look: the whole table, every ball named."""
    eyes = iter([Eye(shown.calibration, finder, namer) for _ in range(times + 1)])
    first = shown.frames[0]
    return milliseconds(lambda: next(eyes).look(first), times)


def in_motion(shown: Film, finder: Finder, namer: Namer) -> list[float]:
    """Milliseconds for each frame but the first of the film."""
    eye = Eye(shown.calibration, finder, namer)
    left = iter(shown.frames)
    return milliseconds(lambda: eye.look(next(left)), len(shown.frames) - 1)


def as_labelled(shown: Film) -> Labelled:
    """The film's first frame as a picture that rivals can be given."""
    return Labelled("film", "0", shown.frames[0].pixels, shown.calibration, None, (), len(NAMES), np.zeros((0, 2)))
