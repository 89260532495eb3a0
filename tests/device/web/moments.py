"""A table without a camera: shots come from the test, all else (judging, window, moments) is the real thing."""

from __future__ import annotations

import threading
from dataclasses import asdict
from typing import Any

import cv2
import numpy as np

from adjudication.judge import Judge
from adjudication.leagues import BOOKS
from adjudication.possible import sayable
from calibration.calibration import calibrate_on_corners
from calibration.table import Table as Size
from device.live.moments import ball_on, last_ruling
from device.live.window import NewRack, Window
from device.overlaid import lay_of
from record.entries import Declaration, Entry
from record.rack import Player, RackRecord
from record.shot import Shot
from tests.adjudication.racks import layout, rack, shot

CAMERA = calibrate_on_corners(
    [(140.0, 110.0), (140.0, 610.0), (1140.0, 610.0), (1140.0, 110.0)], Size(2.54, 1.27), (1280, 720)
)
PICTURE = cv2.imencode(".jpg", np.full((720, 1280, 3), (150, 110, 40), dtype=np.uint8))[1].tobytes()


class Table:
    """Plays a rack through a window, in a thread as the watch does."""

    def __init__(self, window: Window, league: str = "upa-9ball") -> None:
        self.window = window
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._begin(league, ("Ann", "Bob"))
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _begin(self, league: str, names: tuple[str, str]) -> None:
        people = [Player(id="A", name=names[0]), Player(id="B", name=names[1])]
        self.record: RackRecord = rack(league).model_copy(update={"rack_id": "live", "players": people})
        self.judge = Judge.of(self.record)
        self._index = 0
        self.watching_only: str | None = None

    def open(self) -> None:
        self.window.opened(lambda: PICTURE)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join(5)
        self.window.close()

    def play(self, line: str) -> None:
        """A shot by whoever is at the table."""
        with self._lock:
            cue = (-0.8, 0.05) if self._index == 0 else (-0.3, 0.11)
            self._add(shot(self._index, self.judge.state.turn, line, layout(cue=cue)))
            self._index += 1

    def say(self, value: dict[str, Any]) -> Entry:
        """Something said as the console says it; the entry with its ruling."""
        entry = self.window.say(Declaration.model_validate(value)).result(5)
        assert entry is not None
        return entry

    def _add(self, entry: Entry) -> Entry:
        judged = self.judge.add(entry).entry
        self.record = self.record.model_copy(update={"entries": [*self.record.entries, judged]})
        return judged

    def _run(self) -> None:
        while not self._stop.wait(0.05):
            for said, future in self.window.asked():
                try:
                    if isinstance(said, NewRack):
                        self._begin(said.league, said.players)
                        future.set_result(None)
                    else:
                        with self._lock:
                            future.set_result(self._add(said))
                except Exception as error:
                    future.set_exception(error)
            with self._lock:
                self.window.show(self._moment())

    def _moment(self) -> dict[str, Any]:
        state, book = self.judge.state, BOOKS[self.record.rules]
        places = layout(("cue", *sorted(state.balls, key=int)))
        table = self.record.table
        return {
            "t": 1.0,
            "rack": self.record.rack_id,
            "league": self.record.rules,
            "league_title": book.title,
            "table": table.model_dump(),
            "players": {player.id: player.name for player in self.record.players},
            "balls": [{"name": name, "x": x, "y": y, "moving": False} for name, (x, y) in places.items()],
            "moving": False,
            "turn": state.turn,
            "winner": state.winner,
            "options": list(state.options),
            "cue_ball": state.cue_ball,
            "ball_on": ball_on(self.record, state),
            "groups": state.groups,
            "fouls_in_row": state.fouls_in_row,
            "clock": None,
            "ruling": last_ruling(self.record),
            "lay": next(
                (asdict(lay_of(CAMERA, e)) for e in reversed(self.record.entries) if isinstance(e, Shot)), None
            ),
            "sayable": [asdict(one) for one in sayable(self.judge.league, state)],
            "watching_only": self.watching_only,
            "health": {"faults": [], "dropped": 0, "behind_ms": 12},
        }
