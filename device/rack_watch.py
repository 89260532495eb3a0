"""The loop: a frame in, what has come to be known out. Files and cameras are watched by this same loop."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from adjudication.errors import IllegalEntryError
from adjudication.judge import Judge
from adjudication.state import GameState
from calibration.calibration import Calibration
from device.commissioning import LEAST, VenueCheck
from device.opening import rack_end, racked
from device.steadiness import Steadiness
from record.entries import Declaration, Entry, Observation, Override
from record.events import BallContact
from record.names import CUE, PlayerId
from record.rack import RackRecord
from record.ruling import Foul
from record.shot import Shot
from tracking.happenings import Happening, NamesCorrected, Noticed, ShotEnded
from tracking.opening import First
from tracking.watcher import Watcher
from vision.detections import BALL_NAMES, Detections
from vision.eye import Eye
from vision.frame import Frame

SETS: Final[dict[str, tuple[str, ...]]] = {
    "upa-9ball": BALL_NAMES[:10],
    "napa-9ball": BALL_NAMES[:10],
    "upl-8ball": BALL_NAMES,
    "ipl-8ball": BALL_NAMES,
}
"""The balls of each game, cue ball first."""

_LOOKS_BEFORE_TURNING: Final = 1.0


@dataclass(frozen=True)
class Progress:
    """What one frame brought: entries that are new in the record, and what was seen in the frame."""

    entries: tuple[Entry, ...]
    seen: Detections


class RackWatch:
    """Watches one rack: detects, tracks and judges, and keeps the record.

    `make_eye` builds an eye for a calibration; it is called again when the table's ends turn out to be the other way
    round. `record` grows by one entry at a time; with no `judge` (rules that cannot be judged) shots have no ruling.
    A record that has entries is gone on with. `venue` judges each rest; while its score is too low nothing is called.
    `completed` adds to a shot what only the device knows (the time of day,
    frames that were missing), before it is judged.
    """

    def __init__(
        self,
        record: RackRecord,
        calibration: Calibration,
        make_eye: Callable[[Calibration], Eye],
        judge_of: Callable[[RackRecord], Judge] | None,
        completed: Callable[[Shot], Shot] = lambda shot: shot,
        venue: VenueCheck | None = None,
    ) -> None:
        self.record = record
        self._venue = venue
        self._calls = True
        self._completed = completed
        self.calibration = calibration
        self._make_eye = make_eye
        self._judge_of = judge_of
        self._judge: Judge | None = None
        self._foreseen: tuple[int, Foul | None] | None = None
        self._steadiness: Steadiness | None = None
        self.frames = self.blind_frames = 0
        self._begin(calibration)
        if record.entries:
            self._go_on()

    def _go_on(self) -> None:
        """The record was begun before: the game stands where its entries have brought it."""
        if self._judge_of is None:
            return
        self._judge = self._judge_of(self.record)
        for entry in self.record.entries:
            with contextlib.suppress(IllegalEntryError):
                self._judge.add(entry)

    def _begin(self, calibration: Calibration) -> None:
        self.calibration = calibration
        played = [entry.index for entry in self.record.entries if isinstance(entry, Shot)]
        self.eye = self._make_eye(calibration)
        self.watcher = Watcher(calibration.table, SETS.get(self.record.rules, BALL_NAMES), max(played, default=-1) + 1)

    def update(self, frame: Frame) -> Progress:
        """Take in the next frame. While the camera is being moved, nothing of what it shows is believed."""
        seen = self.eye.look(frame)
        moved = self._check_camera(frame)
        self.frames += 1
        if self._steady.blind:
            self.blind_frames += 1
            return Progress(moved, seen)
        entries = self._enter(self.watcher.update(seen))
        self._turn_to_the_rack(frame)
        return Progress((*moved, *entries, *self._commission(frame, seen)), seen)

    def _commission(self, frame: Frame, seen: Detections) -> tuple[Entry, ...]:
        """Judge the rest that has just been long enough; say so where it changes whether anything may be called."""
        if self._venue is None:
            return ()
        if not self.at_rest:
            self._venue.stirred()
            return ()
        if self._venue.waiting:
            self._venue.rest(frame, seen, self.watcher.set_check, self.calibration)
        score = self._venue.standing
        calls = score is None or score.value >= LEAST
        if score is None or calls == self._calls:
            return ()
        self._calls = calls
        told = {"score": score.value, "least": LEAST, "parts": score.parts, "calls": calls}
        told |= {} if calls else {"why": score.why}
        said = Observation.model_validate({"t": round(frame.t, 4), "what": "commissioning", **told})
        return (self._append(self._judged(said)),)

    def _check_camera(self, frame: Frame) -> tuple[Entry, ...]:
        if self._steadiness is None:
            self._steadiness = Steadiness(frame, self.calibration)
        moved = self._steadiness.check(frame, self.eye.upset)
        if moved is None:
            return ()
        if moved.calibration is not None:
            self.calibration = moved.calibration
            self.eye = self._make_eye(moved.calibration)
        found = None if moved.calibration is None else moved.calibration.id
        seen = {"shift": round(moved.shift, 2), "unit": "px", "calibration": found}
        return (self._append(Observation.model_validate({"t": round(moved.t, 4), "what": "camera_moved", **seen})),)

    @property
    def _steady(self) -> Steadiness:
        assert self._steadiness is not None
        return self._steadiness

    def finish(self) -> tuple[Entry, ...]:
        """The source has ended."""
        return self._enter(self.watcher.finish())

    def declare(self, said: Declaration | Override) -> Entry:
        """Take in what a person says or rules.

        Raises:
            IllegalEntryError: the league does not take it now.
        """
        return self._append(self._judged(said))

    def note(self, t: float, what: str, **facts: Any) -> Entry:
        """Keep something that the device noticed between shots, or about itself."""
        return self._append(Observation.model_validate({"t": round(t, 4), "what": what, **facts}))

    @property
    def watching_only(self) -> str | None:
        """Why nothing is called by itself now; None where it is."""
        score = None if self._venue is None or self._calls else self._venue.standing
        return None if score is None else score.why

    @property
    def at_rest(self) -> bool:
        """No shot is running and no ball is known to move."""
        return not self.watcher.shot_running and not any(ball.moving for ball in self.watcher.balls)

    @property
    def game(self) -> GameState:
        """The game as it stands; before the first shot, as it will begin."""
        return self._judge.state if self._judge is not None else Judge.of(self.record).state

    @property
    def over(self) -> bool:
        """The rack has been decided."""
        return self._judge is not None and self._judge.state.phase == "over"

    @property
    def winner(self) -> PlayerId | None:
        return None if self._judge is None else self._judge.state.winner

    def foreseen(self) -> Foul | None:
        """A bad hit of the running shot, where its first contact is known before the balls lie still.

        Provisional: the shot's own ruling has the last word.
        """
        hit, running = self.watcher.first_hit, self.watcher.next_index
        if hit is None or not self._calls or self._judge is None or self._judge.state.phase == "over":
            return None
        if self._foreseen is None or self._foreseen[0] != running:
            self._foreseen = running, self._bad_hit(hit, self._judge)
        return self._foreseen[1]

    def _bad_hit(self, hit: First, judge: Judge) -> Foul | None:
        """What the rules say of a shot of which nothing but its first contact is known."""
        lying = {ball.name: ball.at for ball in self.watcher.balls}
        shot = Shot(
            index=self.watcher.next_index,
            player=judge.state.turn,
            t_strike=hit.t,
            t_rest=hit.t,
            layout_before=lying,
            layout_after=lying,
            events=[BallContact(t=hit.t, t_sigma=hit.sigma, confidence=hit.chance, balls=(CUE, hit.ball))],
        )
        ruling = judge.league.judge_shot(judge.state, shot, ()).ruling
        return next((foul for foul in ruling.fouls if foul.code == "bad_hit"), None) if ruling is not None else None

    @property
    def awaits_a_rack(self) -> bool:
        """A ruling has ordered the balls to be racked again, or may do so by a player's choice."""
        if self._judge is None:
            return False
        state = self._judge.state
        return state.cue_ball == "rack" or any("break" in option or "rerack" in option for option in state.options)

    def _turn_to_the_rack(self, frame: Frame) -> None:
        """Before anything has happened, a rack tells which end is the foot."""
        quiet = not self.record.entries and not self.watcher.shot_running and frame.t >= _LOOKS_BEFORE_TURNING
        if not quiet or self.calibration.head_end_source != "assumed":
            return
        end = rack_end(self.calibration.table, [ball.at for ball in self.watcher.balls if ball.name != CUE])
        if end == "head":
            self._begin(self.calibration.turned("rack"))
            self._steadiness = None

    def _enter(self, happened: list[Happening]) -> tuple[Entry, ...]:
        return tuple(entry for one in happened for entry in self._entries(one))

    def _entries(self, happening: Happening) -> list[Entry]:
        match happening:
            case ShotEnded(shot):
                return [self._append(self._judged(self._owned(shot)))]
            case Noticed(observation):
                return [self._append(observation)]
            case NamesCorrected(t, renamed) if any(not was.startswith("?") for was, _ in renamed):
                pairs = [list(pair) for pair in renamed]
                seen = {"t": t, "what": "names_corrected", "renamed": pairs}
                return [self._append(Observation.model_validate(seen))]
        return []

    def _owned(self, shot: Shot) -> Shot:
        """The shot with its player and the calibration it was seen through."""
        if self._judge is None and self._judge_of is not None:
            opening = "break" if racked(self.calibration.table, shot.layout_before) else "in_play"
            options = {"opening": opening, **self.record.rules_options}
            self.record = self.record.model_copy(update={"rules_options": options})
            with_shot = self.record.model_copy(update={"entries": [*self.record.entries, shot]})
            self._judge = self._judge_of(with_shot)
            for earlier in self.record.entries:
                if isinstance(earlier, Observation) and earlier.what == "commissioning":
                    self._judge.add(earlier)
        player: PlayerId = self._judge.state.turn if self._judge is not None else self.record.breaker
        return self._completed(shot.model_copy(update={"player": player, "calibration": self.calibration.id}))

    def _judged(self, entry: Entry) -> Entry:
        """The entry with its ruling; after the rack is over, shots are kept without one."""
        if self._judge is None:
            return entry
        try:
            return self._judge.add(entry).entry
        except IllegalEntryError as error:
            if isinstance(entry, Shot):
                return entry.model_copy(update={"notes": [*entry.notes, f"not judged: {error}"]})
            raise

    def _append(self, entry: Entry) -> Entry:
        self.record = self.record.model_copy(update={"entries": [*self.record.entries, entry]})
        return entry
