"""What the 8-ball leagues share: groups, the ball that is on, the 8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from adjudication import predicates
from adjudication.certainty import NO
from adjudication.play import Play
from adjudication.rulebook import RuleBook
from adjudication.state import GameState, other
from adjudication.verdict import Tried, Verdict, Weighed, ruled
from record.names import FoulCode, Group, PlayerId
from record.ruling import Foul

EIGHT: Final = "8"
SOLIDS: Final = frozenset(str(n) for n in range(1, 8))
STRIPES: Final = frozenset(str(n) for n in range(9, 16))


def group_of(ball: str | None) -> Group | None:
    """A ball's group; None for the 8, the cue ball and a ball without a name."""
    if ball in SOLIDS:
        return "solids"
    return "stripes" if ball in STRIPES else None


def members(group: Group) -> frozenset[str]:
    return SOLIDS if group == "solids" else STRIPES


def shared_groups(player: PlayerId, group: Group) -> dict[PlayerId, Group]:
    """Both players' groups when one has his; always in the order A, B."""
    rest: Group = "stripes" if group == "solids" else "solids"
    return {"A": group, "B": rest} if player == "A" else {"A": rest, "B": group}


def own_group(play: Play) -> Group | None:
    return None if play.state.groups is None else play.state.groups[play.shooter]


def own_left(play: Play) -> frozenset[str]:
    """The shooter's balls on the table before the stroke; on an open table those of both groups."""
    group = own_group(play)
    return play.on_table & (SOLIDS | STRIPES if group is None else members(group))


def on_the_eight(play: Play) -> bool:
    return own_group(play) is not None and not own_left(play)


def ball_on(play: Play) -> frozenset[str]:
    """Balls that may be hit first."""
    return frozenset({EIGHT}) if on_the_eight(play) else own_left(play)


def groups_down(play: Play) -> set[Group]:
    return {group for group in map(group_of, play.objects_down) if group is not None}


def groups_hit(play: Play) -> set[Group]:
    """Groups of the ball hit first, and of those hit too close after it to be told apart."""
    return {group for group in (group_of(contact.ball) for contact in play.facts.first_contacts) if group is not None}


@dataclass(frozen=True)
class EightBall(RuleBook):
    """The game of 8-ball; leagues say their break, calls, losses and how groups are set."""

    balls: ClassVar[frozenset[str]] = SOLIDS | STRIPES | {EIGHT}

    def tried_in_play(self, play: Play) -> list[Tried]:
        """Fouls of a shot that is no break, in the order in which one is called."""
        facts, legal = play.facts, ball_on(play)
        named = "the 8" if on_the_eight(play) else f"one of the {own_group(play) or 'solids or stripes'}"
        none = predicates.no_contact(facts)
        wrong = predicates.bad_hit(facts, legal, named)
        still = NO if none.holds or wrong.holds else predicates.no_rail(facts, predicates.rail_first(facts))
        return [
            self.tried("head_string", self.line(play)),
            self.tried("no_contact", none),
            self.tried("bad_hit", wrong),
            self.tried("no_rail", still),
            *self.tried_always(play),
        ]

    def foul(self, code: FoulCode, player: PlayerId) -> Foul:
        return Foul(code=code, clause=self.clause(code), player=player)

    def lost_on_eight(self, play: Play, after: GameState, weighed: Weighed, code: FoulCode, why: str) -> Verdict:
        """The rack is lost by what happened to the 8."""
        told = weighed.with_fouls(self.foul(code, play.shooter))
        return self.lost(after, play.shooter, told.fouls, why, told)

    def passes(
        self,
        play: Play,
        after: GameState,
        weighed: Weighed,
        clauses: tuple[str, ...],
        why: str,
        spot: tuple[str, ...] = (),
    ) -> Verdict:
        """The turn ends though a ball fell, or short of ball in hand."""
        after = after.but(turn=other(play.shooter), cue_ball="in_position", phase="play")
        return ruled(weighed, "loss_of_turn", after, clauses, f"{why}: {after.turn} plays", spot)

    def goes_on(
        self,
        play: Play,
        after: GameState,
        weighed: Weighed,
        clauses: tuple[str, ...],
        *,
        stays: bool,
        spot: tuple[str, ...] = (),
    ) -> Verdict:
        """A fair shot: the shooter stays or the opponent plays."""
        turn = play.shooter if stays else other(play.shooter)
        after = after.but(turn=turn, cue_ball="in_position", phase="play")
        what = "legal break" if play.on_break else "fair shot"
        if after.groups is not None and play.state.groups is None:
            what += f", {play.shooter} has the {after.groups[play.shooter]}"
        if not play.on_break and predicates.split_hit(play.facts, ball_on(play)):
            what += ", the order of the hits cannot be told and goes to the shooter"
            clauses = (*clauses, self.clause("split"))
        follows = f"{turn} goes on" if stays else f"{turn} plays"
        return ruled(weighed, "legal", after, clauses, f"{what}: {follows}", spot)
