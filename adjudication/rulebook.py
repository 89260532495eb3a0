"""What every league's rule book does alike: fouls tried in order, fouls reported, rulings put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, get_args

from adjudication import predicates
from adjudication.certainty import NO, Finding, Thresholds
from adjudication.facts import ShotFacts
from adjudication.league import IllegalEntryError
from adjudication.play import Falls, Play
from adjudication.state import GameState, other
from adjudication.verdict import Tried, Verdict, Weighed, ruled, weigh
from adjudication.words import FOUL_WORDS
from record.entries import Declaration, Observation
from record.names import CUE, FoulCode, Option, PlayerId
from record.rack import RackRecord
from record.ruling import Foul, Margin
from record.shot import Shot

_CODES: Mapping[str, FoulCode] = {code: code for code in get_args(FoulCode)}


@dataclass(frozen=True)
class RuleBook:
    """A league's rules with a record's options. Subclasses say what differs.

    `clauses` gives the clause of each foul code that the league knows, and of topics (`fair`, `break` …);
    `losing` are the codes that lose the rack at once.
    """

    thresholds: Thresholds
    head_string: float
    options: Mapping[str, Any] = field(default_factory=dict)

    name: ClassVar[str]
    title: ClassVar[str]
    balls: ClassVar[frozenset[str]]
    clauses: ClassVar[Mapping[str, str]]
    losing: ClassVar[frozenset[str]] = frozenset()
    declarations: ClassVar[Mapping[str, Callable[[RuleBook, GameState, Declaration], Verdict]]]

    def opening(self, record: RackRecord) -> GameState:
        """Before the first shot: a break, unless the record starts with balls already gone or says so.

        `rules_options.opening` is `break` or `in_play`; without it a full set on the table means a break.
        """
        first = next((entry for entry in record.entries if isinstance(entry, Shot)), None)
        balls = self.balls if first is None else frozenset(first.layout_before) - {CUE}
        opening = record.rules_options.get("opening", "break" if balls >= self.balls else "in_play")
        phase = "break" if opening == "break" else "play"
        return GameState(
            phase="break" if phase == "break" else "play",
            turn=record.breaker,
            balls=balls,
            breaker=record.breaker,
            cue_ball="rack" if phase == "break" else "in_position",
        )

    def judge_shot(self, state: GameState, shot: Shot, called: tuple[Declaration, ...] = ()) -> Verdict:
        return self.judge_play(self.play(state, shot, called))

    def judge_play(self, play: Play) -> Verdict:
        """Judge a shot whose facts are laid out."""
        raise NotImplementedError

    def judge_declaration(self, state: GameState, declaration: Declaration) -> Verdict:
        handler = self.declarations.get(declaration.what)
        if handler is None:
            raise IllegalEntryError(f"{self.title} knows no declaration {declaration.what!r}")
        return handler(self, state, declaration)

    @property
    def late_clause(self) -> str:
        """The clause that closes the window for protests; the fair shot's where the rules name none."""
        return self.clauses.get("late_protest", self.clause("fair"))

    def observe(self, state: GameState, observation: Observation) -> GameState:
        """What is seen between shots changes nothing unless the league says so."""
        del observation
        return state

    def play(self, state: GameState, shot: Shot, called: tuple[Declaration, ...] = ()) -> Play:
        shooter = shot.player or state.turn
        for report in called:
            if report.what == "call":
                state = replace(state, call=(report.ball, report.pocket))
        facts = ShotFacts(shot, self.thresholds)
        reports = tuple(report for report in called if report.what != "call")
        return Play(self.settle(state, shooter), shot, shooter, facts, self.falls(facts), reports)

    def settle(self, state: GameState, shooter: PlayerId) -> GameState:
        """A stroke settles an open choice by who plays it."""
        if not state.options:
            return state
        return self.chosen(state, state.options[0] if shooter == state.turn else state.options[1])

    def chosen(self, state: GameState, option: Option) -> GameState:
        """The game after an open choice was made."""
        passed_on = option in ("pass_back", "make_opponent_break", "restore", "leave")
        return replace(state, turn=other(state.turn) if passed_on else state.turn, options=(), pusher=None)

    def falls(self, facts: ShotFacts) -> Falls:
        """What fell; leagues differ on balls that hung before they dropped."""
        possible = [fall for fall in facts.pocketed if fall.sure > 1 - self.thresholds.sure]
        return Falls(tuple(possible))

    def clause(self, topic: str) -> str:
        return self.clauses[topic]

    def code_of(self, declaration: Declaration) -> FoulCode:
        """The code of a reported foul.

        Raises:
            IllegalEntryError: the league knows no such foul.
        """
        code = _CODES.get(declaration.code or "")
        if code is None or code not in self.clauses:
            raise IllegalEntryError(f"{self.title} knows no reported foul {declaration.code!r}")
        return code

    def excused(self, play: Play, report: Declaration) -> bool:
        """A reported foul that the rules let pass in this shot."""
        del play, report
        return False

    def weighed(self, play: Play, tried: list[Tried]) -> Weighed:
        """All fouls of a shot, seen and reported, with what cannot be told."""
        reported = [
            Foul(code=code, clause=self.clause(code), player=play.shooter)
            for code in (self.code_of(report) for report in play.called if not self.excused(play, report))
        ]
        return weigh(tried, reported, play.shooter, play.falls.back, play.unsure_falls())

    def tried_always(self, play: Play) -> list[Tried]:
        """Fouls that every league knows, whatever ball is on."""
        return [
            self.tried("scratch", predicates.scratch(play.facts, play.falls.counted)),
            self.tried("cue_off_table", predicates.left_table(play.facts, cue_ball=True)),
            self.tried("balls_moving", predicates.balls_moving(play.facts)),
            self.tried("double_hit", predicates.double_hit(play.facts)),
            self.tried("touched_cue_ball", predicates.touched(play.facts, cue_ball=True)),
            self.tried("touched_moving_ball", predicates.touched(play.facts, cue_ball=False)),
        ]

    def tried(self, code: FoulCode, finding: Finding, clause: str | None = None) -> Tried:
        return Tried(code, clause or self.clause(code), finding)

    def line(self, play: Play) -> Finding:
        """Behind the head string on the break, and where ball in hand is bound to it."""
        bound = play.on_break or play.state.cue_ball == "in_hand_behind_head_string"
        return predicates.over_head_string(play.facts, self.head_string, self.thresholds) if bound else NO

    def rails_on_break(self, play: Play, needed: int) -> Finding:
        """An object ball pocketed, or enough of them driven to rails."""
        certain, possible = predicates.count_to_rails(play.facts)
        margin = Margin(what="balls to rails on the break", value=certain, unit="balls")
        if play.objects_down or certain >= needed:
            return Finding(True, 1.0, "legal break", margin)
        if possible >= needed:
            why = f"{certain} balls surely and {possible} perhaps reached a rail on the break; {needed} are needed"
            return Finding(None, 0.5, why, margin)
        return Finding(False, 1.0, f"no ball was pocketed and only {certain} reached a rail on the break", margin)

    def lost(
        self,
        state: GameState,
        player: PlayerId,
        fouls: list[Foul],
        why: str,
        weighed: Weighed | None = None,
        clauses: tuple[str, ...] = (),
    ) -> Verdict:
        """The rack is lost by `player`."""
        after = replace(state, phase="over", winner=other(player), turn=other(player), options=())
        weighed = replace(weighed or Weighed(), fouls=fouls)
        return ruled(weighed, "rack_over", after, clauses, f"{why}: {player} loses the rack")

    def won(self, after: GameState, player: PlayerId, weighed: Weighed, clause: str, why: str) -> Verdict:
        """The rack is won by `player`."""
        after = replace(after, phase="over", turn=other(player), winner=player, options=())
        return ruled(weighed, "rack_over", after, (clause,), f"{why}: {player} wins the rack")

    def returned(self, play: Play, after: GameState, clause: str) -> Verdict:
        """Out of turn without a penalty: the rightful player comes back to the table."""
        rightful = play.state.turn
        place = "in_hand" if play.cue_ball_gone else "in_position"
        after = replace(after, turn=rightful, cue_ball="in_hand" if place == "in_hand" else "in_position", phase="play")
        text = f"played out of turn: no penalty, player {rightful} returns to the table"
        return ruled(Weighed(), "loss_of_turn", after, (clause,), text)

    def reracked(self, after: GameState, player: PlayerId, options: tuple[Option, ...]) -> GameState:
        """A new rack, with `player` to break or to choose."""
        return replace(
            after, phase="break", turn=player, cue_ball="rack", options=options, balls=self.balls, groups=None
        )

    def foul_between_shots(self, state: GameState, declaration: Declaration, player: PlayerId) -> Verdict:
        """A foul that is no part of a stroke: ball in hand for the opponent, or the rack where the code loses it."""
        code = self.code_of(declaration)
        foul = Foul(code=code, clause=self.clause(code), player=player)
        why = FOUL_WORDS.get(code, code.replace("_", " "))
        if code in self.losing:
            return self.lost(state, player, [foul], why)
        return self.foul_verdict(state, player, Weighed(fouls=[foul], why=why))

    def foul_verdict(self, after: GameState, player: PlayerId, weighed: Weighed, spot: tuple[str, ...] = ()) -> Verdict:
        """An ordinary foul: the opponent has ball in hand."""
        opponent = other(player)
        after = replace(
            after.fouled(player), turn=opponent, cue_ball="in_hand", options=(), phase="play", pushing=False
        )
        return ruled(weighed, "foul", after, (), f"foul, {weighed.why}: ball in hand for {opponent}", spot)
