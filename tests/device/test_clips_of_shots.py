"""Clips: bounded in memory, whole on the disk or not there, and evicted so that disputed ones stay."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import av
import numpy as np
import pytest

from device.clips.budget import DAY, Budget, Kept, room_for_more, to_evict
from device.clips.recorder import ClipRecorder, Shelf
from device.clips.ring import Ring, Still
from device.clips.writing import ClipError, remove_unfinished, write_clip
from device.files import OutputError
from vision.frame import Frame


def _frame(value: int = 90, width: int = 320, height: int = 180) -> np.ndarray:
    picture = np.full((height, width, 3), 60 + value % 100, np.uint8)
    picture[40:80, 40 + value % 100 : 80 + value % 100] = (20, 200, 240)
    return picture


def _ring(seconds: float = 10.0, most: int = 10_000_000) -> Ring:
    ring = Ring(seconds, most)
    for k in range(120):
        ring.add(100.0 + k / 30, _frame(k))
    return ring


def test_the_ring_keeps_the_last_seconds_only() -> None:
    ring = _ring(seconds=2.0)
    held = ring.cut(0.0, 1000.0)
    assert held[-1].t - held[0].t <= 2.0
    assert len(held) == pytest.approx(60, abs=2)


def test_the_ring_never_holds_more_bytes_than_it_may() -> None:
    ring = _ring(most=50_000)
    assert 0 < ring.size <= 50_000
    assert ring.size == sum(len(still.jpeg) for still in ring.cut(0.0, 1000.0))


def test_a_frame_that_is_not_newer_is_left_out() -> None:
    ring = _ring()
    ring.add(100.0, _frame())
    assert [still.t for still in ring.cut(0.0, 1000.0)] == sorted(100.0 + k / 30 for k in range(120))


def test_large_frames_are_made_smaller() -> None:
    ring = Ring(1.0, 10_000_000)
    ring.add(0.0, _frame(width=2000, height=1000))
    last = ring.last()
    assert last is not None
    assert len(last.jpeg) < 100_000


def test_a_clip_keeps_each_frames_own_time(tmp_path: Path) -> None:
    times = [0.0, 0.1, 0.15, 0.4, 1.0]
    ring = Ring(10.0, 10_000_000)
    for k, t in enumerate(times):
        ring.add(5.0 + t, _frame(10 * k))
    path = tmp_path / "shot.mp4"
    size = write_clip(path, ring.cut(5.0, 6.0))
    assert path.stat().st_size == size
    with av.open(str(path)) as clip:
        video = clip.streams.video[0]
        assert (video.codec_context.name, video.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert [round(float(frame.time or 0), 3) for frame in clip.decode(video=0)] == times
    assert list(tmp_path.iterdir()) == [path]


def test_what_must_not_be_shown_is_masked(tmp_path: Path) -> None:
    def masked(pixels: np.ndarray) -> np.ndarray:
        pixels = pixels.copy()
        pixels[:60] = 0
        return pixels

    path = tmp_path / "shot.mp4"
    write_clip(path, _ring().cut(100.0, 101.0), masked)
    with av.open(str(path)) as clip:
        picture = next(iter(clip.decode(video=0))).to_ndarray(format="bgr24")
    assert picture[:50].mean() < 8 < picture[100:].mean()


def test_a_picture_larger_than_the_ring_may_be_is_not_held() -> None:
    ring = Ring(10.0, 100)
    ring.add(0.0, _frame())
    assert (ring.size, ring.last()) == (0, None)


def test_a_clip_goes_on_when_the_cameras_size_changes(tmp_path: Path) -> None:
    """The camera was lost and came back in another mode, in the middle of a shot."""
    ring = Ring(10.0, 10_000_000)
    for k in range(6):
        ring.add(k / 10, _frame(k) if k < 3 else _frame(k, 640, 480))
    write_clip(tmp_path / "shot.mp4", ring.cut(0.0, 1.0))
    with av.open(str(tmp_path / "shot.mp4")) as clip:
        assert [(frame.width, frame.height) for frame in clip.decode(video=0)] == [(320, 180)] * 6


def test_a_disk_that_fills_up_in_mid_clip_leaves_nothing_of_it(tmp_path: Path) -> None:
    """The process may not make files larger than a part of the clip."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, hard))
        with pytest.raises(OutputError, match="cannot write the clip"):
            write_clip(tmp_path / "shot.mp4", _ring().cut(100.0, 104.0))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert list(tmp_path.iterdir()) == []


def test_without_frames_there_is_no_clip(tmp_path: Path) -> None:
    with pytest.raises(ClipError):
        write_clip(tmp_path / "shot.mp4", [])


def test_a_clip_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("in the way", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot write the clip"):
        write_clip(place / "shot.mp4", [Still(0.0, _ring().cut(100.0, 100.01)[0].jpeg)])


def test_a_writer_that_is_killed_leaves_no_clip_that_cannot_be_played(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; import numpy as np;"
        "from device.clips.ring import Ring; from device.clips.writing import write_clip;"
        "ring = Ring(100.0, 10**9);"
        "[ring.add(k / 30, np.random.default_rng(k).integers(0, 255, (720, 1280, 3), np.uint8)) for k in range(90)];"
        "print('ready', flush=True); write_clip(Path(sys.argv[1]) / 'shot.mp4', ring.cut(0, 100))"
    )
    writer = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    writer.stdout.readline()
    while not list(tmp_path.iterdir()):
        time.sleep(0.005)
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    assert not (tmp_path / "shot.mp4").exists()
    assert remove_unfinished(tmp_path) == 1
    assert list(tmp_path.iterdir()) == []


NOW = 1_000 * DAY


def _kept(name: str, days: float, flagged: bool = False, size: int = 100) -> Kept:
    return Kept(name, NOW - days * DAY, size, flagged)


@pytest.mark.parametrize(
    ("clips", "free", "gone"),
    [
        ([_kept("a", 13), _kept("b", 15)], 10_000, ["b"]),
        ([_kept("a", 15, flagged=True), _kept("b", 4000, flagged=True)], 10_000, []),
        ([_kept("a", 1), _kept("b", 3), _kept("c", 2)], 850, ["b", "c"]),
        ([_kept("a", 9, flagged=True), _kept("b", 1)], 950, ["b"]),
        ([_kept("a", 9, flagged=True), _kept("b", 1)], 500, ["b"]),
        ([_kept("a", 9, flagged=True), _kept("b", 1), _kept("c", 5, flagged=True)], 50, ["b"]),
        ([_kept("a", -4000), _kept("b", 1)], 950, ["b"]),
        ([], 0, []),
    ],
)
def test_the_oldest_unflagged_go_first_and_flagged_ones_stay_whatever_the_disk_says(
    clips: list[Kept], free: int, gone: list[str]
) -> None:
    budget = Budget(days=14, free_bytes=1000, last_bytes=200)
    assert [clip.file for clip in to_evict(clips, budget, NOW, free)] == gone


def test_flagged_clips_go_by_their_days_only_where_somebody_has_set_them() -> None:
    clips = [_kept("a", 15, flagged=True), _kept("b", 181, flagged=True)]
    assert [clip.file for clip in to_evict(clips, Budget(flagged_days=180, free_bytes=0), NOW, 10)] == ["b"]


def test_on_a_full_disk_no_clip_is_begun() -> None:
    budget = Budget(last_bytes=200)
    assert room_for_more(budget, 200)
    assert not room_for_more(budget, 199)


class _Notes:
    """A shelf in memory, and what was complained of."""

    def __init__(self, free: int = 10**12) -> None:
        self.clips: dict[str, Kept] = {}
        self.complaints: list[str] = []
        self.free = free

    def recorder(self, folder: Path) -> ClipRecorder:
        shelf = Shelf(lambda: list(self.clips.values()), self._add, self._drop)
        ring = Ring(10.0, 10_000_000)
        return ClipRecorder(ring, folder, Budget(), shelf, lambda: NOW, lambda: self.free, self.complaints.append)

    def _add(self, clip: Kept, rack: str, number: int) -> None:
        self.clips[clip.file] = clip

    def _drop(self, file: str) -> None:
        del self.clips[file]


def _fed(recorder: ClipRecorder) -> None:
    """Two hundred frames, a shot in the middle, and the end."""
    recorder.start()
    for k in range(200):
        recorder.take(Frame(k / 30, _frame(k), k))
        time.sleep(0.001)
        if k == 100:
            recorder.cut("rack", 3, 2.5, 3.0, flagged=True)
    recorder.close()


def test_a_shot_becomes_a_clip_from_before_its_stroke_to_after_its_rest(tmp_path: Path) -> None:
    notes = _Notes()
    _fed(notes.recorder(tmp_path))
    assert list(notes.clips) == ["rack-003.mp4"]
    assert notes.clips["rack-003.mp4"].flagged
    with av.open(str(tmp_path / "rack-003.mp4")) as clip:
        length = max(float(frame.time or 0) for frame in clip.decode(video=0))
    assert 2.0 < length <= 3.0
    assert notes.complaints == []


def test_an_end_without_shots_is_an_end(tmp_path: Path) -> None:
    recorder = _Notes().recorder(tmp_path)
    recorder.start()
    recorder.close()
    assert not recorder.running


def test_a_full_disk_stops_clips_says_so_once_and_the_oldest_went_first(tmp_path: Path) -> None:
    notes = _Notes(free=1000)
    (tmp_path / "old.mp4").write_bytes(b"x")
    notes.clips["old.mp4"] = Kept("old.mp4", NOW - DAY, 1, False)
    recorder = notes.recorder(tmp_path)
    recorder.cut("rack", 1, 0.0, 0.5, flagged=False)
    _fed(recorder)
    assert len(notes.complaints) == 1
    assert "rulings and records go on" in notes.complaints[0]
    assert list(tmp_path.iterdir()) == []
