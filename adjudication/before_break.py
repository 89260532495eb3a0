"""What comes before a stroke: the rack, the lag, the place of the cue ball."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from adjudication import lagging
from adjudication.certainty import Finding
from adjudication.errors import IllegalEntryError
from adjudication.lagging import Fault
from adjudication.racking import layout_of
from adjudication.rules import Rules
from adjudication.state import GameState
from adjudication.verdict import Verdict, Weighed, ruled
from record.entries import Observation
from record.lag import Lag
from record.names import CUE, Layout, Place
from record.ruling import Next


@dataclass(frozen=True)
class BeforeTheBreak(Rules):
    """Rules about the rack, the lag and the cue ball's place; `lag_faults` are what loses a lag."""

    lag_faults: ClassVar[frozenset[Fault]] = frozenset()

    def check_rack(self, state: GameState, observation: Observation) -> Verdict:
        """The rack as it lies before the break. A wrong rack is a note, never a foul."""
        layout = layout_of(observation)
        faults = self.rack_pattern(layout) if state.phase == "break" else []
        clause = (self.clause("rack"),)
        if not faults:
            return ruled(Weighed(), "legal", state, clause, "the rack is right")
        margin = faults[0].margin
        text = "re-rack before the break: " + "; ".join(fault.why for fault in faults)
        return ruled(Weighed(margin=margin), "legal", state, clause, text)

    def rack_pattern(self, layout: Layout) -> list[Finding]:
        """What is wrong with a rack, most important first."""
        raise NotImplementedError

    def judge_lag(self, state: GameState, lag: Lag) -> Verdict:
        """Who has won the lag and breaks; where nobody has, it is played again and `next.player` is None."""
        if not self.lag_faults:
            raise IllegalEntryError(f"{self.title} knows no lag")
        if state.phase != "break":
            raise IllegalEntryError("a lag after the break")
        if set(lag.balls) != {"A", "B"} or len(set(lag.balls.values())) != 2:
            raise IllegalEntryError("a lag must say which ball each player strikes")
        found = lagging.outcome(lag, self.lag_faults, self.table, self.thresholds)
        clauses, weighed = (self.clause("lag"),), Weighed(margin=found.margin)
        if found.winner is None:
            verdict = ruled(weighed, "legal", state, clauses, f"the lag is played again: {found.why}")
            assert verdict.ruling is not None
            nobody = Next(player=None, cue_ball=None)
            return replace(verdict, ruling=verdict.ruling.model_copy(update={"next": nobody}))
        after = state.but(turn=found.winner, breaker=found.winner)
        return ruled(weighed, "legal", after, clauses, f"{found.winner} wins the lag and breaks: {found.why}")

    def wrong_place(self, state: GameState, at: Place) -> str | None:
        """Why the cue ball may not be put there; None where it may."""
        x, y = at
        edge = self.table.ball_diameter / 2
        if abs(x) > self.table.length / 2 - edge or abs(y) > self.table.width / 2 - edge:
            return "it must lie on the playing surface"
        bound = state.phase == "break" or state.cue_ball == "in_hand_behind_head_string"
        if bound and x > self.head_string:
            return f"it lies {(x - self.head_string) * 1000:.0f} mm in front of the head string"
        if state.cue_ball == "in_position" and state.phase != "break":
            return "it is not in hand"
        hit = next((ball for ball, b in state.layout.items() if self._touches(ball, at, b)), None)
        return None if hit is None else f"it would touch the {hit}"

    def _touches(self, ball: str, at: Place, other_at: Place) -> bool:
        return ball != CUE and math.dist(at, other_at) < self.table.ball_diameter - self.thresholds.place_sigma
