"""`headstring match`: create, fill, show and score a league match."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table as Grid

from adjudication.judge import adjudicate
from adjudication.match.leagues import FORMATS, rack_options, score_of
from adjudication.match.scoresheet import SIDES, Line, MatchError, Scoresheet, pairings, person, players_of
from adjudication.rejudging import ruling_of
from device import terminal
from device.files import write_text
from device.records import read_match, sound_record
from record.match import Match, MatchFileError, Person, Side, Team, match_entry, match_to_json

app = typer.Typer(help="Create, fill, show and score a league match.", no_args_is_help=True)

MatchFile = Annotated[Path, typer.Argument(help="the match file")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON for machines")]
At = Annotated[float, typer.Option("--at", help="minutes after the scheduled start")]
WhichSide = Annotated[str, typer.Option("--side", help="home or visitors")]


@app.command("new")
@terminal.plain_errors
def new(
    file: MatchFile,
    league: Annotated[str, typer.Option("--league", help="as upa-9ball")],
    home: Annotated[str, typer.Option("--home", help="the home team's name")],
    visitors: Annotated[str, typer.Option("--visitors", help="the visiting team's name")],
    date: Annotated[str, typer.Option("--date", help="YYYY-MM-DD")],
    player: Annotated[list[str], typer.Option("--player", help="SIDE:ID:NAME[:RATING], once a player")],
    option: Annotated[list[str] | None, typer.Option("--option", help="NAME=VALUE of the format, as race=5")] = None,
    scheduled: Annotated[bool, typer.Option("--scheduled", help="it is only scheduled, not played yet")] = False,
) -> None:
    """Create a match file; an existing one is left alone."""
    if file.exists():
        raise terminal.CommandError(f"{file} is there already; a new match needs a new file", terminal.Exit.USAGE)
    if league not in FORMATS:
        raise MatchError(f"unknown league {league!r}: known are {', '.join(sorted(FORMATS))}")
    teams: dict[Side, list[Person]] = {"home": [], "visitors": []}
    for text in player:
        side, one = _player(text)
        teams[side].append(one)
    value = {
        "match_id": file.stem,
        "league": league,
        "date": date,
        "status": "scheduled" if scheduled else "playing",
        "options": dict(_option(text) for text in option or []),
        "home": Team(name=home, players=teams["home"]).model_dump(),
        "visitors": Team(name=visitors, players=teams["visitors"]).model_dump(),
    }
    _write(file, _checked(value))


def _checked(value: dict[str, Any]) -> Match:
    try:
        return Match.model_validate(value)
    except ValueError as error:
        reason = str(error).splitlines()[2].strip()
        raise terminal.CommandError(f"this is no match: {reason}", terminal.Exit.USAGE) from None


def _player(text: str) -> tuple[Side, Person]:
    parts = text.split(":")
    side = next((one for one in SIDES if parts and parts[0] == one), None)
    if side is None or len(parts) not in (3, 4):
        raise terminal.CommandError(f"--player takes SIDE:ID:NAME[:RATING], not {text!r}", terminal.Exit.USAGE)
    try:
        rating = float(parts[3]) if len(parts) == 4 else None
    except ValueError:
        raise terminal.CommandError(f"the rating {parts[3]!r} is no number", terminal.Exit.USAGE) from None
    return side, Person(id=parts[1], name=parts[2], rating=rating)


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise terminal.CommandError(f"--option takes NAME=VALUE, not {text!r}", terminal.Exit.USAGE)
    return name, int(value) if value.isdigit() else value


@app.command("lineup")
@terminal.plain_errors
def lineup(file: MatchFile, side: WhichSide, players: Annotated[list[str], typer.Argument()], at: At = 0.0) -> None:
    """Hand in a side's line-up."""
    _add(file, {"type": "lineup", "side": side, "players": players, "t": at * 60})


@app.command("arrive")
@terminal.plain_errors
def arrive(file: MatchFile, side: WhichSide, players: Annotated[list[str], typer.Argument()], at: At = 0.0) -> None:
    """Note which players have come."""
    _add(file, {"type": "arrival", "side": side, "players": players, "t": at * 60})


@app.command("pair")
@terminal.plain_errors
def pair(
    file: MatchFile,
    home: Annotated[list[str], typer.Option("--home", help="the home player (twice for a pair)")],
    visitors: Annotated[list[str], typer.Option("--visitors", help="the visiting player (twice for a pair)")],
    at: At = 0.0,
    number: Annotated[int | None, typer.Option("--number", help="else the next one")] = None,
) -> None:
    """Pair two players (or pairs) against each other."""
    match = read_match(file)
    following = max((one.number for one in pairings(match)), default=0) + 1
    entry = {"type": "pairing", "number": number or following, "home": home, "visitors": visitors, "t": at * 60}
    _add(file, entry)


@app.command("toss")
@terminal.plain_errors
def toss(
    file: MatchFile,
    pairing: Annotated[int, typer.Option("--pairing")],
    winner: Annotated[str, typer.Option("--winner", help="home or visitors")],
    breaks: Annotated[str, typer.Option("--breaks", help="who breaks, by the winner's choice or the lag")],
    caller: Annotated[str | None, typer.Option("--caller")] = None,
    at: At = 0.0,
) -> None:
    """Note a coin toss or a lag for the break."""
    value = {"type": "toss", "pairing": pairing, "winner": winner, "breaks": breaks, "caller": caller, "t": at * 60}
    _add(file, value)


@app.command("rack")
@terminal.plain_errors
def rack(
    file: MatchFile,
    pairing: Annotated[int, typer.Option("--pairing")],
    winner: Annotated[str | None, typer.Option("--winner", help="home or visitors, without a record")] = None,
    record: Annotated[Path | None, typer.Option("--record", help="the rack's record; its player A is home")] = None,
    at: At = 0.0,
) -> None:
    """Note a rack that was played: who won it, or its record, from which that is read."""
    value: dict[str, Any] = {"type": "rack", "pairing": pairing, "winner": winner, "t": at * 60}
    if record is not None:
        value.update(_from_record(record, read_match(file).league))
    elif winner is None:
        raise terminal.CommandError("say who won (--winner) or give the rack's record (--record)", terminal.Exit.USAGE)
    _add(file, value)


def _from_record(path: Path, league: str) -> dict[str, Any]:
    """What a rack's record says: winner, breaker, table."""
    judged = adjudicate(sound_record(path))
    if judged.rules != league:
        text = f"{path} was played under {judged.rules}, the match under {league}"
        raise terminal.CommandError(text, terminal.Exit.USAGE)
    rulings = [ruling for ruling in map(ruling_of, judged.entries) if ruling is not None]
    won = rulings[-1].winner if rulings else None
    if won is None:
        raise terminal.CommandError(f"{path} does not say who won: the rack is not over", terminal.Exit.BAD_RECORD)
    sides = {"A": "home", "B": "visitors"}
    return {
        "winner": sides[won],
        "breaker": sides[judged.breaker],
        "rack_id": judged.rack_id,
        "table_length": judged.table.length,
    }


@app.command("forfeit")
@terminal.plain_errors
def forfeit(
    file: MatchFile,
    side: WhichSide,
    pairing: Annotated[int | None, typer.Option("--pairing", help="without it the whole match")] = None,
    reason: Annotated[str, typer.Option("--reason")] = "",
    at: At = 0.0,
) -> None:
    """Forfeit a pairing, or the whole match."""
    _add(file, {"type": "forfeit", "side": side, "pairing": pairing, "reason": reason, "t": at * 60})


@app.command("offence")
@terminal.plain_errors
def offence(
    file: MatchFile,
    side: WhichSide,
    about: Annotated[str, typer.Option("--about", help="coaching or conduct")],
    at: At = 0.0,
) -> None:
    """Note an offence that counts over the whole match."""
    _add(file, {"type": "offence", "side": side, "about": about, "t": at * 60})


@app.command("reschedule")
@terminal.plain_errors
def reschedule(
    file: MatchFile, side: WhichSide, before: Annotated[float, typer.Option("--before", help="hours before the start")]
) -> None:
    """Note that a side asked for another date."""
    _add(file, {"type": "reschedule", "side": side, "t": -before * 3600})


@app.command("close")
@terminal.plain_errors
def close(file: MatchFile) -> None:
    """Close the match: what is open stays open, points and bonus are final."""
    _write(file, read_match(file).model_copy(update={"status": "over"}))


@app.command("options")
@terminal.plain_errors
def options(file: MatchFile, pairing: Annotated[int, typer.Option("--pairing")]) -> None:
    """Print the `rules_options` that a pairing's next rack record should carry, as JSON."""
    terminal.print_json(rack_options(read_match(file), pairing))


@app.command("show")
@terminal.plain_errors
def show(file: MatchFile, as_json: AsJson = False) -> None:
    """Show the match with its score."""
    match = read_match(file)
    sheet = score_of(match)
    if as_json:
        terminal.print_json(_as_values(match, sheet))
    else:
        _print(match, sheet)


def _add(file: Path, value: dict[str, Any]) -> None:
    """Append one entry; a match that its league's format does not allow is not written."""
    match = read_match(file)
    try:
        entry = match_entry({key: one for key, one in value.items() if one is not None})
    except MatchFileError as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None
    _write(file, match.model_copy(update={"entries": [*match.entries, entry]}))


def _write(file: Path, match: Match) -> None:
    sheet = score_of(match)
    write_text(file, match_to_json(match))
    terminal.out.print(f"{match.home.name} {sheet.points('home')} : {sheet.points('visitors')} {match.visitors.name}")
    for note in sheet.notes:
        terminal.out.print(f"{note.clause}: {note.text}", highlight=False)


def _as_values(match: Match, sheet: Scoresheet) -> dict[str, Any]:
    return {
        "match_id": match.match_id,
        "league": match.league,
        "points": {side: sheet.points(side) for side in SIDES},
        "bonus": sheet.bonus,
        "winner": sheet.winner,
        "over": sheet.over,
        "lines": [_line_values(line) for line in sheet.lines],
        "notes": [{"clause": note.clause, "text": note.text} for note in sheet.notes],
    }


def _line_values(line: Line) -> dict[str, Any]:
    return {
        "pairing": line.pairing.number,
        "home": {"players": line.pairing.home, "racks": line.home, "spot": line.spot[0]},
        "visitors": {"players": line.pairing.visitors, "racks": line.visitors, "spot": line.spot[1]},
        "winner": line.winner,
        "how": line.how,
        "breaks": line.breaks,
    }


def _print(match: Match, sheet: Scoresheet) -> None:
    title = f"{match.home.name} {sheet.points('home')} : {sheet.points('visitors')} {match.visitors.name}"
    grid = Grid(title=f"{title}  ({match.league}, {match.date})", title_justify="left")
    for heading in ("", match.home.name, "", match.visitors.name, "won by", "next break"):
        grid.add_column(heading, overflow="fold")
    for line in sheet.lines:
        won = {"home": match.home.name, "visitors": match.visitors.name}.get(line.winner or "", "")
        how = f" ({line.how})" if line.how in ("forfeit", "clock") else ""
        names = [_names(match, line, side) for side in SIDES]
        score = f"{line.home} : {line.visitors}"
        grid.add_row(str(line.pairing.number), names[0], score, names[1], won + how, line.breaks or "")
    terminal.out.print(grid)
    if sheet.bonus is not None:
        terminal.out.print(f"bonus point: {(match.home if sheet.bonus == 'home' else match.visitors).name}")
    for note in sheet.notes:
        terminal.out.print(f"{note.clause}: {note.text}", highlight=False)


def _names(match: Match, line: Line, side: Side) -> str:
    spot = line.spot[0 if side == "home" else 1]
    names = " and ".join(person(match, side, one).name for one in players_of(line.pairing, side))
    return f"{names} (+{spot})" if spot else names
