"""What people may say now: the declarations that a league knows and the moment allows, as the console offers them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, get_args

from adjudication import declared
from adjudication.errors import IllegalEntryError
from adjudication.rulebook import RuleBook
from adjudication.state import GameState, other
from adjudication.words import FOUL_WORDS
from record.entries import Declaration
from record.names import FoulCode, PlayerId


@dataclass(frozen=True)
class Sayable:
    """One button. `fields` are fixed parts of the declaration; `asks` are those that the person must still give."""

    what: str
    label: str
    fields: dict[str, Any] = field(default_factory=dict)
    asks: tuple[str, ...] = ()


_BY_HAND: Final = frozenset(
    {
        "touched_cue_ball",
        "touched_moving_ball",
        "touched_ball",
        "double_hit",
        "push_shot",
        "jump_shot",
        "jump_miscue",
        "foot_off_floor",
        "placement_touch",
        "interference",
        "marking",
        "equipment",
        "time_violation",
        "coaching",
        "left_area",
        "deliberate",
        "sportsmanship",
    }
)
"""Fouls that a person reports."""


def sayable(book: RuleBook, state: GameState) -> list[Sayable]:
    """The buttons for this moment, the most likely first."""
    if state.phase == "over":
        return []
    found = _choices(state) + _before_the_stroke(book, state) + _warnings(book, state)
    found += [button for player in ("A", "B") for button in _of_player(book, state, _id(player))]
    if "replay" in book.declarations and "replay" in book.clauses and state.before is not None:
        found.append(Sayable("replay", "Play the last shot again", {"by": "referee"}))
    if "stalemate" in book.declarations:
        found.append(Sayable("stalemate", "Stalemate: play the rack again", {"by": "referee"}))
    return [button for button in found if _accepted(book, state, button)]


def _id(player: str) -> PlayerId:
    return "A" if player == "A" else "B"


def _choices(state: GameState) -> list[Sayable]:
    """The open choice of who must choose."""
    return [
        Sayable("choice", f"{state.turn}: {option.replace('_', ' ')}", {"by": state.turn, "option": option})
        for option in state.options
    ]


def _before_the_stroke(book: RuleBook, state: GameState) -> list[Sayable]:
    turn, found = state.turn, []
    if state.options:
        return []
    if "push_out" in book.declarations and state.phase == "after_break" and not state.pushing:
        found.append(Sayable("push_out", f"{turn}: push-out", {"by": turn}))
    if state.phase != "break" and "intended_group" in book.declarations and state.groups is None:
        for group in ("solids", "stripes"):
            found.append(Sayable("intended_group", f"{turn}: plays {group}", {"by": turn, "group": group}))
    if state.phase != "break" and "eight_wrong_pocket" in book.clauses:
        found.append(Sayable("call", f"{turn}: call ball and pocket", {"by": turn}, ("ball", "pocket")))
    return found


def _warnings(book: RuleBook, state: GameState) -> list[Sayable]:
    """Warnings that some penalty waits for."""
    found = []
    for player, count in sorted(state.fouls_in_row.items()):
        if count == 2 and "third" in book.clauses and player not in state.warned:
            text = f"Warn {player}: stands on two fouls"
            found.append(Sayable("warning", text, {"by": "referee", "about": "three_fouls", "player": player}))
    if "time_violation" in book.clauses and not state.clock:
        text = f"Warn {state.turn}: slow play"
        found.append(Sayable("warning", text, {"by": "referee", "about": "slow_play", "player": state.turn}))
    return found


def _of_player(book: RuleBook, state: GameState, player: PlayerId) -> list[Sayable]:
    found = []
    for what, label in (("timeout", "time-out"), ("extension", "extension")):
        if book.declarations.get(what, declared.noted) is not declared.noted and player == state.turn:
            found.append(Sayable(what, f"{player}: {label}", {"by": player}))
    for code in (code for code in get_args(FoulCode) if code in _BY_HAND and code in book.clauses):
        told = FOUL_WORDS.get(code, code.replace("_", " "))
        fields = {"by": "referee", "code": code, "player": player}
        found.append(Sayable("foul", f"{player}: {told}", fields))
    if player == other(state.turn):
        found.append(Sayable("protest", f"{player}: protest, wait", {"by": player}))
    if "conceded" in book.clauses:
        found.append(Sayable("concede", f"{player}: concedes the rack", {"by": player}))
    return found


def _accepted(book: RuleBook, state: GameState, button: Sayable) -> bool:
    """The league takes this declaration now (what it still asks for left open)."""
    try:
        book.judge_declaration(state, Declaration.model_validate({"t": 0.0, "what": button.what, **button.fields}))
    except IllegalEntryError:
        return False
    return True
