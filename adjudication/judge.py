"""A whole record judged: entry after entry, state before × entry → ruling and state after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from adjudication.ipl import Ipl
from adjudication.league import IllegalEntryError, League
from adjudication.napa import Napa
from adjudication.state import GameState
from adjudication.upa import Upa
from adjudication.upl import Upl
from adjudication.verdict import next_of
from record.entries import Declaration, Entry, Observation, Override
from record.rack import RackRecord
from record.ruling import Ruling
from record.shot import Shot

LEAGUES: Final[dict[str, Callable[[RackRecord], League]]] = {
    "upa-9ball": Upa.of,
    "napa-9ball": Napa.of,
    "upl-8ball": Upl.of,
    "ipl-8ball": Ipl.of,
}

_BETWEEN_SHOTS: Final = frozenset(
    {"touched_ball", "sportsmanship", "coaching", "interference", "placement_touch", "left_area"}
)
"""Fouls that are not part of a stroke: they are judged where they are reported."""

_OF_A_STROKE: Final = frozenset(
    {
        "bad_hit",
        "no_contact",
        "no_rail",
        "scratch",
        "cue_off_table",
        "ball_off_table",
        "balls_moving",
        "double_hit",
        "push_shot",
        "jump_shot",
        "jump_miscue",
        "foot_off_floor",
        "head_string",
    }
)
"""Fouls of a stroke: once the next stroke is played they are too late."""


class UnknownLeagueError(ValueError):
    """No league of this name can be judged."""


class UnjudgeableError(ValueError):
    """A record that cannot be judged past some entry; `judged` holds the rulings up to it."""

    def __init__(self, message: str, judged: RackRecord, entry: int) -> None:
        super().__init__(message)
        self.judged = judged
        self.entry = entry


@dataclass(frozen=True)
class Judged:
    """An entry with its ruling, and the game after it."""

    entry: Entry
    state: GameState


@dataclass
class Judge:
    """Judges a rack as it grows: `add` one entry at a time and read its ruling.

    A foul that a person reports before the next stroke re-judges the shot it is about, from the state before it.
    """

    league: League
    state: GameState
    _before: GameState | None = None
    _shot: Shot | None = None
    _called: tuple[Declaration, ...] = ()
    _last_index: int = -1
    _pocketed: set[str] = field(default_factory=set)

    @staticmethod
    def of(record: RackRecord) -> Judge:
        """A judge for a record's rules and opening.

        Raises:
            UnknownLeagueError: its `rules` name no league known here.
        """
        league = league_of(record)
        return Judge(league, league.opening(record))

    def add(self, entry: Entry) -> Judged:
        """Judge one more entry.

        Raises:
            IllegalEntryError: the entry is out of order, contradicts the record, or is unknown to the league.
        """
        if isinstance(entry, Shot):
            return self._add_shot(entry)
        if isinstance(entry, Declaration):
            return self._add_declaration(entry)
        if isinstance(entry, Override):
            self._override(entry.ruling)
        if isinstance(entry, Observation):
            self.state = self.league.observe(self.state, entry)
        return Judged(entry, self.state)

    def _add_shot(self, shot: Shot) -> Judged:
        if self.state.phase == "over":
            raise IllegalEntryError("a shot after the rack was over")
        if shot.index <= self._last_index:
            raise IllegalEntryError(f"shot {shot.index} comes after shot {self._last_index}")
        self._must_be_possible(shot)
        self._before, self._shot, self._called = self.state, shot, ()
        verdict = self.league.judge_shot(self.state, shot, ())
        self._last_index = shot.index
        self._accept(verdict.state)
        return Judged(shot.model_copy(update={"ruling": verdict.ruling}), self.state)

    def _must_be_possible(self, shot: Shot) -> None:
        foreign = sorted(ball for ball in shot.layout_before if ball.isdigit() and ball not in self.league.balls)
        if foreign:
            raise IllegalEntryError(f"ball {foreign[0]!r} is not played in {self.league.title}")
        falls = [event.ball for event in shot.events if event.type == "pocketed" and event.ball != "cue"]
        for ball in falls:
            if ball in self._pocketed and ball not in shot.layout_before:
                raise IllegalEntryError(f"the {ball} is pocketed again, though it was no longer on the table")

    def _add_declaration(self, declaration: Declaration) -> Judged:
        between = declaration.code in _BETWEEN_SHOTS
        if declaration.what == "foul" and self._is_too_late(declaration):
            return self._noted_late(declaration)
        if declaration.what == "foul" and not between and self._is_about_last_shot(declaration):
            return self._judge_again(declaration)
        if self._answers_last_shot(declaration):
            return self._judge_again(declaration)
        if self.state.phase == "over" and declaration.what != "protest":
            raise IllegalEntryError(f"a declaration ({declaration.what}) after the rack was over")
        verdict = self.league.judge_declaration(self.state, declaration)
        self._accept(verdict.state)
        return Judged(declaration.model_copy(update={"ruling": verdict.ruling}), self.state)

    def _is_about_last_shot(self, declaration: Declaration) -> bool:
        if self._shot is None or self._before is None:
            return False
        return declaration.player == (self._shot.player or self._before.turn)

    def _answers_last_shot(self, declaration: Declaration) -> bool:
        """A call recorded afterwards for the last shot, or a protest that no group was declared for it."""
        if self._shot is None:
            return False
        if declaration.what == "call":
            return (declaration.model_extra or {}).get("of_shot") == self._shot.index
        return declaration.what == "protest" and declaration.about == "intended_group"

    def _is_too_late(self, declaration: Declaration) -> bool:
        """A stroke's foul reported after the next stroke: that of another shot, or of the player who shot before."""
        if self._shot is None or self._before is None:
            return False
        of_shot = (declaration.model_extra or {}).get("of_shot", self._shot.index)
        if of_shot != self._shot.index:
            return True
        return declaration.code in _OF_A_STROKE and not self._is_about_last_shot(declaration)

    def _noted_late(self, declaration: Declaration) -> Judged:
        """The protest window is closed: a note for the audit, no foul."""
        ruling = Ruling(
            call="rack_over" if self.state.phase == "over" else "legal",
            winner=self.state.winner,
            groups=self.state.groups,
            clauses=[self.league.late_clause],
            next=next_of(self.state),
            explanation="Reported after the next stroke: the shot stands, the report is kept for the audit.",
        )
        return Judged(declaration.model_copy(update={"ruling": ruling}), self.state)

    def _judge_again(self, declaration: Declaration) -> Judged:
        assert self._shot is not None
        assert self._before is not None
        self._called = (*self._called, declaration)
        verdict = self.league.judge_shot(self._before, self._shot, self._called)
        self._accept(verdict.state)
        return Judged(declaration.model_copy(update={"ruling": verdict.ruling}), self.state)

    def _accept(self, state: GameState) -> None:
        gone = self.state.balls - state.balls
        self._pocketed |= gone
        self._pocketed -= state.balls
        self.state = state

    def _override(self, ruling: Ruling) -> None:
        """Go on from what a person ruled: who plays, how, and whether the rack is over."""
        follows = ruling.next
        self.state = replace(
            self.state,
            phase="over"
            if ruling.call == "rack_over"
            else ("play" if self.state.phase == "over" else self.state.phase),
            turn=follows.player or self.state.turn,
            cue_ball=follows.cue_ball or self.state.cue_ball,
            options=tuple(follows.options),
            winner=ruling.winner,
            balls=self.state.balls | set(ruling.spot),
        )


def league_of(record: RackRecord) -> League:
    found = LEAGUES.get(record.rules)
    if found is None:
        raise UnknownLeagueError(f"unknown rules {record.rules!r}: known are {', '.join(sorted(LEAGUES))}")
    return found(record)


def adjudicate(record: RackRecord, rules: str | None = None) -> RackRecord:
    """The record with every ruling made anew, under its own rules or another league's.

    Raises:
        UnknownLeagueError: no such league.
        UnjudgeableError: some entry cannot be judged; the error names it and holds the rulings up to it.
    """
    wanted = record if rules is None else record.model_copy(update={"rules": rules})
    judge = Judge.of(wanted)
    done: list[Entry] = []
    for number, entry in enumerate(record.entries):
        try:
            done.append(judge.add(entry).entry)
        except IllegalEntryError as error:
            judged = wanted.model_copy(update={"entries": done})
            raise UnjudgeableError(f"entry {number} cannot be judged: {error}", judged, number) from None
    return wanted.model_copy(update={"entries": done})
