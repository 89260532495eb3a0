"""What every league's rule book does alike: fouls tried in order, fouls reported, rulings put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from adjudication import predicates, spotting
from adjudication.before_break import BeforeTheBreak
from adjudication.certainty import NO, Finding
from adjudication.errors import IllegalEntryError
from adjudication.facts import ShotFacts
from adjudication.play import Falls, Play
from adjudication.reports import BETWEEN_SHOTS
from adjudication.settings import BadOptionError
from adjudication.state import GameState, other
from adjudication.verdict import Tried, Verdict, Weighed, ruled, weigh
from adjudication.words import FOUL_WORDS
from record.entries import Declaration, Observation
from record.names import CUE, FoulCode, Option, Place, PlayerId
from record.rack import RackRecord
from record.ruling import Foul, Margin, Ruling
from record.shot import Shot

_CODES: Mapping[str, FoulCode] = {code: code for code in get_args(FoulCode)}


def _offences(told: Any) -> frozenset[tuple[PlayerId, str]]:
    """Offences of the same match before this rack: option `offences`, as {"A": ["coaching"]}."""
    if not isinstance(told, dict) or not set(told) <= {"A", "B"}:
        raise BadOptionError(f"the option 'offences' must list offences by player, not {told!r}")
    topics = {"conduct": "sportsmanship"}
    return frozenset((player, topics.get(about, about)) for player, abouts in told.items() for about in abouts)


def _assumed(tried: Tried) -> Tried:
    """A doubtful foul as if it were confirmed."""
    return tried if tried.finding.holds is not None else replace(tried, finding=replace(tried.finding, holds=True))


_PLAIN_TO_SEE = frozenset({"scratch", "cue_off_table", "ball_off_table", "no_contact", "out_of_turn"})
"""Fouls that leave a trace both players see; they are called without an official."""


@dataclass(frozen=True)
class RuleBook(BeforeTheBreak):
    """A league's rules with a record's options. Subclasses say what differs.

    `losing` are the codes that lose the rack at once; `settling_moves` says whether a ball that settles is moving;
    `between_shots` are fouls that are no part of a stroke.
    """

    losing: ClassVar[frozenset[str]] = frozenset()
    settling_moves: ClassVar[bool] = True
    between_shots: ClassVar[frozenset[str]] = BETWEEN_SHOTS
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
            cautioned=_offences(record.rules_options.get("offences", {})),
        )

    def judge_shot(self, state: GameState, shot: Shot, called: tuple[Declaration, ...] = ()) -> Verdict:
        play = self.play(state, shot, called)
        verdict = self._complete(play)
        if verdict.ruling is None or not verdict.ruling.alternatives:
            return verdict
        judged_out = [self._judged_out(play, one) for one in verdict.ruling.alternatives]
        return replace(verdict, ruling=verdict.ruling.model_copy(update={"alternatives": judged_out}))

    def _complete(self, play: Play) -> Verdict:
        """The verdict with places and all clauses."""
        verdict = self.placed(self.judge_play(play), play.shot)
        also = () if verdict.ruling is None else self.cited_also(play, verdict.ruling)
        if verdict.ruling is None or not also:
            return verdict
        clauses = list(dict.fromkeys([*verdict.ruling.clauses, *also]))
        return replace(verdict, ruling=verdict.ruling.model_copy(update={"clauses": clauses}))

    def _judged_out(self, play: Play, doubt: dict[str, Any]) -> dict[str, Any]:
        """An alternative with the whole ruling that would stand if its doubtful foul were confirmed."""
        code = _CODES.get(doubt.get("foul", ""))
        if code is None or code in play.assumed:
            return doubt
        ruling = self._complete(replace(play, assumed=play.assumed | {code})).ruling
        if ruling is None or code not in [foul.code for foul in ruling.fouls]:
            return doubt
        told = ruling.model_dump(mode="json", include={"call", "next", "winner", "spot", "groups", "explanation"})
        return {**doubt, **told}

    def cited_also(self, play: Play, ruling: Ruling) -> tuple[str, ...]:
        """Further clauses that a ruling rests on, besides those of its call and fouls."""
        del play, ruling
        return ()

    def judge_play(self, play: Play) -> Verdict:
        """Judge a shot whose facts are laid out."""
        raise NotImplementedError

    def placed(self, verdict: Verdict, shot: Shot) -> Verdict:
        """The verdict with the places of balls that are spotted or put back."""
        ruling, state = verdict.ruling, verdict.state.but(layout=shot.layout_after)
        if ruling is None or not (ruling.spot or ruling.restore):
            return replace(verdict, state=state)
        found = spotting.places(ruling.spot, shot.layout_after, self.table)
        found.update(self.lay_at(shot, ball) for ball in ruling.restore if ball in shot.layout_before)
        return replace(verdict, ruling=ruling.model_copy(update={"places": found}), state=state)

    @staticmethod
    def lay_at(shot: Shot, ball: str) -> tuple[str, Place]:
        """Where a ball lay before it fell or was moved: the end of its path, else where it was before the stroke."""
        path = None if shot.trajectories is None else shot.trajectories.get(ball)
        rest = next((e.t for e in shot.events if e.type == "came_to_rest" and e.ball == ball), None)
        if path is None or rest is None:
            return ball, shot.layout_before[ball]
        last = max((k for k, t in enumerate(path.t) if t <= rest), default=0)
        return ball, (path.x[last], path.y[last])

    def judge_declaration(self, state: GameState, declaration: Declaration) -> Verdict:
        handler = self.declarations.get(declaration.what)
        if handler is None:
            raise IllegalEntryError(f"{self.title} knows no declaration {declaration.what!r}")
        return handler(self, state, declaration)

    @property
    def late_clause(self) -> str:
        """The clause that closes the window for protests; the fair shot's where the rules name none."""
        return self.clauses.get("late_protest", self.clause("fair"))

    def observe(self, state: GameState, observation: Observation) -> Verdict:
        """What is seen between shots: a rack before the break, a hanging ball that fell, a ball that was moved."""
        match observation.what:
            case "rack_check":
                return self.check_rack(state, observation)
            case "ball_dropped":
                return self.dropped(state, observation)
            case "commissioning":
                return Verdict(None, state.but(watching_only=_kept_from_calling(observation)))
        return Verdict(None, state)

    def still_of_shot(self, after_rest: float) -> bool:
        """A ball that falls so many seconds after all balls had come to rest belongs to the shot before."""
        del after_rest
        return False

    def dropped(self, state: GameState, observation: Observation) -> Verdict:
        """A ball that lay still fell by itself before the next stroke: the rules are silent, a person decides."""
        ball = observation.ball
        if ball is None or ball not in state.balls:
            return Verdict(None, state)
        silent = Finding(None, 0.5, f"the {ball} fell by itself and the rules do not say what follows")
        weighed = Weighed(restore=(ball,)).doubting(silent, "legal", self.clause("fair"))
        return self.put_back(state, weighed, self.clause("fair"), f"the {ball} fell by itself and is put back")

    def put_back(self, state: GameState, weighed: Weighed, clause: str, text: str) -> Verdict:
        """Balls go back to where they lay; nothing else changes."""
        verdict = ruled(weighed, "legal", state, (clause,), text)
        assert verdict.ruling is not None
        found = {ball: state.layout[ball] for ball in weighed.restore if ball in state.layout}
        return replace(verdict, ruling=verdict.ruling.model_copy(update={"places": found or None}))

    def play(self, state: GameState, shot: Shot, called: tuple[Declaration, ...] = ()) -> Play:
        shooter = shot.player or state.turn
        for report in called:
            if report.what == "call":
                state = state.but(call=(report.ball, report.pocket))
        facts = ShotFacts.of(shot, self.thresholds)
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
        return state.but(turn=other(state.turn) if passed_on else state.turn, options=(), pusher=None)

    def falls(self, facts: ShotFacts) -> Falls:
        """What fell; leagues differ on balls that hung before they dropped."""
        possible = [fall for fall in facts.pocketed if fall.sure > 1 - self.thresholds.sure]
        return Falls(tuple(possible))

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
            for code in (self.code_of(one) for one in play.called if one.what == "foul" and not self.excused(play, one))
        ]
        if not self.option("officiated"):
            tried = [self._left_to_shooter(one) for one in tried]
        tried = [_assumed(one) if one.code in play.assumed else one for one in tried]
        alike = not play.on_break and not self.losing & {one.code for one in tried if one.finding.holds is None}
        return weigh(tried, reported, play.shooter, play.falls.back, play.unsure_falls(), alike=alike)

    @staticmethod
    def _left_to_shooter(tried: Tried) -> Tried:
        """Where nobody officiates, a questionable hit is the shooter's to call and the camera only advises."""
        if tried.code in _PLAIN_TO_SEE or not tried.finding.holds:
            return tried
        advice = f"{tried.finding.why}; nobody officiates, so the call is the shooter's"
        return replace(tried, finding=replace(tried.finding, holds=None, why=advice))

    def tried_always(self, play: Play) -> list[Tried]:
        """Fouls that every league knows, whatever ball is on."""
        return [
            self.tried("scratch", predicates.scratch(play.facts, play.falls.counted)),
            self.tried("cue_off_table", predicates.left_table(play.facts, cue_ball=True)),
            self.tried("balls_moving", predicates.balls_moving(play.facts, settling=self.settling_moves)),
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
        after = state.but(phase="over", winner=other(player), turn=other(player), options=())
        weighed = replace(weighed or Weighed(), fouls=fouls)
        return ruled(weighed, "rack_over", after, clauses, f"{why}: {player} loses the rack")

    def won(self, after: GameState, player: PlayerId, weighed: Weighed, clause: str, why: str) -> Verdict:
        """The rack is won by `player`."""
        after = after.but(phase="over", turn=other(player), winner=player, options=())
        return ruled(weighed, "rack_over", after, (clause,), f"{why}: {player} wins the rack")

    def returned(self, play: Play, after: GameState, clause: str) -> Verdict:
        """Out of turn without a penalty: the rightful player comes back to the table."""
        rightful = play.state.turn
        place = "in_hand" if play.cue_ball_gone else "in_position"
        after = after.but(turn=rightful, cue_ball="in_hand" if place == "in_hand" else "in_position", phase="play")
        text = f"played out of turn: no penalty, player {rightful} returns to the table"
        return ruled(Weighed(), "loss_of_turn", after, (clause,), text)

    def reracked(self, after: GameState, player: PlayerId, options: tuple[Option, ...]) -> GameState:
        """A new rack, with `player` to break or to choose."""
        return after.but(phase="break", turn=player, cue_ball="rack", options=options, balls=self.balls, groups=None)

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
        after = after.fouled(player).but(turn=opponent, cue_ball="in_hand", options=(), phase="play", pushing=False)
        return ruled(weighed, "foul", after, (), f"foul, {weighed.why}: ball in hand for {opponent}", spot)


def _kept_from_calling(observation: Observation) -> str | None:
    """Why the machine may decide nothing by itself from here on, or None."""
    told = observation.model_extra or {}
    if told.get("calls", True):
        return None
    why = told.get("why")
    return f"this table has not passed its check{f': {why}' if isinstance(why, str) and why else ''}"
