"""The table live: what is seen now, what happens, and what people at the table say."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import Future
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from adjudication.errors import IllegalEntryError
from adjudication.leagues import BOOKS
from device.live.window import NewRack, NotWatchingError, Window
from device.web.visitors import Scorekeeper, Source, TheDesk, Viewer
from record.document import entry_value
from record.entries import Declaration

router = APIRouter(prefix="/api/v1/table", tags=["table"])

_PULSE = 0.1
_IDLE = 15.0
_FIELDS = ("ball", "pocket", "group", "option", "code", "player", "about", "caller", "pocketed", "elevated")


class Said(BaseModel):
    """A declaration: `what`, who says it, and what belongs to it (the console's buttons give all of it)."""

    model_config = ConfigDict(extra="forbid")

    what: str = Field(max_length=40)
    by: str = Field(pattern="^(A|B|referee)$")
    fields: dict[str, str | bool | list[float]] = Field(default_factory=dict, max_length=10)


class RackWanted(BaseModel):
    """A new rack on the table."""

    model_config = ConfigDict(extra="forbid")

    league: str = Field(max_length=40)
    player_a: str = Field(min_length=1, max_length=80)
    player_b: str = Field(min_length=1, max_length=80)
    breaker: str = Field(pattern="^(A|B)$")


class Seen(BaseModel):
    """The moment: its number, and what is known (None while nothing is watched)."""

    number: int
    now: dict[str, Any] | None


@router.get("")
def table(desk: TheDesk, person: Viewer) -> Seen:
    """What is seen now."""
    del person
    moment = None if desk.window is None else desk.window.moment
    return Seen(number=0, now=None) if moment is None else Seen(number=moment.number, now=moment.value)


@router.get("/picture.jpg")
def picture(desk: TheDesk, person: Viewer) -> Response:
    """The camera's picture now; what lies beyond the rails is hidden unless the settings say otherwise."""
    del person
    data = None if desk.window is None else desk.window.picture()
    if data is None:
        raise HTTPException(404, "there is no picture now")
    return Response(data, media_type="image/jpeg")


@router.get("/events")
def events(desk: TheDesk, person: Viewer, request: Request) -> StreamingResponse:
    """Moments and alerts as server-sent events. A page that reads slowly gets the latest, never a queue."""
    del person
    window = desk.window
    if window is None:
        raise HTTPException(404, "no table is watched here")
    gate: asyncio.Semaphore = request.app.state.streams
    if gate.locked():
        raise HTTPException(503, "too many pages follow this table already")
    return StreamingResponse(
        _stream(window, request, gate), media_type="text/event-stream", headers={"x-accel-buffering": "no"}
    )


async def _stream(window: Window, request: Request, gate: asyncio.Semaphore) -> AsyncIterator[str]:
    async with gate:
        number, quiet = 0, 0.0
        while not request.app.state.closing.is_set() and not await request.is_disconnected():
            moment = window.moment
            if moment is not None and moment.number > number:
                number, quiet = moment.number, 0.0
                yield moment.event
            elif quiet >= _IDLE:
                quiet = 0.0
                yield ": still here\n\n"
            await asyncio.sleep(_PULSE)
            quiet += _PULSE


@router.post("/say")
async def say(desk: TheDesk, person: Scorekeeper, source: Source, body: Said) -> dict[str, Any]:
    """Say what the camera cannot see; the answer is the entry with its ruling."""
    window = _window(desk.window)
    value: dict[str, Any] = {key: one for key, one in body.fields.items() if key in (*_FIELDS, "at")}
    moment = window.moment
    t = 0.0 if moment is None else float(moment.value.get("t", 0.0))
    try:
        said = Declaration.model_validate({"t": t, "by": body.by, "what": body.what, "who": person.name, **value})
    except ValidationError as error:
        raise HTTPException(422, str(error.errors()[0]["msg"])) from None
    desk.noted(person, source, "declaration", said=body.what, by=body.by, fields=body.fields)
    entry = await _answer(window, said)
    return entry_value(entry) if entry is not None else {}


@router.post("/rack", status_code=204)
async def new_rack(desk: TheDesk, person: Scorekeeper, source: Source, body: RackWanted) -> None:
    """Begin a new rack with these players; the one before ends as it is."""
    window = _window(desk.window)
    if body.league not in BOOKS:
        raise HTTPException(422, f"unknown league {body.league!r}")
    desk.noted(person, source, "new rack", league=body.league, players=[body.player_a, body.player_b])
    wanted = NewRack(body.league, (body.player_a.strip(), body.player_b.strip()), body.breaker, {})
    await _answer(window, wanted)


def _window(window: Window | None) -> Window:
    if window is None:
        raise HTTPException(404, "no table is watched here")
    return window


async def _answer(window: Window, said: Declaration | NewRack) -> Any:
    try:
        future: Future[Any] = window.say(said)
        return await asyncio.wait_for(asyncio.wrap_future(future), timeout=5.0)
    except NotWatchingError as error:
        raise HTTPException(409, str(error)) from None
    except IllegalEntryError as error:
        raise HTTPException(409, f"this cannot be said now: {error}") from None
    except TimeoutError:
        raise HTTPException(504, "the table did not answer; look at the camera's health") from None
