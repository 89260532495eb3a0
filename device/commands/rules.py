"""`headstring rules`: a league's clauses, who decides them, and its options."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table as Grid

from adjudication.clauses.index import CLAUSES
from adjudication.judge import UnknownLeagueError
from adjudication.leagues import BOOKS
from device import terminal


def command(
    name: Annotated[str | None, typer.Argument(help="a league, as upa-9ball; without one they are listed")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON for machines")] = False,
) -> None:
    """Print a league's clauses with who decides them, and its options."""
    if name is None:
        _leagues(as_json)
        return
    if name not in CLAUSES:
        raise UnknownLeagueError(f"unknown rules {name!r}: known are {', '.join(sorted(CLAUSES))}")
    if as_json:
        terminal.print_json(_as_values(name))
        return
    terminal.out.print(_clauses(name))
    terminal.out.print(_options(name))


def _leagues(as_json: bool) -> None:
    titles = {name: book.title for name, book in sorted(BOOKS.items())}
    if as_json:
        terminal.print_json(titles)
        return
    for name, title in titles.items():
        terminal.out.print(f"{name:12} {title}")


def _as_values(name: str) -> dict[str, Any]:
    book = BOOKS[name]
    return {
        "name": name,
        "title": book.title,
        "clauses": [{"id": one.id, "who": one.who.words, "says": one.says} for one in CLAUSES[name]],
        "options": {key: {"default": one.default, "about": one.about} for key, one in book.settings.items()},
    }


def _clauses(name: str) -> Grid:
    grid = Grid(title=f"{BOOKS[name].title}: clauses", title_justify="left", show_lines=True)
    for heading, width in (("clause", 16), ("who decides", 14), ("what it says, in our words", None)):
        grid.add_column(heading, overflow="fold", min_width=width)
    for one in CLAUSES[name]:
        grid.add_row(one.id, one.who.words, one.says)
    return grid


def _options(name: str) -> Grid:
    grid = Grid(title="options (rules_options of a record)", title_justify="left")
    for heading in ("option", "default", "meaning"):
        grid.add_column(heading, overflow="fold")
    for key, one in BOOKS[name].settings.items():
        grid.add_row(key, str(one.default).lower(), one.about)
    return grid
