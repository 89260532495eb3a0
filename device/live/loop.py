"""A table watched until somebody says stop: camera, workers and ways out put together."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from typing import Final

import cv2

from adjudication.errors import IllegalEntryError
from adjudication.judge import Judge
from calibration.calibration import Calibration
from device.alerts.dispatch import Dispatcher
from device.cameras.faults import FaultWatch
from device.cameras.opening import make_camera
from device.cameras.reopening import ReopeningCamera
from device.cameras.settings import FileCamera
from device.commissioning import VenueCheck
from device.files import OutputError
from device.health import memory
from device.live.beside import Beside
from device.live.capture import Capture
from device.live.commissioning import Commissioned, Look, commission, known_already
from device.live.config import Config
from device.live.counters import Counters, Progress
from device.live.detection import Detection, Outcome
from device.live.leftovers import finish, open_journal, take_up
from device.live.losses import Losses
from device.live.pacing import Pacing, Stir
from device.live.queues import Latest
from device.live.racks import Racks, calibration_facts
from device.live.recording import Recorder
from device.live.taken import Taken
from device.live.window import NewRack
from device.rack_watch import RackWatch
from models.loading import networks
from record.journal import JournalError
from record.names import PlayerId
from record.rack import Player, RackRecord, TableSize
from record.shot import Shot
from vision.eye import Eye

_WAIT: Final = 0.2
_SHOW_EVERY: Final = 0.1
_LAST_FRAME: Final = 1.0
_END: Final = 3.5
"""Seconds to give the capture thread, and then all parts together, to end; the service has five."""
_BESIDE: Final = 0.1
"""Metres beyond the nose lines that still belong to the table, where something that stirs matters."""


@dataclass(frozen=True)
class Surroundings:
    """What the loop takes from outside: `clock` monotonic seconds, `now` the wall clock in UTC, `token` a fresh random
    word, `complain` what somebody should read, `clock_set` whether the wall clock is set by a time source."""

    clock: Callable[[], float]
    sleep: Callable[[float], object]
    now: Callable[[], datetime]
    token: Callable[[], str]
    complain: Callable[[str], None]
    clock_set: Callable[[], bool | None] = lambda: None

    def wall(self) -> str:
        return self.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Live:
    """One table's watch. `run` returns when the source has ended or `stop` is set."""

    def __init__(
        self,
        config: Config,
        around: Surroundings,
        dispatcher: Dispatcher,
        counters: Counters,
        progress: Progress,
        beside: Beside | None = None,
    ) -> None:
        self._beside = beside or Beside()
        self._shown = 0.0
        self._config, self._around, self._dispatcher = config, around, dispatcher
        self._counters, self._progress = counters, progress
        self._finder, self._namer = networks(config.live.models)
        self._venue = VenueCheck(self._namer)
        self._queue: Latest[Taken] = Latest(config.live.queue)
        self._losses = Losses()
        self._racks: Racks | None = None
        self.stop = threading.Event()

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Watch.

        Raises:
            CameraError: the camera cannot be opened, or does not come back.
            CalibrationError: the configured calibration does not fit the camera.
        """
        around = self._around
        # Each worker is one thread; OpenCV's own would spin between frames on the cores that the others need.
        cv2.setNumThreads(1)
        memory.hold_little()
        camera = ReopeningCamera(
            lambda: make_camera(self._config.camera, around.clock, around.sleep),
            around.clock,
            around.sleep,
            lambda why: around.complain(f"the camera is lost: {why}"),
        )
        camera.open()
        faults = FaultWatch(camera.facts().nominal_rate)
        capture = self._capture(camera, faults)
        reading = threading.Thread(target=capture.run, name="capture", daemon=True)
        folder, beside = self._config.data.folder, self._beside
        recorder = Recorder(
            lambda header: open_journal(folder, header, around.complain),
            self._finished,
            (JournalError, OutputError),
            self._counters,
            around.complain,
            written=beside.keeping.written if beside.keeping is not None else lambda record: None,
        )
        recorder.start()
        reading.start()
        try:
            known = self._commission(ready)
            if known is not None:
                faults.usual = known.usual
                self._begin_now()
                self._watch(capture, known, recorder)
        finally:
            self.stop.set()
            reading.join(_LAST_FRAME)
            self._end(recorder.close, beside.close, self._dispatcher.close, camera.close)
        if capture.failure is not None:
            raise capture.failure

    def _end(self, *parts: Callable[[], object]) -> None:
        """Close all at once: none that hangs (a driver, a dead disk) may keep the process from ending in time."""
        closing = [threading.Thread(target=part, daemon=True) for part in parts]
        for thread in closing:
            thread.start()
        deadline = self._around.clock() + _END
        for thread in closing:
            thread.join(max(0.0, deadline - self._around.clock()))

    def _begin_now(self) -> None:
        """What waited while the table was being found is no longer news (but a file read at leisure is all watched)."""
        if not self._patient:
            self._queue.clear()
        memory.give_back()

    @property
    def _patient(self) -> bool:
        source = self._config.camera
        return isinstance(source, FileCamera) and source.speed == "fast"

    def _capture(self, camera: ReopeningCamera, faults: FaultWatch) -> Capture:
        around = self._around
        return Capture(
            camera, faults, self._queue, self._counters, self._progress, around.clock, self.stop, self._patient
        )

    def _next(self) -> Taken | None:
        taken = self._queue.get(_WAIT)
        self._counters.queue_length = len(self._queue)
        return taken

    @property
    def _going(self) -> bool:
        return not self.stop.is_set() and not self._queue.closed

    def _commission(self, ready: Callable[[], None]) -> Commissioned | None:
        """Look at the table until it is known where it is; None where the end comes first."""
        config, complain = self._config, self._around.complain
        look, first = Look(), True
        while self._going:
            taken = self._next()
            if taken is None:
                continue
            self._progress.at = self._around.clock()
            if taken.health.blind:
                continue
            if first:
                first = False
                ready()
                known = known_already(taken.frame, config.table, config.data.folder, complain)
                if known is not None:
                    return known
            picture = look.add(taken.frame)
            known = None if picture is None else commission(picture, config.table, config.data.folder, complain)
            if known is not None:
                return known
        return None

    def _watch(self, capture: Capture, known: Commissioned, recorder: Recorder) -> None:
        around, live = self._around, self._config.live
        rules = self._config.rules
        folder = self._config.data.folder
        like = self._make_record(rules.first_breaker, known.calibration)
        unfinished = take_up(folder, around.now(), like, around.complain, self._finished)
        racks = Racks(
            self._make_watch, self._make_record, known.calibration, rules.breaks, rules.first_breaker, unfinished
        )
        self._racks = racks
        pacing = Pacing(Stir(table_area(known.calibration)), live.rest_rate)
        detection = Detection(
            racks,
            pacing,
            self._losses,
            self._counters,
            self._progress,
            around.clock,
            around.wall,
            self._beside.looked_at,
        )
        self._beside.open(known.calibration)
        told = False
        while self._going:
            taken = self._next()
            self._at_the_window(detection)
            if taken is None:
                self._pass_on(detection.spoken(), capture, recorder)
                continue
            if capture.lock_failed and not told:
                told = True
                around.complain("the camera does not hold its exposure: set camera.exposure_us and camera.gain")
                detection.note(taken.frame.t, "exposure_not_held")
            self._pass_on(detection.take(taken), capture, recorder)
        # Told to stop in the middle of a shot, nothing is said of it: a half-seen shot is no ground for a ruling. The
        # rack stays open, and the next start goes on with it.
        if not self.stop.is_set():
            self._pass_on(detection.finish(), capture, recorder)
            self._beside.finish()

    def _at_the_window(self, detection: Detection) -> None:
        """Show the moment a few times a second, and take in what was said."""
        window = self._beside.window
        if window is None:
            return
        for said, future in window.asked():
            try:
                if isinstance(said, NewRack):
                    detection.begin_anew(said)
                    future.set_result(None)
                else:
                    future.set_result(detection.say(said))
            except IllegalEntryError as error:
                future.set_exception(error)
        now = self._around.clock()
        if now - self._shown >= _SHOW_EVERY:
            self._shown = now
            window.show(detection.moment())

    def _finished(self, record: RackRecord) -> None:
        keeping = self._beside.keeping
        if keeping is None:
            finish(self._config.data.folder, record)
        else:
            keeping.finished(record)

    def _pass_on(self, outcome: Outcome, capture: Capture, recorder: Recorder) -> None:
        for alert in outcome.alerts:
            self._dispatcher.send(alert)
        for new in outcome.entries:
            recorder.put(new)
            self._beside.cut(new)
        for record in outcome.ended:
            recorder.end(record)
        if outcome.order is not None:
            capture.ask(outcome.order)

    def _make_watch(self, record: RackRecord, calibration: Calibration) -> RackWatch:
        return RackWatch(
            record,
            calibration,
            lambda known: Eye(known, self._finder, self._namer),
            Judge.of,
            self._completed,
            self._venue,
        )

    def _completed(self, shot: Shot) -> Shot:
        """The shot with the time of day, and with what must be said of frames that were missing during it."""
        began = (self._racks.began if self._racks is not None else None) or 0.0
        remark = self._losses.remark(shot.t_strike + began, shot.t_rest + began)
        notes = shot.notes if remark is None else [*shot.notes, remark]
        return shot.model_copy(update={"wall_time": self._around.wall(), "notes": notes})

    def _make_record(self, breaker: PlayerId, calibration: Calibration) -> RackRecord:
        around, config = self._around, self._config
        table = calibration.table
        return RackRecord(
            rack_id=f"{config.table.name}-{around.now():%Y%m%dT%H%M%S}-{around.token()}",
            table_id=config.table.name,
            started=around.wall(),
            rules=config.rules.league,
            rules_options=dict(config.rules.options),
            table=TableSize(length=table.length, width=table.width, ball_diameter=table.ball_diameter),
            players=[Player(id="A", name=config.players.a), Player(id="B", name=config.players.b)],
            breaker=breaker,
            provenance={
                "software": f"headstring {version('headstring')}",
                "model": {"finder": self._finder.sha256, "namer": self._namer.sha256},
                "rules": version("headstring"),
                "calibration": calibration_facts(calibration),
                "source": {"kind": config.camera.kind, "clock_set": around.clock_set()},
            },
        )


def table_area(calibration: Calibration) -> tuple[slice, slice]:
    """Rows and columns of the picture that hold the table with its rails."""
    table, (width, height) = calibration.table, calibration.camera.size
    x, y = table.length / 2 + _BESIDE, table.width / 2 + _BESIDE
    px = calibration.camera.project_at([(-x, -y), (-x, y), (x, y), (x, -y)], table.nose_height)
    left, top = (int(max(0.0, value)) for value in px.min(axis=0))
    right, bottom = (int(value) + 1 for value in px.max(axis=0))
    return slice(top, min(bottom, height)), slice(left, min(right, width))
