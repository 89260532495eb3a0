"""One stroke: layouts before and after, events, trajectories, ruling."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from record.base import Part
from record.events import Event
from record.names import Ball, Layout, PlayerId, RailName
from record.ruling import Ruling


class Trajectory(Part):
    """A ball's path: times and places of its frames as fitted; rounded for the record, metres and seconds."""

    t: list[float]
    x: list[float]
    y: list[float]


class Identity(Part):
    """What a ball's name rested on before the shot: how many looks, and the likeliest names by its looks alone."""

    looks: float
    chances: dict[str, float]


class Shot(Part):
    """`frozen` pairs a ball with another ball or with a rail it lies against; `notes` are facts for review.

    `identities` is the evidence for the names, by ball.
    `settling` are balls that moved at the stroke only as a ball does that settles into its place.
    """

    type: Literal["shot"] = "shot"
    index: int = Field(ge=0)
    player: PlayerId | None = None
    t_strike: float
    t_rest: float
    layout_before: Layout
    layout_after: Layout
    frozen: list[tuple[Ball, Ball | RailName]] = Field(default_factory=list)
    moving_at_strike: list[Ball] = Field(default_factory=list)
    settling: list[Ball] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    wall_time: str | None = None
    calibration: str | None = None
    trajectories: dict[Ball, Trajectory] | None = None
    identities: dict[Ball, Identity] | None = None
    ruling: Ruling | None = None
    clip: dict[str, Any] | None = None
    about: str | None = None
    expect: dict[str, Any] | None = None
