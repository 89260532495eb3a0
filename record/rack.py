"""The rack record as one document."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from record.base import Part
from record.entries import Entry
from record.names import PlayerId

FORMAT: Final = "rack-record/1"


class TableSize(Part):
    length: float = Field(gt=0)
    width: float = Field(gt=0)
    ball_diameter: float = Field(gt=0)


class Player(Part):
    id: PlayerId
    name: str


class Seal(Part):
    """A device's signature over the record as it stood (`record.seal`): the chain's links, the header's first."""

    algorithm: str
    at: str
    chain: list[str] = Field(min_length=1)
    key_id: str
    public_key: str
    signature: str


class RackRecord(Part):
    format: Literal["rack-record/1"] = FORMAT
    rack_id: str
    table_id: str
    started: str
    about: str | None = None
    rules: str
    rules_options: dict[str, Any] = Field(default_factory=dict)
    table: TableSize
    players: list[Player]
    breaker: PlayerId
    provenance: dict[str, Any] | None = None
    entries: list[Entry] = Field(default_factory=list)
    seals: list[Seal] | None = None
