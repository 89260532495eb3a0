"""Serving the pages: uvicorn in this thread, or in one of its own beside the watch."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

import uvicorn

from device.alerts.events import EventHub
from device.keys import KeyStore
from device.live.window import Window
from device.store.library import Library
from device.store.sealing import resealing
from device.web.application import create_app, word
from device.web.desk import Desk
from device.web.doors.audit import AuditLog
from device.web.doors.book import BookFile
from device.web.doors.doorkeeper import Doorkeeper
from device.web.settings import WebSettings

_GRACE = 3


class ServingError(Exception):
    """The pages cannot be served; the message says what to do."""


def desk_over(
    library: Library,
    settings: WebSettings,
    keys: KeyStore,
    now: Callable[[], float],
    clock: Callable[[], float],
    window: Window | None = None,
    hub: EventHub | None = None,
) -> Desk:
    """A desk over a data folder: its accounts and its log lie there too."""
    keeper = Doorkeeper(BookFile(library.folder / "accounts.json"), now, word)
    audit = AuditLog(library.folder / "audit.log")
    library.resealed = resealing(keys, now)
    return Desk(library, keeper, audit, settings, now, clock, window, hub, keys)


def _server(desk: Desk) -> uvicorn.Server:
    settings = desk.settings
    _must_be_free(settings.host, settings.port)
    return uvicorn.Server(
        uvicorn.Config(
            create_app(desk),
            host=settings.host,
            port=settings.port,
            ssl_certfile=None if settings.certificate is None else str(settings.certificate),
            ssl_keyfile=None if settings.certificate_key is None else str(settings.certificate_key),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=_GRACE,
            limit_concurrency=500,
            h11_max_incomplete_event_size=16_384,
        )
    )


def _must_be_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise ServingError(f"cannot serve on {host}:{port} ({error.strerror}); choose another port") from None


def serve(desk: Desk) -> None:
    """Serve until stopped.

    Raises:
        ServingError: the port is taken.
    """
    with contextlib.suppress(KeyboardInterrupt):
        _server(desk).run()


class BesideTheWatch:
    """The pages in a thread of their own.

    Raises:
        ServingError: the port is taken.
    """

    def __init__(self, desk: Desk) -> None:
        self._server = _server(desk)
        self._thread = threading.Thread(target=self._server.run, name="pages", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End within a few seconds, open streams too."""
        self._server.should_exit = True
        self._thread.join(_GRACE + 2)
