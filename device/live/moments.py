"""The moment as the pages show it: balls, whose turn, what is on, the last ruling, the camera's health."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from adjudication.eight_ball import SOLIDS, STRIPES
from adjudication.leagues import BOOKS
from adjudication.possible import sayable
from adjudication.rejudging import ruling_of
from adjudication.state import GameState
from device.live.counters import Counters
from device.overlaid import lay_of
from device.rack_watch import RackWatch
from record.entries import Override
from record.rack import RackRecord
from record.shot import Shot


def moment_of(watch: RackWatch, counters: Counters, t: float) -> dict[str, Any]:
    """What is known at the rack's time `t`, as plain values."""
    record, table = watch.record, watch.calibration.table
    state = watch.game
    told = BOOKS.get(record.rules)
    balls = [
        {"name": ball.name, "x": round(ball.at[0], 4), "y": round(ball.at[1], 4), "moving": ball.moving}
        for ball in watch.watcher.balls
    ]
    return {
        "t": round(t, 3),
        "rack": record.rack_id,
        "league": record.rules,
        "league_title": told.title if told is not None else record.rules,
        "table": {"length": table.length, "width": table.width, "ball_diameter": table.ball_diameter},
        "players": {player.id: player.name for player in record.players},
        "balls": balls,
        "moving": not watch.at_rest,
        "turn": state.turn,
        "winner": state.winner,
        "options": list(state.options),
        "cue_ball": state.cue_ball,
        "ball_on": ball_on(record, state),
        "groups": state.groups,
        "fouls_in_row": state.fouls_in_row,
        "clock": round(t - state.rested, 1) if state.clock and state.rested is not None else None,
        "ruling": last_ruling(record),
        "lay": last_lay(watch),
        "sayable": [] if told is None else [asdict(one) for one in sayable(told.of(record), state)],
        "watching_only": watch.watching_only,
        "health": {
            "faults": sorted(counters.faults),
            "dropped": counters.frames_dropped,
            "behind_ms": round(1000 * counters.behind),
        },
    }


def last_lay(watch: RackWatch) -> dict[str, Any] | None:
    """Where the last shot's balls lay in the picture before it and after it: to put back what was disturbed."""
    shot = next((entry for entry in reversed(watch.record.entries) if isinstance(entry, Shot)), None)
    return None if shot is None else asdict(lay_of(watch.calibration, shot))


def last_ruling(record: RackRecord) -> dict[str, Any] | None:
    """The last ruling in words, with the number of its entry."""
    for number in range(len(record.entries) - 1, -1, -1):
        entry = record.entries[number]
        ruling = entry.ruling if isinstance(entry, Override) else ruling_of(entry)
        if ruling is not None:
            return {
                "entry": number,
                "call": ruling.call,
                "explanation": ruling.explanation,
                "clauses": ruling.clauses,
                "fouls": [foul.code for foul in ruling.fouls],
                "needs_review": ruling.needs_review,
            }
    return None


def ball_on(record: RackRecord, state: GameState) -> str | None:
    """The ball, or the group, that must be hit first, in words."""
    if state.phase in ("break", "over"):
        return None
    if record.rules.endswith("9ball"):
        numbers = [int(ball) for ball in state.balls if ball.isdigit()]
        return f"the {min(numbers)}" if numbers else None
    if state.groups is None:
        return "open table"
    group = state.groups[state.turn]
    left = state.balls & (SOLIDS if group == "solids" else STRIPES)
    return group if left else "the 8"
