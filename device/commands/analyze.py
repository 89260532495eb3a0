"""`headstring analyze`: a video in, a rack record with rulings and pictures out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.progress import Progress as Bar

from adjudication.judge import Judge
from adjudication.leagues import BOOKS
from calibration.calibration import Calibration, to_json
from calibration.table import BALL_DIAMETER
from device import terminal
from device.commands.adjudicate import rulings_table
from device.commands.calibrate import (
    BallOption,
    CornersOption,
    HeadEndOption,
    ModelsOption,
    TableOption,
    chosen_calibration,
)
from device.commissioning import VenueCheck
from device.diagram import draw
from device.files import write_text, write_whole
from device.overlay_video import OverlayVideo
from device.rack_watch import SETS, RackWatch
from device.source import VideoFile, empty_look
from models.loading import Finder, Namer, networks
from record.document import to_json as record_json
from record.rack import Player, RackRecord, TableSize
from record.shot import Shot
from vision.detections import Detections
from vision.eye import Eye
from vision.frame import Frame

_MOSTLY: Final = 0.5


@dataclass
class Timing:
    """Seconds of one core spent, by stage, and frames seen."""

    decode: float = 0.0
    watch: float = 0.0
    frames: int = 0
    last: float = 0.0

    def figures(self) -> list[dict[str, Any]]:
        return [
            {"name": name, "value": round(1000 * spent / max(self.frames, 1), 3), "unit": "ms/frame", "n": self.frames}
            for name, spent in (("decoding", self.decode), ("detection, tracking and judging", self.watch))
        ]


@dataclass
class Analysis:
    """A finished analysis of one file."""

    record: RackRecord
    calibration: Calibration
    damage: str | None
    timing: Timing = field(default_factory=Timing)


def command(
    video: Annotated[Path, typer.Argument(help="a video of the whole table from above")],
    output: Annotated[Path, typer.Option("-o", "--output", help="folder for rack.json and the pictures")],
    calibration: Annotated[Path | None, typer.Option("--calibration", help="from `headstring calibrate`")] = None,
    table: TableOption = None,
    ball: BallOption = BALL_DIAMETER,
    head_end: HeadEndOption = None,
    corners: CornersOption = None,
    rules: Annotated[str, typer.Option("--rules", help="upa-9ball, upl-8ball, napa-9ball, ipl-8ball")] = "upa-9ball",
    players: Annotated[str, typer.Option("--players", help="names of players A and B, 'Ann,Bob'; A breaks")] = "A,B",
    models: ModelsOption = None,
    overlay: Annotated[bool, typer.Option("--overlay", help="also write overlay.mp4")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print the record as JSON")] = False,
) -> None:
    """Watch a video, judge its shots, write the rack record and a picture of each shot."""
    look = empty_look(video)
    known = chosen_calibration(calibration, look, table, ball, head_end, corners)
    drawn = output / "overlay.mp4" if overlay else None
    done = analyze(video, known, rules, _players(players), drawn, models=models)
    write_results(done, output)
    if as_json:
        terminal.out.out(record_json(done.record), highlight=False, end="")
    else:
        report(done, output)


def analyze(
    video: Path,
    calibration: Calibration,
    rules: str,
    players: tuple[str, str],
    overlay: Path | None = None,
    each: Callable[[Detections], None] | None = None,
    models: Path | None = None,
) -> Analysis:
    """Watch a whole file with the loop that runs live; `each` is shown every frame's detections.

    `models` is a folder with a venue's own networks.

    Raises:
        SourceError: the file cannot be read at all. A file damaged later gives the shots up to the damage.
    """
    if rules not in SETS:
        raise terminal.CommandError(f"unknown rules {rules!r}: known are {', '.join(SETS)}", terminal.Exit.USAGE)
    finder, namer = networks(models)
    source = VideoFile(video)
    judge_of: Callable[[RackRecord], Judge] | None = Judge.of if rules in BOOKS else None
    watch = RackWatch(
        _header(video, calibration, rules, players, finder, namer),
        calibration,
        lambda known: Eye(known, finder, namer),
        judge_of,
        venue=VenueCheck(namer),
    )
    timing = Timing()
    with OverlayVideo(overlay) as drawn, _bar() as bar:
        task = bar.add_task(video.name, total=None)
        for frame in _timed(source, timing):
            begin = time.perf_counter()
            progress = watch.update(frame)
            timing.watch += time.perf_counter() - begin
            if each is not None:
                each(progress.seen)
            drawn.add(frame, progress.seen, watch.watcher.balls, watch.calibration)
            bar.update(task, advance=1)
    watch.finish()
    if watch.blind_frames > _MOSTLY * max(watch.frames, 1):
        raise terminal.CommandError(
            "the camera moves most of the time: nothing can be called from it; fix it above the table",
            terminal.Exit.NO_TABLE,
        )
    return Analysis(
        _stamped(watch.record, watch.calibration, timing, source.damage), watch.calibration, source.damage, timing
    )


def _timed(source: VideoFile, timing: Timing) -> Iterator[Frame]:
    frames = iter(source)
    while True:
        begin = time.perf_counter()
        frame = next(frames, None)
        timing.decode += time.perf_counter() - begin
        if frame is None:
            return
        timing.frames += 1
        timing.last = frame.t
        yield frame


def _bar() -> Bar:
    return Bar(console=terminal.notes, transient=True, disable=not terminal.notes.is_terminal)


def _header(
    video: Path, calibration: Calibration, rules: str, players: tuple[str, str], finder: Finder, namer: Namer
) -> RackRecord:
    table = calibration.table
    taken = datetime.fromtimestamp(video.stat().st_mtime, UTC) if video.exists() else datetime.fromtimestamp(0, UTC)
    return RackRecord(
        rack_id=video.stem,
        table_id="table-1",
        started=taken.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        rules=rules,
        table=TableSize(length=table.length, width=table.width, ball_diameter=table.ball_diameter),
        players=[Player(id="A", name=players[0]), Player(id="B", name=players[1])],
        breaker="A",
        provenance={
            "software": f"headstring {version('headstring')}",
            "model": {"finder": finder.sha256, "namer": namer.sha256},
            "rules": version("headstring"),
        },
    )


def _stamped(record: RackRecord, calibration: Calibration, timing: Timing, damage: str | None) -> RackRecord:
    """The record with what is only known at the end: the calibration used and how the source ended."""
    source: dict[str, Any] = {"kind": "file", "frames": timing.frames, "last_frame": round(timing.last, 6)}
    if damage is not None:
        source["damage"] = damage
    provenance = {
        **(record.provenance or {}),
        "calibration": {"id": calibration.id, **json.loads(to_json(calibration))},
        "source": source,
    }
    return record.model_copy(update={"provenance": provenance})


def write_results(done: Analysis, output: Path) -> None:
    """rack.json, calibration.json and shots/NNN.png."""
    write_text(output / "calibration.json", to_json(done.calibration))
    for shot in shots(done.record):
        write_whole(output / "shots" / f"{shot.index:03d}.png", draw(shot, done.calibration.table))
    write_text(output / "rack.json", record_json(done.record))


def shots(record: RackRecord) -> list[Shot]:
    return [entry for entry in record.entries if isinstance(entry, Shot)]


def report(done: Analysis, output: Path) -> None:
    """What was found, for people."""
    found = shots(done.record)
    if not found:
        terminal.out.print("No shot was seen.")
    elif done.record.rules in BOOKS:
        terminal.out.print(rulings_table(done.record))
    else:
        terminal.out.print(f"{len(found)} shots were seen; {done.record.rules} is not judged by this version.")
    for note in notes(done):
        terminal.out.print(f"note: {note}", markup=False, highlight=False)
    terminal.out.print(f"record    {output / 'rack.json'}", highlight=False)
    if found:
        terminal.out.print(f"pictures  {output / 'shots'} ({len(found)})", highlight=False)


def notes(done: Analysis) -> list[str]:
    said = []
    if done.damage is not None:
        said.append(f"{done.damage}; what was seen up to there is in the record")
    if done.calibration.head_end_source == "assumed":
        said.append(
            f"the head rail was taken to be at the picture's {done.calibration.head_end}; tell it with --head-end"
        )
    return said


def _players(text: str) -> tuple[str, str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(parts) or any(len(part) > 80 for part in parts):
        raise terminal.CommandError("--players takes two names, such as 'Ann,Bob'", terminal.Exit.USAGE)
    return parts[0], parts[1]
