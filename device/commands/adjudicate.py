"""`headstring adjudicate`: a record judged anew."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from adjudication.judge import UnjudgeableError, UnknownLeagueError, adjudicate
from adjudication.rejudging import OtherGameError, rejudged, ruling_of
from adjudication.settings import BadOptionError
from device import terminal
from record.document import DamagedRecordError, RecordError, from_json, to_json
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
    read, damage = _read(record)
    try:
        judged = adjudicate(read) if rules is None else rejudged(read, rules)
    except (UnknownLeagueError, OtherGameError, BadOptionError) as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None
    except UnjudgeableError as error:
        judged, damage = error.judged, damage or str(error)
    if summary:
        terminal.out.print(rulings_table(judged))
    else:
        sys.stdout.write(to_json(judged))
    if damage is not None:
        raise terminal.CommandError(damage, terminal.Exit.BAD_RECORD)


def _read(path: Path) -> tuple[RackRecord, str | None]:
    """A record and what is wrong with its end, if anything."""
    try:
        return from_json(path.read_text(encoding="utf-8")), None
    except DamagedRecordError as error:
        return error.beginning, f"{path}: {error}"
    except RecordError as error:
        raise terminal.CommandError(f"{path}: {error}", terminal.Exit.BAD_RECORD) from None
    except UnicodeDecodeError:
        raise terminal.CommandError(f"{path} is no rack record: it is not text", terminal.Exit.BAD_RECORD) from None
    except OSError as error:
        raise terminal.CommandError(f"cannot read {path}: {error.strerror}", terminal.Exit.UNREADABLE) from None


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
