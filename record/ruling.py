"""A ruling: what is called, why, by what margin, and what follows."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from record.base import Part
from record.names import Ball, Call, CueBallPlace, FoulCode, Group, Option, Place, PlayerId


class Foul(Part):
    code: FoulCode
    clause: str
    player: PlayerId
    confidence: float = Field(default=1.0, ge=0, le=1)
    counts: bool | None = None


class Margin(Part):
    """The number that decided: `what` was measured, its `value` in `unit`, and its uncertainty where known."""

    what: str
    value: float
    unit: str
    sigma: float | None = None


class Next(Part):
    player: PlayerId | None
    cue_ball: CueBallPlace | None
    options: list[Option] = Field(default_factory=list)


class Ruling(Part):
    """`places` says where the balls to be spotted or restored go, as far as that is known."""

    call: Call
    fouls: list[Foul] = Field(default_factory=list)
    margin: Margin | None = None
    clauses: list[str] = Field(default_factory=list)
    needs_review: bool = False
    review_reasons: list[str] = Field(default_factory=list)
    alternatives: list[dict[str, Any]] = Field(default_factory=list)
    spot: list[Ball] = Field(default_factory=list)
    restore: list[Ball] = Field(default_factory=list)
    places: dict[Ball, Place] | None = None
    groups: dict[PlayerId, Group] | None = None
    winner: PlayerId | None = None
    next: Next
    explanation: str
