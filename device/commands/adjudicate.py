"""`headstring adjudicate`: a record judged anew."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from adjudication.judge import UnjudgeableError, adjudicate
from adjudication.rejudging import rejudged, ruling_of
from device import terminal
from device.records import read_record
from record.document import to_json
from record.entries import Declaration, Entry
from record.rack import RackRecord
from record.ruling import Ruling
from record.shot import Shot


def command(
    record: Annotated[Path, typer.Argument(help="a rack record (rack-record/1)")],
    rules: Annotated[
        str | None, typer.Option("--rules", help="judge under these rules instead of the record's")
    ] = None,
    summary: Annotated[bool, typer.Option("--summary", help="print a table of rulings instead of the record")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print the record as JSON (this is the default)")] = False,
) -> None:
    """Judge a record and print it with its rulings.

    A damaged or contradictory record is judged up to the damage, which is named, and the exit code is 5.
    """
    del as_json
    read, damage = read_record(record)
    try:
        judged = adjudicate(read) if rules is None else rejudged(read, rules)
    except UnjudgeableError as error:
        judged, damage = error.judged, damage or str(error)
    if summary:
        terminal.out.print(rulings_table(judged))
    else:
        sys.stdout.write(to_json(judged))
    if damage is not None:
        raise terminal.CommandError(damage, terminal.Exit.BAD_RECORD)


def rulings_table(record: RackRecord) -> Grid:
    """A record's rulings for people."""
    grid = Grid(title=f"{record.rack_id}: {record.rules}", title_justify="left")
    for heading in ("", "time", "player", "call", "clauses", "review", "why"):
        grid.add_column(heading, overflow="fold")
    for entry in record.entries:
        ruling = ruling_of(entry)
        if ruling is not None:
            grid.add_row(*_row(entry, ruling))
    return grid


def _row(entry: Entry, ruling: Ruling) -> tuple[str, ...]:
    label, t, player = ("", 0.0, "")
    if isinstance(entry, Shot):
        label, t, player = f"shot {entry.index + 1}", entry.t_strike, entry.player or ""
    elif isinstance(entry, Declaration):
        label, t, player = entry.what.replace("_", " "), entry.t, entry.by
    call = ruling.call.replace("_", " ")
    colour = {"foul": "red", "legal": "green", "rack over": "bold"}.get(call, "yellow")
    review = "review" if ruling.needs_review else ""
    return label, f"{t:.2f} s", player, f"[{colour}]{call}[/]", ", ".join(ruling.clauses), review, ruling.explanation
