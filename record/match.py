"""A league match as one JSON document: two teams, who plays whom, and what happened, in time order.

Times `t` are seconds from the scheduled start. A pairing is two players (or pairs) against each other: one game in
IPL, a series of racks in the other leagues.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from record.base import Part

MATCH_FORMAT: Final = "match/1"

Side = Literal["home", "visitors"]
PersonId = Annotated[str, Field(min_length=1, max_length=80)]


class Person(Part):
    """A player of a team; `rating` is the league's own (UPA Speed, UPscore, NAPA skill)."""

    id: PersonId
    name: str
    rating: float | None = Field(default=None, ge=0)


class Team(Part):
    name: str = Field(min_length=1)
    players: list[Person] = Field(default_factory=list)


class _Happened(Part):
    t: float = 0.0


class Arrival(_Happened):
    """Players who are there from `t` on."""

    type: Literal["arrival"] = "arrival"
    side: Side
    players: list[PersonId]


class Lineup(_Happened):
    """Who plays tonight, in order."""

    type: Literal["lineup"] = "lineup"
    side: Side
    players: list[PersonId]


class Pairing(_Happened):
    """Who plays whom; `set` in leagues that play in sets; `table` where a match uses several."""

    type: Literal["pairing"] = "pairing"
    number: int = Field(ge=1)
    set: int | None = Field(default=None, ge=1)
    home: list[PersonId]
    visitors: list[PersonId]
    race: dict[Side, int] | None = None
    table: str | None = None


class Toss(_Happened):
    """A coin toss or a lag for the break: who called, who won it, who breaks by the winner's choice."""

    type: Literal["toss"] = "toss"
    pairing: int = Field(ge=1)
    caller: Side | None = None
    winner: Side
    breaks: Side


class Rack(_Happened):
    """A rack that was played: who won it, and its record."""

    type: Literal["rack"] = "rack"
    pairing: int = Field(ge=1)
    winner: Side
    breaker: Side | None = None
    started: float | None = None
    rack_id: str | None = None
    table_length: float | None = Field(default=None, gt=0)


class Forfeit(_Happened):
    """A pairing, or without `pairing` the whole match, is forfeited by a side."""

    type: Literal["forfeit"] = "forfeit"
    side: Side
    pairing: int | None = Field(default=None, ge=1)
    reason: str = ""


class Offence(_Happened):
    """Something a side did that counts over the whole match: coaching, conduct."""

    type: Literal["offence"] = "offence"
    side: Side
    about: str
    player: PersonId | None = None


class Reschedule(_Happened):
    """A side asked for another date, `t` seconds from the scheduled start (before it: negative)."""

    type: Literal["reschedule"] = "reschedule"
    side: Side


MatchEntry = Annotated[
    Arrival | Lineup | Pairing | Toss | Rack | Forfeit | Offence | Reschedule,
    Field(discriminator="type"),
]


class Match(Part):
    """One team match; `date` as YYYY-MM-DD, `status` `scheduled` where it was not played (yet)."""

    format: Literal["match/1"] = MATCH_FORMAT
    match_id: str = Field(min_length=1)
    league: str
    date: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    status: Literal["scheduled", "playing", "over"] = "playing"
    options: dict[str, Any] = Field(default_factory=dict)
    home: Team
    visitors: Team
    entries: list[MatchEntry] = Field(default_factory=list)


_ENTRY: Final[TypeAdapter[MatchEntry]] = TypeAdapter(MatchEntry)


class MatchFileError(ValueError):
    """A match file that cannot be read; the message is one sentence."""


def match_to_json(match: Match) -> str:
    """The match as text, absent facts left out, the same bytes each time."""
    return match.model_dump_json(indent=1, exclude_none=True) + "\n"


def match_from_json(text: str) -> Match:
    """Read a match.

    Raises:
        MatchFileError: it is no match file, or some part of it is unsound.
    """
    try:
        return Match.model_validate_json(text)
    except ValidationError as error:
        raise MatchFileError(_first(error)) from None


def match_entry(value: dict[str, Any]) -> MatchEntry:
    """One entry from plain values.

    Raises:
        MatchFileError: it is none.
    """
    try:
        return _ENTRY.validate_python(value)
    except ValidationError as error:
        raise MatchFileError(_first(error)) from None


def _first(error: ValidationError) -> str:
    found = error.errors()[0]
    where = ".".join(str(part) for part in found["loc"]) or "the document"
    return f"{where}: {found['msg']}"
