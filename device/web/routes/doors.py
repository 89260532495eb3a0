"""Signing in and out, accounts, tokens, and the log of acts."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from device.web.doors.doorkeeper import SESSION_LIFE, LockedError, Person, RefusedError
from device.web.doors.roles import role_named
from device.web.visitors import COOKIE, Anyone, Operator, Source, TheDesk, Viewer

router = APIRouter(prefix="/api/v1", tags=["doors"])

Name = Annotated[str, Field(min_length=1, max_length=60)]
Password = Annotated[str, Field(min_length=1, max_length=200)]
RoleName = Annotated[str, Field(pattern="^(viewer|scorekeeper|referee|operator)$")]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class First(_Body):
    """The first operator, by the one-time code from the console."""

    code: str = Field(max_length=200)
    name: Name
    password: Password


class SignIn(_Body):
    name: Name
    password: Password


class NewAccount(_Body):
    name: Name
    password: Password
    role: RoleName


class NewPassword(_Body):
    old: Password
    new: Password


class NewToken(_Body):
    name: Name
    role: RoleName
    scopes: list[str] = Field(min_length=1, max_length=8)


class Me(BaseModel):
    name: str
    role: str
    csrf: str | None


class AccountInfo(BaseModel):
    name: str
    role: str
    locked: bool


class TokenInfo(BaseModel):
    id: str
    name: str
    role: str
    scopes: list[str]
    made_by: str


class MadeToken(TokenInfo):
    """`token` is shown this once."""

    token: str


class Act(BaseModel):
    at: str
    who: str
    source: str
    what: str
    about: dict[str, Any]


@router.post("/first", status_code=204)
def first(desk: TheDesk, source: Source, body: First) -> None:
    """Make the first operator; works once, with the code that the console shows."""
    try:
        account = desk.doorkeeper.found(body.code, body.name, body.password)
    except RefusedError as error:
        raise HTTPException(403, str(error)) from None
    desk.noted(Person(account.name, role_named(account.role)), source, "first operator")


@router.post("/sessions")
def sign_in(desk: TheDesk, source: Source, body: SignIn, request: Request, response: Response) -> Me:
    """Sign in; the session is a cookie that scripts cannot read."""
    if not request.app.state.sign_ins.allows(source):
        raise HTTPException(429, "too many attempts; wait a minute")
    try:
        word, session = desk.doorkeeper.sign_in(body.name, body.password)
    except LockedError as error:
        raise HTTPException(429, str(error)) from None
    except RefusedError as error:
        raise HTTPException(401, str(error)) from None
    response.set_cookie(
        COOKIE, word, max_age=int(SESSION_LIFE), httponly=True, secure=desk.settings.secure, samesite="strict", path="/"
    )
    account = desk.doorkeeper.book.account(session.account)
    assert account is not None
    desk.noted(Person(account.name, role_named(account.role)), source, "sign in")
    return Me(name=account.name, role=account.role, csrf=session.csrf)


@router.delete("/sessions", status_code=204)
def sign_out(desk: TheDesk, person: Viewer, request: Request, response: Response) -> None:
    """End this session."""
    del person
    desk.doorkeeper.sign_out(request.cookies.get(COOKIE, ""))
    response.delete_cookie(COOKIE, path="/")


@router.get("/me")
def me(person: Viewer) -> Me:
    """Who is signed in."""
    return Me(name=person.name, role=person.role.words, csrf=person.csrf)


@router.post("/me/password", status_code=204)
def change_password(desk: TheDesk, person: Viewer, source: Source, body: NewPassword) -> None:
    """Change one's own password; all sessions end."""
    if person.machine:
        raise HTTPException(403, "a token has no password")
    try:
        desk.doorkeeper.change_password(person.name, body.old, body.new)
    except LockedError as error:
        raise HTTPException(429, str(error)) from None
    except RefusedError as error:
        raise HTTPException(403, str(error)) from None
    desk.noted(person, source, "password changed")


@router.get("/accounts")
def accounts(desk: TheDesk, person: Operator) -> list[AccountInfo]:
    """All accounts."""
    del person
    book, now = desk.doorkeeper.book, desk.now()
    return [AccountInfo(name=one.name, role=one.role, locked=one.locked_until > now) for one in book.accounts]


@router.post("/accounts", status_code=201)
def add_account(desk: TheDesk, person: Operator, source: Source, body: NewAccount) -> AccountInfo:
    """Make an account."""
    desk.noted(person, source, "account made", name=body.name, role=body.role)
    try:
        made = desk.doorkeeper.add(body.name, body.password, role_named(body.role))
    except RefusedError as error:
        raise HTTPException(409, str(error)) from None
    return AccountInfo(name=made.name, role=made.role, locked=False)


@router.delete("/accounts/{name}", status_code=204)
def remove_account(desk: TheDesk, person: Operator, source: Source, name: Annotated[str, Path(max_length=60)]) -> None:
    """Take an account away with its sessions and tokens."""
    desk.noted(person, source, "account removed", name=name)
    try:
        desk.doorkeeper.remove(name)
    except RefusedError as error:
        raise HTTPException(409, str(error)) from None


@router.get("/tokens")
def tokens(desk: TheDesk, person: Operator) -> list[TokenInfo]:
    """Tokens of machines, without their words."""
    del person
    return [
        TokenInfo(id=one.id, name=one.name, role=one.role, scopes=list(one.scopes), made_by=one.made_by)
        for one in desk.doorkeeper.book.tokens
    ]


@router.post("/tokens", status_code=201)
def add_token(desk: TheDesk, person: Operator, source: Source, body: NewToken) -> MadeToken:
    """Make a token for a machine; its word is shown this once."""
    desk.noted(person, source, "token made", name=body.name, role=body.role, scopes=body.scopes)
    try:
        word, made = desk.doorkeeper.make_token(body.name, role_named(body.role), tuple(body.scopes), person.name)
    except RefusedError as error:
        raise HTTPException(422, str(error)) from None
    return MadeToken(
        id=made.id, name=made.name, role=made.role, scopes=list(made.scopes), made_by=made.made_by, token=word
    )


@router.delete("/tokens/{token}", status_code=204)
def revoke_token(desk: TheDesk, person: Operator, source: Source, token: Annotated[str, Path(max_length=64)]) -> None:
    """Revoke a token."""
    desk.noted(person, source, "token revoked", token=token)
    try:
        desk.doorkeeper.revoke(token)
    except RefusedError as error:
        raise HTTPException(404, str(error)) from None


@router.get("/acts")
def acts(desk: TheDesk, person: Operator) -> list[Act]:
    """The last acts, newest first: who did what, when and from where."""
    del person
    return [Act(at=d.at, who=d.who, source=d.source, what=d.what, about=d.about) for d in desk.audit.last(200)]


@router.get("/health")
def health(desk: TheDesk, person: Anyone) -> dict[str, bool]:
    """Whether the pages are served and the table is watched; says nothing else to strangers."""
    del person
    return {"serving": True, "watching": desk.window is not None and desk.window.moment is not None}
