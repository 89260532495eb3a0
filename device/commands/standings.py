"""`headstring standings`: a season's table from match files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from adjudication.match.season import Table, eligible, standings
from device import terminal
from device.records import read_match


def command(
    matches: Annotated[list[Path], typer.Argument(help="match files of one league")],
    dropped_out: Annotated[list[str] | None, typer.Option("--dropped-out", help="a team that left the league")] = None,
    eligibility: Annotated[bool, typer.Option("--eligible", help="list who may play in play-offs (IPL)")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON for machines")] = False,
) -> None:
    """Compute a season's table."""
    read = [read_match(path) for path in matches]
    try:
        table = standings(read, dropped_out or ())
    except ValueError as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None
    may_play = {one.team: eligible(read, one.team) for one in table.standings} if eligibility else {}
    if as_json:
        notes = [asdict(note) for note in table.notes]
        teams = [asdict(one) for one in table.standings]
        terminal.print_json({"standings": teams, "notes": notes, "eligible": may_play})
        return
    terminal.out.print(_grid(table))
    for note in table.notes:
        terminal.out.print(f"{note.clause}: {note.text}", highlight=False)
    for team, players in may_play.items():
        terminal.out.print(f"{team}: eligible are {', '.join(players) or 'none'}", highlight=False)


def _grid(table: Table) -> Grid:
    grid = Grid()
    for heading in ("", "team", "played", "won", "lost", "level", "points", "dropped"):
        grid.add_column(heading, justify="left" if heading == "team" else "right")
    for place, one in enumerate(table.standings, start=1):
        dropped = "" if one.dropped is None else str(one.dropped)
        grid.add_row(
            str(place), one.team, *(str(n) for n in (one.played, one.won, one.lost, one.level, one.points)), dropped
        )
    return grid
