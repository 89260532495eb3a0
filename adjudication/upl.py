"""UPL 8-ball: clause names as in the league's rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from adjudication import predicates, racking
from adjudication.certainty import NO, Finding
from adjudication.declared import Handler
from adjudication.eight_ball import (
    EIGHT,
    EightBall,
    group_of,
    groups_down,
    groups_hit,
    on_the_eight,
    own_group,
    own_left,
    shared_groups,
)
from adjudication.lagging import Fault
from adjudication.play import Play
from adjudication.settings import CERTAINTY, Setting
from adjudication.state import GameState, other
from adjudication.upl_declarations import DECLARATIONS, between_shots
from adjudication.verdict import Tried, Verdict, Weighed, ruled
from record.entries import Declaration
from record.names import CUE, Group, Layout, PlayerId
from record.ruling import Margin

_CLOCK: Final = 30.0
_EXTENSION: Final = 30.0
_POINTS: Final = 3
_STANDARD: Final = "UPL Standard fouls"
_LOSS: Final = "UPL Loss of rack"

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
            "out_of_turn",
            "not_spotted",
            "jump_shot",
            "touched_cue_ball",
            "touched_moving_ball",
            "touched_ball",
            "double_hit",
            "push_shot",
            "jump_miscue",
            "foot_off_floor",
            "placement_touch",
            "marking",
            "equipment",
            "left_area",
        ),
        _STANDARD,
    ),
    **dict.fromkeys(("deliberate", "eight_early", "eight_with_last", "eight_on_foul"), _LOSS),
    "time_violation": "UPL Clock",
    "coaching": "UPL Coaching",
    "timeout": "UPL Coaching",
    "sportsmanship": "UPL Sportsmanship",
    "interference": "UPL Sportsmanship",
    "conceded": "UPL Sportsmanship",
    "break": "UPL Break",
    "rack": "UPL Rack",
    "fair": "UPL Legal shot",
    "split": "UPL Legal shot",
    "open": "UPL Open table",
    "combination": "UPL Combination",
    "replay": "UPL Break",
    "lag": "UPL Lag",
}


SETTINGS: Final[dict[str, Setting]] = {
    **CERTAINTY,
    "break_point_once": Setting(False, "a ball that crosses the side pockets' line and falls makes one point, not two"),
}


@dataclass(frozen=True)
class Upl(EightBall):
    """The league with its options; `ratings` by player and `rack_pattern` besides its settings."""

    name: ClassVar[str] = "upl-8ball"
    title: ClassVar[str] = "UPL 8-ball"
    clauses: ClassVar[Mapping[str, str]] = CLAUSES
    lag_faults: ClassVar[frozenset[Fault]] = frozenset(
        {"other_half", "no_foot_rail", "side_rail", "pocketed", "off_table", "jaws"}
    )
    settings: ClassVar[Mapping[str, Setting]] = SETTINGS
    losing: ClassVar[frozenset[str]] = frozenset({"deliberate"})
    declarations: ClassVar[Mapping[str, Handler]] = DECLARATIONS

    def judge_play(self, play: Play) -> Verdict:
        return self._break(play) if play.on_break else self._shot(play)

    def rack_pattern(self, layout: Layout) -> list[Finding]:
        """A tight rack with the 8 on the foot spot; option `rack_pattern`: its rows by group, as `["s", "ts", …]`.

        The rules show the pattern in a picture only, so without the option the other balls' places are free.
        """
        eight, spot = layout.get(EIGHT), (self.table.length / 4, 0.0)
        off = math.inf if eight is None else math.dist(eight, spot)
        if off > racking.DIME:
            margin = None if eight is None else Margin(what="8 off the foot spot", value=round(off, 4), unit="m")
            return [Finding(True, 1.0, "the 8 does not lie on the foot spot", margin)]
        return racking.by_group(layout, self.options.get("rack_pattern"), self.table)

    def foul_between_shots(self, state: GameState, declaration: Declaration, player: PlayerId) -> Verdict:
        verdict = between_shots(self, state, declaration, player)
        return verdict or super().foul_between_shots(state, declaration, player)

    def _own_fouls(self, play: Play) -> list[Tried]:
        """Out of turn, jumps over a ball and an unspotted ball are penalised; the clock needs no warning."""
        limit = _CLOCK + (_EXTENSION if play.state.extended else 0.0)
        late = NO if play.on_break else predicates.overrun(play.facts, play.state.rested, limit)
        missing = sorted(play.state.to_spot - frozenset(play.shot.layout_before))
        unnamed = any(ball.startswith("?") for ball in play.shot.layout_before)
        unspotted = Finding(None if unnamed else True, 1.0, f"the {missing[0]} was not spotted") if missing else NO
        turn = Finding(play.shooter != play.state.turn, 1.0, f"it was {play.state.turn}'s turn")
        return [
            self.tried("out_of_turn", turn),
            self.tried("ball_off_table", predicates.left_table(play.facts, cue_ball=False)),
            self.tried("jump_shot", predicates.jumped(play.facts)),
            self.tried("not_spotted", unspotted),
            self.tried("time_violation", late),
        ]

    def _points(self, play: Play) -> Finding:
        """A point for each ball pocketed, a point for each that crossed the side pockets' line (UPL Break)."""
        sure = self.thresholds.sure
        crossed = {e.ball for e in play.facts.side_crossings if e.sure >= sure} - {CUE}
        perhaps = {e.ball for e in play.facts.side_crossings if e.sure > 1 - sure} - {CUE}
        once = bool(self.option("break_point_once"))
        down = play.objects_down
        certain, possible = ((len(down | x) if once else len(down) + len(x)) for x in (crossed, perhaps))
        margin = Margin(what="points on the break", value=certain, unit="points")
        if certain >= _POINTS:
            return Finding(True, 1.0, "legal break", margin)
        if possible >= _POINTS:
            return Finding(None, 0.5, f"{certain} break points surely and {possible} perhaps; three are needed", margin)
        return Finding(False, 1.0, f"the break made {certain} of three points", margin)

    def _break(self, play: Play) -> Verdict:
        """Three points; the 8 is spotted and decides nothing; a scratch is in hand behind the head string."""
        points, opponent = self._points(play), other(play.shooter)
        after = play.after()
        tried = [self.tried("head_string", self.line(play)), *self.tried_always(play), *self._own_fouls(play)]
        weighed = self.weighed(play, tried)
        if points.holds is False:
            after = self.reracked(after, opponent, ("break", "make_opponent_break"))
            text = f"illegal break, {points.why}: re-rack, {opponent} chooses who breaks"
            return ruled(Weighed(margin=points.margin), "illegal_break", after, (self.clause("break"),), text)
        if points.holds is None:
            weighed = weighed.doubting(points, "illegal_break", self.clause("break"))
        spot = (EIGHT,) if EIGHT in play.down | play.out else ()
        after = after.but(balls=after.balls | set(spot), phase="play")
        if weighed.fouls:
            verdict = self.foul_verdict(after, play.shooter, weighed, spot)
            if weighed.codes != ["scratch"]:
                return verdict
            state = verdict.state.but(cue_ball="in_hand_behind_head_string")
            text = f"scratch on the break: {opponent} has the cue ball in hand behind the head string"
            return ruled(weighed, "foul", state, ("UPL Break scratch",), text, spot)
        clauses = (self.clause("break"), *(("UPL Eight on the break",) if spot else ()))
        weighed = replace(weighed, margin=points.margin)
        return self.goes_on(play, after, weighed, clauses, stays=bool(play.objects_down), spot=spot)

    def _shot(self, play: Play) -> Verdict:
        after = play.after()
        weighed = self.weighed(play, [*self.tried_in_play(play), *self._own_fouls(play)])
        if "deliberate" in weighed.codes:
            return self.lost(after, play.shooter, weighed.fouls, weighed.why, weighed)
        if EIGHT in play.down:
            return self._eight_down(play, after, weighed)
        spot: tuple[str, ...] = ()
        if EIGHT in play.out:
            spot, after = (EIGHT,), after.but(balls=after.balls | {EIGHT})
            silent = Finding(None, 0.5, "the rules do not say what follows when the 8 leaves the table")
            weighed = weighed.doubting(silent, "rack_over", "UPL open questions", winner=other(play.shooter))
        if weighed.fouls:
            return self.foul_verdict(after, play.shooter, weighed, spot)
        if play.state.groups is None:
            return self._open_table(play, after, weighed)
        if groups_down(play) and own_group(play) not in groups_down(play):
            why = "only the opponent's ball was pocketed"
            return self.passes(play, after, weighed, (self.clause("combination"),), why)
        return self.goes_on(play, after, weighed, (self.clause("fair"),), stays=bool(play.objects_down))

    def _eight_down(self, play: Play, after: GameState, weighed: Weighed) -> Verdict:
        """The 8 wins on a legal shot once the own group was cleared, and loses otherwise."""
        left = own_left(play)
        if own_group(play) is not None and left and left <= play.down:
            why = "the last ball of the group and the 8 fell in one shot"
            return self.lost_on_eight(play, after, weighed, "eight_with_last", why)
        if not on_the_eight(play):
            return self.lost_on_eight(play, after, weighed, "eight_early", "the 8 was pocketed before the group")
        if weighed.fouls:
            why = f"the 8 was pocketed on a foul, {weighed.why}"
            return self.lost_on_eight(play, after, weighed, "eight_on_foul", why)
        return self.won(after, play.shooter, weighed, "UPL Winning", "the 8 was legally pocketed")

    def _open_table(self, play: Play, after: GameState, weighed: Weighed) -> Verdict:
        """Groups are set by hitting a ball of the intended group first and pocketing one of it."""
        clauses, declared = (self.clause("open"),), play.state.intended
        touching = any(CUE in pair and (set(pair) - {CUE}) & self.balls for pair in play.shot.frozen)
        unclear = any(report.about == "intended_group" for report in play.called)
        if declared is None and (touching or unclear):
            why = "the cue ball lay against a ball" if touching else "the group was not obvious"
            return self.passes(play, after, weighed, clauses, f"{why} and no group was declared")
        down, hit = groups_down(play), groups_hit(play)
        intended: set[Group] = hit if declared is None else {group for group in hit if group == declared}
        made = sorted(intended & down)
        if not down:
            return self.goes_on(play, after, weighed, (self.clause("fair"), *clauses), stays=False)
        if not made:
            why = "no ball of the group that was played was pocketed"
            return self.passes(play, after, weighed, clauses, f"{why}, the table stays open")
        group = group_of(play.first) if group_of(play.first) in made else made[0]
        assert group is not None
        after = after.but(groups=shared_groups(play.shooter, group))
        return self.goes_on(play, after, weighed, clauses, stays=True)
