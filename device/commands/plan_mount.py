"""`headstring plan-mount`: will this camera at this height do?"""

from __future__ import annotations

import math
import re
from typing import Annotated

import typer
from rich.table import Table as Grid

from calibration.table import BALL_DIAMETER
from device import terminal
from device.cameras.sensors import SENSORS
from device.commands.calibrate import BallOption, wanted_table
from device.health.mount import Mount, Optics, plan


def command(
    table: Annotated[str, typer.Option("--table", help="7ft, 8ft, 8ft-pro, 9ft, or LENGTHxWIDTH in metres")],
    height: Annotated[float, typer.Option("--height", help="of the camera above the bed, metres")],
    camera: Annotated[
        str, typer.Option("--camera", help=f"{', '.join(SENSORS)}, or WIDTHxHEIGHT@RATE such as 1920x1080@30")
    ],
    lens: Annotated[
        str | None, typer.Option("--lens", help="focal length (6mm) or horizontal field of view (78deg)")
    ] = None,
    exposure: Annotated[float, typer.Option("--exposure", help="milliseconds")] = 1.0,
    speed: Annotated[float, typer.Option("--speed", help="of a fast ball, m/s; breaks reach 8 to 13")] = 8.0,
    ball: BallOption = BALL_DIAMETER,
    as_json: Annotated[bool, typer.Option("--json", help="print for machines")] = False,
) -> None:
    """Say what a mount will give: field of view, pixels per ball, blur, expected error. Hopeless ones exit with 8."""
    if height <= 0.1 or exposure <= 0 or speed <= 0:
        raise terminal.CommandError("--height, --exposure and --speed must be more than nothing", terminal.Exit.USAGE)
    optics = _optics(camera, lens)
    found = plan(wanted_table(table, ball), height, optics, exposure / 1000, speed)
    if as_json:
        terminal.print_json({**found.__dict__, "angles": optics.angles, "focal_pixels": optics.focal})
    else:
        terminal.out.print(_grid(found, optics, speed))
        for text in found.warnings:
            terminal.out.print(f"note: {text}", highlight=False, soft_wrap=True)
    if found.refusals:
        raise terminal.CommandError("; ".join(found.refusals), terminal.Exit.UNFIT)


def _optics(camera: str, lens: str | None) -> Optics:
    mode = SENSORS.get(camera)
    if mode is not None:
        focal = mode.focal if lens is None else _focal_metres(lens)
        pixels = None if focal is None else focal / mode.pitch
        if lens is not None and focal is None:
            pixels = _focal_pixels(lens, mode.size[0])
        if pixels is None:
            raise terminal.CommandError(f"the {camera} comes without a lens: say --lens 4mm", terminal.Exit.USAGE)
        return Optics(mode.size, pixels, mode.rate, mode.line_time)
    told = re.fullmatch(r"(\d{3,5})x(\d{3,5})@(\d+(?:\.\d+)?)", camera)
    if told is None:
        raise terminal.CommandError(
            f"unknown camera {camera!r}: known are {', '.join(SENSORS)}, or say WIDTHxHEIGHT@RATE", terminal.Exit.USAGE
        )
    width, rows, rate = int(told[1]), int(told[2]), float(told[3])
    pixels = None if lens is None else _focal_pixels(lens, width)
    if pixels is None:
        raise terminal.CommandError("for this camera say its field of view: --lens 78deg", terminal.Exit.USAGE)
    # Rolling shutters read a frame in about as long as it lasts.
    return Optics((width, rows), pixels, rate, 1 / rate / rows)


def _focal_metres(lens: str) -> float | None:
    told = re.fullmatch(r"(\d+(?:\.\d+)?)\s*mm", lens)
    return float(told[1]) / 1000 if told and float(told[1]) > 0 else None


def _focal_pixels(lens: str, width: int) -> float | None:
    told = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:deg|°)", lens)
    if told is None or not 10 <= float(told[1]) <= 150:
        return None
    return width / 2 / math.tan(math.radians(float(told[1])) / 2)


def _grid(found: Mount, optics: Optics, speed: float) -> Grid:
    grid = Grid(show_header=False, box=None, padding=(0, 2, 0, 0))
    across, down = optics.angles
    grid.add_row(
        "camera", f"{optics.size[0]}×{optics.size[1]} at {optics.rate:g} frames/s, {across:.0f}° × {down:.0f}°"
    )
    grid.add_row("in view", f"{found.view[0]:.2f} × {found.view[1]:.2f} m of the bed")
    grid.add_row("needed", f"{found.needed[0]:.2f} × {found.needed[1]:.2f} m, {found.angle_needed:.0f}° at this height")
    grid.add_row("a ball", f"{found.ball:.0f} pixels wide")
    grid.add_row("expected error", f"{1e3 * found.error:.1f} mm (median, at rest)")
    grid.add_row(f"at {speed:g} m/s", f"blur {1e3 * found.blur:.1f} mm, {1e3 * found.step:.0f} mm between frames")
    if found.skew:
        grid.add_row("", f"rolling shutter: {1e3 * found.skew:.1f} mm while it passes over a ball")
    return grid
