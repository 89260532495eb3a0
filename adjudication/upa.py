"""UPA amateur 9-ball (2015): clause ids as in the UPA rule book."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from adjudication import predicates
from adjudication.certainty import NO, Finding, Thresholds
from adjudication.facts import ShotFacts
from adjudication.league import IllegalEntryError
from adjudication.nine_ball import NINE, count_to_rails, lowest, opening_state, settled_falls
from adjudication.state import GameState, other
from adjudication.upa_declarations import DECLARATIONS, FOUL_WORDS, PERSON_CLAUSES, code_of, next_of, settle_open_choice
from adjudication.verdict import (
    Tried,
    Verdict,
    alternatives,
    deciding_margin,
    fouls_found,
    reason_of,
    review_reasons,
    sentence,
)
from record.entries import Declaration
from record.events import Pocketed
from record.names import CUE, Call, Option, PlayerId
from record.rack import RackRecord
from record.ruling import Foul, Margin, Ruling
from record.shot import Shot

_RAILS_ON_BREAK: Final = 3
_HANGING: Final = 5.0
_SHOT_CLOCK: Final = 60.0


@dataclass(frozen=True)
class Upa:
    """The league with its options."""

    thresholds: Thresholds
    head_string: float
    name: str = "upa-9ball"

    @staticmethod
    def of(record: RackRecord) -> Upa:
        return Upa(Thresholds.of(record.rules_options), -record.table.length / 4)

    def opening(self, record: RackRecord) -> GameState:
        return opening_state(record)

    def judge_shot(self, state: GameState, shot: Shot, called: tuple[Declaration, ...] = ()) -> Verdict:
        return _ShotJudge(self, state, shot, called).verdict()

    def judge_declaration(self, state: GameState, declaration: Declaration) -> Verdict:
        handler = DECLARATIONS.get(declaration.what)
        if handler is None:
            raise IllegalEntryError(f"UPA 9-ball knows no declaration {declaration.what!r}")
        return handler(state, declaration)


@dataclass(frozen=True)
class _ShotJudge:
    league: Upa
    state: GameState
    shot: Shot
    called: tuple[Declaration, ...]

    def verdict(self) -> Verdict:
        shooter = self.shot.player or self.state.turn
        state = settle_open_choice(self.state, shooter)
        facts = ShotFacts(self.shot, self.league.thresholds)
        falls, back = settled_falls(facts, within=_HANGING)
        down = {fall.ball for fall in falls}
        out = {event.ball for event in facts.off_table if not event.returned}
        gone = (down | out) - {CUE}
        after = replace(
            state, balls=state.balls - gone, rested=self.shot.t_rest, pushing=False, pusher=None, options=()
        )
        if shooter != state.turn:
            return self._out_of_turn(after, state.turn, CUE in down | out)
        tried = self._tried(state, facts, falls)
        fouls = fouls_found(tried, shooter) + self._reported(shooter)
        doubts, reasons = alternatives(tried), review_reasons(tried)
        if state.phase == "break" and not any(foul.code == "head_string" for foul in fouls):
            legal, break_margin = self._legal_break(facts, down)
            if legal.holds is False:
                return _illegal_break(after, shooter, legal, break_margin)
            if legal.holds is None:
                reasons.append(legal.why)
                doubts.append({"if": "too few balls reached a rail", "call": "illegal_break", "clause": "UPA 3.0"})
        fouls = [foul.model_copy(update={"counts": number == 0}) for number, foul in enumerate(fouls)]
        margin = deciding_margin(tried, fouls)
        spot = sorted({NINE} & gone) if fouls or state.pushing or NINE in out else []
        after = replace(after, balls=after.balls | set(spot))
        if fouls:
            return self._foul(after, shooter, fouls, spot, back, margin, reasons, reason_of(fouls[0], tried))
        fair = Ruling(
            call="legal",
            margin=margin,
            needs_review=bool(reasons),
            review_reasons=reasons,
            alternatives=doubts,
            spot=spot,
            restore=back,
            next=next_of(after),
            explanation="",
        )
        after = after.clean(shooter)
        if NINE in down and not state.pushing:
            return _won(after, shooter, fair, on_break=state.phase == "break")
        if state.pushing:
            return _pushed(after, shooter, fair)
        return self._played(state, after, shooter, facts, down, fair)

    def _tried(self, state: GameState, facts: ShotFacts, falls: list[Pocketed]) -> list[Tried]:
        """Every foul of the rule book that the camera may see, in the order in which one is called."""
        on_break = state.phase == "break"
        free = state.pushing
        ball_on = lowest(state, self.shot)
        none = NO if free else predicates.no_contact(facts)
        wrong = NO if free or ball_on is None else predicates.bad_hit(facts, {ball_on}, f"the {ball_on}")
        still = NO if free or on_break or none.holds or wrong.holds else predicates.no_rail(facts)
        line = predicates.over_head_string(facts, self.league.head_string, self.league.thresholds) if on_break else NO
        return [
            Tried("head_string", "UPA 7.10", line),
            Tried("no_contact", "UPA 7.3", none),
            Tried("bad_hit", "UPA 3.0" if on_break else "UPA 7.3", wrong),
            Tried("no_rail", "UPA 7.4", still),
            Tried("scratch", "UPA 7.2", predicates.scratch(facts, falls)),
            Tried("cue_off_table", "UPA 7.2", predicates.left_table(facts, cue_ball=True)),
            Tried("ball_off_table", "UPA 7.5", predicates.left_table(facts, cue_ball=False)),
            Tried("ball_off_table", "UPA 7.5", predicates.came_back_touched(facts)),
            Tried("balls_moving", "UPA 7.8", predicates.balls_moving(facts)),
            Tried("double_hit", "UPA 7.9", predicates.double_hit(facts)),
            Tried("time_violation", "UPA 9.2", self._overrun(state)),
        ]

    def _overrun(self, state: GameState) -> Finding:
        """Past the shot clock: a flag that the time keeper confirms."""
        if not state.clock or state.rested is None or self.shot.t_strike - state.rested <= _SHOT_CLOCK:
            return NO
        used = self.shot.t_strike - state.rested
        margin = Margin(what="over the shot clock", value=round(used - _SHOT_CLOCK, 3), unit="s")
        return Finding(None, 0.5, f"{used:.0f} s were taken on a {_SHOT_CLOCK:.0f} s clock", margin)

    def _reported(self, shooter: PlayerId) -> list[Foul]:
        """Fouls of the shooter that people reported before the next stroke."""
        return [
            Foul(code=code_of(report), clause=PERSON_CLAUSES[code_of(report)], player=shooter, confidence=1.0)
            for report in self.called
        ]

    def _legal_break(self, facts: ShotFacts, down: set[str]) -> tuple[Finding, Margin]:
        """A numbered ball pocketed, or three driven to rails (UPA 3.0)."""
        certain, possible = count_to_rails(facts, self.league.thresholds)
        margin = Margin(what="balls to rails on the break", value=certain, unit="balls")
        if down - {CUE} or certain >= _RAILS_ON_BREAK:
            return Finding(True, 1.0, "legal break"), margin
        if possible >= _RAILS_ON_BREAK:
            why = f"{certain} balls surely and {possible} perhaps reached a rail on the break; three are needed"
            return Finding(None, 0.5, why), margin
        return Finding(False, 1.0, f"no ball was pocketed and only {certain} reached a rail on the break"), margin

    def _out_of_turn(self, after: GameState, rightful: PlayerId, cue_ball_gone: bool) -> Verdict:
        after = replace(after, turn=rightful, cue_ball="in_hand" if cue_ball_gone else "in_position", phase="play")
        ruling = Ruling(
            call="loss_of_turn",
            clauses=["UPA 7.14"],
            next=next_of(after),
            explanation=f"Played out of turn: no penalty, player {rightful} returns to the table.",
        )
        return Verdict(ruling, after)

    def _foul(
        self,
        after: GameState,
        shooter: PlayerId,
        fouls: list[Foul],
        spot: list[str],
        back: list[str],
        margin: Margin | None,
        reasons: list[str],
        why: str | None,
    ) -> Verdict:
        after = after.fouled(shooter)
        opponent = other(shooter)
        third = after.fouls_in_row[shooter] >= 3 and shooter in self.state.warned
        if third:
            fouls = [*fouls, Foul(code="three_fouls", clause="UPA 8.2", player=shooter, counts=False)]
        call: Call = "rack_over" if third else "foul"
        after = replace(
            after,
            phase="over" if third else "play",
            turn=opponent,
            winner=opponent if third else None,
            cue_ball="in_hand",
        )
        why = why or FOUL_WORDS.get(fouls[0].code, fouls[0].code.replace("_", " "))
        follows = "third foul in a row after a warning: the rack is lost" if third else f"ball in hand for {opponent}"
        ruling = Ruling(
            call=call,
            fouls=fouls,
            margin=margin,
            clauses=sorted({foul.clause for foul in fouls}),
            needs_review=bool(reasons),
            review_reasons=reasons,
            spot=[] if third else spot,
            restore=back,
            winner=after.winner,
            next=next_of(after),
            explanation=sentence(f"foul, {why}: {follows}"),
        )
        return Verdict(ruling, after)

    def _played(
        self,
        state: GameState,
        after: GameState,
        shooter: PlayerId,
        facts: ShotFacts,
        down: set[str],
        fair: Ruling,
    ) -> Verdict:
        """A fair shot that neither won nor pushed out."""
        stays = bool(down - {CUE})
        turn = shooter if stays else other(shooter)
        on_break = state.phase == "break"
        after = replace(after, phase="after_break" if on_break else "play", turn=turn, cue_ball="in_position")
        ball_on = lowest(state, self.shot)
        split = ball_on is not None and predicates.split_hit(facts, {ball_on})
        clauses = ["UPA 3.0"] if on_break else ["UPA 1.0"]
        clauses += ["UPA 9.3"] if split else []
        clauses += ["UPA 9.5"] if fair.restore else []
        what = "legal break" if on_break else "fair shot"
        if split:
            what += ", the order of the hits cannot be told and goes to the shooter"
        follows = f"{shooter} goes on" if stays else f"{turn} plays"
        ruling = fair.model_copy(
            update={"clauses": clauses, "next": next_of(after), "explanation": sentence(f"{what}: {follows}")}
        )
        return Verdict(ruling, after)


def _won(after: GameState, shooter: PlayerId, fair: Ruling, *, on_break: bool) -> Verdict:
    after = replace(after, phase="over", turn=other(shooter), winner=shooter)
    where = " on the break" if on_break else ""
    ruling = fair.model_copy(
        update={
            "call": "rack_over",
            "clauses": ["UPA 4.0" if on_break else "UPA 1.0"],
            "winner": shooter,
            "next": next_of(after),
            "explanation": f"The 9 was legally pocketed{where}: {shooter} wins the rack.",
        }
    )
    return Verdict(ruling, after)


def _pushed(after: GameState, shooter: PlayerId, fair: Ruling) -> Verdict:
    options: tuple[Option, ...] = ("shoot", "pass_back")
    after = replace(after, phase="play", turn=other(shooter), cue_ball="in_position", options=options, pusher=shooter)
    explanation = f"Push-out: {after.turn} may shoot or pass the shot back."
    ruling = fair.model_copy(update={"clauses": ["UPA 5.0"], "next": next_of(after), "explanation": explanation})
    return Verdict(ruling, after)


def _illegal_break(after: GameState, shooter: PlayerId, legal: Finding, margin: Margin) -> Verdict:
    options: tuple[Option, ...] = ("break", "make_opponent_break")
    after = replace(
        after,
        phase="break",
        turn=other(shooter),
        cue_ball="rack",
        options=options,
        balls=frozenset(str(n) for n in range(1, 10)),
    )
    ruling = Ruling(
        call="illegal_break",
        clauses=["UPA 3.0"],
        margin=margin,
        next=next_of(after),
        explanation=sentence(
            f"illegal break, {legal.why}: re-rack, {after.turn} may break or have {shooter} break again"
        ),
    )
    return Verdict(ruling, after)
