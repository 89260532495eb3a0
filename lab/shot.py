"""A played shot: its stroke, its events, and where every ball was at any time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from calibration.table import PocketName, RailName, Table
from lab.motion import GRAVITY, Leg

Floats = npt.NDArray[np.float64]
Kind = Literal["strike", "ball_contact", "rail_contact", "pocketed", "off_table", "jump", "came_to_rest"]


@dataclass(frozen=True)
class Happening:
    """One event of a shot, with the fields of the record's event table."""

    t: float
    type: Kind
    ball: str | None = None
    balls: tuple[str, str] | None = None
    rail: RailName | None = None
    pocket: PocketName | None = None
    over: str | None = None
    jaw: bool = False
    frozen: bool = False

    def as_json(self) -> dict[str, Any]:
        """The event as footage truth writes it; absent and false fields are left out."""
        whole: dict[str, Any] = {"t": round(self.t, 6), "type": self.type}
        for key in ("ball", "balls", "rail", "pocket", "over", "jaw", "frozen"):
            value = getattr(self, key)
            if value:
                whole[key] = list(value) if isinstance(value, tuple) else value
        return whole


@dataclass(frozen=True, eq=False)
class Way:
    """A ball's whole way through a shot: its legs in time order; `gone` is when it dropped into a pocket, or inf."""

    legs: tuple[Leg, ...]
    gone: float = np.inf

    def __call__(self, times: npt.ArrayLike) -> Floats:
        """Places (N, 2) at times (N,); NaN once the ball has dropped. Before the shot it lies where it lay."""
        t = np.asarray(times, dtype=np.float64).reshape(-1)
        starts = np.array([part.start for part in self.legs])
        which = np.clip(np.searchsorted(starts, t, side="right") - 1, 0, None)
        found = np.array([self.legs[k].at(max(s, self.legs[k].start))[0] for k, s in zip(which, t, strict=True)])
        found = found.reshape(-1, 2)
        found[t >= self.gone] = np.nan
        return found

    def height(self, t: float) -> float:
        """How far the ball is above the cloth, metres."""
        leg = self._leg(t)
        dt = t - leg.start if leg else 0.0
        return max(leg.rise * dt - 0.5 * GRAVITY * dt * dt, 0.0) if leg and leg.rise else 0.0

    def _leg(self, t: float) -> Leg | None:
        """The leg at a time, just after any event then; None before the shot."""
        starts = [part.start for part in self.legs]
        k = int(np.searchsorted(starts, t, side="right")) - 1
        return self.legs[k] if k >= 0 else None

    def velocity(self, t: float) -> Floats:
        """Velocity (2,), metres a second."""
        leg = self._leg(t)
        return leg.at(t)[1] if leg else np.zeros(2)

    def spin(self, t: float) -> Floats:
        """Angular velocity (3,), radians a second, in the table frame."""
        leg = self._leg(t)
        return leg.at(t)[2] if leg else np.zeros(3)


@dataclass(frozen=True)
class Stroke:
    """What the cue gives the cue ball: velocity (m/s) along the table's x and y; `follow` is topspin as a share of
    rolling (1 rolls at once, negative draws), `english` sidespin likewise (positive turns anticlockwise from above);
    `swerve` is spin about the line of travel, which bends the way (masse)."""

    velocity: tuple[float, float]
    follow: float = 0.0
    english: float = 0.0
    swerve: float = 0.0
    ball: str = "cue"


@dataclass(frozen=True, eq=False)
class PlayedShot:
    """A shot from the strike (t = `t_strike`) until all balls lie still."""

    table: Table
    layout_before: Mapping[str, tuple[float, float]]
    ways: Mapping[str, Way]
    events: tuple[Happening, ...]
    t_strike: float
    t_rest: float
    stroke: Stroke

    @cached_property
    def layout_after(self) -> dict[str, tuple[float, float]]:
        found = {}
        for name, way in self.ways.items():
            x, y = way([self.t_rest + 1e-6])[0]
            if np.isfinite(x):
                found[name] = (float(x), float(y))
        return found

    def of(self, kind: Kind) -> tuple[Happening, ...]:
        return tuple(e for e in self.events if e.type == kind)

    @property
    def first_contact(self) -> str | None:
        """The ball the cue ball touched first."""
        for event in self.of("ball_contact"):
            if event.balls and "cue" in event.balls:
                return next(b for b in event.balls if b != "cue")
        return None
