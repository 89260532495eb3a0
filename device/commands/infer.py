"""`headstring infer`: positions per frame in, a rack record out; event inference alone, without any picture."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from adjudication.errors import IllegalEntryError
from adjudication.judge import Judge
from adjudication.leagues import BOOKS
from calibration.table import BALL_DIAMETER, Table
from device import terminal
from device.commands.adjudicate import rulings_table
from device.commands.calibrate import BallOption, TableOption, wanted_table
from device.files import write_text
from device.opening import racked
from device.positions_file import read_positions, scatter, with_noise
from record.document import to_json
from record.entries import Entry
from record.rack import Player, RackRecord, TableSize
from record.shot import Shot
from tracking.happenings import Happening, Noticed, ShotEnded
from tracking.positions import Positions, detections
from tracking.watcher import Watcher

_NINE = frozenset({"cue", *(str(n) for n in range(1, 10))})


def command(
    tracks: Annotated[Path, typer.Argument(help="arrays t (N), balls (B), xy (N,B,2), visible (N,B) as .npz")],
    output: Annotated[Path, typer.Option("-o", "--output", help="where to write the rack record")],
    table: TableOption = None,
    ball: BallOption = BALL_DIAMETER,
    noise: Annotated[float, typer.Option("--noise", help="error to add, standard error of a coordinate in metres")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="seed of that error")] = 0,
    rules: Annotated[
        str | None, typer.Option("--rules", help="upa-9ball, upl-8ball, napa-9ball, ipl-8ball; else by the balls there")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the record as JSON")] = False,
) -> None:
    """Tell the shots of known positions per frame and judge them: to compare methods on equal input."""
    if not 0.0 <= noise <= 0.05:
        raise terminal.CommandError("--noise is in metres, from 0 to 0.05", terminal.Exit.USAGE)
    if rules is not None and rules not in BOOKS:
        raise terminal.CommandError(f"unknown rules {rules!r}: known are {', '.join(BOOKS)}", terminal.Exit.USAGE)
    known = wanted_table(table, ball)
    positions = with_noise(read_positions(tracks), noise, seed)
    record = infer(known, positions, rules or _rules(positions), tracks)
    write_text(output, to_json(record))
    if as_json:
        terminal.out.out(to_json(record), highlight=False, end="")
        return
    terminal.out.print(rulings_table(record) if record.entries else "No shot was seen.")
    terminal.out.print(f"record    {output}", highlight=False)


def infer(table: Table, positions: Positions, rules: str, source: Path) -> RackRecord:
    """The record of what positions show, judged as far as it can be."""
    sigma = scatter(positions)
    watcher = Watcher(table, positions.balls)
    happened: list[Happening] = []
    for frame in detections(table, positions, sigma):
        happened += watcher.update(frame)
    happened += watcher.finish()
    entries: list[Entry] = [e for h in happened if (e := _entry(h)) is not None]
    record = _header(table, rules, source, positions, sigma).model_copy(update={"entries": entries})
    first = next((e for e in entries if isinstance(e, Shot)), None)
    opening = "break" if first is not None and racked(table, first.layout_before) else "in_play"
    record = record.model_copy(update={"rules_options": {"opening": opening}})
    judge = Judge.of(record)
    return record.model_copy(update={"entries": [_judged(judge, entry) for entry in entries]})


def _judged(judge: Judge, entry: Entry) -> Entry:
    """An entry with whose turn it was and its ruling; what cannot be judged is kept, and says so."""
    whole = entry.model_copy(update={"player": judge.state.turn}) if isinstance(entry, Shot) else entry
    try:
        return judge.add(whole).entry
    except IllegalEntryError as error:
        if not isinstance(whole, Shot):
            return whole
        return whole.model_copy(update={"notes": [*whole.notes, f"not judged: {error}"]})


def _entry(happening: Happening) -> Entry | None:
    match happening:
        case ShotEnded(shot):
            return shot
        case Noticed(observation):
            return observation
    return None


def _rules(positions: Positions) -> str:
    return "upa-9ball" if set(positions.balls) <= _NINE or _unseen_above_nine(positions) else "upl-8ball"


def _unseen_above_nine(positions: Positions) -> bool:
    """Files name all sixteen balls, also those that are never there."""
    seen = {ball for k, ball in enumerate(positions.balls) if bool((positions.xy[:, k] == positions.xy[:, k]).any())}
    return seen <= _NINE


def _header(table: Table, rules: str, source: Path, positions: Positions, sigma: float) -> RackRecord:
    taken = datetime.fromtimestamp(source.stat().st_mtime, UTC).isoformat(timespec="milliseconds")
    return RackRecord(
        rack_id=source.stem,
        table_id="table-1",
        started=taken.replace("+00:00", "Z"),
        rules=rules,
        table=TableSize(length=table.length, width=table.width, ball_diameter=table.ball_diameter),
        players=[Player(id="A", name="A"), Player(id="B", name="B")],
        breaker="A",
        provenance={
            "software": f"headstring {version('headstring')}",
            "rules": version("headstring"),
            "source": {"kind": "positions", "frames": len(positions.t), "error": round(sigma, 5)},
        },
    )
