"""The game before a shot: whose turn it is, what lies on the table, what is open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from record.names import CueBallPlace, Group, Layout, Option, PlayerId

Phase = Literal["break", "after_break", "play", "over"]


@dataclass(frozen=True)
class GameState:
    """State of a rack between entries.

    Attributes:
        phase: `break` before the break, `after_break` on the shot right after a legal one (a push-out may be
            declared), `play`, `over`.
        turn: who plays next; while `options` is not empty, who must choose.
        balls: object balls on the table.
        fouls_in_row: consecutive fouls, by player.
        warned: players warned that they stand on two fouls since their second.
        cautioned: players warned of something (`ball_tapping`), or who have offended once (`coaching`).
        pushing: a push-out has been declared for the coming shot.
        pusher: who pushed out, while the opponent's choice is open.
        clock: a shot clock runs (it follows a warning).
        rested: when the last shot's balls came to rest, seconds.
        protester: who asked the player at the table to wait.
        call: ball and pocket called for the coming shot.
        intended: the group declared for the coming shot on an open table.
        extended: the coming shot's clock has been extended.
        used: time-outs and extensions taken, by player and kind.
        to_spot: balls that must be spotted before the coming shot.
        layout: where the balls lay when the last shot's had come to rest.
        visits: how often the side that is short of a partner has come to the table, missing turns among them.
        before: the game before the last shot, for a replay.
        watching_only: why the machine decides nothing by itself at this table now; None where it may.
    """

    phase: Phase
    turn: PlayerId
    balls: frozenset[str]
    cue_ball: CueBallPlace = "in_position"
    options: tuple[Option, ...] = ()
    fouls_in_row: dict[PlayerId, int] = field(default_factory=dict)
    warned: frozenset[PlayerId] = frozenset()
    pushing: bool = False
    pusher: PlayerId | None = None
    breaker: PlayerId = "A"
    groups: dict[PlayerId, Group] | None = None
    winner: PlayerId | None = None
    cautioned: frozenset[tuple[PlayerId, str]] = frozenset()
    clock: bool = False
    rested: float | None = None
    protester: PlayerId | None = None
    call: tuple[str | None, str | None] | None = None
    intended: str | None = None
    extended: bool = False
    used: tuple[tuple[PlayerId, str], ...] = ()
    to_spot: frozenset[str] = frozenset()
    layout: Layout = field(default_factory=dict)
    visits: int = 0
    before: GameState | None = None
    watching_only: str | None = None

    def but(self, **changes: Any) -> GameState:
        """The same game with some things changed (as `dataclasses.replace`, which is several times slower)."""
        if not changes.keys() <= GameState.__dataclass_fields__.keys():
            raise TypeError(f"a game has no {sorted(changes.keys() - GameState.__dataclass_fields__.keys())}")
        changed = object.__new__(GameState)
        changed.__dict__.update(self.__dict__)
        changed.__dict__.update(changes)
        return changed

    def fouled(self, player: PlayerId) -> GameState:
        count = self.fouls_in_row.get(player, 0) + 1
        return self.but(fouls_in_row={**self.fouls_in_row, player: count})

    def clean(self, player: PlayerId) -> GameState:
        """After a shot of the player without a foul."""
        return self.but(fouls_in_row={**self.fouls_in_row, player: 0}, warned=self.warned - {player})


def other(player: PlayerId) -> PlayerId:
    return "B" if player == "A" else "A"
