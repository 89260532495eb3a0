"""What a camera sees of a played shot: frames, exposure, rows read in turn, noise, balls missed or hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.shot import PlayedShot, Way
from tracking.positions import Positions

Floats = npt.NDArray[np.float64]

BEFORE: Final = 1.0
AFTER: Final = 1.3
"""Seconds seen before the stroke and after the last ball has come to rest."""
HEIGHT: Final = 2.3
"""Height of the camera, metres: a ball in flight seems to lie farther out."""
BEYOND: Final = 0.12
"""A ball so far beyond a nose line, metres, is off the table."""
_SINKS: Final = 0.05
"""Seconds for which a falling ball is still seen."""
_DURING: Final = np.linspace(-0.5, 0.5, 5)


@dataclass(frozen=True)
class Conditions:
    """How a shot is seen.

    Attributes:
        fps: frames a second.
        noise: standard error of a centre's coordinate, metres.
        exposure: seconds that a frame is exposed; a streak's middle is taken for the centre.
        readout: seconds from the first row's exposure to the last one's; 0 for a global shutter.
        missed: share of sightings that are missed.
        hidden: probability that a ball is hidden for a while during the shot (a player leans over the table).
        unnamed: probability that a ball is named only some time after the stroke.
    """

    fps: float = 60.0
    noise: float = 0.0015
    exposure: float = 0.003
    readout: float = 0.0
    missed: float = 0.01
    hidden: float = 0.0
    unnamed: float = 0.0


def seen(shot: PlayedShot, conditions: Conditions, rng: np.random.Generator) -> Positions:
    """Positions of all balls of a shot as a camera would measure them."""
    first = shot.t_strike - BEFORE + rng.uniform(0.0, 1.0 / conditions.fps)
    t = np.arange(first, shot.t_rest + AFTER, 1.0 / conditions.fps)
    balls = tuple(sorted(shot.ways))
    late = _late(shot, t, balls, conditions)
    xy = np.stack([_streak(shot, shot.ways[b], t + late[:, k], conditions) for k, b in enumerate(balls)], axis=1)
    xy = xy + rng.normal(0.0, conditions.noise, xy.shape)
    xy[rng.random(xy.shape[:2]) < conditions.missed] = np.nan
    return Positions(
        t,
        balls,
        xy,
        _visible(shot, t, len(balls), conditions, rng),
        late if conditions.readout else None,
        np.where(rng.random(len(balls)) < conditions.unnamed, shot.t_strike + rng.uniform(0.0, 2.0, len(balls)), -9.0),
    )


def _late(shot: PlayedShot, t: Floats, balls: tuple[str, ...], conditions: Conditions) -> Floats:
    """When each ball's row is exposed: rows run across the table."""
    rows = np.stack([shot.ways[b](t)[:, 1] / shot.table.width for b in balls], axis=1)
    return np.asarray(conditions.readout * np.clip(np.nan_to_num(rows), -0.5, 0.5))


def _streak(shot: PlayedShot, way: Way, t: Floats, conditions: Conditions) -> Floats:
    """The middle of the streak that a ball draws during the exposure; NaN once it has left the table."""
    during = way((t[:, None] + conditions.exposure * _DURING).reshape(-1)).reshape(len(t), -1, 2)
    height = np.array([way.height(when) for when in t]) if any(g.rise for g in way.legs) else np.zeros(len(t))
    places = during.mean(axis=1) * (HEIGHT / (HEIGHT - height))[:, None]
    half = np.array([shot.table.length, shot.table.width]) / 2 + BEYOND
    places[(np.abs(places) > half).any(axis=1)] = np.nan
    return np.asarray(_falling(shot, way, t, places))


def _falling(shot: PlayedShot, way: Way, t: Floats, places: Floats) -> Floats:
    """A ball that falls is seen for some frames more, ever nearer to the middle of its pocket."""
    if not any(e.t == way.gone for e in shot.of("pocketed")):
        return places
    edge, velocity = way([way.gone - 1e-6])[0], way.velocity(way.gone - 1e-6)
    hole = min((np.array(p.centre) for p in shot.table.pockets.values()), key=lambda c: float(np.hypot(*(c - edge))))
    for k in np.flatnonzero((t > way.gone) & (t < way.gone + _SINKS)):
        since = t[k] - way.gone
        places[k] = edge + (hole - edge) * min(max(float(np.hypot(*velocity)), 0.5) * since / 0.06, 1.0)
    return places


def _visible(shot: PlayedShot, t: Floats, balls: int, conditions: Conditions, rng: np.random.Generator) -> Floats:
    visible = np.ones((len(t), balls))
    for k in np.flatnonzero(rng.random(balls) < conditions.hidden):
        start = rng.uniform(shot.t_strike, shot.t_rest)
        visible[(t > start) & (t < start + rng.uniform(0.1, 0.6)), k] = 0.0
    return visible
