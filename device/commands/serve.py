"""`headstring serve`: the pages over a data folder, without a camera."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from device import terminal
from device.commands.store import Data, open_library
from device.keys import KeyStore

if TYPE_CHECKING:
    from device.web.desk import Desk
    from device.web.settings import WebSettings


def command(
    data: Data,
    host: Annotated[str, typer.Option("--host", help="beyond this machine it needs TLS")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8080,
    name: Annotated[list[str] | None, typer.Option("--name", help="a host name that browsers use")] = None,
    certificate: Annotated[Path | None, typer.Option("--certificate", help="TLS certificate (PEM)")] = None,
    certificate_key: Annotated[Path | None, typer.Option("--certificate-key", help="its key (PEM)")] = None,
    behind_proxy: Annotated[bool, typer.Option("--behind-proxy", help="a proxy on this machine does the TLS")] = False,
) -> None:
    """Serve review, audit and the API on recorded racks. The first start prints a one-time code for an operator."""
    try:
        from device.web.serving import ServingError, desk_over, serve
        from device.web.settings import WebSettings
    except ImportError as error:
        text = f"the pages need {error.name}: pip install 'headstring[web]'"
        raise terminal.CommandError(text, terminal.Exit.USAGE) from None
    try:
        settings = WebSettings(
            host=host,
            port=port,
            names=name or [],
            certificate=certificate,
            certificate_key=certificate_key,
            behind_proxy=behind_proxy,
        )
    except ValueError as error:
        reason = str(error).splitlines()[2].strip().removeprefix("Value error, ").split(" [type=")[0]
        raise terminal.CommandError(reason, terminal.Exit.USAGE) from None
    desk = desk_over(open_library(data), settings, KeyStore(data / "keys"), time.time, time.monotonic)
    _welcome(desk, settings)
    try:
        serve(desk)
    except ServingError as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None


def _welcome(desk: Desk, settings: WebSettings) -> None:
    address = f"{'https' if settings.certificate else 'http'}://{settings.host}:{settings.port}"
    terminal.out.print(f"serving on {address}", highlight=False, soft_wrap=True)
    if desk.doorkeeper.empty:
        terminal.out.print(
            f"first operator: open {address}/first with the code {desk.doorkeeper.invite()}", highlight=False
        )
