"""The doors: who gets in, how often they may try, and that every route knows who may call it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.testclient import TestClient

from device.web.application import create_app
from device.web.desk import Desk
from device.web.doors.audit import AuditLog
from device.web.doors.book import BookError, BookFile
from device.web.doors.doorkeeper import LOCK_AFTER, LOCK_FOR, SESSION_LIFE, Doorkeeper
from device.web.doors.roles import Role
from device.web.settings import WebSettings
from tests.device.web.desks import PASSWORD, QUICK, Clock, Words, client_of, desk_in

STRANGERS = {
    "/first": {"GET"},
    "/sign-in": {"GET"},
    "/api/v1/first": {"POST"},
    "/api/v1/sessions": {"POST"},
    "/api/v1/health": {"GET"},
}
"""All that somebody without an account may call."""

LEAST: dict[tuple[str, str], Role] = {
    ("POST", "/api/v1/table/say"): Role.SCOREKEEPER,
    ("POST", "/api/v1/table/rack"): Role.SCOREKEEPER,
    ("POST", "/api/v1/racks/{rack_id}/shots/{number}/confirm"): Role.REFEREE,
    ("POST", "/api/v1/racks/{rack_id}/shots/{number}/override"): Role.REFEREE,
    ("POST", "/api/v1/racks/{rack_id}/shots/{number}/fact"): Role.REFEREE,
    ("POST", "/api/v1/racks"): Role.OPERATOR,
    ("DELETE", "/api/v1/racks/{rack_id}"): Role.OPERATOR,
    ("POST", "/api/v1/players/erase"): Role.OPERATOR,
    ("GET", "/api/v1/accounts"): Role.OPERATOR,
    ("POST", "/api/v1/accounts"): Role.OPERATOR,
    ("DELETE", "/api/v1/accounts/{name}"): Role.OPERATOR,
    ("GET", "/api/v1/tokens"): Role.OPERATOR,
    ("POST", "/api/v1/tokens"): Role.OPERATOR,
    ("DELETE", "/api/v1/tokens/{token}"): Role.OPERATOR,
    ("GET", "/api/v1/acts"): Role.OPERATOR,
    ("GET", "/people"): Role.OPERATOR,
}
"""Routes that need more than a viewer."""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return desk_in(tmp_path)


def _routes(desk: Desk) -> list[tuple[str, str]]:
    found = [(method, route.path) for route in _walk(create_app(desk).routes) for method in route.methods or ()]
    assert len(found) > 35
    return sorted(found)


def _walk(routes: Sequence[object]) -> Iterator[APIRoute]:
    """All routes, those of routers that were taken in too."""
    for route in routes:
        if isinstance(route, APIRoute):
            yield route
        inner: Any = getattr(route, "original_router", route)
        if inner is not route:
            yield from _walk(inner.routes)


def _address(path: str) -> str:
    values = {"rack_id": "one", "number": "1", "name": "nobody", "token": "none"}
    return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], path)


def _call(client: TestClient, method: str, path: str) -> int:
    body: dict[str, Any] = {"json": {}} if method == "POST" else {}
    return int(client.request(method, _address(path), follow_redirects=False, **body).status_code)


def test_every_route_is_closed_to_strangers_unless_it_is_listed(desk: Desk) -> None:
    client = client_of(desk)
    for method, path in _routes(desk):
        status = _call(client, method, path)
        if method in STRANGERS.get(path, set()):
            assert status not in (401,), path
        else:
            assert status == 401 or (status == 303 and not path.startswith("/api/")), (method, path, status)


@pytest.mark.parametrize("role", list(Role))
def test_every_route_takes_just_the_roles_that_it_should(desk: Desk, role: Role) -> None:
    client = client_of(desk, role.words)
    for method, path in _routes(desk):
        if method in STRANGERS.get(path, set()) or path == "/api/v1/table/events":
            continue
        if (method, path) == ("DELETE", "/api/v1/sessions"):
            continue
        refused = _call(client, method, path) == 403
        assert refused == (role < LEAST.get((method, path), Role.VIEWER)), (method, path, role)


def test_no_route_describes_itself_to_strangers(desk: Desk) -> None:
    client = client_of(desk)
    assert {client.get(path).status_code for path in ("/docs", "/redoc", "/openapi.json")} == {404}


def test_the_first_operator_needs_the_one_time_code(tmp_path: Path) -> None:
    clock = Clock()
    keeper = Doorkeeper(BookFile(tmp_path / "accounts.json"), clock, Words(), QUICK)
    code = keeper.invite()
    desk = desk_in(tmp_path / "other")
    client = client_of(Desk(**{**desk.__dict__, "doorkeeper": keeper}))
    told = {"name": "Kim", "password": PASSWORD}
    assert client.get("/racks", follow_redirects=False).headers["location"] == "/first"
    assert client.post("/api/v1/first", json={"code": "guess", **told}).status_code == 403
    assert client.post("/api/v1/first", json={"code": code, **told}).status_code == 204
    assert client.post("/api/v1/first", json={"code": code, **told}).status_code == 403
    assert keeper.book.accounts[0].role == "operator"


def test_there_is_no_default_password_and_none_is_kept_in_the_clear(desk: Desk) -> None:
    text = (desk.library.folder / "accounts.json").read_text(encoding="utf-8")
    assert PASSWORD not in text
    assert text.count("$argon2id$") == len(Role)
    assert (desk.library.folder / "accounts.json").stat().st_mode & 0o077 == 0


def test_too_many_failures_lock_the_account_for_a_while(desk: Desk) -> None:
    client = client_of(desk)
    clock = desk.now
    assert isinstance(clock, Clock)
    tries = [_sign_in(client, "viewer", "wrong password") for _ in range(LOCK_AFTER + 1)]
    assert tries == [401] * LOCK_AFTER + [429]
    assert _sign_in(client, "viewer", PASSWORD) == 429
    clock.t += LOCK_FOR + 1
    assert _sign_in(client, "viewer", PASSWORD) == 200


def test_an_unknown_name_is_answered_like_a_wrong_password(desk: Desk) -> None:
    client = client_of(desk)
    one = client.post("/api/v1/sessions", json={"name": "nobody", "password": "x"})
    two = client.post("/api/v1/sessions", json={"name": "viewer", "password": "x"})
    assert (one.status_code, one.json()) == (two.status_code, two.json())


def test_one_address_may_not_try_names_for_ever(desk: Desk) -> None:
    client = client_of(desk)
    assert [_sign_in(client, f"name-{k}", "x" * 12) for k in range(12)][-1] == 429


def _sign_in(client: TestClient, name: str, password: str) -> int:
    return int(client.post("/api/v1/sessions", json={"name": name, "password": password}).status_code)


def test_the_session_cookie_is_for_the_server_alone(desk: Desk) -> None:
    client = client_of(desk)
    cookie = client.post("/api/v1/sessions", json={"name": "viewer", "password": PASSWORD}).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_behind_tls_the_cookie_is_secure_and_browsers_are_told_to_stay(tmp_path: Path) -> None:
    client = client_of(desk_in(tmp_path, settings=WebSettings(behind_proxy=True)))
    done = client.post("/api/v1/sessions", json={"name": "viewer", "password": PASSWORD})
    assert "Secure" in done.headers["set-cookie"]
    assert done.headers["strict-transport-security"]


def test_pages_beyond_this_machine_need_tls() -> None:
    with pytest.raises(ValidationError, match="need TLS"):
        WebSettings(host="0.0.0.0")
    with pytest.raises(ValidationError, match="needs its key"):
        WebSettings(certificate=Path("a.pem"))


def test_a_session_ends(desk: Desk) -> None:
    client = client_of(desk, "viewer")
    clock = desk.now
    assert isinstance(clock, Clock)
    assert client.get("/api/v1/me").status_code == 200
    clock.t += SESSION_LIFE + 1
    assert client.get("/api/v1/me").status_code == 401
    again = client_of(desk, "viewer")
    assert again.delete("/api/v1/sessions").status_code == 204
    assert again.get("/api/v1/me").status_code == 401


def test_changing_the_password_ends_all_sessions(desk: Desk) -> None:
    client, other = client_of(desk, "viewer"), client_of(desk, "viewer")
    done = client.post("/api/v1/me/password", json={"old": PASSWORD, "new": "another horse"})
    assert done.status_code == 204
    assert other.get("/api/v1/me").status_code == 401
    assert _sign_in(other, "viewer", "another horse") == 200
    assert client_of(desk, "referee").post("/api/v1/me/password", json={"old": "x", "new": PASSWORD}).status_code == 403


def test_a_request_without_the_pages_token_changes_nothing(desk: Desk) -> None:
    client = client_of(desk, "operator")
    del client.headers["x-csrf-token"]
    assert client.post("/api/v1/racks/one/shots/1/confirm").status_code == 403
    assert client.delete("/api/v1/racks/one").status_code == 403
    assert client.get("/api/v1/racks/one").status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://localhost"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_requests_from_other_sites_are_not_taken(desk: Desk, headers: dict[str, str], status: int) -> None:
    client = client_of(desk)
    body = b'{"name": "viewer", "password": "correct horse"}'
    told = {"content-type": "application/json", **headers}
    assert client.post("/api/v1/sessions", content=body, headers=told).status_code == status


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.nip.io"])
def test_other_host_names_are_not_served(desk: Desk, host: str) -> None:
    assert client_of(desk).get("/api/v1/health", headers={"host": host}).status_code == 421


def test_a_body_that_is_too_large_is_refused_whatever_it_says_of_itself(desk: Desk) -> None:
    client = client_of(desk)
    large = b'{"name": "' + b"x" * 300_000 + b'"}'
    headers = {"content-type": "application/json"}
    assert client.post("/api/v1/sessions", content=large, headers=headers).status_code == 413
    pieces = (large[k : k + 1000] for k in range(0, len(large), 1000))
    assert client.post("/api/v1/sessions", content=pieces, headers=headers).status_code == 413


def test_a_flood_is_slowed_down(desk: Desk) -> None:
    client = client_of(desk)
    assert 429 in {client.get("/api/v1/health").status_code for _ in range(320)}


def test_answers_forbid_what_a_browser_need_not_do(desk: Desk) -> None:
    headers = client_of(desk).get("/sign-in").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")


def test_tokens_do_what_their_scopes_say(desk: Desk) -> None:
    operator = client_of(desk, "operator")
    body = {"name": "hub", "role": "referee", "scopes": ["read"]}
    made = operator.post("/api/v1/tokens", json=body).json()
    client = client_of(desk)
    client.headers["authorization"] = f"Bearer {made['token']}"
    assert client.get("/api/v1/racks").status_code == 200
    assert client.post("/api/v1/racks/one/shots/1/confirm").status_code == 403
    assert made["token"] not in (desk.library.folder / "accounts.json").read_text(encoding="utf-8")
    assert operator.delete(f"/api/v1/tokens/{made['id']}").status_code == 204
    assert client.get("/api/v1/racks").status_code == 401
    assert operator.post("/api/v1/tokens", json={**body, "scopes": ["all"]}).status_code == 422


def test_the_last_operator_stays(desk: Desk) -> None:
    client = client_of(desk, "operator")
    assert client.delete("/api/v1/accounts/operator").status_code == 409
    body = {"name": "Kim", "password": PASSWORD, "role": "operator"}
    assert client.post("/api/v1/accounts", json=body).status_code == 201
    assert client.post("/api/v1/accounts", json=body).status_code == 409
    assert client.post("/api/v1/accounts", json={**body, "name": "Lee", "password": "short"}).status_code == 409
    assert client.delete("/api/v1/accounts/operator").status_code == 204
    assert client.get("/api/v1/me").status_code == 401


def test_who_did_what_is_logged_before_it_is_done(desk: Desk) -> None:
    referee = client_of(desk, "referee")
    referee.post("/api/v1/racks/one/shots/1/override", json={"reason": "seen from the side", "choice": 0})
    acts = client_of(desk, "operator").get("/api/v1/acts").json()
    act = next(one for one in acts if one["what"] == "override")
    assert (act["who"], act["source"]) == ("referee", "testclient")
    assert act["about"] == {"rack": "one", "shot": 1, "call": "legal", "reason": "seen from the side"}


def test_what_cannot_be_logged_is_not_done(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: AuditLog, done: object) -> None:
        raise OSError(28, "No space left on device")

    client = TestClient(create_app(desk), base_url="http://localhost", raise_server_exceptions=False)
    told = client.post("/api/v1/sessions", json={"name": "referee", "password": PASSWORD}).json()
    monkeypatch.setattr(AuditLog, "add", full)
    headers = {"x-csrf-token": told["csrf"]}
    assert client.post("/api/v1/racks/one/shots/1/confirm", headers=headers).status_code == 500
    assert len(desk.library.read("one").entries) == 4


def test_a_damaged_book_is_said(tmp_path: Path) -> None:
    (tmp_path / "accounts.json").write_text("rhubarb", encoding="utf-8")
    with pytest.raises(BookError, match="backup"):
        BookFile(tmp_path / "accounts.json")
