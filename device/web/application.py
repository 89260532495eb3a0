"""The application: pages, API and guard put together over one desk."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Final

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles

from device.web.desk import Desk
from device.web.doors.limits import Limiter, Rate
from device.web.guard import Guard
from device.web.routes import doors, exports, pages, racks, review, table
from device.web.settings import LOOPBACK

STATIC: Final = Path(__file__).parent / "static"
_PER_ADDRESS: Final = Rate(burst=300, per_second=60)
_SIGN_INS: Final = Rate(burst=10, per_second=1 / 6)


def create_app(desk: Desk) -> FastAPI:
    """The pages and the API of one desk."""

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        app.state.streams = asyncio.Semaphore(desk.settings.viewers)
        app.state.closing = asyncio.Event()
        yield
        app.state.closing.set()

    app = FastAPI(
        title="Headstring",
        version=version("headstring"),
        description="Racks, shots, rulings and reviews of pool tables that Headstring watches.",
        lifespan=living,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.desk = desk
    app.state.sign_ins = Limiter(_SIGN_INS, desk.clock)
    for part in (doors, table, racks, review, exports, pages):
        app.include_router(part.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _unsound)
    hosts = frozenset({*LOOPBACK, *(name.lower() for name in desk.settings.names)})
    app.add_middleware(
        Guard,
        hosts=hosts,
        limiter=Limiter(_PER_ADDRESS, desk.clock),
        secure=desk.settings.secure,
        proxied=desk.settings.behind_proxy,
    )
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """A page's visitor who is not signed in goes to the door; all else is one sentence as JSON."""
    assert isinstance(error, HTTPException)
    page = not request.url.path.startswith(("/api/", "/static/"))
    if page and error.status_code == 401 and request.method == "GET":
        first = request.app.state.desk.doorkeeper.empty
        return RedirectResponse("/first" if first else "/sign-in", status_code=303)
    if page and request.method == "GET":
        return pages.refusal(request, error.status_code, str(error.detail))
    return JSONResponse({"detail": error.detail}, error.status_code)


async def _unsound(request: Request, error: Exception) -> Response:
    """What is wrong with a request, without giving back what was sent."""
    assert isinstance(error, RequestValidationError)
    told = error.errors()[0]
    where = ".".join(str(part) for part in told["loc"] if part not in ("body", "query", "path"))
    detail = f"{where}: {told['msg']}" if where else str(told["msg"])
    if not request.url.path.startswith("/api/") and request.method == "GET":
        return pages.refusal(request, 422, detail)
    return JSONResponse({"detail": detail}, 422)


def word() -> str:
    """A fresh random word for sessions, codes and tokens."""
    return secrets.token_urlsafe(32)
