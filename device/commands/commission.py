"""`headstring commission`: is a table seen well enough for fouls to be called? A score from recordings of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

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
from device.commissioning import LEAST, Score, VenueCheck
from device.rack_watch import SETS
from device.source import VideoFile, empty_look, is_picture, read_picture
from models.loading import networks
from tracking.watcher import Watcher
from vision.eye import Eye
from vision.frame import Frame

_RESTING: Final = 6.0
"""Seconds for which a picture is looked at again and again, as if a camera showed it."""
_RATE: Final = 10


def command(
    sources: Annotated[list[Path], typer.Argument(help="recordings or pictures of the table with balls lying on it")],
    table: TableOption = None,
    ball: BallOption = BALL_DIAMETER,
    head_end: HeadEndOption = None,
    corners: CornersOption = None,
    calibration: Annotated[Path | None, typer.Option("--calibration", help="from `headstring calibrate`")] = None,
    rules: Annotated[str, typer.Option("--rules", help="whose set of balls is played: upa-9ball, upl-8ball, …")] = (
        "upl-8ball"
    ),
    models: ModelsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Judge each rest of a few seconds; exits with 8 where the table is not fit to have fouls called on it."""
    if rules not in SETS:
        raise terminal.CommandError(f"unknown rules {rules!r}: known are {', '.join(SETS)}", terminal.Exit.USAGE)
    look = empty_look(sources[0])
    known = chosen_calibration(calibration, look, table, ball, head_end, corners)
    finder, namer = networks(models)
    check = VenueCheck(namer)
    rests = [score for source in sources for score in _rests(source, known, Eye(known, finder, namer), check, rules)]
    standing = check.standing
    if standing is None:
        raise terminal.CommandError(
            "no rest of a few seconds with three balls or more was seen: nothing can be said", terminal.Exit.UNREADABLE
        )
    if as_json:
        told = [{"score": one.value, "parts": one.parts, "said": one.said} for one in rests]
        terminal.print_json({"score": standing.value, "least": LEAST, "fit": standing.value >= LEAST, "rests": told})
    else:
        terminal.out.print(_grid(rests))
        terminal.out.print(_verdict(standing), highlight=False, soft_wrap=True)
    if standing.value < LEAST:
        raise typer.Exit(terminal.Exit.UNFIT)


def _rests(source: Path, known: Calibration, eye: Eye, check: VenueCheck, rules: str) -> list[Score]:
    watcher, found = Watcher(known.table, SETS[rules]), []
    check.stirred()
    frames = _shown(read_picture(source)) if is_picture(source) else VideoFile(source)
    for frame in frames:
        seen = eye.look(frame)
        watcher.update(seen)
        if watcher.shot_running or any(ball.moving for ball in watcher.balls):
            check.stirred()
            continue
        score = check.rest(frame, seen, watcher.set_check, known)
        if score is not None:
            found.append(score)
    return found


def _shown(picture: Frame) -> list[Frame]:
    """A picture as a camera would show it for some seconds, with a trace of noise: no two frames are the same."""
    rng = np.random.default_rng(1)
    frames = []
    for k in range(int(_RESTING * _RATE)):
        grain = rng.integers(-1, 2, picture.data.shape, dtype=np.int16)
        data = np.clip(picture.data.astype(np.int16) + grain, 0, 255).astype(np.uint8)
        frames.append(Frame(k / _RATE, data, k, picture.layout, picture.width))
    return frames


def _grid(rests: list[Score]) -> Grid:
    grid = Grid(title="Rests", title_justify="left")
    names = list(rests[0].parts)
    for heading in ("score", *names):
        grid.add_column(heading, justify="right")
    for rest in rests:
        cells = [f"{rest.parts[name]:.2f}" for name in names]
        grid.add_row(f"{rest.value:.2f}", *cells, style="red" if rest.value < LEAST else "")
    return grid


def _verdict(standing: Score) -> str:
    if standing.value >= LEAST:
        return f"fit: {standing.value:.2f} (at least {LEAST:g} is wanted)"
    return f"not fit: {standing.value:.2f} (at least {LEAST:g} is wanted): {standing.why}"
