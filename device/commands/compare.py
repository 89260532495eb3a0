"""`headstring compare`: where two leagues part over the same rack."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table as Grid

from adjudication.rejudging import Parting, partings
from device import terminal
from device.records import sound_record
from record.entries import Declaration, Entry
from record.ruling import Ruling
from record.shot import Shot


def command(
    record: Annotated[Path, typer.Argument(help="a rack record (rack-record/1)")],
    rules: Annotated[str, typer.Option("--rules", help="two leagues of the same game, as upa-9ball,napa-9ball")],
    as_json: Annotated[bool, typer.Option("--json", help="print JSON for machines")] = False,
) -> None:
    """Judge a record under two leagues and show where they part. Each shot is judged in the game as it was played."""
    names = [name.strip() for name in rules.split(",")]
    if len(names) != 2 or names[0] == names[1]:
        raise terminal.CommandError("--rules takes two different leagues, as upa-9ball,napa-9ball", terminal.Exit.USAGE)
    found = partings(sound_record(record), names[0], names[1])
    if as_json:
        terminal.print_json({"rules": names, "partings": [_as_values(one) for one in found]})
    elif not found:
        terminal.out.print(f"{names[0]} and {names[1]} rule alike on every entry")
    else:
        terminal.out.print(_grid(found, names))


def _as_values(one: Parting) -> dict[str, Any]:
    rulings = [None if ruling is None else ruling.model_dump(mode="json") for ruling in (one.first, one.second)]
    return {"entry": one.entry, "of": _label(one.of), "first": rulings[0], "second": rulings[1]}


def _label(entry: Entry) -> str:
    if isinstance(entry, Shot):
        return f"shot {entry.index}"
    return entry.what.replace("_", " ") if isinstance(entry, Declaration) else entry.type


def _grid(found: list[Parting], names: list[str]) -> Grid:
    grid = Grid(show_lines=True)
    for heading in ("", *names):
        grid.add_column(heading, overflow="fold")
    for one in found:
        grid.add_row(_label(one.of), _words(one.first), _words(one.second))
    return grid


def _words(ruling: Ruling | None) -> str:
    if ruling is None:
        return "nothing is said of it"
    review = " (review)" if ruling.needs_review else ""
    return f"{ruling.call.replace('_', ' ')}{review}: {ruling.explanation}\n{', '.join(ruling.clauses)}"
