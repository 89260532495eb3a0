"""NAPA 9-ball general rules; what the summary leaves open follows world-standardised 9-ball (`NAPA unspecified`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from adjudication import declared, predicates
from adjudication.certainty import NO, Finding
from adjudication.declared import Handler
from adjudication.facts import ShotFacts
from adjudication.lagging import Fault
from adjudication.nine_ball import NINE, NineBall
from adjudication.play import Falls, Play
from adjudication.rulebook import RuleBook
from adjudication.settings import CERTAINTY, Setting
from adjudication.state import GameState
from adjudication.verdict import Tried, Verdict, Weighed, ruled
from record.entries import Declaration, Observation
from record.names import CUE

_CHALK: Final = 0.023
_STILL: Final = 5.0
_OPEN: Final = "NAPA unspecified"

CLAUSES: Final[dict[str, str]] = {
    **dict.fromkeys(
        (
            "bad_hit",
            "no_contact",
            "no_rail",
            "scratch",
            "cue_off_table",
            "ball_off_table",
            "head_string",
            "balls_moving",
            "touched_cue_ball",
            "touched_moving_ball",
            "touched_ball",
            "foot_off_floor",
            "placement_touch",
            "interference",
            "marking",
            "coaching",
            "sportsmanship",
            "conceded",
            "replay",
            "fair",
            "break",
            "bad_hit_on_break",
            "nine_on_break",
            "turn",
            "third",
            "rack",
        ),
        _OPEN,
    ),
    "double_hit": "NAPA Frozen balls",
    "push_shot": "NAPA Frozen balls",
    "jump_miscue": "NAPA Masse, Jump",
    "equipment": "NAPA Masse, Jump",
    "time_violation": "NAPA Time",
    "protest_ignored": "NAPA Disputes",
    "late_protest": "NAPA Disputes",
    "push_out": "NAPA Push out",
    "split": "NAPA Close shots",
    "safety": "NAPA Safety",
    "hanging": "NAPA Five seconds",
    "lag": "NAPA unspecified",
}


def _warning(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """A first warning for slow play; the next step, by both captains, is the clock (NAPA Time)."""
    del book
    if declaration.about == "slow_play" and not any(what == "slow_play" for _, what in state.cautioned):
        return Verdict(None, state.but(cautioned=state.cautioned | {(state.turn, "slow_play")}))
    if declaration.about in ("slow_play", "shot_clock", "clock"):
        return Verdict(None, state.but(clock=True))
    return Verdict(None, state)


def _call(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """Nothing is called in 9-ball, and a called safety is not allowed: the shot is an ordinary one (NAPA Safety)."""
    if declaration.about != "safety":
        return declared.call(book, state, declaration)
    text = "no safety can be called: the coming shot is an ordinary one"
    return ruled(Weighed(), "legal", state, (book.clause("safety"),), text)


SETTINGS: Final[dict[str, Setting]] = {
    **CERTAINTY,
    "shot_clock": Setting(60.0, "seconds for a shot once the clock runs (NAPA Time)", 30, 90),
    "break_min_rails": Setting(4, "balls that must reach rails on a break without a pocketed ball", 0, 9),
    "three_fouls": Setting(False, "a third foul in a row loses the rack"),
}


@dataclass(frozen=True)
class Napa(NineBall):
    """The league with its options."""

    name: ClassVar[str] = "napa-9ball"
    title: ClassVar[str] = "NAPA 9-ball"
    clauses: ClassVar[Mapping[str, str]] = CLAUSES
    lag_faults: ClassVar[frozenset[Fault]] = frozenset({"no_foot_rail", "pocketed", "off_table"})
    settings: ClassVar[Mapping[str, Setting]] = SETTINGS
    declarations: ClassVar[Mapping[str, Handler]] = {
        **declared.SHARED,
        "push_out": declared.push_out,
        "warning": _warning,
        "call": _call,
    }

    @property
    def break_rails(self) -> int:
        return int(self.option("break_min_rails"))

    def third_foul(self, state: GameState, shooter: str) -> bool:
        del state, shooter
        return bool(self.option("three_fouls"))

    def observe(self, state: GameState, observation: Observation) -> Verdict:
        """The clock was started at the table, after a warning (NAPA Time)."""
        warned = any(what == "slow_play" for _, what in state.cautioned)
        if observation.what == "shot_clock" and warned:
            return Verdict(None, state.but(clock=True))
        return super().observe(state, observation)

    def still_of_shot(self, after_rest: float) -> bool:
        """Within five seconds (NAPA Five seconds)."""
        return after_rest < _STILL

    def dropped(self, state: GameState, observation: Observation) -> Verdict:
        """A ball that lay still for five seconds and fell stays down; the 9 goes back (NAPA Five seconds)."""
        ball = observation.ball
        clause = self.clause("hanging")
        if ball is None or ball not in state.balls:
            return Verdict(None, state)
        if ball == NINE:
            return self.put_back(state, Weighed(restore=(ball,)), clause, "the 9 fell by itself and is put back")
        after = state.but(balls=state.balls - {ball})
        return ruled(Weighed(), "legal", after, (clause,), f"the {ball} fell by itself and stays down: play goes on")

    def own_fouls(self, play: Play) -> list[Tried]:
        """The clock once it runs (NAPA Time), and playing on after a request to wait (NAPA Disputes)."""
        limit = self.option("shot_clock")
        late = predicates.overrun(play.facts, play.state.rested, limit) if play.state.clock else NO
        asked = play.state.protester is not None and play.state.protester != play.shooter
        ignored = Finding(asked, 1.0, "the opponent had asked to wait and the shooter played on")
        return [self.tried("time_violation", late), self.tried("protest_ignored", ignored)]

    def falls(self, facts: ShotFacts) -> Falls:
        """A ball that had lain still for five seconds stays down uncounted; the 9 and the cue ball go back."""
        possible = super().falls(facts).counted
        late = [fall.ball for fall in possible if (facts.hung(fall) or 0.0) >= _STILL]
        back = tuple(sorted(ball for ball in late if ball in (NINE, CUE)))
        silent = tuple(sorted(ball for ball in late if ball not in back))
        return Falls(tuple(fall for fall in possible if fall.ball not in late), back, silent)

    def rail_clause(self, play: Play) -> str | None:
        frozen = play.first is not None and predicates.frozen_to_rail(play.facts, play.first) is not None
        return "NAPA Frozen cushion" if frozen else None

    def excused(self, play: Play, report: Declaration) -> bool:
        """Pushing through a frozen ball, or a raised cue over a gap of a chalk's width or less (NAPA Frozen balls)."""
        if report.code not in ("double_hit", "push_shot") or play.first is None:
            return False
        if any({a, b} == {CUE, play.first} for a, b in play.shot.frozen):
            return True
        more = report.model_extra or {}
        seen = next((event.gap for event in play.facts.double_hits if event.gap is not None), None)
        gap = more.get("gap", seen)
        return bool(more.get("elevated")) and gap is not None and float(gap) <= _CHALK
