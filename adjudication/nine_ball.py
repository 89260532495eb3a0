"""What the 9-ball leagues share: the lowest ball, the 9, the break's rails, hanging balls."""

from __future__ import annotations

from typing import Final

from adjudication.certainty import Thresholds
from adjudication.facts import ShotFacts
from adjudication.state import GameState
from record.events import Pocketed
from record.names import CUE
from record.rack import RackRecord
from record.shot import Shot

NINE: Final = "9"
SET: Final = frozenset(str(n) for n in range(1, 10))


def opening_state(record: RackRecord) -> GameState:
    """Before the first shot: a break, unless the record starts with balls already gone or says so.

    `rules_options.opening` is `break` or `in_play`; without it a full set on the table means a break.
    """
    first = next((entry for entry in record.entries if isinstance(entry, Shot)), None)
    balls = SET if first is None else frozenset(first.layout_before) - {CUE}
    opening = record.rules_options.get("opening", "break" if balls >= SET else "in_play")
    return GameState(
        phase="break" if opening == "break" else "play",
        turn=record.breaker,
        balls=balls,
        breaker=record.breaker,
    )


def lowest(state: GameState, shot: Shot) -> str | None:
    """The ball that must be hit first: the lowest number on the table; None where no numbered ball is known."""
    numbers = [int(ball) for ball in state.balls | (frozenset(shot.layout_before) - {CUE}) if ball.isdigit()]
    return str(min(numbers)) if numbers else None


def settled_falls(facts: ShotFacts, within: float) -> tuple[list[Pocketed], list[str]]:
    """Balls that count as pocketed, and those that hung longer than `within` seconds and go back to the edge."""
    counted, back = [], []
    for fall in facts.pocketed:
        hung = facts.hung(fall)
        if hung is None or hung <= within:
            counted.append(fall)
        else:
            back.append(fall.ball)
    return counted, sorted(back)


def count_to_rails(facts: ShotFacts, thresholds: Thresholds) -> tuple[int, int]:
    """Numbered balls that surely, and that possibly, met a rail."""
    balls = {event.ball for event in facts.rail_contacts} - {CUE}
    chances = [facts.rail_probability(ball) for ball in balls]
    return sum(p >= thresholds.sure for p in chances), sum(p > 1 - thresholds.sure for p in chances)
