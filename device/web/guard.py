"""What stands before every request: which host was asked for, where it comes from, how large and how often it is.

A plain ASGI layer, so that streams are not held back. Answers carry a strict content policy; nothing is framed, sniffed
or cached by others.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from device.web.doors.limits import Limiter

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST: Final = 256 * 1024
LARGEST_RECORD: Final = 20_000_000
RECORDS: Final = "/api/v1/racks"
_UNSAFE: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_HEADERS: Final = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; "
        b"connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


class _TooLargeError(Exception):
    """More came than may."""


class Guard:
    """Refuses strange hosts, foreign origins, large bodies and floods before anything else sees the request."""

    def __init__(self, app: Asgi, hosts: frozenset[str], limiter: Limiter, *, secure: bool, proxied: bool) -> None:
        self._app, self._hosts, self._limiter = app, hosts, limiter
        self._secure, self._proxied = secure, proxied

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        wrong = self._refusal(scope, headers)
        if wrong is not None:
            await _answer(send, *wrong)
            return
        scope["client_address"] = self._source(scope, headers)
        body = _Body(receive, _most(scope["path"]))

        async def sending(message: Message) -> None:
            if body.too_large:
                return
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *self._extra(message)]}
            await send(message)

        with contextlib.suppress(_TooLargeError):
            await self._app(scope, body.receive, sending)
        if body.too_large:
            await _answer(send, 413, "the request is too large")

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            return 421, "this host name is not served here; add it to web.names"
        if not self._limiter.allows(self._source(scope, headers)):
            return 429, "too many requests; wait a little"
        if scope["method"] not in _UNSAFE:
            return None
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return 403, "requests from other sites are not taken"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "requests from other sites are not taken"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > _most(scope["path"]):
            return 413, "the request is too large"
        carries = length != "0" or "transfer-encoding" in headers
        if carries and headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            return 415, "bodies must be application/json"
        return None

    def _source(self, scope: Scope, headers: dict[str, str]) -> str:
        """The address that a request comes from; behind our own proxy the one that it names last."""
        if self._proxied and "x-forwarded-for" in headers:
            return headers["x-forwarded-for"].split(",")[-1].strip()[:64]
        client = scope.get("client")
        return str(client[0]) if client else "unknown"

    def _extra(self, message: Message) -> list[tuple[bytes, bytes]]:
        given = {name.lower() for name, _ in message.get("headers", [])}
        found = [pair for pair in _HEADERS if pair[0] not in given]
        if b"cache-control" not in given:
            found.append((b"cache-control", b"no-store"))
        if self._secure:
            found.append((b"strict-transport-security", b"max-age=31536000"))
        return found


def _name(host: str) -> str:
    """A host header's name without its port."""
    if host.startswith("["):
        return host[1 : host.find("]")]
    return host.rsplit(":", 1)[0].lower() if host.count(":") == 1 else host.lower()


def _most(path: str) -> int:
    return LARGEST_RECORD if path == RECORDS else LARGEST


class _Body:
    """A request's body, cut off where it grows beyond what may come."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left = receive, most
        self.too_large = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self.too_large = True
            raise _TooLargeError
        return message


async def _answer(send: Send, status: int, detail: str) -> None:
    body = json.dumps({"detail": detail}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
