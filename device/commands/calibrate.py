"""`headstring calibrate`: find the table, solve the camera, write and show the result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from calibration import overlay
from calibration.calibration import Calibration, calibrate, calibrate_on_corners, read, to_json, with_head_end
from calibration.pose import PictureEnd
from calibration.table import BALL_DIAMETER, Table, table_named
from device import terminal
from device.files import write_png, write_text
from device.size_check import check_ball_size
from device.source import empty_look
from vision.frame import Frame

TableOption = Annotated[
    str | None, typer.Option("--table", help="7ft, 8ft, 8ft-pro, 9ft, or LENGTHxWIDTH of the playing surface in metres")
]
BallOption = Annotated[float, typer.Option("--ball", help="a ball's diameter in metres (pub tables have smaller ones)")]
HeadEndOption = Annotated[
    str | None, typer.Option("--head-end", help="end of the picture where the head rail lies: left, right, top, bottom")
]
ModelsOption = Annotated[
    Path | None, typer.Option("--models", help="folder with a venue's own networks, from `headstring train`")
]
CornersOption = Annotated[
    str | None,
    typer.Option(
        "--corners",
        help="corners of the playing surface in pixels, 'x,y x,y x,y x,y': head_left head_right foot_right foot_left",
    ),
]


def command(
    source: Annotated[Path, typer.Argument(help="a video or picture of the whole table from above")],
    output: Annotated[Path, typer.Option("-o", "--output", help="where to write the calibration")],
    table: TableOption = None,
    ball: BallOption = BALL_DIAMETER,
    head_end: HeadEndOption = None,
    corners: CornersOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the calibration as JSON")] = False,
) -> None:
    """Find the table in a video or picture and work out the camera above it."""
    frame = empty_look(source)
    found = calibration_of(frame, table, ball, head_end, corners)
    write_text(output, to_json(found))
    picture = output.with_suffix(".png")
    write_png(picture, overlay.draw(frame.pixels, found))
    if as_json:
        terminal.out.out(to_json(found), highlight=False, end="")
        return
    _show(found, output, picture)


def wanted_table(name: str | None, ball: float) -> Table:
    """The table told on the command line."""
    if name is None:
        raise terminal.CommandError(
            "say which table this is: --table 9ft (or 8ft, 7ft, LENGTHxWIDTH)", terminal.Exit.USAGE
        )
    return table_named(name, ball)


def calibration_of(
    frame: Frame, table: str | None, ball: float, head_end: str | None, corners: str | None
) -> Calibration:
    """Calibrate on a picture as the command line's options say."""
    size = wanted_table(table, ball)
    if corners is None:
        known = calibrate(frame.pixels, size, picture_end(head_end))
    else:
        height, width = frame.pixels.shape[:2]
        clicked = calibrate_on_corners(_corners(corners), size, (width, height))
        known = with_head_end(clicked, picture_end(head_end))
    check_ball_size(frame, known)
    return known


def known_calibration(path: Path, frame: Frame) -> Calibration:
    """A calibration from a file, checked to be of pictures of this size."""
    known = read(path)
    height, width = frame.pixels.shape[:2]
    if known.camera.size != (width, height):
        raise terminal.CommandError(
            f"the calibration is for {known.camera.size[0]}×{known.camera.size[1]} pictures, "
            f"these are {width}×{height}: calibrate on this source",
            terminal.Exit.NO_TABLE,
        )
    return known


def chosen_calibration(
    path: Path | None, frame: Frame, table: str | None, ball: float, head_end: str | None, corners: str | None
) -> Calibration:
    """The calibration in the file that the command line names, else one made on the picture."""
    if path is not None:
        return known_calibration(path, frame)
    return calibration_of(frame, table, ball, head_end, corners)


def picture_end(text: str | None) -> PictureEnd | None:
    match text:
        case None | "left" | "right" | "top" | "bottom":
            return text
    raise terminal.CommandError(f"--head-end is left, right, top or bottom, not {text!r}", terminal.Exit.USAGE)


def _corners(text: str) -> list[tuple[float, float]]:
    try:
        numbers = [float(part) for part in text.replace(";", " ").replace(",", " ").split()]
    except ValueError:
        numbers = []
    if len(numbers) != 8:
        raise terminal.CommandError(
            "--corners takes four x,y pairs in pixels, such as '62,61 82,620 1198,620 1216,53'", terminal.Exit.USAGE
        )
    return [(numbers[k], numbers[k + 1]) for k in range(0, 8, 2)]


def _show(found: Calibration, output: Path, picture: Path) -> None:
    rest, camera = found.residuals, found.camera
    grid = Grid(show_header=False, box=None, padding=(0, 2, 0, 0))
    grid.add_row(
        "table", f"{found.table.length:g} × {found.table.width:g} m, balls {1000 * found.table.ball_diameter:g} mm"
    )
    source = {"told": "as told", "rack": "seen from the rack", "assumed": "assumed: tell it with --head-end"}
    grid.add_row("head rail", f"at the picture's {found.head_end} ({source[found.head_end_source]})")
    x, y, z = camera.centre
    grid.add_row("camera", f"{z:.2f} m above the slate, {1000 * x:+.0f} / {1000 * y:+.0f} mm off the table's centre")
    grid.add_row("lens", f"focal length {camera.K[0, 0]:.0f} px, k1 {camera.dist[0]:+.3f}")
    if rest.diamonds is not None:
        grid.add_row("diamonds", f"{rest.diamonds_seen} of 18 seen, {1000 * rest.diamonds:.1f} mm left over (median)")
    if rest.noses is not None:
        grid.add_row("cushions", f"{rest.rails_seen} of 4 seen, {1000 * rest.noses:.1f} mm left over (median)")
    grid.add_row("calibration", str(output))
    grid.add_row("picture", str(picture))
    terminal.out.print(grid)
