"""Why a shot was ruled as it was: the game before it, its facts in time order, what was tried, what decided."""

from __future__ import annotations

from dataclasses import dataclass

from adjudication.clauses.clause import Clause
from adjudication.clauses.index import clause
from adjudication.judge import Judge
from adjudication.state import GameState
from adjudication.verdict import Tried
from record.entries import Declaration, Override
from record.events import BallContact, Event, OffTable, Pocketed, RailContact
from record.rack import RackRecord
from record.ruling import Ruling
from record.shot import Shot


class NoSuchShotError(ValueError):
    """The record has no shot of that index."""


@dataclass(frozen=True)
class Explanation:
    """What a referee reads out about one shot. `said` are later declarations and overrides about it."""

    shot: Shot
    before: tuple[str, ...]
    facts: tuple[str, ...]
    tried: tuple[Tried, ...]
    ruling: Ruling
    clauses: tuple[Clause, ...]
    said: tuple[str, ...]


def explain(record: RackRecord, index: int) -> Explanation:
    """Judge a record up to a shot and say why it was ruled so; what was said of it before the next stroke counts.

    Raises:
        NoSuchShotError: there is no such shot.
        IllegalEntryError: an entry before it cannot be judged.
        UnknownLeagueError, BadOptionError: as `Judge.of`.
    """
    judge = Judge.of(record)
    found: Explanation | None = None
    for entry in record.entries:
        if isinstance(entry, Shot) and found is not None:
            break
        before = judge.state
        judged = judge.add(entry)
        if isinstance(entry, Shot) and entry.index == index:
            assert isinstance(judged.entry, Shot)
            assert judged.entry.ruling is not None
            found = _explanation(record, judged.entry, before, judged.tried, judged.entry.ruling)
        elif found is not None and isinstance(entry, Declaration | Override):
            found = _with(found, record, judged.entry, judged.tried)
    if found is None:
        raise NoSuchShotError(f"there is no shot {index} in this record")
    return found


def _explanation(
    record: RackRecord, shot: Shot, before: GameState, tried: tuple[Tried, ...], ruling: Ruling
) -> Explanation:
    cited = tuple(one for one in (clause(record.rules, name) for name in ruling.clauses) if one is not None)
    return Explanation(shot, game_lines(before), fact_lines(shot), tried, ruling, cited, ())


def _with(found: Explanation, record: RackRecord, entry: object, tried: tuple[Tried, ...]) -> Explanation:
    """The explanation after a person has said something of the shot."""
    said = found.said
    if isinstance(entry, Override):
        reason = f" ({entry.reason})" if entry.reason else ""
        said = (*said, f"{entry.who or entry.by} ruled: {entry.ruling.explanation}{reason}")
    ruling, again = found.ruling, found.tried
    if isinstance(entry, Declaration):
        about = entry.code or entry.about or entry.option or ""
        said = (*said, f"{entry.by}: {entry.what.replace('_', ' ')} {about.replace('_', ' ')}".rstrip())
        if tried and entry.ruling is not None:
            ruling, again = entry.ruling, tried
    made = _explanation(record, found.shot, _NOTHING, again, ruling)
    return Explanation(found.shot, found.before, found.facts, again, ruling, made.clauses, said)


_NOTHING = GameState(phase="play", turn="A", balls=frozenset())


def game_lines(state: GameState) -> tuple[str, ...]:
    """The game before a shot, in words."""
    balls = ", ".join(sorted(state.balls, key=lambda ball: (len(ball), ball)))
    lines = [f"{state.turn} plays, {_PHASES[state.phase]}; on the table: {balls or 'no object balls'}"]
    if state.cue_ball != "in_position":
        lines.append(f"cue ball: {state.cue_ball.replace('_', ' ')}")
    if state.groups:
        lines.append("groups: " + ", ".join(f"{player} {group}" for player, group in sorted(state.groups.items())))
    rows = {player: count for player, count in state.fouls_in_row.items() if count}
    if rows:
        lines.append("fouls in a row: " + ", ".join(f"{player} {count}" for player, count in sorted(rows.items())))
    if state.pushing:
        lines.append("a push-out was declared")
    if state.call is not None:
        lines.append(f"called: the {state.call[0] or 'ball'} in the {(state.call[1] or 'pocket').replace('_', ' ')}")
    if state.clock:
        lines.append("the shot clock runs")
    if state.protester is not None:
        lines.append(f"{state.protester} has asked to wait")
    return tuple(lines)


_BEYOND_DOUBT = 0.9
_PHASES = {
    "break": "a break",
    "after_break": "the shot after the break",
    "play": "an ordinary shot",
    "over": "the rack is over",
}


def fact_lines(shot: Shot) -> tuple[str, ...]:
    """The shot's facts in time order from the stroke, with their uncertainty."""
    lines = [f"{'frozen before: ' + _pairs(shot)}"] if shot.frozen else []
    if shot.moving_at_strike:
        lines.append("moving at the stroke: " + ", ".join(shot.moving_at_strike))
    lines += _doubted_names(shot)
    lines += [_line(event, shot.t_strike) for event in sorted(shot.events, key=lambda event: event.t)]
    return (*lines, *(f"note: {note}" for note in shot.notes))


def _doubted_names(shot: Shot) -> list[str]:
    """The balls whose own looks left another name open, or spoke for another one than they were given."""
    found = []
    for ball, seen in sorted((shot.identities or {}).items()):
        if seen.chances.get(ball, 0.0) < _BEYOND_DOUBT:
            told = ", ".join(f"{name} {chance:.0%}" for name, chance in seen.chances.items())
            found.append(f"named the {_name(ball)}; its own looks ({seen.looks:g}) say: {told}")
    return found


def _pairs(shot: Shot) -> str:
    return ", ".join(f"{a} to {b}" for a, b in shot.frozen)


def _line(event: Event, start: float) -> str:
    sigma = f" ± {event.sigma * 1000:.1f} ms" if event.t_sigma is not None else ""
    sure = f", {event.sure:.1%} sure" if event.confidence is not None else ""
    return f"{event.t - start:8.4f} s{sigma}{sure}: {_words(event)}"


def _words(event: Event) -> str:
    ball = f"the {_name(getattr(event, 'ball', None))}"
    match event:
        case BallContact():
            return f"the {_name(event.balls[0])} meets the {_name(event.balls[1])}"
        case RailContact():
            where = " (a jaw)" if event.jaw else ""
            frozen = "; it lay against that rail, so the touch does not count" if event.frozen else ""
            return f"{ball} reaches the {event.rail} rail{where}{frozen}"
        case Pocketed():
            held = ", held up by other balls" if event.suspended else ""
            return f"{ball} falls into the {event.pocket.replace('_', ' ')} pocket{held}"
        case OffTable():
            back = " and comes back" if event.returned else (" onto a rail" if event.on_rail else "")
            return f"{ball} leaves the table{back}"
    others = {
        "strike": f"{ball} is struck",
        "side_crossing": f"{ball} has crossed the side pockets' line",
        "long_string_crossing": f"{ball} has crossed the long string",
        "jump": f"{ball} passes over the {_name(getattr(event, 'over', None))}",
        "touched": f"{ball} is touched by {getattr(event, 'by', 'something')}",
        "double_hit": "a double hit is suspected",
        "came_to_rest": f"{ball} comes to rest",
    }
    return others[event.type]


def _name(ball: str | None) -> str:
    return "cue ball" if ball == "cue" else str(ball)
