"""One shot as it is judged: the game before it, its facts, what fell and what went out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from adjudication.certainty import Finding, Thresholds
from adjudication.facts import ShotFacts
from adjudication.state import GameState
from record.entries import Declaration
from record.events import Pocketed
from record.names import CUE, FoulCode, PlayerId
from record.shot import Shot


@dataclass(frozen=True)
class Falls:
    """What fell: `counted` as the shot's, `back` to its pocket's edge, `silent` down but not counted."""

    counted: tuple[Pocketed, ...]
    back: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Play:
    """A shot with the game before it; choices that were open are settled by who plays.

    `called` are fouls that people reported of it; `assumed` are doubtful fouls to be taken as confirmed.
    """

    state: GameState
    shot: Shot
    shooter: PlayerId
    facts: ShotFacts
    falls: Falls
    called: tuple[Declaration, ...] = ()
    assumed: frozenset[FoulCode] = frozenset()

    @property
    def thresholds(self) -> Thresholds:
        return self.facts.thresholds

    @property
    def on_break(self) -> bool:
        return self.state.phase == "break"

    @cached_property
    def down(self) -> frozenset[str]:
        """Balls that count as pocketed, the cue ball among them."""
        return frozenset(fall.ball for fall in self.falls.counted)

    @cached_property
    def objects_down(self) -> frozenset[str]:
        return self.down - {CUE}

    @cached_property
    def out(self) -> frozenset[str]:
        """Balls that left the table and did not come back."""
        sure = self.thresholds.sure
        return frozenset(e.ball for e in self.facts.off_table if not e.returned and e.sure > 1 - sure)

    @cached_property
    def on_table(self) -> frozenset[str]:
        """Object balls on the table before the stroke, as the game and the layout tell."""
        return self.state.balls | (frozenset(self.shot.layout_before) - {CUE})

    @cached_property
    def first(self) -> str | None:
        """The ball hit first; None where none was."""
        return self.facts.first_contacts[0].ball if self.facts.first_contacts else None

    @property
    def cue_ball_gone(self) -> bool:
        return CUE in self.down | self.out

    def after(self) -> GameState:
        """The game after the shot before anything is ruled: balls gone, declarations for this shot used up."""
        gone = (self.down | self.out | set(self.falls.silent)) - {CUE}
        return self.state.but(
            balls=self.state.balls - gone,
            rested=self.shot.t_rest,
            pushing=False,
            pusher=None,
            options=(),
            protester=None,
            call=None,
            intended=None,
            extended=False,
            to_spot=frozenset(),
            before=self.state.but(before=None),
        )

    def unsure_falls(self) -> list[Finding]:
        """Balls of which it cannot be told whether they fell, or which ball it was."""
        found = []
        for fall in self.falls.counted:
            if fall.ball.startswith("?"):
                found.append(Finding(None, 0.5, "a ball that could not be named was pocketed"))
            elif fall.ball != CUE and fall.sure < self.thresholds.sure:
                found.append(Finding(None, fall.sure, f"it cannot be told whether the {fall.ball} was pocketed"))
        return found
