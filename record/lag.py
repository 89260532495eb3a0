"""The lag: both players strike a ball at the same time, and the one that stops closer to the head rail may break."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from record.base import Part
from record.events import Event
from record.names import Ball, Layout, PlayerId
from record.ruling import Ruling


class Lag(Part):
    """One lag. `balls` says which ball each player strikes; places and events as in a shot.

    A ball that crosses the long string, which parts the players' halves, is an event `long_string_crossing`.
    """

    type: Literal["lag"] = "lag"
    t_strike: float
    t_rest: float
    balls: dict[PlayerId, Ball]
    layout_before: Layout
    layout_after: Layout
    events: list[Event] = Field(default_factory=list)
    ruling: Ruling | None = None
    about: str | None = None
    expect: dict[str, Any] | None = None
