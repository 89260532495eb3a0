"""Who is asking, and whether they may: what routes depend on."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Annotated, Final

from fastapi import Depends, HTTPException, Request

from device.web.desk import Desk
from device.web.doors.doorkeeper import Person
from device.web.doors.roles import Role

COOKIE: Final = "headstring"
CSRF_HEADER: Final = "x-csrf-token"
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


def source_of(request: Request) -> str:
    """The address that a request comes from."""
    return str(request.scope.get("client_address", "unknown"))


def visitor(request: Request, desk: Annotated[Desk, Depends(desk_of)]) -> Person | None:
    """The person or machine of a request; None for a stranger.

    Raises:
        HTTPException: 401 for a token that is not known, 403 where a browser's request lacks its page's token.
    """
    told = request.headers.get("authorization", "")
    if told:
        kind, _, word = told.partition(" ")
        person = desk.doorkeeper.by_token(word.strip()) if kind.lower() == "bearer" else None
        if person is None:
            raise HTTPException(401, "this token is not valid")
        return person
    person = desk.doorkeeper.by_session(request.cookies.get(COOKIE))
    if person is not None and request.method not in _SAFE:
        given = request.headers.get(CSRF_HEADER, "")
        if person.csrf is None or not hmac.compare_digest(given.encode(), person.csrf.encode()):
            raise HTTPException(403, "this request did not come from our own page; reload it and try again")
    return person


def needs(role: Role, scope: str = "read") -> Callable[[Person | None], Person]:
    """A dependency that lets in who has the role, and of machines those whose token has the scope."""

    def allowed(person: Annotated[Person | None, Depends(visitor)]) -> Person:
        if person is None:
            raise HTTPException(401, "sign in first")
        if person.role < role or (person.machine and scope not in person.scopes):
            raise HTTPException(403, f"this needs the role {role.words}")
        return person

    return allowed


TheDesk = Annotated[Desk, Depends(desk_of)]
Viewer = Annotated[Person, Depends(needs(Role.VIEWER))]
Scorekeeper = Annotated[Person, Depends(needs(Role.SCOREKEEPER, "declare"))]
Referee = Annotated[Person, Depends(needs(Role.REFEREE, "rule"))]
Operator = Annotated[Person, Depends(needs(Role.OPERATOR, "import"))]
Anyone = Annotated[Person | None, Depends(visitor)]
Source = Annotated[str, Depends(source_of)]
