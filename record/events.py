"""Events of a shot, in time order (DESIGN, *The rack record*).

`t` is in seconds since the source's first frame, `t_sigma` its standard uncertainty, `confidence` the probability
that the event took place as stated; where both are absent the event is exact.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from record.base import Part
from record.names import Ball, PocketName, RailName


class _Event(Part):
    t: float
    t_sigma: float | None = Field(default=None, ge=0)
    confidence: float | None = Field(default=None, ge=0, le=1)

    @property
    def sigma(self) -> float:
        return 0.0 if self.t_sigma is None else self.t_sigma

    @property
    def sure(self) -> float:
        """Confidence, 1.0 where the record states none."""
        return 1.0 if self.confidence is None else self.confidence


class Strike(_Event):
    type: Literal["strike"] = "strike"
    ball: Ball


class BallContact(_Event):
    type: Literal["ball_contact"] = "ball_contact"
    balls: tuple[Ball, Ball]


class RailContact(_Event):
    """`jaw`: a pocket's jaw; `frozen`: the ball lay against that rail and had not left it; it never counts."""

    type: Literal["rail_contact"] = "rail_contact"
    ball: Ball
    rail: RailName
    jaw: bool | None = None
    frozen: bool | None = None


class Pocketed(_Event):
    """`suspended`: held up in the pocket by other balls, which counts as pocketed."""

    type: Literal["pocketed"] = "pocketed"
    ball: Ball
    pocket: PocketName
    suspended: bool | None = None


class OffTable(_Event):
    type: Literal["off_table"] = "off_table"
    ball: Ball
    returned: bool = False
    touched: Literal["person", "object"] | None = None
    on_rail: bool = False


class SideCrossing(_Event):
    type: Literal["side_crossing"] = "side_crossing"
    ball: Ball


class LongStringCrossing(_Event):
    """In a lag: the ball has crossed into the other player's half."""

    type: Literal["long_string_crossing"] = "long_string_crossing"
    ball: Ball


class Jump(_Event):
    type: Literal["jump"] = "jump"
    ball: Ball
    over: Ball


class Touched(_Event):
    type: Literal["touched"] = "touched"
    ball: Ball
    by: Literal["hand", "cue", "bridge", "unknown"] = "unknown"


class DoubleHit(_Event):
    """Suspected, for review: `gap` between cue ball and object ball before the stroke, metres."""

    type: Literal["double_hit"] = "double_hit"
    ball: Ball | None = None
    gap: float | None = None


class CameToRest(_Event):
    type: Literal["came_to_rest"] = "came_to_rest"
    ball: Ball


Event = Annotated[
    Strike
    | BallContact
    | RailContact
    | Pocketed
    | OffTable
    | SideCrossing
    | LongStringCrossing
    | Jump
    | Touched
    | DoubleHit
    | CameToRest,
    Field(discriminator="type"),
]
