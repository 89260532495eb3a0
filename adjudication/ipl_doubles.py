"""IPL doubles: a pair that is one short misses every second turn; there are no time-outs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from adjudication import declared
from adjudication.rulebook import RuleBook
from adjudication.state import GameState, other
from adjudication.verdict import Verdict, next_of, sentence
from record.entries import Declaration
from record.names import PlayerId

_CLAUSE: Final = "IPL Doubles"
_SINGLES: Final = declared.timeouts(2)
_DOUBLES: Final = declared.timeouts(0)


def skipped(verdict: Verdict, shooter: PlayerId, short: str | None) -> Verdict:
    """The missing player's turn is skipped, so the other pair's second player follows on its first.

    A foul before a skipped turn gives ball in hand to the offender's own partner (IPL Doubles). The short side's
    first, third … turn is its only player's; its second, fourth … is the missing one's.
    """
    state, ruling = verdict.state, verdict.ruling
    if short is None or ruling is None or state.turn != short or shooter == short:
        return verdict
    state = state.but(visits=state.visits + 1)
    if state.visits % 2 or state.options or state.phase != "play":
        return replace(verdict, state=state)
    state = state.but(turn=other(state.turn))
    told = f"{ruling.explanation.rstrip('.')}, but {short}'s second player is missing: {state.turn}'s partner plays"
    changed = {"next": next_of(state), "explanation": sentence(told), "clauses": [*ruling.clauses, _CLAUSE]}
    return replace(verdict, state=state, ruling=ruling.model_copy(update=changed))


def timeout(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """Two a game in singles, none in doubles (IPL Time-outs)."""
    handler = _DOUBLES if book.option("doubles") else _SINGLES
    return handler(book, state, declaration)
