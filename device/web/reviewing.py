"""A shot as a referee sees it: the ruling, its reasons, the alternatives, the facts that may be corrected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjudication.errors import IllegalEntryError
from adjudication.explaining import Explanation, explain
from adjudication.judge import Judge
from device.store.rows import final_ruling, said_of
from record.entries import Declaration, Entry, Override
from record.events import BallContact
from record.names import CUE, PlayerId
from record.rack import RackRecord
from record.ruling import Next, Ruling
from record.shot import Shot


class NoSuchShotError(LookupError):
    """The rack has no shot of that number."""


@dataclass(frozen=True)
class Choice:
    """One tap for a referee: a ruling to set, or a fact to correct."""

    label: str
    ruling: Ruling | None = None
    fact: dict[str, Any] | None = None


@dataclass(frozen=True)
class Reviewed:
    """All that the page of a shot shows."""

    shot: Shot
    machine: Ruling | None
    last_word: Ruling | None
    said: list[Entry]
    explanation: Explanation | None
    rulings: list[Choice]
    facts: list[Choice]


def review(record: RackRecord, number: int) -> Reviewed:
    """A shot with everything said of it.

    Raises:
        NoSuchShotError: there is no such shot.
    """
    position = next((k for k, e in enumerate(record.entries) if isinstance(e, Shot) and e.index == number), None)
    if position is None:
        raise NoSuchShotError(f"there is no shot {number} in this rack")
    shot = record.entries[position]
    assert isinstance(shot, Shot)
    said = said_of(record.entries, position)
    machine = final_ruling(shot, said)
    overrides = [entry for entry in said if isinstance(entry, Override)]
    try:
        told = explain(record, number)
    except IllegalEntryError:
        told = None
    return Reviewed(
        shot,
        machine,
        overrides[-1].ruling if overrides else machine,
        said,
        told,
        _rulings(record, position, machine),
        _facts(shot),
    )


def _rulings(record: RackRecord, position: int, machine: Ruling | None) -> list[Choice]:
    """What a referee may rule with one tap: what the machine holds possible, a fair shot, and each foul it knows."""
    shot = record.entries[position]
    assert isinstance(shot, Shot)
    judge = _judge_before(record, position)
    if judge is None or machine is None:
        return []
    found = [] if not machine.fouls else [Choice("No foul", fair(shot, judge.state.turn))]
    for alternative in machine.alternatives:
        code = alternative.get("foul")
        if code is not None:
            ruling = _with_foul(record, position, code)
            if ruling is not None:
                found.append(Choice(f"Foul: {code.replace('_', ' ')}", ruling))
    return found


def _judge_before(record: RackRecord, position: int) -> Judge | None:
    """A judge at the moment of a shot; None where the record cannot be judged up to it."""
    judge = Judge.of(record)
    try:
        for entry in record.entries[:position]:
            judge.add(entry)
    except IllegalEntryError:
        return None
    return judge


def _with_foul(record: RackRecord, position: int, code: str) -> Ruling | None:
    """The ruling that stands when a foul is confirmed."""
    judge = _judge_before(record, position)
    shot = record.entries[position]
    if judge is None or not isinstance(shot, Shot):
        return None
    said = {"t": shot.t_rest, "by": "referee", "what": "foul", "code": code, "player": shot.player or judge.state.turn}
    try:
        judge.add(shot)
        entry = judge.add(Declaration.model_validate(said)).entry
    except IllegalEntryError:
        return None
    return entry.ruling if isinstance(entry, Declaration) else None


def ruled_with_foul(record: RackRecord, number: int, code: str) -> Ruling | None:
    """The ruling of a shot with a foul that a referee calls; None where the league does not know it."""
    position = next((k for k, e in enumerate(record.entries) if isinstance(e, Shot) and e.index == number), None)
    return None if position is None else _with_foul(record, position, code)


def fair(shot: Shot, turn: PlayerId) -> Ruling:
    """A shot called fair: who pocketed a ball goes on."""
    player = shot.player or turn
    potted = any(e.type == "pocketed" and e.ball != CUE and e.ball not in shot.layout_after for e in shot.events)
    other: PlayerId = "B" if player == "A" else "A"
    following = Next(player=player if potted else other, cue_ball="in_position")
    return Ruling(call="legal", next=following, explanation=f"Ruled fair: {following.player} plays.")


def _facts(shot: Shot) -> list[Choice]:
    """The facts that may be told otherwise, with the likely answers."""
    contacts = [e for e in shot.events if isinstance(e, BallContact) and CUE in e.balls]
    balls = list(dict.fromkeys(ball for e in contacts for ball in e.balls if ball != CUE))[:3]
    found = [Choice(f"First ball: the {ball}", fact={"about": "first_contact", "ball": ball}) for ball in balls]
    if len(balls) > 1:
        found.append(Choice("First ball: cannot tell", fact={"about": "first_contact", "ball": "undecided"}))
    found.append(Choice("First ball: none", fact={"about": "first_contact", "ball": "none"}))
    found.append(Choice("No ball reached a rail after the contact", fact={"about": "no_rail"}))
    for event in shot.events:
        if event.type == "pocketed" and event.ball not in shot.layout_after:
            name = "cue ball" if event.ball == CUE else event.ball
            found.append(Choice(f"The {name} was not pocketed", fact={"about": "not_pocketed", "ball": event.ball}))
    for kind, about, words in (
        ("double_hit", "no_double_hit", "No double hit"),
        ("touched", "no_touch", "No ball was touched"),
        ("jump", "no_jump", "No ball was jumped"),
    ):
        if any(event.type == kind for event in shot.events):
            found.append(Choice(words, fact={"about": about}))
    return found
