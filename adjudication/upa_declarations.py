"""UPA 9-ball: what people say between shots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from adjudication.league import IllegalEntryError
from adjudication.state import GameState, other
from adjudication.verdict import Verdict, sentence
from record.entries import Declaration
from record.names import FoulCode, Option, PlayerId
from record.ruling import Foul, Next, Ruling

PERSON_CLAUSES: Final[dict[FoulCode, str]] = {
    "touched_cue_ball": "UPA 7.1a",
    "touched_moving_ball": "UPA 7.1b",
    "foot_off_floor": "UPA 7.6",
    "jump_miscue": "UPA 7.7",
    "jump_shot": "UPA 7.7",
    "balls_moving": "UPA 7.8",
    "double_hit": "UPA 7.9",
    "push_shot": "UPA 7.9",
    "head_string": "UPA 7.10",
    "placement_touch": "UPA 7.11",
    "interference": "UPA 7.12",
    "marking": "UPA 7.13",
    "equipment": "UPA 7.15",
    "coaching": "UPA 8.6",
    "sportsmanship": "UPA 8.5",
    "touched_ball": "UPA 7.1c",
    "time_violation": "UPA 9.2",
    "scratch": "UPA 7.2",
    "cue_off_table": "UPA 7.2",
    "bad_hit": "UPA 7.3",
    "no_contact": "UPA 7.3",
    "no_rail": "UPA 7.4",
    "ball_off_table": "UPA 7.5",
}


FOUL_WORDS: Final[dict[FoulCode, str]] = {
    "bad_hit": "a wrong ball was hit first",
    "no_contact": "no ball was hit",
    "no_rail": "no ball reached a rail after the contact",
    "scratch": "the cue ball was pocketed",
    "cue_off_table": "the cue ball left the table",
    "ball_off_table": "a ball left the table",
    "head_string": "the cue ball was in front of the head string on the break",
    "balls_moving": "a ball was still moving at the stroke",
    "foot_off_floor": "no foot on the floor",
}


def next_of(state: GameState) -> Next:
    if state.phase == "over":
        return Next(player=None, cue_ball=None)
    return Next(player=state.turn, cue_ball=state.cue_ball, options=list(state.options))


def settle_open_choice(state: GameState, shooter: PlayerId) -> GameState:
    """A stroke settles an open choice by who plays it."""
    if not state.options:
        return state
    option: Option = state.options[0] if shooter == state.turn else state.options[1]
    return _chosen(state, option)


def _chosen(state: GameState, option: Option) -> GameState:
    passed_on = option in ("pass_back", "make_opponent_break")
    turn = other(state.turn) if passed_on else state.turn
    if option in ("restore", "leave", "restore_nine", "spot_nine"):
        turn = state.turn if option in ("restore_nine", "spot_nine") else other(state.turn)
    return replace(state, turn=turn, options=(), pusher=None)


def _choice(state: GameState, declaration: Declaration) -> Verdict:
    option = next((o for o in state.options if o == declaration.option), None)
    if option is None:
        open_now = ", ".join(state.options) or "none"
        raise IllegalEntryError(f"the choice {declaration.option!r} is not open now (open: {open_now})")
    if declaration.by not in (state.turn, "referee"):
        raise IllegalEntryError(f"the choice is {state.turn}'s, not {declaration.by}'s")
    after = _chosen(state, option)
    ruling = Ruling(
        call="legal",
        clauses=[_choice_clause(state, option)],
        next=next_of(after),
        explanation=f"{state.turn} chose to {option.replace('_', ' ')}: {after.turn} plays.",
    )
    return Verdict(ruling, after)


def _choice_clause(state: GameState, option: Option) -> str:
    if option in ("restore", "leave", "restore_nine", "spot_nine"):
        return "UPA 7.1c"
    return "UPA 3.0" if state.phase == "break" else "UPA 5.0"


def _push_out(state: GameState, declaration: Declaration) -> Verdict:
    if state.phase != "after_break":
        raise IllegalEntryError("a push-out can be declared only for the shot right after a legal break")
    if declaration.by not in (state.turn, "referee"):
        raise IllegalEntryError(f"only {state.turn}, who plays next, may declare a push-out")
    return Verdict(None, replace(state, pushing=True))


def _warning(state: GameState, declaration: Declaration) -> Verdict:
    if declaration.about == "ball_tapping" and declaration.player is not None:
        return Verdict(None, replace(state, cautioned=state.cautioned | {(declaration.player, "ball_tapping")}))
    if declaration.about in ("shot_clock", "slow_play"):
        return Verdict(None, replace(state, clock=True))
    player = declaration.player
    if declaration.about == "three_fouls" and player is not None and state.fouls_in_row.get(player, 0) == 2:
        return Verdict(None, replace(state, warned=state.warned | {player}))
    return Verdict(None, state)


def _reported_foul(state: GameState, declaration: Declaration) -> Verdict:
    """A foul reported between shots that is not on the last shot: by who is at the table, or the opponent."""
    player = declaration.player
    code = code_of(declaration)
    if player is None:
        raise IllegalEntryError("a reported foul must say by which player")
    if code == "touched_ball":
        return _touched_ball(state, declaration, player)
    if code == "sportsmanship":
        return _ball_tapping(state, player)
    if code == "coaching" and (player, "coaching") in state.cautioned:
        return _lost(state, player, Foul(code=code, clause="UPA 8.6", player=player), "a second offence of coaching")
    opponent = other(player)
    if code == "coaching":
        state = replace(state, cautioned=state.cautioned | {(player, "coaching")})
    after = replace(state.fouled(player), turn=opponent, cue_ball="in_hand", options=(), phase="play", pushing=False)
    third = after.fouls_in_row[player] >= 3 and player in state.warned
    foul = Foul(code=code, clause=PERSON_CLAUSES[code], player=player)
    fouls = [foul]
    if third:
        fouls.append(Foul(code="three_fouls", clause="UPA 8.2", player=player))
        after = replace(after, phase="over", winner=opponent)
    ruling = Ruling(
        call="rack_over" if third else "foul",
        fouls=fouls,
        clauses=sorted({one.clause for one in fouls}),
        winner=after.winner,
        next=next_of(after),
        explanation=sentence(f"foul, {FOUL_WORDS.get(code, code.replace('_', ' '))}: ball in hand for {opponent}"),
    )
    return Verdict(ruling, after)


def _touched_ball(state: GameState, declaration: Declaration, player: PlayerId) -> Verdict:
    """A still object ball was moved by accident (UPA 7.1c): no foul unless it fell into a pocket (UPA 7.5)."""
    opponent, ball = other(player), declaration.ball
    fell = bool((declaration.model_extra or {}).get("pocketed"))
    if not fell:
        options: tuple[Option, ...] = ("restore", "leave")
        after = replace(state, turn=opponent, options=options)
        ruling = Ruling(
            call="legal",
            clauses=["UPA 7.1c"],
            restore=[] if ball is None else [ball],
            next=next_of(after),
            explanation=f"A still ball was moved by accident: no foul, {opponent} may have it restored or left.",
        )
        return Verdict(ruling, after)
    nine: tuple[Option, ...] = ("restore_nine", "spot_nine") if ball == "9" else ()
    gone = state.balls - {ball} if ball is not None and ball != "9" else state.balls
    after = replace(
        state.fouled(player), turn=opponent, cue_ball="in_hand", options=nine, balls=gone, phase="play", pushing=False
    )
    clause = "UPA 7.1c" if nine else "UPA 7.5"
    ruling = Ruling(
        call="foul",
        fouls=[Foul(code="touched_ball", clause=clause, player=player)],
        clauses=[clause],
        next=next_of(after),
        explanation=f"Foul, a ball was knocked into a pocket by accident: ball in hand for {opponent}.",
    )
    return Verdict(ruling, after)


def _ball_tapping(state: GameState, player: PlayerId) -> Verdict:
    """Tapping balls in loses the rack after a warning; before one it is only noted (UPA 8.5)."""
    if (player, "ball_tapping") not in state.cautioned:
        return Verdict(None, state)
    return _lost(
        state, player, Foul(code="sportsmanship", clause="UPA 8.5", player=player), "balls tapped after a warning"
    )


def _lost(state: GameState, player: PlayerId, foul: Foul, why: str) -> Verdict:
    after = replace(state, phase="over", winner=other(player), options=())
    ruling = Ruling(
        call="rack_over",
        fouls=[foul],
        clauses=[foul.clause],
        winner=other(player),
        next=next_of(after),
        explanation=sentence(f"{why}: {player} loses the rack"),
    )
    return Verdict(ruling, after)


def code_of(declaration: Declaration) -> FoulCode:
    found = next((code for code in PERSON_CLAUSES if code == declaration.code), None)
    if found is None:
        raise IllegalEntryError(f"UPA 9-ball knows no reported foul {declaration.code!r}")
    return found


def _concede(state: GameState, declaration: Declaration) -> Verdict:
    player = declaration.player or (declaration.by if declaration.by != "referee" else None)
    if player is None:
        raise IllegalEntryError("a concession must say by which player")
    clause = "UPA 8.4" if declaration.about == "match" else "UPA 8.3"
    what = "the match" if declaration.about == "match" else "the rack"
    return _lost(state, player, Foul(code="conceded", clause=clause, player=player), f"{player} concedes {what}")


def _noted(state: GameState, declaration: Declaration) -> Verdict:
    del declaration
    return Verdict(None, state)


DECLARATIONS: Final[dict[str, Callable[[GameState, Declaration], Verdict]]] = {
    "push_out": _push_out,
    "choice": _choice,
    "warning": _warning,
    "foul": _reported_foul,
    "concede": _concede,
    "protest": _noted,
    "timeout": _noted,
    "extension": _noted,
    "place_cue_ball": _noted,
    "call": _noted,
    "replay": _noted,
}
