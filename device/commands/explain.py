"""`headstring explain`: what a referee reads out about one shot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table as Grid

from adjudication.errors import IllegalEntryError
from adjudication.explaining import Explanation, NoSuchShotError, explain
from adjudication.verdict import Tried
from device import terminal
from device.records import sound_record


def command(
    record: Annotated[Path, typer.Argument(help="a rack record (rack-record/1)")],
    shot: Annotated[int, typer.Option("--shot", help="the shot's index as in the record, from 0")],
    rules: Annotated[str | None, typer.Option("--rules", help="explain under these rules")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON for machines")] = False,
) -> None:
    """Explain a shot's ruling: the game before it, its facts, the fouls that were tried, the margin, the clauses."""
    read = sound_record(record)
    wanted = read if rules is None else read.model_copy(update={"rules": rules})
    try:
        told = explain(wanted, shot)
    except NoSuchShotError as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None
    except IllegalEntryError as error:
        raise terminal.CommandError(str(error), terminal.Exit.BAD_RECORD) from None
    if as_json:
        terminal.print_json(_as_values(told))
    else:
        _print(told)


def _as_values(told: Explanation) -> dict[str, Any]:
    return {
        "shot": told.shot.index,
        "player": told.shot.player,
        "before": list(told.before),
        "facts": list(told.facts),
        "tried": [_tried(one) for one in told.tried],
        "said": list(told.said),
        "ruling": told.ruling.model_dump(mode="json"),
        "clauses": [{"id": one.id, "says": one.says} for one in told.clauses],
    }


def _tried(one: Tried) -> dict[str, Any]:
    margin = one.finding.margin
    return {
        "foul": one.code,
        "clause": one.clause,
        "holds": one.finding.holds,
        "confidence": round(one.finding.confidence, 4),
        "why": one.finding.why,
        "margin": None if margin is None else margin.model_dump(mode="json"),
    }


def _print(told: Explanation) -> None:
    say = terminal.out.print
    say(f"[bold]Shot {told.shot.index}, {told.shot.player or 'player not known'}[/]")
    _section("The game before", told.before)
    _section("Facts", told.facts)
    say(_grid(told.tried))
    _section("Said by people", told.said)
    ruling = told.ruling
    say(f"\n[bold]Ruling: {ruling.call.replace('_', ' ')}[/]{' — to be reviewed' if ruling.needs_review else ''}")
    say(f"  {ruling.explanation}", highlight=False)
    if ruling.margin is not None:
        sigma = "" if ruling.margin.sigma is None else f" ± {ruling.margin.sigma:g}"
        say(f"  margin: {ruling.margin.what} {ruling.margin.value:g}{sigma} {ruling.margin.unit}", highlight=False)
    _section("", tuple(f"to be reviewed: {reason}" for reason in ruling.review_reasons))
    _section("Clauses", tuple(f"{one.id}: {one.says}" for one in told.clauses))


def _section(title: str, lines: tuple[str, ...]) -> None:
    if lines and title:
        terminal.out.print(f"\n[bold]{title}[/]")
    for line in lines:
        terminal.out.print(f"  {line}", highlight=False, markup=False)


def _grid(tried: tuple[Tried, ...]) -> Grid:
    grid = Grid(title="Fouls tried", title_justify="left")
    for heading in ("foul", "clause", "found", "sure", "why"):
        grid.add_column(heading, overflow="fold")
    words = {True: "[red]yes[/]", False: "no", None: "[yellow]cannot tell[/]"}
    for one in tried:
        sure = f"{one.finding.confidence:.1%}"
        why = "" if one.finding.holds is False else one.finding.why
        grid.add_row(one.code.replace("_", " "), one.clause, words[one.finding.holds], sure, why)
    return grid
