"""`headstring doctor`: is everything well, and what to do where it is not."""

from __future__ import annotations

import threading
import time
from typing import Annotated, Final

import typer
from rich.table import Table as Grid

from device import terminal
from device.cameras.opening import make_camera
from device.commands.run import ConfigOption, configured
from device.health import board, doctor, probing
from device.health.doctor import Finding, State
from device.live.config import Config

_MARKS: Final = {State.WELL: "✔", State.WATCH: "!", State.ILL: "✘", State.UNKNOWN: "·"}
_COLOURS: Final = {State.WELL: "green", State.WATCH: "yellow", State.ILL: "red", State.UNKNOWN: "dim"}


def command(
    config: ConfigOption,
    as_json: Annotated[bool, typer.Option("--json", help="print for machines")] = False,
) -> None:
    """Check camera, light, calibration, models, disk, clock, temperature, power, permissions; exits with 8 if ill."""
    findings = examine(configured(config))
    if as_json:
        told = [{"name": f.name, "state": f.state.value, "found": f.found, "advice": f.advice} for f in findings]
        terminal.print_json({"findings": told, "well": not _ill(findings)})
    else:
        terminal.out.print(_grid(findings))
    if _ill(findings):
        names = ", ".join(f.name for f in findings if f.state is State.ILL)
        raise terminal.CommandError(f"not fit to watch a table: {names}", terminal.Exit.UNFIT)


def examine(config: Config) -> list[Finding]:
    """Every check in turn."""
    camera = make_camera(config.camera, time.monotonic, threading.Event().wait)
    return [
        *probing.camera_findings(config, camera),
        probing.models_finding(),
        probing.disk_finding(config.data.folder),
        doctor.check_clock(board.clock_synchronised()),
        doctor.check_temperature(board.temperature()),
        doctor.check_power(board.read_throttled()),
        probing.permissions_finding(config),
        probing.shared_memory_finding(),
    ]


def _ill(findings: list[Finding]) -> bool:
    return any(finding.state is State.ILL for finding in findings)


def _grid(findings: list[Finding]) -> Grid:
    grid = Grid(show_header=False, box=None, padding=(0, 2, 0, 0))
    for one in findings:
        grid.add_row(_MARKS[one.state], one.name, one.found, one.advice, style=_COLOURS[one.state])
    return grid
