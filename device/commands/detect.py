"""`headstring detect`: the balls seen in pictures, or in a video's frames."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer
from rich.table import Table as Grid

from calibration.calibration import Calibration
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
from device.diagram import ball_colour
from device.files import write_png
from device.source import VideoFile, empty_look, is_picture, read_picture
from models.loading import networks
from vision.detections import BALL_NAMES, Detections
from vision.eye import Eye
from vision.frame import Frame
from vision.naming import jointly_named

_STEP = 1.0


def command(
    sources: Annotated[list[Path], typer.Argument(help="pictures or videos of the whole table from above")],
    table: TableOption = None,
    ball: BallOption = BALL_DIAMETER,
    head_end: HeadEndOption = None,
    corners: CornersOption = None,
    calibration: Annotated[Path | None, typer.Option("--calibration", help="from `headstring calibrate`")] = None,
    overlay: Annotated[Path | None, typer.Option("--overlay", help="folder for pictures with the balls marked")] = None,
    models: ModelsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON document")] = False,
) -> None:
    """Say which balls are seen, where, and how sure that is. Of a video, one frame a second is looked at."""
    finder, namer = networks(models)
    documents: list[dict[str, Any]] = []
    for source in sources:
        look = empty_look(source)
        known = chosen_calibration(calibration, look, table, ball, head_end, corners)
        for frame in _frames(source):
            seen = Eye(known, finder, namer).look(frame)
            balls = described(seen)
            name = source.name if is_picture(source) else f"{source.name} at {frame.t:.2f} s"
            documents.append({"source": str(source), "t": round(frame.t, 4), "balls": balls})
            if not as_json:
                terminal.out.print(_grid(name, balls))
            if overlay is not None:
                stem = source.stem if is_picture(source) else f"{source.stem}_{frame.index:05d}"
                write_png(overlay / f"{stem}.png", marked(frame, balls, known))
    if as_json:
        terminal.print_json(documents[0] if len(documents) == 1 else {"pictures": documents})


def _frames(source: Path) -> Iterator[Frame]:
    if is_picture(source):
        yield read_picture(source)
        return
    due = 0.0
    for frame in VideoFile(source):
        if frame.t >= due:
            due += _STEP
            yield frame


def described(seen: Detections) -> list[dict[str, Any]]:
    """One frame's balls in the form that `detect --json` prints; names are given jointly, each number once."""
    balls = []
    for row, (name, confidence) in enumerate(jointly_named(seen.names)):
        balls.append(
            {
                "px": [round(float(v), 2) for v in seen.px[row]],
                "table": [round(float(v), 4) for v in seen.xy[row]],
                "ball": name,
                "confidence": round(confidence, 4),
                "sigma": round(float(np.sqrt(0.5 * np.trace(seen.cov[row]))), 5),
                "covered": round(float(seen.covered[row]), 3),
                "names": {
                    ball: round(float(p), 4) for ball, p in zip(BALL_NAMES, seen.names[row], strict=False) if p >= 0.02
                },
            }
        )
    return balls


def marked(frame: Frame, balls: list[dict[str, Any]], known: Calibration) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The picture with each ball ringed at its exact place and named."""
    picture = frame.pixels.copy()
    for ball in balls:
        x, y = ball["px"]
        edge = known.camera.project_at(np.add(ball["table"], (known.table.ball_radius, 0.0)), known.table.ball_radius)
        radius = float(np.hypot(*(edge[0] - (x, y)))) + 2
        red, green, blue = ball_colour(ball["ball"])
        centre = (round(16 * x), round(16 * y))
        cv2.circle(picture, centre, round(16 * radius), (blue, green, red), 2, cv2.LINE_AA, shift=4)
        place = (round(x + radius), round(y - radius))
        cv2.putText(picture, ball["ball"], place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3, cv2.LINE_AA)
        cv2.putText(picture, ball["ball"], place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    return picture


def _grid(name: str, balls: list[dict[str, Any]]) -> Grid:
    grid = Grid(title=f"{name}: {len(balls)} balls", title_justify="left")
    for heading in ("ball", "confidence", "x, m", "y, m", "pixel"):
        grid.add_column(heading, justify="right")
    for ball in balls:
        x, y = ball["table"]
        u, v = ball["px"]
        grid.add_row(ball["ball"], f"{ball['confidence']:.3f}", f"{x:+.4f}", f"{y:+.4f}", f"{u:.1f}, {v:.1f}")
    return grid
