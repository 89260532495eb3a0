"""Racks and shots: lists, records, statistics, comparison, seals, import, erasure."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from adjudication.judge import UnjudgeableError, UnknownLeagueError, adjudicate
from adjudication.rejudging import OtherGameError, partings
from adjudication.settings import BadOptionError
from device.files import OutputError
from device.store import questions
from device.store.arriving import RackInPlayError, RefusedRecordError
from device.store.library import UnknownRackError
from device.store.opening import StoreError
from device.store.questions import BadPageError, Filter
from device.store.tables import RackRow, ShotRow
from device.web.visitors import Operator, Source, TheDesk, Viewer
from record.document import DamagedRecordError, RecordError, from_json, to_json
from record.journal import SUFFIX, JournalError
from record.rack import RackRecord
from record.ruling import Ruling
from record.seal import Standing, verify

router = APIRouter(prefix="/api/v1", tags=["racks"])

RackId = Annotated[str, Field(max_length=120)]
Review = Literal["open", "reviewed", "overridden", "flagged"]


class RackInfo(BaseModel):
    id: str
    table: str
    started: str
    league: str
    player_a: str
    player_b: str
    breaker: str
    winner: str | None
    over: bool
    shots: int
    fouls: int
    open_reviews: int
    overrides: int
    sealed: bool


class ShotInfo(BaseModel):
    rack: str
    number: int
    started: str
    table: str
    league: str
    player: str
    player_name: str
    t_strike: float
    duration: float
    taken: float | None
    call: str
    fouls: list[str]
    clauses: str
    needs_review: bool
    reviewed: bool
    overridden: bool
    protested: bool
    explanation: str


class RackPage(BaseModel):
    """`next` is the mark of the next page; None on the last."""

    racks: list[RackInfo]
    next: str | None


class ShotPage(BaseModel):
    shots: list[ShotInfo]
    next: str | None


class StatisticsInfo(BaseModel):
    racks: int
    shots: int
    fouls: dict[str, int]
    shot_seconds: float | None
    breaks: int
    breaks_potting: int
    balls_per_inning: float | None
    reviews: int
    overrides: int
    agreed: int


class SealInfo(BaseModel):
    standing: str
    text: str
    key: str | None
    entry: int | None


class PartingInfo(BaseModel):
    entry: int
    first: Ruling | None
    second: Ruling | None


class Erased(BaseModel):
    racks: int


class PlayerToErase(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=80)


def wanted(
    league: Annotated[str | None, Query(max_length=40)] = None,
    table: Annotated[str | None, Query(max_length=80)] = None,
    player: Annotated[str | None, Query(max_length=80)] = None,
    since: Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}-\d{2}")] = None,
    until: Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}-\d{2}")] = None,
    foul: Annotated[str | None, Query(max_length=40)] = None,
    review: Review | None = None,
    text: Annotated[str | None, Query(max_length=100)] = None,
) -> Filter:
    """The filter that a list's address asks for; empty fields of a form do not matter."""
    return Filter(
        league or None, table or None, player or None, since or None, until or None, foul or None, review, text or None
    )


Asked = Annotated[Filter, Depends(wanted)]


def rack_info(row: RackRow) -> RackInfo:
    return RackInfo(
        table=row.table_id,
        **{key: getattr(row, key) for key in RackInfo.model_fields if key != "table"},
    )


def shot_info(row: ShotRow) -> ShotInfo:
    told = {key: getattr(row, key) for key in ShotInfo.model_fields if key not in ("table", "fouls")}
    return ShotInfo(table=row.table_id, fouls=row.fouls.split(), **told)


def read_rack(desk: TheDesk, rack_id: str) -> RackRecord:
    """A rack's record by its id; 404 and 500 in the words of the library."""
    try:
        return desk.library.read(rack_id)
    except UnknownRackError:
        raise HTTPException(404, "there is no such rack") from None
    except (RecordError, JournalError) as error:
        raise HTTPException(500, str(error)) from None


@router.get("/racks")
def racks(
    desk: TheDesk,
    person: Viewer,
    asked: Asked,
    size: Annotated[int, Query(ge=1, le=200)] = 50,
    mark: Annotated[str | None, Query(max_length=400)] = None,
) -> RackPage:
    """Racks, newest first, a page at a time."""
    del person
    try:
        page = questions.racks(desk.library.engine, asked, size, mark)
    except BadPageError as error:
        raise HTTPException(422, str(error)) from None
    return RackPage(racks=[rack_info(row) for row in page.rows], next=page.next)


@router.get("/shots")
def shots(
    desk: TheDesk,
    person: Viewer,
    asked: Asked,
    size: Annotated[int, Query(ge=1, le=200)] = 50,
    mark: Annotated[str | None, Query(max_length=400)] = None,
) -> ShotPage:
    """Shots, newest first, a page at a time."""
    del person
    try:
        page = questions.shots(desk.library.engine, asked, size, mark)
    except BadPageError as error:
        raise HTTPException(422, str(error)) from None
    return ShotPage(shots=[shot_info(row) for row in page.rows], next=page.next)


@router.get("/statistics")
def statistics(desk: TheDesk, person: Viewer, asked: Asked) -> StatisticsInfo:
    """Fouls by kind, shot times, break success, balls per inning, reviews, overrides, machine against referee."""
    del person
    return StatisticsInfo(**asdict(questions.statistics(desk.library.engine, asked)))


@router.get("/players")
def players(desk: TheDesk, person: Viewer) -> list[str]:
    """All players' names."""
    del person
    return questions.players(desk.library.engine)


@router.get("/racks/{rack_id}")
def rack(desk: TheDesk, person: Viewer, rack_id: RackId) -> RackInfo:
    """A rack's header."""
    del person
    row = questions.rack(desk.library.engine, rack_id)
    if row is None:
        raise HTTPException(404, "there is no such rack")
    return rack_info(row)


@router.get("/racks/{rack_id}/shots")
def shots_of(desk: TheDesk, person: Viewer, rack_id: RackId) -> list[ShotInfo]:
    """A rack's shots in order."""
    del person
    if questions.rack(desk.library.engine, rack_id) is None:
        raise HTTPException(404, "there is no such rack")
    return [shot_info(row) for row in questions.shots_of(desk.library.engine, rack_id)]


@router.get("/racks/{rack_id}/record")
def record(desk: TheDesk, person: Viewer, rack_id: RackId) -> Response:
    """The whole record, as it is written."""
    del person
    text = to_json(read_rack(desk, rack_id))
    name = f'attachment; filename="{rack_id}.json"'
    return Response(text, media_type="application/json", headers={"content-disposition": name})


@router.get("/racks/{rack_id}/seal")
def seal(desk: TheDesk, person: Viewer, rack_id: RackId) -> SealInfo:
    """Whether the record is as it was sealed."""
    del person
    try:
        path = desk.library.path_of(rack_id)
    except UnknownRackError:
        raise HTTPException(404, "there is no such rack") from None
    if path.suffix == SUFFIX:
        text = "it is still being played; it is sealed when it is over"
        return SealInfo(standing=Standing.UNSEALED.value, text=text, key=None, entry=None)
    trusted = {} if desk.keys is None else desk.keys.by_id()
    told = verify(json.loads(path.read_text(encoding="utf-8")), trusted)
    return SealInfo(standing=told.standing.value, text=told.text, key=told.key_id, entry=told.entry)


@router.get("/racks/{rack_id}/compare")
def compare(
    desk: TheDesk, person: Viewer, rack_id: RackId, rules: Annotated[str, Query(max_length=40)]
) -> list[PartingInfo]:
    """Where another league of the same game would have ruled otherwise."""
    del person
    told = read_rack(desk, rack_id)
    try:
        found = partings(told, told.rules, rules)
    except (UnknownLeagueError, OtherGameError, BadOptionError) as error:
        raise HTTPException(422, str(error)) from None
    except UnjudgeableError as error:
        raise HTTPException(409, str(error)) from None
    return [PartingInfo(entry=one.entry, first=one.first, second=one.second) for one in found]


@router.post("/racks", status_code=201)
async def import_rack(desk: TheDesk, person: Operator, source: Source, request: Request) -> RackInfo:
    """Take in a record; of one that is here already the copy that holds more is kept. It is checked, and judged if it
    holds no rulings."""
    try:
        text = (await request.body()).decode()
        told = from_json(text)
    except DamagedRecordError as error:
        raise HTTPException(422, f"this record is damaged: {error}") from None
    except (RecordError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(422, f"this is no rack record: {error}") from None
    desk.noted(person, source, "record imported", rack=told.rack_id)
    if all(getattr(entry, "ruling", None) is None for entry in told.entries):
        try:
            told = adjudicate(told)
        except (UnknownLeagueError, BadOptionError, UnjudgeableError) as error:
            raise HTTPException(422, str(error)) from None
    try:
        return rack_info(desk.library.put(told))
    except UnknownRackError as error:
        raise HTTPException(422, str(error.args[0])) from None
    except RefusedRecordError as error:
        raise HTTPException(409, str(error)) from None
    except (OutputError, StoreError) as error:
        raise HTTPException(507, str(error)) from None


@router.post("/players/erase")
def erase_player(desk: TheDesk, person: Operator, source: Source, body: PlayerToErase) -> Erased:
    """Take a player's name out of all records; the racks stay, sealed anew."""
    try:
        count = desk.library.erase_player(body.name)
    except RackInPlayError as error:
        raise HTTPException(409, str(error)) from None
    desk.noted(person, source, "player erased", name="(erased)")
    return Erased(racks=count)


@router.delete("/racks/{rack_id}", status_code=204)
def remove_rack(desk: TheDesk, person: Operator, source: Source, rack_id: RackId) -> None:
    """Erase a rack with its record."""
    if rack_id == desk.live_rack():
        raise HTTPException(409, "this rack is being played")
    desk.noted(person, source, "rack erased", rack=rack_id)
    try:
        desk.library.remove(rack_id)
    except RackInPlayError as error:
        raise HTTPException(409, str(error)) from None
    except UnknownRackError:
        raise HTTPException(404, "there is no such rack") from None


def values(ruling: Ruling | None) -> dict[str, Any] | None:
    return None if ruling is None else ruling.model_dump(mode="json")
