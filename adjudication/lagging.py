"""The lag for the break, judged from its events: whose ball counts, and which stopped closer to the head rail."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from adjudication.certainty import NO, Finding, Thresholds, told
from record.events import RailContact
from record.lag import Lag
from record.names import Ball, Place, PlayerId
from record.rack import TableSize
from record.ruling import Margin

Fault = Literal["other_half", "no_foot_rail", "side_rail", "pocketed", "off_table", "jaws"]

_MOUTH: Final = 0.081
"""Distance of a corner pocket's mouth points from the corner of the nose lines, metres (a 4.5 inch mouth)."""


@dataclass(frozen=True)
class Outcome:
    """Who has won; None where the lag is played again. `margin` is the difference in distance to the head rail."""

    winner: PlayerId | None
    why: str
    margin: Margin | None = None


def outcome(lag: Lag, losing: Collection[Fault], table: TableSize, thresholds: Thresholds) -> Outcome:
    """Judge a lag: a ball with one of the `losing` faults loses; else the ball closer to the head rail wins."""
    late = _not_together(lag, thresholds)
    if late is not None:
        return Outcome(None, late)
    faults = {player: _worst(lag, ball, losing, table, thresholds) for player, ball in lag.balls.items()}
    unsure = next((fault for fault in faults.values() if fault.holds is None), None)
    if unsure is not None:
        return Outcome(None, f"it cannot be told whether {unsure.why}")
    guilty: list[PlayerId] = [player for player, fault in faults.items() if fault.holds]
    if len(guilty) == 2:
        return Outcome(None, f"both lags count for nothing: {faults['A'].why}, {faults['B'].why}")
    if guilty:
        winner: PlayerId = "B" if guilty[0] == "A" else "A"
        return Outcome(winner, faults[guilty[0]].why)
    return _closer(lag, table, thresholds)


def _closer(lag: Lag, table: TableSize, thresholds: Thresholds) -> Outcome:
    """The ball whose centre lies closer to the head rail; undecided within what can be told."""
    away = {player: lag.layout_after[ball][0] + table.length / 2 for player, ball in lag.balls.items()}
    difference = away["B"] - away["A"]
    sigma = thresholds.place_sigma * 2**0.5
    margin = Margin(what="closer to the head rail", value=round(abs(difference), 4), unit="m", sigma=round(sigma, 4))
    if abs(difference) <= thresholds.split_sigmas * sigma:
        return Outcome(None, "it cannot be told whose ball is closer to the head rail", margin)
    winner: PlayerId = "A" if difference > 0 else "B"
    return Outcome(winner, f"{winner}'s ball is {abs(difference) * 1000:.0f} mm closer to the head rail", margin)


def _not_together(lag: Lag, thresholds: Thresholds) -> str | None:
    """One ball had reached the foot rail before the other was struck."""
    strikes = {e.ball: e.t for e in lag.events if e.type == "strike"}
    for player, ball in lag.balls.items():
        other_ball = next(b for p, b in lag.balls.items() if p != player)
        touches = [e for e in lag.events if isinstance(e, RailContact) and e.ball == ball and e.rail == "foot"]
        there = min((e.t for e in touches if e.sure >= thresholds.sure), default=None)
        if there is not None and other_ball in strikes and there < strikes[other_ball]:
            return f"{player}'s ball had reached the foot rail before the other was struck"
    return None


def _worst(lag: Lag, ball: Ball, losing: Collection[Fault], table: TableSize, thresholds: Thresholds) -> Finding:
    """The first fault of a ball that holds, else one that cannot be told, else none."""
    found = [finding for fault, finding in _faults(lag, ball, table, thresholds) if fault in losing]
    holding = [finding for finding in found if finding.holds]
    unsure = [finding for finding in found if finding.holds is None]
    return (holding + unsure + [NO])[0]


def _faults(lag: Lag, ball: Ball, table: TableSize, thresholds: Thresholds) -> list[tuple[Fault, Finding]]:
    player = next(player for player, own in lag.balls.items() if own == ball)
    start, end = lag.layout_before.get(ball), lag.layout_after.get(ball)
    own = [event for event in lag.events if getattr(event, "ball", None) == ball]

    def chance(*kinds: str, rails: Collection[str] = ()) -> float:
        missed = 1.0
        for event in own:
            if event.type in kinds and (not rails or getattr(event, "rail", None) in rails):
                missed *= 1 - event.sure
        return 1 - missed

    def finding(probability: float, words: str) -> Finding:
        return told(probability, thresholds, f"{player}'s ball {words}")

    strayed = start is not None and end is not None and start[1] * end[1] < 0
    crossed = 1.0 if strayed else chance("long_string_crossing")
    jaws = 1.0 if end is not None and _in_jaws(end, table) else 0.0
    return [
        ("off_table", finding(chance("off_table"), "left the table")),
        ("pocketed", finding(chance("pocketed") if end is None else 0.0, "was pocketed")),
        ("other_half", finding(crossed, "crossed into the other half")),
        ("side_rail", finding(chance("rail_contact", rails=("left", "right")), "touched a side rail")),
        ("no_foot_rail", finding(1 - chance("rail_contact", rails=("foot",)), "did not reach the foot rail")),
        ("jaws", finding(jaws, "stopped in the jaws of a corner pocket")),
    ]


def _in_jaws(at: Place, table: TableSize) -> bool:
    """The ball's centre lies past the line between a corner pocket's mouth points."""
    return abs(at[0]) + abs(at[1]) > (table.length + table.width) / 2 - _MOUTH
