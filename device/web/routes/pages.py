"""The pages: what a browser shows. Their data comes from the same functions as the API's."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from adjudication.leagues import BOOKS
from adjudication.words import FOUL_WORDS
from device.margins import in_words
from device.overlaid import overlaid
from device.store import questions
from device.store.questions import BadPageError, Filter
from device.web.desk import Desk
from device.web.doors.doorkeeper import SCOPES, Person
from device.web.doors.roles import Role
from device.web.routes.doors import accounts, acts, tokens
from device.web.routes.racks import Asked, RackId, rack_info, read_rack, seal, shot_info, statistics
from device.web.routes.review import Number, shot
from device.web.visitors import Anyone, Operator, TheDesk, Viewer
from record.ruling import Margin
from record.shot import Shot

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

_TEMPLATES: Final = Environment(
    loader=FileSystemLoader(Path(__file__).parent.parent / "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _words(code: str) -> str:
    return code.replace("_", " ")


_TEMPLATES.filters["words"] = _words
_TEMPLATES.globals["leagues"] = {name: book.title for name, book in sorted(BOOKS.items())}
_TEMPLATES.globals["foul_words"] = FOUL_WORDS


def _page(name: str, desk: Desk, person: Person | None, status: int = 200, **values: Any) -> Response:
    role = Role.VIEWER if person is None else person.role
    told: dict[str, Any] = {"person": person, "may_say": role >= Role.SCOREKEEPER, "may_rule": role >= Role.REFEREE}
    told |= {"may_keep": role >= Role.OPERATOR, "watched": desk.window is not None}
    return HTMLResponse(_TEMPLATES.get_template(name).render(**told, **values), status)


def refusal(request: Request, status: int, detail: str) -> Response:
    """A page that says what is wrong."""
    return _page("refusal.html", request.app.state.desk, None, status, detail=detail)


@router.get("/")
def home(desk: TheDesk, person: Viewer) -> Response:
    """The table where one is watched, else the racks."""
    del person
    return RedirectResponse("/table" if desk.window is not None else "/racks", 303)


@router.get("/first")
def first(desk: TheDesk) -> Response:
    if not desk.doorkeeper.empty:
        return RedirectResponse("/sign-in", 303)
    return _page("first.html", desk, None)


@router.get("/sign-in")
def sign_in(desk: TheDesk, person: Anyone) -> Response:
    if desk.doorkeeper.empty:
        return RedirectResponse("/first", 303)
    if person is not None:
        return RedirectResponse("/", 303)
    return _page("sign_in.html", desk, None)


@router.get("/table")
def table(desk: TheDesk, person: Viewer) -> Response:
    if desk.window is None:
        raise HTTPException(404, "no table is watched here; racks can be reviewed and audited")
    return _page("table.html", desk, person)


@router.get("/review")
def review_list(desk: TheDesk, person: Viewer, mark: str | None = None) -> Response:
    """Flagged, uncertain and protested shots that nobody has looked at."""
    page = _shots(desk, Filter(review="open"), mark)
    return _page("review_list.html", desk, person, shots=[shot_info(row) for row in page.rows], next=page.next)


@router.get("/racks")
def rack_list(desk: TheDesk, person: Viewer, asked: Asked, mark: str | None = None) -> Response:
    try:
        page = questions.racks(desk.library.engine, asked, 50, mark)
    except BadPageError as error:
        raise HTTPException(422, str(error)) from None
    names = questions.players(desk.library.engine)
    return _page(
        "racks.html",
        desk,
        person,
        racks=[rack_info(row) for row in page.rows],
        next=page.next,
        asked=asked,
        players=names,
    )


def _shots(desk: TheDesk, asked: Filter, mark: str | None) -> questions.Page[Any]:
    try:
        return questions.shots(desk.library.engine, asked, 50, mark)
    except BadPageError as error:
        raise HTTPException(422, str(error)) from None


@router.get("/racks/{rack_id}")
def rack(desk: TheDesk, person: Viewer, rack_id: RackId) -> Response:
    record = read_rack(desk, rack_id)
    row = questions.rack(desk.library.engine, rack_id)
    if row is None:
        raise HTTPException(404, "there is no such rack")
    shots = [shot_info(one) for one in questions.shots_of(desk.library.engine, rack_id)]
    game = BOOKS[record.rules].balls if record.rules in BOOKS else frozenset()
    others = [name for name, book in BOOKS.items() if book.balls == game and name != record.rules]
    told = seal(desk, person, rack_id)
    return _page("rack.html", desk, person, rack=rack_info(row), shots=shots, seal=told, others=others)


@router.get("/racks/{rack_id}/shots/{number}")
def shot_page(desk: TheDesk, person: Viewer, rack_id: RackId, number: Number) -> Response:
    record = read_rack(desk, rack_id)
    told = shot(desk, person, rack_id, number)
    names = {one.id: one.name for one in record.players}
    codes = sorted(code for code in FOUL_WORDS if code in BOOKS[record.rules].clauses) if record.rules in BOOKS else []
    margin = (told.machine or {}).get("margin")
    decided = None if margin is None else in_words(Margin.model_validate(margin), Shot.model_validate(told.shot))
    drawn_over = overlaid(record, Shot.model_validate(told.shot)) is not None
    return _page(
        "shot.html",
        desk,
        person,
        told=told,
        names=names,
        codes=codes,
        league=record.rules,
        margin=decided,
        overlay=drawn_over,
    )


@router.get("/statistics")
def statistics_page(desk: TheDesk, person: Viewer, asked: Asked) -> Response:
    told = statistics(desk, person, asked)
    return _page(
        "statistics.html", desk, person, told=told, asked=asked, players=questions.players(desk.library.engine)
    )


@router.get("/people")
def people(desk: TheDesk, person: Operator) -> Response:
    return _page(
        "people.html",
        desk,
        person,
        accounts=accounts(desk, person),
        tokens=tokens(desk, person),
        acts=acts(desk, person)[:50],
        roles=[role.words for role in Role],
        scopes=SCOPES,
    )


@router.get("/me")
def me(desk: TheDesk, person: Viewer) -> Response:
    return _page("me.html", desk, person)
