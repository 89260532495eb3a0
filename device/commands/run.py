"""`headstring run`: watch a table until told to stop."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from device import terminal
from device.live.config import Config, ConfigError, read_config

ConfigOption = Annotated[Path, typer.Option("--config", help="a TOML file; deploy/headstring.toml explains every key")]


def command(config: ConfigOption) -> None:
    """Watch a table live: rulings, alerts and records, until stopped by Ctrl-C or SIGTERM."""
    wanted = configured(config)
    try:
        from device.live.claim import Claim
        from device.live.service import watch
    except ImportError as error:
        text = f"watching live needs {error.name}: pip install 'headstring[live]'"
        raise terminal.CommandError(text, terminal.Exit.USAGE) from None
    with Claim(wanted.data.folder):
        watch(wanted)


def configured(path: Path) -> Config:
    """Read a configuration, its errors as the command line tells them."""
    try:
        return read_config(path)
    except ConfigError as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None
