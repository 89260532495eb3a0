"""The same shot judged twice, as it was and as it was told, by every league that could play it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from adjudication.leagues import BOOKS
from adjudication.rulebook import RuleBook
from adjudication.state import GameState
from calibration.table import Table
from record.rack import Player, RackRecord, TableSize
from record.ruling import Ruling
from record.shot import Shot

SEEN: Final = frozenset(
    {"bad_hit", "no_contact", "no_rail", "scratch", "cue_off_table", "ball_off_table", "eight_early", "eight_off_table"}
)
"""Fouls that a camera can decide."""


@dataclass(frozen=True)
class Judgement:
    """One league's word on a shot: fouls as they are, fouls as told, and whether a person is asked to look."""

    league: str
    fouls: frozenset[str]
    told: frozenset[str]
    review: bool

    @property
    def legal(self) -> bool:
        return not self.fouls

    @property
    def false_foul(self) -> bool:
        return bool(self.told - self.fouls) and not self.review

    @property
    def caught(self) -> bool:
        """A foul was called, or sent to a person."""
        return bool(self.told & self.fouls) or self.review


def judgements(table: Table, true: Shot, told: Shot | None) -> list[Judgement]:
    """Every league's word; those whose set does not hold the balls on the table are left out.

    A shot that was not told is not ruled on, neither right nor wrong.
    """
    found = []
    for league in BOOKS:
        book = _book(league, table)
        balls = frozenset(true.layout_before) - {"cue"}
        if not balls <= book.balls:
            continue
        state = _state(book, balls)
        fouls = _fouls(_ruling(book, state, true))
        if told is None:
            found.append(Judgement(league, fouls, frozenset(), False))
            continue
        ruling = _ruling(book, state, told)
        found.append(Judgement(league, fouls, _fouls(ruling), ruling.needs_review))
    return found


@cache
def _book(league: str, table: Table) -> RuleBook:
    size = TableSize(length=table.length, width=table.width, ball_diameter=table.ball_diameter)
    record = RackRecord(
        rack_id="trial",
        table_id="trial",
        started="2026-01-01T00:00:00.000Z",
        rules=league,
        table=size,
        players=[Player(id="A", name="A"), Player(id="B", name="B")],
        breaker="A",
    )
    return BOOKS[league].of(record)


def _state(book: RuleBook, balls: frozenset[str]) -> GameState:
    """A break where all balls are there, else the middle of a rack; in eight-ball the shooter has the solids."""
    if balls == book.balls:
        return GameState(phase="break", turn="A", balls=balls, cue_ball="rack")
    groups = {"A": "solids", "B": "stripes"} if "15" in book.balls else None
    return GameState(phase="play", turn="A", balls=balls, groups=groups)  # type: ignore[arg-type]


def _fouls(ruling: Ruling) -> frozenset[str]:
    return frozenset(foul.code for foul in ruling.fouls) & SEEN


def _ruling(book: RuleBook, state: GameState, shot: Shot) -> Ruling:
    verdict = book.judge_shot(state, shot, ())
    assert verdict.ruling is not None
    return verdict.ruling
