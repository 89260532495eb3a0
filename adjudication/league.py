"""What a league is to the judge, and the errors that a record can make."""

from __future__ import annotations

from typing import ClassVar, Protocol

from adjudication.state import GameState
from adjudication.verdict import Verdict
from record.entries import Declaration, Observation
from record.lag import Lag
from record.rack import RackRecord
from record.shot import Shot


class IllegalEntryError(ValueError):
    """An entry that cannot be judged: out of order, contradictory, or unknown to the league."""


class League(Protocol):
    """One set of rules. `judge_shot` and `judge_declaration` are pure."""

    name: ClassVar[str]
    title: ClassVar[str]
    balls: ClassVar[frozenset[str]]

    @property
    def late_clause(self) -> str:
        """The clause that closes the window for protests."""

    def opening(self, record: RackRecord) -> GameState:
        """The game before the record's first entry."""

    def judge_shot(self, state: GameState, shot: Shot, called: tuple[Declaration, ...]) -> Verdict:
        """Judge a shot. `called` are fouls that people reported on it before the next stroke."""

    def judge_declaration(self, state: GameState, declaration: Declaration) -> Verdict:
        """Take in what a person says between shots."""

    def observe(self, state: GameState, observation: Observation) -> Verdict:
        """Take in what was seen between shots."""

    def judge_lag(self, state: GameState, lag: Lag) -> Verdict:
        """Say who has won the lag."""
