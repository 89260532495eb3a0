"""What the 9-ball leagues share: the lowest ball, the 9, push-outs, three fouls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from adjudication import predicates, racking
from adjudication.certainty import NO, Finding
from adjudication.play import Play
from adjudication.rulebook import RuleBook
from adjudication.state import GameState, other
from adjudication.verdict import Tried, Verdict, Weighed, ruled
from record.names import Layout
from record.ruling import Foul

NINE: Final = "9"


def lowest(play: Play) -> str | None:
    """The ball that must be hit first: the lowest number on the table; None where no numbered ball is known."""
    numbers = [int(ball) for ball in play.on_table if ball.isdigit()]
    return str(min(numbers)) if numbers else None


@dataclass(frozen=True)
class NineBall(RuleBook):
    """The game of 9-ball; leagues say their clauses, break, clock and hanging balls."""

    balls: ClassVar[frozenset[str]] = frozenset(str(n) for n in range(1, 10))

    @property
    def break_rails(self) -> int:
        """How many balls must reach rails on the break where none is pocketed."""
        raise NotImplementedError

    def rack_pattern(self, layout: Layout) -> list[Finding]:
        """A tight diamond, the 1 on the foot spot, the 9 in the centre."""
        rows, fault = racking.seated(layout, racking.diamond(self.table), self.table)
        wanted = ((rows[0][0], "1", "at the head of the diamond"), (rows[2][1], "9", "in its centre"))
        placed = [racking.must_be(ball, {number}, where) for ball, number, where in (*wanted, *self.rack_also(rows))]
        return [one for one in (fault, *placed) if one is not None]

    def rack_also(self, rows: list[list[str | None]]) -> tuple[tuple[str | None, str, str], ...]:
        """Further places of the diamond that the league fixes: ball there, number wanted, words."""
        del rows
        return ()

    def third_foul(self, state: GameState, shooter: str) -> bool:
        """A third foul in a row would lose the rack."""
        raise NotImplementedError

    def own_fouls(self, play: Play) -> list[Tried]:
        """Fouls of the league besides the usual ones."""
        raise NotImplementedError

    def judge_play(self, play: Play) -> Verdict:
        after = play.after()
        if play.shooter != play.state.turn:
            return self.returned(play, after, self.clause("turn"))
        weighed = self.weighed(play, self._tried(play))
        if play.on_break and "head_string" not in weighed.codes:
            legal = self.rails_on_break(play, self.break_rails)
            if legal.holds is False:
                return self._illegal_break(play, after, legal, weighed)
            if legal.holds is None:
                weighed = weighed.doubting(legal, "illegal_break", self.clause("break"))
        nine_gone = NINE in play.down | play.out
        spotted = nine_gone and (bool(weighed.fouls) or play.state.pushing or NINE in play.out)
        spot = (NINE,) if spotted else ()
        after = after.but(balls=after.balls | set(spot))
        if weighed.fouls:
            return self._foul(play, after, weighed, spot)
        after = after.clean(play.shooter)
        if NINE in play.down and not play.state.pushing:
            where = " on the break" if play.on_break else ""
            topic = "nine_on_break" if play.on_break else "fair"
            why = f"the 9 was legally pocketed{where}"
            return self.won(after, play.shooter, weighed, self.clause(topic), why)
        if play.state.pushing:
            return self._pushed(play, after, weighed, spot)
        return self._played(play, after, weighed)

    def _tried(self, play: Play) -> list[Tried]:
        """Every foul that the camera may see, in the order in which one is called."""
        facts, free, ball_on = play.facts, play.state.pushing, lowest(play)
        none = NO if free else predicates.no_contact(facts)
        wrong = NO if free or ball_on is None else predicates.bad_hit(facts, {ball_on}, f"the {ball_on}")
        still = NO if free or play.on_break or none.holds or wrong.holds else predicates.no_rail(facts)
        return [
            self.tried("head_string", self.line(play)),
            self.tried("no_contact", none),
            self.tried("bad_hit", wrong, self.clause("bad_hit_on_break") if play.on_break else None),
            self.tried("no_rail", still, self.rail_clause(play)),
            *self.tried_always(play),
            self.tried("ball_off_table", predicates.left_table(facts, cue_ball=False)),
            self.tried("ball_off_table", predicates.came_back_touched(facts)),
            *self.own_fouls(play),
        ]

    def rail_clause(self, play: Play) -> str | None:
        """The clause that asks for a rail in this shot, where it is not the usual one."""
        del play
        return None

    def _illegal_break(self, play: Play, after: GameState, legal: Finding, weighed: Weighed) -> Verdict:
        opponent = other(play.shooter)
        after = self.reracked(after, opponent, ("break", "make_opponent_break"))
        told = Weighed(margin=legal.margin)
        del weighed
        text = f"illegal break, {legal.why}: re-rack, {opponent} may break or have {play.shooter} break again"
        return ruled(told, "illegal_break", after, (self.clause("break"),), text)

    def _foul(self, play: Play, after: GameState, weighed: Weighed, spot: tuple[str, ...]) -> Verdict:
        shooter = play.shooter
        third = after.fouls_in_row.get(shooter, 0) >= 2 and self.third_foul(play.state, shooter)
        if third:
            foul = Foul(code="three_fouls", clause=self.clause("third"), player=shooter)
            after, weighed = after.fouled(shooter), weighed.with_fouls(foul)
            return self.lost(after, shooter, weighed.fouls, "third foul in a row after a warning", weighed)
        return self.foul_verdict(after, shooter, weighed, spot)

    def _pushed(self, play: Play, after: GameState, weighed: Weighed, spot: tuple[str, ...]) -> Verdict:
        after = after.but(
            phase="play",
            turn=other(play.shooter),
            cue_ball="in_position",
            options=("shoot", "pass_back"),
            pusher=play.shooter,
        )
        text = f"push-out: {after.turn} may shoot or pass the shot back"
        return ruled(weighed, "legal", after, (self.clause("push_out"),), text, spot)

    def _played(self, play: Play, after: GameState, weighed: Weighed) -> Verdict:
        """A fair shot that neither won nor pushed out."""
        stays = bool(play.objects_down)
        turn = play.shooter if stays else other(play.shooter)
        phase = "after_break" if play.on_break else "play"
        after = after.but(phase="after_break" if play.on_break else "play", turn=turn, cue_ball="in_position")
        ball_on = lowest(play)
        split = ball_on is not None and predicates.split_hit(play.facts, {ball_on})
        clauses = [self.clause("break" if phase == "after_break" else "fair")]
        clauses += [self.clause("split")] if split else []
        clauses += [self.clause("hanging")] if play.falls.back or play.falls.silent else []
        what = "legal break" if play.on_break else "fair shot"
        if split:
            what += ", the order of the hits cannot be told and goes to the shooter"
        follows = f"{play.shooter} goes on" if stays else f"{turn} plays"
        return ruled(weighed, "legal", after, clauses, f"{what}: {follows}")
