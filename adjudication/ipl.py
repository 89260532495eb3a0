"""IPL 8-ball: clause names as in the league's rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from adjudication import declared, predicates, racking
from adjudication.certainty import NO, Finding
from adjudication.declared import Handler
from adjudication.eight_ball import (
    EIGHT,
    EightBall,
    group_of,
    groups_down,
    groups_hit,
    members,
    on_the_eight,
    own_group,
    shared_groups,
)
from adjudication.ipl_calls import called_balls, eight_touched, eight_used, must_be_asked
from adjudication.ipl_doubles import skipped, timeout
from adjudication.play import Play
from adjudication.settings import CERTAINTY, Setting
from adjudication.state import GameState, other
from adjudication.verdict import Verdict, Weighed, ruled
from record.names import CUE, CueBallPlace, FoulCode, Layout, Option, PlayerId
from record.rack import RackRecord

_RAILS: Final = 4
_FOUL: Final = "IPL Foul"
_PEOPLE: Final = "IPL Fouls"
_LOSS: Final = "IPL Loss"

CLAUSES: Final[dict[str, str]] = {
    **dict.fromkeys(("scratch", "cue_off_table", "turn", "balls_moving"), _FOUL),
    **dict.fromkeys(("bad_hit", "no_contact", "no_rail", "fair"), "IPL Legal shot"),
    **dict.fromkeys(
        (
            "touched_cue_ball",
            "touched_moving_ball",
            "touched_ball",
            "foot_off_floor",
            "marking",
            "jump_miscue",
            "placement_touch",
            "double_hit",
            "push_shot",
            "interference",
            "equipment",
            "coaching",
        ),
        _PEOPLE,
    ),
    **dict.fromkeys(
        ("eight_early", "eight_wrong_pocket", "eight_on_foul", "eight_off_table", "sportsmanship", "conceded"), _LOSS
    ),
    "head_string": "IPL Break scratch",
    "ball_off_table": "IPL Off table",
    "break": "IPL Break",
    "rack": "IPL Break",
    "accept": "IPL Break",
    "rerack_and_break": "IPL Break",
    "rerack_and_opponent_breaks": "IPL Break",
    "in_hand_behind_head_string": "IPL Break jump",
    "split": "IPL Split",
    "timeout": "IPL Time-outs",
    "doubles": "IPL Doubles",
    "stalemate": "IPL Stalemate",
    "replay": "IPL Stalemate",
}


SETTINGS: Final[dict[str, Setting]] = {
    **CERTAINTY,
    "doubles": Setting(False, "the game is played by pairs: no time-outs (IPL Time-outs)"),
}


@dataclass(frozen=True)
class Ipl(EightBall):
    """The league with its options: `doubles`, and `short_side` for the side that plays doubles with one player."""

    name: ClassVar[str] = "ipl-8ball"
    title: ClassVar[str] = "IPL 8-ball"
    clauses: ClassVar[Mapping[str, str]] = CLAUSES
    settings: ClassVar[Mapping[str, Setting]] = SETTINGS
    losing: ClassVar[frozenset[str]] = frozenset({"eight_wrong_pocket", "eight_early"})
    declarations: ClassVar[Mapping[str, Handler]] = {
        **declared.SHARED,
        "timeout": timeout,
        "stalemate": declared.stalemate,
    }

    def opening(self, record: RackRecord) -> GameState:
        """A break by the side that is one short is its first turn."""
        return super().opening(record).but(visits=int(record.breaker == self.options.get("short_side")))

    def rack_pattern(self, layout: Layout) -> list[Finding]:
        """A tight triangle with its head ball on the foot spot and the 8 in its middle."""
        rows, fault = racking.seated(layout, racking.triangle(self.table), self.table)
        middle = racking.must_be(rows[2][1], {EIGHT}, "in the middle of the triangle")
        return [one for one in (fault, middle) if one is not None]

    def chosen(self, state: GameState, option: Option) -> GameState:
        """The table as it lies, a new rack, or the cue ball in hand (IPL Break, IPL Break jump)."""
        if option == "rerack_and_break":
            return self.reracked(state, state.turn, ())
        if option == "rerack_and_opponent_breaks":
            return self.reracked(state, other(state.turn), ())
        place: CueBallPlace = "in_hand_behind_head_string" if option == "in_hand_behind_head_string" else state.cue_ball
        return state.but(options=(), cue_ball=place)

    def settle(self, state: GameState, shooter: PlayerId) -> GameState:
        """A stroke without a choice plays the table as it lies; by the offender it is a new break."""
        if not state.options:
            return state
        return self.chosen(state, "accept" if shooter == state.turn else "rerack_and_opponent_breaks")

    def judge_play(self, play: Play) -> Verdict:
        if play.shooter != play.state.turn:
            return self._out_of_turn(play)
        verdict = self._break(play) if play.on_break else self._shot(play)
        return skipped(verdict, play.shooter, self.options.get("short_side"))

    def _out_of_turn(self, play: Play) -> Verdict:
        """The rules give no penalty, except for the 8 (IPL Loss)."""
        after = play.after()
        if EIGHT in play.down:
            return self.lost_on_eight(play, after, Weighed(), "eight_early", "the 8 was pocketed out of turn")
        return self.returned(play, after, self.clause("turn"))

    def _break(self, play: Play) -> Verdict:
        after, shooter, opponent = play.after(), play.shooter, other(play.shooter)
        jumped = predicates.left_table(play.facts, cue_ball=False)
        weighed = self.weighed(
            play,
            [
                self.tried("head_string", self.line(play), self.clause("break")),
                *self.tried_always(play),
                self.tried("ball_off_table", jumped, "IPL Break jump"),
            ],
        )
        if EIGHT in play.out:
            return self.lost_on_eight(play, after, weighed, "eight_off_table", "the 8 left the table on the break")
        if EIGHT in play.down:
            return self._eight_on_break(play, after, weighed)
        legal = self.rails_on_break(play, _RAILS)
        if legal.holds is False or "head_string" in weighed.codes:
            why = weighed.why if "head_string" in weighed.codes else legal.why
            return self._illegal_break(play, after, weighed, why)
        if legal.holds is None:
            weighed = weighed.doubting(legal, "illegal_break", self.clause("break"))
        spot = tuple(sorted(play.out - {CUE}))
        after = after.but(phase="play", balls=after.balls | set(spot))
        if weighed.fouls:
            options: tuple[Option, ...] = ()
            if weighed.codes == ["ball_off_table"]:
                options = ("accept", "in_hand_behind_head_string")
            verdict = self.foul_verdict(after, shooter, weighed, spot)
            state = verdict.state.but(cue_ball="in_position" if options else "in_hand_behind_head_string")
            state = state.but(options=options)
            follows = "takes the table or the cue ball in hand" if options else "has the cue ball in hand"
            clauses = ("IPL Break scratch",) if "scratch" in weighed.codes else ()
            text = f"foul on the break, {weighed.why}: {opponent} {follows} behind the head string"
            return ruled(weighed, "foul", state, clauses, text, spot)
        groups = groups_down(play)
        if len(groups) == 1:
            after = after.but(groups=shared_groups(shooter, next(iter(groups))))
        clauses = (self.clause("break"), *(("IPL Groups",) if groups else ()))
        weighed = replace(weighed, margin=legal.margin)
        return self.goes_on(play, after, weighed, clauses, stays=bool(play.objects_down))

    def _eight_on_break(self, play: Play, after: GameState, weighed: Weighed) -> Verdict:
        """The 8 on the break wins, unless the cue ball went too."""
        if weighed.fouls:
            why = f"the 8 was pocketed on a foul break, {weighed.why}"
            return self.lost_on_eight(play, after, weighed, "eight_on_foul", why)
        return self.won(after, play.shooter, weighed, "IPL Eight on the break", "the 8 was pocketed on the break")

    def _illegal_break(self, play: Play, after: GameState, weighed: Weighed, why: str) -> Verdict:
        options: tuple[Option, ...] = ("accept", "rerack_and_break", "rerack_and_opponent_breaks")
        after = after.but(
            phase="play",
            turn=other(play.shooter),
            options=options,
            cue_ball="in_hand_behind_head_string" if play.cue_ball_gone else "in_position",
        )
        text = f"illegal break, {why}: {after.turn} may take the table, break again or have {play.shooter} break again"
        return ruled(weighed, "illegal_break", after, (self.clause("break"),), text)

    def _shot(self, play: Play) -> Verdict:
        after = play.after()
        weighed = self._with_flags(play, self.weighed(play, self.tried_in_play(play)))
        if EIGHT in play.out:
            return self.lost_on_eight(play, after, weighed, "eight_off_table", "the 8 left the table")
        if EIGHT in play.down:
            return self._eight_down(play, after, weighed)
        losing = next((code for code in weighed.codes if code in self.losing), None)
        if losing or (on_the_eight(play) and "scratch" in weighed.codes):
            why = weighed.why if losing else "a scratch on the 8"
            return self.lost(after, play.shooter, weighed.fouls, why, weighed, (_LOSS,))
        spot = tuple(sorted(play.out - {CUE}))
        after = after.but(balls=after.balls | set(spot))
        if weighed.fouls:
            return self.foul_verdict(after, play.shooter, weighed, spot)
        if spot:
            why = f"the {spot[0]} left the table"
            return self.passes(play, after, weighed, (self.clause("ball_off_table"),), why, spot)
        if on_the_eight(play) and eight_touched(play):
            return self.passes(play, after, weighed, ("IPL Eight assist",), "the 8 touched another ball")
        if play.objects_down and eight_used(play):
            return self.passes(play, after, weighed, ("IPL Eight assist",), "the 8 helped the shot")
        return self._fair(play, after, weighed)

    def _with_flags(self, play: Play, weighed: Weighed) -> Weighed:
        """From behind the head string, a ball behind it may not be hit directly: flagged, a person confirms."""
        start = play.shot.layout_before.get(play.first or "")
        if play.state.cue_ball != "in_hand_behind_head_string" or start is None or start[0] >= self.head_string:
            return weighed
        first = play.facts.first_contacts[0]
        if any(e.ball == CUE and e.rail == "foot" and e.t < first.t for e in play.facts.rail_contacts):
            return weighed
        flag = Finding(None, 0.5, f"the {play.first} lay behind the head string and may have been shot at directly")
        return weighed.doubting(flag, "foul", self.clause("head_string"), foul="head_string")

    def _eight_down(self, play: Play, after: GameState, weighed: Weighed) -> Verdict:
        """The 8 wins in the called pocket, legally, when it is on; otherwise the rack is lost."""
        code: FoulCode | None = None
        fall = next(fall for fall in play.falls.counted if fall.ball == EIGHT)
        call = play.state.call
        why = weighed.why
        if not on_the_eight(play):
            code, why = "eight_early", "the 8 was pocketed before it was on"
        elif weighed.fouls:
            code, why = "eight_on_foul", f"the 8 was pocketed on a foul, {weighed.why}"
        elif eight_touched(play):
            code, why = "eight_on_foul", "the 8 touched another ball and fell"
        elif call is not None and (call[0] not in (EIGHT, None) or call[1] not in (fall.pocket, None)):
            code, why = "eight_wrong_pocket", f"the 8 went into the {fall.pocket.replace('_', ' ')}, not as called"
        if code is not None:
            return self.lost_on_eight(play, after, weighed, code, why)
        if call is None or call[1] is None:
            unknown = Finding(None, 0.5, "no pocket was recorded for the 8")
            loser = other(play.shooter)
            weighed = weighed.doubting(unknown, "rack_over", _LOSS, foul="eight_wrong_pocket", winner=loser)
        return self.won(after, play.shooter, weighed, "IPL Call", "the 8 was legally pocketed")

    def _fair(self, play: Play, after: GameState, weighed: Weighed) -> Verdict:
        """Own balls that fell as called keep the shooter at the table and may set the groups."""
        good, why = called_balls(play)
        if play.objects_down and not good:
            clause = "IPL Call" if play.state.call is not None else "IPL Legal shot"
            return self.passes(play, after, weighed, (clause,), why)
        if not good:
            return self.goes_on(play, after, weighed, (self.clause("fair"),), stays=False)
        asked = must_be_asked(play, good) if play.state.call is None else NO
        if asked.holds is None:
            weighed = weighed.doubting(asked, "loss_of_turn", "IPL Call")
        clauses = (self.clause("fair"),)
        if own_group(play) is None:
            possible = groups_hit(play)
            made = sorted({group for group in map(group_of, good) if group is not None and group in possible})
            if not made:
                why = "the combination did not start on a ball of the pocketed ball's group"
                return self.passes(play, after, weighed, ("IPL Groups",), why)
            group = group_of(play.first) if group_of(play.first) in made else made[0]
            assert group is not None
            after, clauses = after.but(groups=shared_groups(play.shooter, group)), ("IPL Groups",)
            good = good & members(group)
        return self.goes_on(play, after, weighed, clauses, stays=bool(good))
