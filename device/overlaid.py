"""What is drawn over a shot's clip: every ball's way in the picture, and where things happened, projected by the
calibration that the shot was seen through."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from calibration.calibration import Calibration, CalibrationError, from_json
from record.events import BallContact, Event, OffTable, Pocketed, RailContact
from record.names import Ball, Layout
from record.rack import RackRecord
from record.shot import Shot

LIKELY: Final = 0.5
"""Events less likely than this are not marked."""


@dataclass(frozen=True)
class Way:
    """One ball: seconds after the stroke, and its centre then as shares of the picture's width and height."""

    ball: Ball
    t: list[float]
    x: list[float]
    y: list[float]


@dataclass(frozen=True)
class Mark:
    """Something that happened: when, where, and what in a few words."""

    t: float
    x: float
    y: float
    what: str


@dataclass(frozen=True)
class Overlaid:
    """`radius` is a ball's, as a share of the picture's width."""

    radius: float
    ways: list[Way]
    marks: list[Mark]


def overlaid(record: RackRecord, shot: Shot) -> Overlaid | None:
    """The overlay of a shot; None where the record does not hold the calibration it was seen through."""
    known = _calibration(record, shot)
    if known is None:
        return None
    ways = [_way(known, shot, ball) for ball in sorted({*shot.layout_before, *(shot.trajectories or {})})]
    marks = [mark for event in shot.events if (mark := _mark(known, shot, event)) is not None]
    return Overlaid(_radius(known), ways, marks)


@dataclass(frozen=True)
class Lay:
    """Where balls lay in the picture, by name, as shares of its width and height; `radius` as in `Overlaid`."""

    radius: float
    before: dict[Ball, tuple[float, float]]
    after: dict[Ball, tuple[float, float]]


def lay_of(known: Calibration, shot: Shot) -> Lay:
    """Where the balls of a shot lay before it and after it, seen through `known`."""
    return Lay(_radius(known), *(_places(known, layout) for layout in (shot.layout_before, shot.layout_after)))


def _places(known: Calibration, layout: Layout) -> dict[Ball, tuple[float, float]]:
    x, y = _shares(known, list(layout.values()))
    return {ball: (left, down) for ball, left, down in zip(layout, x, y, strict=True)}


def _radius(known: Calibration) -> float:
    height = known.table.ball_radius
    middle = known.camera.metres_per_pixel([(0.0, 0.0)], height)[0]
    pixels = height / float(np.sqrt(abs(np.linalg.det(middle))))
    return round(pixels / known.camera.size[0], 5)


def _calibration(record: RackRecord, shot: Shot) -> Calibration | None:
    told: Any = (record.provenance or {}).get("calibration")
    if not isinstance(told, dict) or "camera" not in told:
        return None
    if shot.calibration is not None and told.get("id") not in (None, shot.calibration):
        return None
    try:
        return from_json(json.dumps({key: value for key, value in told.items() if key != "id"}))
    except CalibrationError:
        return None


def _way(known: Calibration, shot: Shot, ball: Ball) -> Way:
    path = (shot.trajectories or {}).get(ball)
    if path is None:
        x, y = _shares(known, [shot.layout_before[ball]])
        return Way(ball, [0.0], x, y)
    x, y = _shares(known, list(zip(path.x, path.y, strict=True)))
    return Way(ball, [round(t - shot.t_strike, 3) for t in path.t], x, y)


def _shares(known: Calibration, places: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    if not places:
        return [], []
    px = known.camera.project_at(places, known.table.ball_radius) / np.array(known.camera.size)
    return [round(float(v), 4) for v in px[:, 0]], [round(float(v), 4) for v in px[:, 1]]


def _mark(known: Calibration, shot: Shot, event: Event) -> Mark | None:
    if event.sure < LIKELY:
        return None
    match event:
        case BallContact(balls=(a, b)):
            places = [place for ball in (a, b) if (place := _at(shot, ball, event.t)) is not None]
            return _told(known, shot, event.t, places, f"{a} and {b}")
        case RailContact():
            return _told(known, shot, event.t, _placed(shot, event.ball, event.t), f"{event.ball}: {event.rail} rail")
        case Pocketed():
            return _told(known, shot, event.t, _placed(shot, event.ball, event.t), f"{event.ball} pocketed")
        case OffTable():
            return _told(known, shot, event.t, _placed(shot, event.ball, event.t), f"{event.ball} off the table")
    return None


def _placed(shot: Shot, ball: Ball, t: float) -> list[tuple[float, float]]:
    place = _at(shot, ball, t)
    return [] if place is None else [place]


def _told(known: Calibration, shot: Shot, t: float, places: Sequence[tuple[float, float]], what: str) -> Mark | None:
    if not places:
        return None
    middle = np.mean(np.array(places), axis=0)
    x, y = _shares(known, [(float(middle[0]), float(middle[1]))])
    return Mark(round(t - shot.t_strike, 4), x[0], y[0], what)


def _at(shot: Shot, ball: Ball, t: float) -> tuple[float, float] | None:
    path = (shot.trajectories or {}).get(ball)
    if path is None or not path.t:
        return shot.layout_before.get(ball)
    return float(np.interp(t, path.t, path.x)), float(np.interp(t, path.t, path.y))
