"""The whole loop over the built-in clip: the same rulings as from the file, in the record and as alerts, whatever
happens to clock, disk and speed on the way."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from calibration.calibration import calibrate as find_table
from calibration.calibration import to_json
from calibration.table import table_named
from device.alerts.alert import Kind
from device.alerts.dispatch import Dispatcher
from device.cameras.reopening import ReopeningCamera
from device.health.pulse import Pulse
from device.health.systemd import Notifier
from device.live.config import Config
from device.live.counters import Counters, Progress
from device.live.loop import Live, Surroundings
from device.rack_watch import RackWatch
from record.document import from_json
from record.entries import Observation
from record.rack import RackRecord
from record.shot import Shot
from tests.device.alerts.values import Recorded
from vision.frame import Frame


@dataclass
class Run:
    """What a run left behind."""

    folder: Path
    counters: Counters
    alerts: Recorded
    said: list[str] = field(default_factory=list)

    @property
    def records(self) -> list[RackRecord]:
        return [from_json(path.read_text(encoding="utf-8")) for path in sorted((self.folder / "racks").glob("*.json"))]

    @property
    def shots(self) -> list[Shot]:
        return [entry for record in self.records for entry in record.entries if isinstance(entry, Shot)]

    @property
    def calls(self) -> list[str]:
        return [shot.ruling.call for shot in self.shots if shot.ruling is not None]


@pytest.fixture(scope="module")
def calibration(demo_look: Frame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("calibration") / "demo.json"
    path.write_text(to_json(find_table(demo_look.pixels, table_named("9ft"), "left")), encoding="utf-8")
    return path


def live_over(
    clip: Path,
    calibration: Path | None,
    folder: Path,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    **more: Any,
) -> tuple[Live, Run]:
    run = Run(folder, Counters(), Recorded())
    config = Config.model_validate(
        {
            "camera": {"kind": "file", "path": clip, "speed": "fast"},
            "table": {"size": "9ft", "head_end": "left", "calibration": calibration},
            "data": {"folder": folder},
            **more,
        }
    )
    around = Surroundings(time.monotonic, time.sleep, now, lambda: "abc123", run.said.append)
    dispatcher = Dispatcher([run.alerts], time.monotonic)
    return Live(config, around, dispatcher, run.counters, Progress()), run


@pytest.fixture(scope="module")
def played(demo_clip: Path, calibration: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The clip run once, its wall clock jumping by ten years forth and back."""
    ticks = iter(range(10_000))

    def jumping() -> datetime:
        return datetime(2026, 12, 1, tzinfo=UTC) + timedelta(days=3650 * (-1) ** next(ticks))

    live, run = live_over(demo_clip, calibration, tmp_path_factory.mktemp("live"), jumping)
    live.run()
    return run


def test_live_gives_the_rulings_that_the_file_gives(played: Run) -> None:
    assert played.calls == ["legal", "foul"]
    foul = played.shots[1].ruling
    assert foul is not None
    assert foul.fouls[0].code == "bad_hit"
    assert played.counters.frames_dropped == 0
    assert played.counters.shots == 2
    assert played.said == []


def test_a_jumping_wall_clock_moves_no_time_of_the_record(played: Run) -> None:
    (record,) = played.records
    times = [shot.t_strike for shot in played.shots]
    assert times == pytest.approx([1.47, 5.46], abs=0.02)
    assert all(shot.wall_time is not None for shot in played.shots)
    assert record.provenance is not None
    assert record.provenance["calibration"]["head_end_source"] == "told"


def test_the_foul_is_told_while_balls_roll_and_again_when_it_is_final(played: Run) -> None:
    early, final = played.alerts.got
    assert (early.kind, early.shot, early.call) == (Kind.PROVISIONAL, 1, "bad_hit_seen")
    assert (final.kind, final.shot, final.fouls) == (Kind.FINAL, 1, ("bad_hit",))
    assert final.rack == played.records[0].rack_id
    contact = next(e for e in played.shots[1].events if e.type == "ball_contact")
    assert 0.0 < early.t - contact.t < 0.25
    assert early.t < played.shots[1].t_rest


def test_the_record_keeps_when_the_foul_was_known(played: Run) -> None:
    told = [e for e in played.records[0].entries if isinstance(e, Observation) and e.what == "bad_hit_seen"]
    assert [(e.ball, (e.model_extra or {})["shot"]) for e in told] == [(told[0].ball, 1)]


def test_without_a_calibration_the_table_is_found_and_known_at_the_next_start(demo_clip: Path, tmp_path: Path) -> None:
    live, run = live_over(demo_clip, None, tmp_path)
    live.run()
    assert json.loads((tmp_path / "calibration.json").read_text(encoding="utf-8"))["method"] == "found"
    assert (tmp_path / "calibration.png").exists()
    again, second = live_over(demo_clip, None, tmp_path)
    again.run()
    assert second.counters.frames_looked_at > run.counters.frames_looked_at + 30
    assert second.shots[-1].ruling is not None


def test_a_slow_machine_loses_frames_says_so_and_never_guesses(
    demo_clip: Path, calibration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two looks at the first shot eight frames are lost, as from a queue that ran over."""
    live, run = live_over(demo_clip, calibration, tmp_path)
    take, lost = live._queue.get, {56, 57, 58, 59, 60, 61, 62, 63}

    def leaky(timeout: float) -> Any:
        taken = take(timeout)
        while taken is not None and taken.frame.index in lost:
            taken = take(timeout)
        return taken

    monkeypatch.setattr(live._queue, "get", leaky)
    live.run()
    assert run.shots[0].notes[-1].startswith("8 frames are missing during this shot")
    told = [entry for entry in run.records[0].entries if isinstance(entry, Observation)]
    missing = next(entry for entry in told if entry.what == "frames_missing")
    assert missing.model_extra is not None
    assert (missing.model_extra["frames"], missing.model_extra["why"]) == (8, "slow")
    first = run.shots[0].ruling
    assert first is not None
    assert first.call == "legal" or first.needs_review


def test_a_disk_that_cannot_be_written_stops_no_ruling_and_no_alert(
    demo_clip: Path, calibration: Path, tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    live, run = live_over(demo_clip, calibration, tmp_path / "data")
    live.run()
    assert [alert.fouls for alert in run.alerts.got] == [(), ("bad_hit",)]
    assert run.counters.recording_failures > 0
    assert run.counters.entries_waiting >= 2
    assert any("rulings go on" in text for text in run.said)


def test_a_run_that_was_stopped_in_the_middle_of_a_rack_is_gone_on_with(
    demo_clip: Path, calibration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped after the first shot; the next start takes the rack up, with its game and its time."""
    live, first = live_over(demo_clip, calibration, tmp_path)
    update = RackWatch.update

    def until_the_first_shot(self: RackWatch, frame: Frame) -> Any:
        done = update(self, frame)
        if any(isinstance(entry, Shot) for entry in done.entries):
            live.stop.set()
        return done

    monkeypatch.setattr(RackWatch, "update", until_the_first_shot)
    live.run()
    monkeypatch.undo()
    (journal,) = (tmp_path / "racks").glob("*.journal")
    assert first.records == []
    again, second = live_over(demo_clip, calibration, tmp_path)
    again.run()
    (record,) = second.records
    assert record.rack_id == journal.stem
    assert not journal.exists()
    assert [shot.index for shot in second.shots] == [0, 1, 2]
    times = [shot.t_strike for shot in second.shots]
    assert times == sorted(times)
    told = [entry.what for entry in record.entries if isinstance(entry, Observation)]
    assert "watch_resumed" in told
    assert second.shots[0].ruling is not None
    assert second.shots[0].ruling.call == "legal"


def test_stop_ends_the_run_at_once(demo_clip: Path, calibration: Path, tmp_path: Path) -> None:
    live, run = live_over(demo_clip, calibration, tmp_path)
    live.stop.set()
    begun = time.monotonic()
    live.run()
    assert time.monotonic() - begun < 5
    assert run.shots == []


def test_a_driver_that_hangs_does_not_keep_the_process_from_ending(
    demo_clip: Path, calibration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = threading.Event()
    monkeypatch.setattr(ReopeningCamera, "close", lambda self: never.wait(60))
    live, _ = live_over(demo_clip, calibration, tmp_path)
    live.stop.set()
    begun = time.monotonic()
    live.run()
    assert time.monotonic() - begun < 5
    never.set()


def test_a_loop_that_hangs_does_not_feed_the_watchdog(
    demo_clip: Path, calibration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frames keep coming, but nobody deals with them: the process lives, the watchdog starves."""
    live, run = live_over(demo_clip, calibration, tmp_path)
    pulse = Pulse(Notifier({}), run.counters, live._progress, lambda: time.monotonic() + shift[0])
    shift = [0.0]
    fed: list[bool] = []
    update = RackWatch.update

    def hangs(self: RackWatch, frame: Frame) -> Any:
        if frame.index == 100:
            fed.append(pulse.beat())
            shift[0] = 11.0
            fed.append(pulse.beat())
            live.stop.set()
        return update(self, frame)

    monkeypatch.setattr(RackWatch, "update", hangs)
    live.run()
    assert fed == [True, False]
