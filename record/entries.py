"""Entries of a rack besides shots: declarations, observations, overrides."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from record.base import Part
from record.lag import Lag
from record.names import Place, PlayerId
from record.ruling import Ruling
from record.shot import Shot


class Declaration(Part):
    """Something a person says; further keys depend on `what` (`ball`, `pocket`, `group`, `option`, `code` …)."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)

    type: Literal["declaration"] = "declaration"
    t: float
    by: Literal["A", "B", "referee"]
    what: str
    ball: str | None = None
    pocket: str | None = None
    group: str | None = None
    option: str | None = None
    code: str | None = None
    player: PlayerId | None = None
    about: str | None = None
    ruling: Ruling | None = None
    expect: dict[str, Any] | None = None


class Observation(Part):
    """Something seen between shots; further keys depend on `what`."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)

    type: Literal["observation"] = "observation"
    t: float
    what: str
    ball: str | None = None
    at: Place | None = None
    ruling: Ruling | None = None


class Override(Part):
    """A person's ruling beside the machine's."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)

    type: Literal["override"] = "override"
    t: float
    of_shot: int
    by: str
    who: str | None = None
    ruling: Ruling
    reason: str | None = None


Entry = Annotated[Shot | Declaration | Observation | Override | Lag, Field(discriminator="type")]
