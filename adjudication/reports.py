"""Fouls that people report: which belong to a stroke, and which come too late."""

from __future__ import annotations

from typing import Final

from adjudication.state import GameState
from adjudication.verdict import next_of
from record.entries import Declaration
from record.names import PlayerId
from record.ruling import Ruling
from record.shot import Shot

BETWEEN_SHOTS: Final = frozenset({"sportsmanship", "coaching", "interference", "placement_touch", "left_area"})
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


def is_late(declaration: Declaration, last: Shot, shooter: PlayerId) -> bool:
    """A stroke's foul reported after the next stroke: that of another shot, or of the player who shot before."""
    of_shot = (declaration.model_extra or {}).get("of_shot", last.index)
    if of_shot != last.index:
        return True
    return declaration.code in _OF_A_STROKE and declaration.player != shooter


def late_note(state: GameState, clause: str) -> Ruling:
    """The protest window is closed: a note for the audit, no foul."""
    return Ruling(
        call="rack_over" if state.phase == "over" else "legal",
        winner=state.winner,
        groups=state.groups,
        clauses=[clause],
        next=next_of(state),
        explanation="Reported after the next stroke: the shot stands, the report is kept for the audit.",
    )
