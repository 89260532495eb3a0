"""One shot for the referee: what is known of it, and confirming, overruling or correcting it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Response
from pydantic import BaseModel, ConfigDict, Field

from adjudication.errors import IllegalEntryError
from adjudication.verdict import Tried
from calibration.table import Table
from device.diagram import draw, small
from device.files import OutputError
from device.live.window import NotWatchingError
from device.overlaid import overlaid
from device.store.library import UnknownRackError
from device.store.opening import StoreError
from device.web.desk import Desk
from device.web.reviewing import NoSuchShotError, Reviewed, review, ruled_with_foul
from device.web.routes.racks import RackId, read_rack, values
from device.web.visitors import Referee, Source, TheDesk, Viewer
from record.document import entry_value
from record.entries import Declaration, Entry, Override
from record.journal import JournalError
from record.rack import RackRecord
from record.ruling import Ruling

router = APIRouter(prefix="/api/v1/racks/{rack_id}/shots/{number}", tags=["review"])

Number = Annotated[int, Field(ge=0, le=100_000)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Overruling(_Body):
    """A person's ruling: one of the review's `rulings` by its number, or a foul by its code; always with a reason."""

    reason: str = Field(min_length=3, max_length=500)
    choice: int | None = Field(default=None, ge=0, le=100)
    foul: str | None = Field(default=None, max_length=40)


class Fact(_Body):
    """A corrected fact, as the review's `facts` give it."""

    about: str = Field(max_length=40)
    ball: str | None = Field(default=None, max_length=10)
    pocket: str | None = Field(default=None, max_length=20)
    rail: str | None = Field(default=None, max_length=10)


class ChoiceInfo(BaseModel):
    label: str
    ruling: dict[str, Any] | None
    fact: dict[str, Any] | None


class ShotReview(BaseModel):
    """Everything that the page of a shot shows."""

    rack: str
    number: int
    shot: dict[str, Any]
    machine: dict[str, Any] | None
    last_word: dict[str, Any] | None
    said: list[dict[str, Any]]
    before: list[str]
    facts_seen: list[str]
    tried: list[dict[str, Any]]
    clauses: list[dict[str, str]]
    rulings: list[ChoiceInfo]
    facts: list[ChoiceInfo]
    clip: bool
    newest: int


class WayInfo(BaseModel):
    """A ball's way over the picture: seconds from the stroke, shares of its width and height."""

    ball: str
    t: list[float]
    x: list[float]
    y: list[float]


class MarkInfo(BaseModel):
    """Something that happened, when and where."""

    t: float
    x: float
    y: float
    what: str


class OverlayInfo(BaseModel):
    """What is drawn over a clip; `radius` is a ball's, as a share of the picture's width."""

    radius: float
    ways: list[WayInfo]
    marks: list[MarkInfo]


@router.get("")
def shot(desk: TheDesk, person: Viewer, rack_id: RackId, number: Number) -> ShotReview:
    """A shot with its ruling, its reasons and what a referee may do."""
    del person
    record = read_rack(desk, rack_id)
    return as_info(desk, record, _reviewed(record, number))


def as_info(desk: Desk, record: RackRecord, told: Reviewed) -> ShotReview:
    why = told.explanation
    tried = [] if why is None else why.tried
    return ShotReview(
        rack=record.rack_id,
        number=told.shot.index,
        shot=entry_value(told.shot),
        machine=values(told.machine),
        last_word=values(told.last_word),
        said=[entry_value(entry) for entry in told.said],
        before=[] if why is None else list(why.before),
        facts_seen=[] if why is None else list(why.facts),
        tried=[
            {
                "foul": t.code,
                "clause": t.clause,
                "holds": t.finding.holds,
                "why": t.finding.why,
                "sure": t.finding.confidence,
            }
            for t in tried
        ],
        clauses=[] if why is None else [{"id": one.id, "says": one.says} for one in why.clauses],
        rulings=[ChoiceInfo(label=one.label, ruling=values(one.ruling), fact=None) for one in told.rulings],
        facts=[ChoiceInfo(label=one.label, ruling=None, fact=one.fact) for one in told.facts],
        clip=clip_path(desk, record.rack_id, told.shot.index).is_file(),
        newest=max(entry.index for entry in record.entries if entry.type == "shot"),
    )


def _tried(one: Tried) -> dict[str, Any]:
    found = one.finding
    sure = round(found.confidence, 4)
    return {"foul": one.code, "clause": one.clause, "holds": found.holds, "why": found.why, "sure": sure}


@router.get("/diagram.png")
def diagram(desk: TheDesk, person: Viewer, rack_id: RackId, number: Number) -> Response:
    """The shot as a picture."""
    del person
    return Response(drawn(read_rack(desk, rack_id), number), media_type="image/png")


@router.get("/thumbnail.png")
def thumbnail(desk: TheDesk, person: Viewer, rack_id: RackId, number: Number) -> Response:
    """The same picture, small, for lists."""
    del person
    return Response(small(drawn(read_rack(desk, rack_id), number)), media_type="image/png")


@router.get("/overlay")
def overlay(desk: TheDesk, person: Viewer, rack_id: RackId, number: Number) -> OverlayInfo:
    """What to draw over the shot's clip: ways and moments in shares of the picture, times from the stroke."""
    del person
    record = read_rack(desk, rack_id)
    found = overlaid(record, _reviewed(record, number).shot)
    if found is None:
        raise HTTPException(404, "the record does not hold the calibration that this shot was seen through")
    return OverlayInfo.model_validate(asdict(found))


def drawn(record: RackRecord, number: int) -> bytes:
    told = _reviewed(record, number)
    size = record.table
    table = Table(size.length, size.width, size.ball_diameter)
    names = {player.id: player.name for player in record.players}
    heading = f"Shot {number + 1}: {names.get(told.shot.player or 'A', '')}"
    return draw(told.shot.model_copy(update={"ruling": told.last_word}), table, heading)


@router.post("/confirm")
def confirm(desk: TheDesk, person: Referee, source: Source, rack_id: RackId, number: Number) -> ShotReview:
    """Say that the machine's ruling stands."""
    record = read_rack(desk, rack_id)
    told = _reviewed(record, number)
    desk.noted(person, source, "confirmed", rack=rack_id, shot=number)
    said = {"t": _now(record), "by": "referee", "what": "confirm", "of_shot": told.shot.index, "who": person.name}
    _say(desk, rack_id, Declaration.model_validate(said))
    return shot(desk, person, rack_id, number)


@router.post("/override")
def overrule(
    desk: TheDesk, person: Referee, source: Source, rack_id: RackId, number: Number, body: Overruling
) -> ShotReview:
    """Set a ruling beside the machine's; play is judged on from it."""
    record = read_rack(desk, rack_id)
    ruling = _ruling(record, number, body)
    desk.noted(person, source, "override", rack=rack_id, shot=number, call=ruling.call, reason=body.reason)
    override = Override(
        t=_now(record), of_shot=number, by="referee", who=person.name, ruling=ruling, reason=body.reason
    )
    _say(desk, rack_id, override)
    return shot(desk, person, rack_id, number)


@router.post("/fact")
def correct(desk: TheDesk, person: Referee, source: Source, rack_id: RackId, number: Number, body: Fact) -> ShotReview:
    """Correct a fact; the shot is judged again with it, and play is judged on from there."""
    record = read_rack(desk, rack_id)
    _reviewed(record, number)
    told = body.model_dump(exclude_none=True)
    desk.noted(person, source, "fact corrected", rack=rack_id, shot=number, **told)
    said = {"t": _now(record), "by": "referee", "what": "fact", "of_shot": number, "who": person.name, **told}
    _say(desk, rack_id, Declaration.model_validate(said))
    return shot(desk, person, rack_id, number)


def clip_path(desk: Desk, rack_id: str, number: int) -> Any:
    """Where a shot's clip lies; made of an id that was found, never of what was asked."""
    return desk.clips / f"{rack_id}-{number:03}.mp4"


def _reviewed(record: RackRecord, number: int) -> Reviewed:
    try:
        return review(record, number)
    except NoSuchShotError as error:
        raise HTTPException(404, str(error)) from None


def _ruling(record: RackRecord, number: int, body: Overruling) -> Ruling:
    """The ruling that a referee chose."""
    if (body.choice is None) == (body.foul is None):
        raise HTTPException(422, "give either a choice or a foul")
    if body.foul is not None:
        ruling = ruled_with_foul(record, number, body.foul)
    else:
        rulings = _reviewed(record, number).rulings
        ruling = rulings[body.choice].ruling if body.choice is not None and body.choice < len(rulings) else None
    if ruling is None:
        raise HTTPException(422, "this ruling is not possible for this shot")
    return ruling


def _now(record: RackRecord) -> float:
    """The record's time for something said now: after all that is in it."""
    last = record.entries[-1]
    return round(float(getattr(last, "t", 0.0) or getattr(last, "t_rest", 0.0)) + 0.001, 3)


def _say(desk: Desk, rack_id: str, said: Declaration | Override) -> Entry:
    try:
        return desk.say(rack_id, said)
    except IllegalEntryError as error:
        raise HTTPException(409, f"this cannot be judged: {error}") from None
    except NotWatchingError as error:
        raise HTTPException(409, str(error)) from None
    except UnknownRackError:
        raise HTTPException(404, "there is no such rack") from None
    except (OutputError, StoreError, JournalError) as error:
        raise HTTPException(507, str(error)) from None
