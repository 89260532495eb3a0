"""`headstring label`: pictures with the balls marked as they are seen, for a person to put right and to learn from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from calibration.calibration import Calibration, to_json
from calibration.table import BALL_DIAMETER
from device import terminal
from device.commands.calibrate import (
    BallOption,
    CornersOption,
    HeadEndOption,
    ModelsOption,
    TableOption,
    chosen_calibration,
)
from device.files import write_png, write_text
from device.source import VideoFile, empty_look, is_picture, read_picture
from models.labels import PICTURES, UNNAMED, Box, Marked, write_coco, write_yolo
from models.loading import Finder, Namer, networks
from models.synthesis.ball import outline
from vision.detections import BALL_NAMES, Detections
from vision.eye import Eye
from vision.frame import Frame
from vision.naming import jointly_named

CALIBRATION: Final = "calibration.json"


def command(
    sources: Annotated[list[Path], typer.Argument(help="pictures or videos from one camera that does not move")],
    output: Annotated[Path, typer.Option("-o", "--output", help="folder for pictures and labels")],
    table: TableOption = None,
    ball: BallOption = BALL_DIAMETER,
    head_end: HeadEndOption = None,
    corners: CornersOption = None,
    calibration: Annotated[Path | None, typer.Option("--calibration", help="from `headstring calibrate`")] = None,
    form: Annotated[Literal["coco", "yolo"], typer.Option("--form", help="how the labels are written")] = "coco",
    every: Annotated[float, typer.Option("--every", min=0.1, help="seconds between two frames of a video")] = 5.0,
    models: ModelsOption = None,
) -> None:
    """Write pictures with the balls marked as they are seen now; correct them in any tool, then `headstring train`."""
    if (output / PICTURES).exists() and any((output / PICTURES).iterdir()):
        raise terminal.CommandError(f"{output / PICTURES} holds pictures already", terminal.Exit.CANNOT_WRITE)
    look = empty_look(sources[0])
    known = chosen_calibration(calibration, look, table, ball, head_end, corners)
    finder, namer = networks(models)
    marked = [_label(frame, name, known, finder, namer, output) for name, frame in _frames(sources, every)]
    write_text(output / CALIBRATION, to_json(known))
    written = write_coco(output, marked) if form == "coco" else write_yolo(output, marked)
    balls = sum(len(one.boxes) for one in marked)
    terminal.out.print(
        f"{len(marked)} pictures with {balls} balls: correct the labels in {written}, "
        f"then run: headstring train --venue {output}",
        highlight=False,
        soft_wrap=True,
    )


def _frames(sources: list[Path], every: float) -> Iterator[tuple[str, Frame]]:
    """Frames with the names of the files they are written to."""
    for source in sources:
        if is_picture(source):
            yield f"{source.stem}.png", read_picture(source)
            continue
        due = 0.0
        for frame in VideoFile(source):
            if frame.t >= due:
                due = frame.t + every
                yield f"{source.stem}_{frame.index:06d}.png", frame


def _label(frame: Frame, name: str, known: Calibration, finder: Finder, namer: Namer, output: Path) -> Marked:
    write_png(output / PICTURES / name, frame.pixels)
    width, height = frame.size
    return Marked(name, width, height, boxes_of(Eye(known, finder, namer).look(frame), known))


def boxes_of(seen: Detections, known: Calibration) -> tuple[Box, ...]:
    """The boxes of the balls seen, whole, each ball's outline projected exactly."""
    found = []
    for (name, _), xy in zip(jointly_named(seen.names), seen.xy, strict=True):
        edge = outline(known.camera, [*xy, known.table.ball_radius], known.table.ball_radius)
        left, top = edge.min(axis=0) + 0.5
        right, bottom = edge.max(axis=0) + 0.5
        found.append(Box(name if name in BALL_NAMES else UNNAMED, left, top, right - left, bottom - top))
    return tuple(found)
