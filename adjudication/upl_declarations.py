"""UPL 8-ball: what people say between shots."""

from __future__ import annotations

from typing import Any, Final

from adjudication import declared
from adjudication.declared import Handler, player_of
from adjudication.errors import IllegalEntryError
from adjudication.rulebook import RuleBook
from adjudication.state import GameState, other
from adjudication.verdict import Verdict, Weighed, ruled
from record.entries import Declaration
from record.names import PlayerId
from record.ruling import Foul

_COACHED_UP_TO: Final = 450


def _intended_group(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """The group played for on an open table."""
    if declaration.group not in ("solids", "stripes"):
        raise IllegalEntryError(f"{book.title} knows no group {declaration.group!r}")
    if declaration.by not in (state.turn, "referee"):
        raise IllegalEntryError(f"only {state.turn}, who plays next, may declare a group")
    return Verdict(None, state.but(intended=declaration.group))


def _extension(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """Thirty seconds more, once a rack; asked for again it is denied without a foul (UPL Clock, UPL Coaching)."""
    player = player_of(declaration)
    if (player, "extension") in state.used:
        text = f"{player}'s extension has been used: denied, no foul"
        return ruled(Weighed(), "legal", state, (book.clause("timeout"),), text)
    return Verdict(None, state.but(extended=True, used=(*state.used, (player, "extension"))))


def _timeout(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """Coaching, only for players up to 450 and only in their extension; `caller` is player, coach or other."""
    caller = (declaration.model_extra or {}).get("caller", "player")
    player = player_of(declaration)
    ratings: dict[str, Any] = book.options.get("ratings", {})
    rated = ratings.get(player)
    too_good = rated is not None and float(rated) > _COACHED_UP_TO
    if caller == "player":
        if too_good:
            text = f"{player} is rated above {_COACHED_UP_TO}: no coaching, denied"
            return ruled(Weighed(), "legal", state, (book.clause("timeout"),), text)
        return _extension(book, state, declaration)
    used = (player, "extension") in state.used
    if caller == "coach" and not too_good and not used:
        return _extension(book, state, declaration)
    again = caller == "coach" and used and (player, "coaching") in state.cautioned
    foul = Foul(code="coaching", clause=book.clause("coaching"), player=player)
    if again:
        foul = Foul(code="sportsmanship", clause=book.clause("coaching"), player=player)
        return book.lost(state, player, [foul], "a coach called a second time-out that was used up")
    after = state.but(cautioned=state.cautioned | {(player, "coaching")})
    return book.foul_verdict(after, player, Weighed(fouls=[foul], why="a time-out was called that is not allowed"))


def _warning(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """A first offence of language or conduct is a warning (UPL Sportsmanship)."""
    del book
    if declaration.player is None:
        return Verdict(None, state)
    return Verdict(None, state.but(cautioned=state.cautioned | {(declaration.player, "sportsmanship")}))


def between_shots(book: RuleBook, state: GameState, declaration: Declaration, player: PlayerId) -> Verdict | None:
    """Conduct is warned first and loses the rack the second time; None for other fouls (UPL Sportsmanship)."""
    if declaration.code not in ("sportsmanship", "interference"):
        return None
    code = book.code_of(declaration)
    if (player, "sportsmanship") in state.cautioned or declaration.about in ("cue_thrown", "cue_unscrewed"):
        return book.lost(state, player, [Foul(code=code, clause=book.clause(code), player=player)], "conduct")
    after = state.but(cautioned=state.cautioned | {(player, "sportsmanship")})
    text = f"{player} is warned for conduct; the next offence loses the rack to {other(player)}"
    return ruled(Weighed(), "legal", after, (book.clause(code),), text)


DECLARATIONS: Final[dict[str, Handler]] = {
    **declared.SHARED,
    "intended_group": _intended_group,
    "extension": _extension,
    "timeout": _timeout,
    "warning": _warning,
}
