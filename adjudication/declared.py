"""What people say between shots, as every league takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudication.errors import IllegalEntryError
from adjudication.rulebook import RuleBook
from adjudication.state import GameState
from adjudication.verdict import Verdict, Weighed, ruled
from record.entries import Declaration
from record.names import PlayerId
from record.ruling import Foul

Handler = Callable[[RuleBook, GameState, Declaration], Verdict]


def player_of(declaration: Declaration) -> PlayerId:
    """Who a declaration is about: the player it names, else the player who made it."""
    if declaration.player is not None:
        return declaration.player
    if declaration.by == "referee":
        raise IllegalEntryError(f"a referee's {declaration.what} must say by which player")
    return declaration.by


def choice(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """A choice that a ruling left open."""
    option = next((o for o in state.options if o == declaration.option), None)
    if option is None:
        open_now = ", ".join(state.options) or "none"
        raise IllegalEntryError(f"the choice {declaration.option!r} is not open now (open: {open_now})")
    if declaration.by not in (state.turn, "referee"):
        raise IllegalEntryError(f"the choice is {state.turn}'s, not {declaration.by}'s")
    after = book.chosen(state, option)
    topic = option if option in book.clauses else ("break" if state.phase == "break" else "push_out")
    text = f"{state.turn} chose to {option.replace('_', ' ')}: {after.turn} plays"
    return ruled(Weighed(), "legal", after, (book.clause(topic),), text)


def push_out(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """A push-out announced; where none is allowed the coming shot stays an ordinary one."""
    if state.phase != "after_break":
        return Verdict(None, state)
    if declaration.by not in (state.turn, "referee"):
        raise IllegalEntryError(f"only {state.turn}, who plays next, may declare a push-out")
    return Verdict(None, state.but(pushing=True))


def reported_foul(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """A foul reported between shots that is no part of the last stroke."""
    if declaration.player is None:
        raise IllegalEntryError("a reported foul must say by which player")
    return book.foul_between_shots(state, declaration, declaration.player)


def concede(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """Giving up the rack, or the match."""
    player = player_of(declaration)
    match = declaration.about == "match" and "conceded_match" in book.clauses
    clause = book.clause("conceded_match" if match else "conceded")
    what = "the match" if declaration.about == "match" else "the rack"
    return book.lost(state, player, [Foul(code="conceded", clause=clause, player=player)], f"{player} concedes {what}")


def noted(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """Something that is kept in the record and changes nothing."""
    del book, declaration
    return Verdict(None, state)


def protest(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """The shooter is asked to wait; `about` = `settled` or `withdrawn` lets play go on."""
    del book
    if declaration.about in ("settled", "withdrawn") or declaration.by == "referee":
        return Verdict(None, state.but(protester=None))
    return Verdict(None, state.but(protester=declaration.by))


def call(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """Ball and pocket for the coming shot."""
    if declaration.by not in (state.turn, "referee"):
        raise IllegalEntryError(f"only {state.turn}, who plays next, may call a shot")
    if declaration.ball is not None and declaration.ball not in book.balls:
        raise IllegalEntryError(f"no ball {declaration.ball!r} is played in {book.title}")
    return Verdict(None, state.but(call=(declaration.ball, declaration.pocket)))


def place_cue_ball(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """Where the cue ball is put, at (`at`: x, y). A place that the rules do not allow is said before the stroke."""
    if declaration.by not in (state.turn, "referee"):
        raise IllegalEntryError(f"only {state.turn}, who plays next, may place the cue ball")
    at = (declaration.model_extra or {}).get("at")
    if at is None:
        return Verdict(None, state)
    wrong = book.wrong_place(state, _place(at))
    if wrong is None:
        return Verdict(None, state)
    return ruled(Weighed(), "legal", state, (book.clause("head_string"),), f"the cue ball must be placed anew: {wrong}")


def _place(value: object) -> tuple[float, float]:
    match value:
        case [int() | float() as x, int() | float() as y]:
            return float(x), float(y)
    raise IllegalEntryError("a cue ball's place must be given as 'at': [x, y], in metres")


def replay(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """The last shot, or with `about` = `game` the rack, is played again."""
    clause = (book.clause("replay"),)
    if declaration.about in ("game", "rack"):
        return stalemate(book, state, declaration)
    if state.before is None:
        raise IllegalEntryError("there is no shot to play again")
    back = state.before.balls - state.balls
    after = state.before.but(used=state.used)
    return ruled(Weighed(restore=tuple(back)), "legal", after, clause, f"the shot is played again by {after.turn}")


def stalemate(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    """The rack is played again from the start."""
    topic = "stalemate" if declaration.what == "stalemate" else "replay"
    after = book.reracked(state.but(fouls_in_row={}, before=None), state.breaker, ())
    return ruled(Weighed(), "legal", after, (book.clause(topic),), f"the rack is played again: {after.turn} breaks")


def timeouts(allowed: int) -> Handler:
    """So many time-outs a player; one more is refused without a foul."""

    def handler(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
        player = player_of(declaration)
        if state.used.count((player, "timeout")) < allowed:
            return Verdict(None, state.but(used=(*state.used, (player, "timeout"))))
        text = f"{player} has no time-out left and plays on without help"
        return ruled(Weighed(), "legal", state, (book.clause("timeout"),), text)

    return handler


SHARED: Final[dict[str, Handler]] = {
    "choice": choice,
    "foul": reported_foul,
    "concede": concede,
    "warning": noted,
    "protest": protest,
    "timeout": noted,
    "extension": noted,
    "place_cue_ball": place_cue_ball,
    "confirm": noted,
    "call": call,
    "replay": replay,
}
