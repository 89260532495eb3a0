"""UPA amateur 9-ball (2015): clause ids as in the UPA rule book."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from adjudication import predicates
from adjudication.certainty import NO
from adjudication.declared import Handler
from adjudication.facts import ShotFacts
from adjudication.lagging import Fault
from adjudication.nine_ball import NineBall
from adjudication.play import Falls, Play
from adjudication.reports import BETWEEN_SHOTS
from adjudication.state import GameState
from adjudication.upa_declarations import DECLARATIONS, between_shots
from adjudication.verdict import Tried, Verdict, Weighed
from record.entries import Declaration, Observation
from record.events import Pocketed
from record.names import PlayerId
from record.ruling import Ruling

_HANGING: Final = 5.0
_SHOT_CLOCK: Final = 60.0

CLAUSES: Final[dict[str, str]] = {
    "touched_cue_ball": "UPA 7.1a",
    "touched_moving_ball": "UPA 7.1b",
    "foot_off_floor": "UPA 7.6",
    "jump_miscue": "UPA 7.7",
    "jump_shot": "UPA 7.7",
    "balls_moving": "UPA 7.8",
    "double_hit": "UPA 7.9",
    "push_shot": "UPA 7.9",
    "head_string": "UPA 7.10",
    "placement_touch": "UPA 7.11",
    "interference": "UPA 7.12",
    "marking": "UPA 7.13",
    "equipment": "UPA 7.15",
    "coaching": "UPA 8.6",
    "sportsmanship": "UPA 8.5",
    "touched_ball": "UPA 7.1c",
    "time_violation": "UPA 9.2",
    "scratch": "UPA 7.2",
    "cue_off_table": "UPA 7.2",
    "bad_hit": "UPA 7.3",
    "no_contact": "UPA 7.3",
    "no_rail": "UPA 7.4",
    "ball_off_table": "UPA 7.5",
    "conceded": "UPA 8.3",
    "conceded_match": "UPA 8.4",
    "late_protest": "UPA 10.8",
    "fair": "UPA 1.0",
    "rack": "UPA 2.1",
    "settled": "UPA 9.7",
    "position": "UPA 10.9",
    "break": "UPA 3.0",
    "bad_hit_on_break": "UPA 3.0",
    "nine_on_break": "UPA 4.0",
    "push_out": "UPA 5.0",
    "turn": "UPA 7.14",
    "third": "UPA 8.2",
    "split": "UPA 9.3",
    "hanging": "UPA 9.5",
    "restore": "UPA 7.1c",
    "leave": "UPA 7.1c",
    "restore_nine": "UPA 7.1c",
    "spot_nine": "UPA 7.1c",
    "timeout": "UPA 8.6",
    "replay": "UPA 10.11",
    "lag": "UPA 2.0",
}


@dataclass(frozen=True)
class Upa(NineBall):
    """The league with its options."""

    name: ClassVar[str] = "upa-9ball"
    title: ClassVar[str] = "UPA 9-ball"
    clauses: ClassVar[Mapping[str, str]] = CLAUSES
    lag_faults: ClassVar[frozenset[Fault]] = frozenset({"no_foot_rail", "pocketed", "off_table"})
    declarations: ClassVar[Mapping[str, Handler]] = DECLARATIONS
    settling_moves: ClassVar[bool] = False
    between_shots: ClassVar[frozenset[str]] = BETWEEN_SHOTS | {"touched_ball"}

    @property
    def break_rails(self) -> int:
        return 3

    def rack_also(self, rows: list[list[str | None]]) -> tuple[tuple[str | None, str, str], ...]:
        return ((rows[4][0], "2", "at the far point"),)

    def check_rack(self, state: GameState, observation: Observation) -> Verdict:
        """Without an official the breaker racks (UPA 2.2)."""
        verdict = super().check_rack(state, observation)
        if verdict.ruling is None or self.option("officiated"):
            return verdict
        told = f"{verdict.ruling.explanation.rstrip('.')}; {state.turn}, who breaks, racks."
        changed = {"explanation": told, "clauses": [*verdict.ruling.clauses, "UPA 2.2"]}
        return replace(verdict, ruling=verdict.ruling.model_copy(update=changed))

    def third_foul(self, state: GameState, shooter: str) -> bool:
        """Only after a warning (UPA 8.2)."""
        return shooter in state.warned

    def own_fouls(self, play: Play) -> list[Tried]:
        """The shot clock runs after a warning; an overrun is a flag that the time keeper confirms (UPA 9.2)."""
        late = predicates.overrun(play.facts, play.state.rested, _SHOT_CLOCK, confirm=True) if play.state.clock else NO
        return [self.tried("time_violation", late)]

    def falls(self, facts: ShotFacts) -> Falls:
        """A ball that hung for more than five seconds goes back to the edge (UPA 9.5)."""
        possible = super().falls(facts).counted
        late = {fall.ball for fall in possible if (facts.hung(fall) or 0.0) > _HANGING}
        return Falls(tuple(fall for fall in possible if fall.ball not in late), tuple(sorted(late)))

    def cited_also(self, play: Play, ruling: Ruling) -> tuple[str, ...]:
        falls = [event for event in play.facts.events if isinstance(event, Pocketed)]
        goes_on = ruling.call == "legal" and ruling.next.player == play.shooter and not play.on_break
        rests_on = {
            "UPA 3.0 fouls": play.on_break and bool(ruling.fouls),
            "UPA 6.0": goes_on,
            "UPA 7.0": len(ruling.fouls) > 1 and ruling.call == "foul",
            "UPA 9.4": any(fall.ball in play.shot.layout_after for fall in falls),
            "UPA 9.6": any(fall.suspended for fall in falls),
            "UPA 10.4": not self.option("officiated") and ruling.needs_review,
        }
        return tuple(clause for clause, so in rests_on.items() if so)

    def observe(self, state: GameState, observation: Observation) -> Verdict:
        """Balls disturbed by someone who does not play must be put back (UPA 10.9)."""
        by = (observation.model_extra or {}).get("by")
        if observation.what == "ball_moved" and by == "outsider" and observation.ball in state.balls:
            weighed = Weighed(restore=(observation.ball,))
            text = f"the {observation.ball} was moved by someone who does not play and must be put back"
            return self.put_back(state, weighed, self.clause("position"), text)
        return super().observe(state, observation)

    def still_of_shot(self, after_rest: float) -> bool:
        """Within five seconds (UPA 9.5)."""
        return after_rest <= _HANGING

    def dropped(self, state: GameState, observation: Observation) -> Verdict:
        """A ball that settled into a pocket is put back on its edge (UPA 9.5, 9.7)."""
        ball = observation.ball
        if ball is None or ball not in state.balls:
            return Verdict(None, state)
        text = f"the {ball} settled into a pocket and goes back to its edge"
        return self.put_back(state, Weighed(restore=(ball,)), self.clause("settled"), text)

    def foul_between_shots(self, state: GameState, declaration: Declaration, player: PlayerId) -> Verdict:
        return between_shots(self, state, declaration, player)

    def usual_foul(self, state: GameState, declaration: Declaration, player: PlayerId) -> Verdict:
        """A foul between shots that has no rule of its own."""
        return super().foul_between_shots(state, declaration, player)
