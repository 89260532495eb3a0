"""UPA 9-ball: what people say between shots."""

from __future__ import annotations

from typing import Final

from adjudication import declared
from adjudication.declared import Handler
from adjudication.rulebook import RuleBook
from adjudication.state import GameState, other
from adjudication.verdict import Verdict, Weighed, ruled
from adjudication.words import FOUL_WORDS
from record.entries import Declaration
from record.names import Option, PlayerId
from record.ruling import Foul


def _warning(book: RuleBook, state: GameState, declaration: Declaration) -> Verdict:
    del book
    player = declaration.player
    topic = "interference" if declaration.about in ("interference", "sharking") else declaration.about
    if topic in ("ball_tapping", "interference") and player is not None:
        return Verdict(None, state.but(cautioned=state.cautioned | {(player, topic)}))
    if declaration.about in ("shot_clock", "slow_play"):
        return Verdict(None, state.but(clock=True))
    if declaration.about == "three_fouls" and player is not None and state.fouls_in_row.get(player, 0) == 2:
        return Verdict(None, state.but(warned=state.warned | {player}))
    return Verdict(None, state)


def between_shots(book: RuleBook, state: GameState, declaration: Declaration, player: PlayerId) -> Verdict:
    """A foul reported between shots: by who is at the table, or the opponent."""
    code = book.code_of(declaration)
    if code == "touched_ball":
        return _touched_ball(book, state, declaration, player)
    if code == "sportsmanship":
        return _ball_tapping(book, state, player)
    if code == "interference" and (player, code) not in state.cautioned:
        return _first_interference(book, state, player)
    foul = Foul(code=code, clause=book.clause(code), player=player)
    if code == "coaching" and (player, "coaching") in state.cautioned:
        return book.lost(state, player, [foul], "a second offence of coaching")
    if code == "coaching":
        state = state.but(cautioned=state.cautioned | {(player, "coaching")})
    weighed = Weighed(fouls=[foul], why=FOUL_WORDS.get(code, code.replace("_", " ")))
    if state.fouls_in_row.get(player, 0) >= 2 and player in state.warned:
        third = Foul(code="three_fouls", clause=book.clause("third"), player=player)
        return book.lost(state.fouled(player), player, [foul, third], "third foul in a row after a warning")
    return book.foul_verdict(state, player, weighed)


def _touched_ball(book: RuleBook, state: GameState, declaration: Declaration, player: PlayerId) -> Verdict:
    """A still object ball was moved by accident (UPA 7.1c): no foul unless it fell into a pocket (UPA 7.5)."""
    opponent, ball = other(player), declaration.ball
    if not (declaration.model_extra or {}).get("pocketed"):
        after = state.but(turn=opponent, options=("restore", "leave"))
        weighed = Weighed(restore=() if ball is None else (ball,))
        text = f"a still ball was moved by accident: no foul, {opponent} may have it restored or left"
        return ruled(weighed, "legal", after, (book.clause("touched_ball"),), text)
    nine: tuple[Option, ...] = ("restore_nine", "spot_nine") if ball == "9" else ()
    gone = state.balls - {ball} if ball is not None and ball != "9" else state.balls
    after = state.fouled(player).but(
        turn=opponent, cue_ball="in_hand", options=nine, balls=gone, phase="play", pushing=False
    )
    foul = Foul(code="touched_ball", clause="UPA 7.1c" if nine else "UPA 7.5", player=player)
    text = f"foul, a ball was knocked into a pocket by accident: ball in hand for {opponent}"
    return ruled(Weighed(fouls=[foul]), "foul", after, (), text)


def _first_interference(book: RuleBook, state: GameState, player: PlayerId) -> Verdict:
    """Interference is a foul only after an official warning (UPA 7.12): the first report is that warning."""
    after = state.but(cautioned=state.cautioned | {(player, "interference")})
    text = f"{player} is warned for interference: no foul, the next one is"
    return ruled(Weighed(), "legal", after, (book.clause("interference"),), text)


def _ball_tapping(book: RuleBook, state: GameState, player: PlayerId) -> Verdict:
    """Tapping balls in loses the rack after a warning; before one it is only noted (UPA 8.5)."""
    if (player, "ball_tapping") not in state.cautioned:
        return Verdict(None, state)
    foul = Foul(code="sportsmanship", clause="UPA 8.5", player=player)
    return book.lost(state, player, [foul], "balls tapped after a warning")


DECLARATIONS: Final[dict[str, Handler]] = {
    **declared.SHARED,
    "push_out": declared.push_out,
    "warning": _warning,
    "timeout": declared.timeouts(1),
}
