"""The clip worker: clips of shots are written and noted; a disk or an index that fails stops clips and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Queue

import numpy as np
import pytest

from device.clips.budget import Budget, Kept
from device.clips.recorder import ClipRecorder, Shelf, ShelfError
from device.clips.ring import Ring
from vision.frame import Frame

NOW = 1_000_000.0
ROOM = 10_000


@dataclass
class World:
    """The disk, the shelf and what was said; each `told` item is a clip that was noted or a complaint."""

    folder: Path
    free: int = ROOM
    fails: bool = False
    clips: dict[str, Kept] = field(default_factory=dict)
    told: Queue[str] = field(default_factory=Queue)
    hold: Callable[[], object] = lambda: None

    def kept(self) -> list[Kept]:
        if self.fails:
            raise ShelfError("the index is locked")
        return list(self.clips.values())

    def add(self, clip: Kept, rack: str, number: int) -> None:
        self.hold()
        self.clips[clip.file] = clip
        self.told.put(f"{rack} {number}")

    def drop(self, file: str) -> None:
        del self.clips[file]

    def next(self) -> str:
        return self.told.get(timeout=30)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "clips")


@pytest.fixture
def recorder(world: World) -> Iterator[ClipRecorder]:
    ring = Ring(60.0, 10_000_000)
    for k in range(100):
        ring.add(k / 10, np.full((90, 160, 3), k, np.uint8))
    budget = Budget(days=1, flagged_days=2, free_bytes=1_000, last_bytes=100)
    shelf = Shelf(world.kept, world.add, world.drop)
    made = ClipRecorder(ring, world.folder, budget, shelf, lambda: NOW, lambda: world.free, world.told.put)
    world.folder.mkdir()
    (world.folder / "left-001.mp4.clip-part").write_bytes(b"of a killed writer")
    made.start()
    yield made
    made.close()


def _names(world: World) -> list[str]:
    return sorted(path.name for path in world.folder.iterdir())


def test_a_shots_clip_is_written_and_noted(world: World, recorder: ClipRecorder) -> None:
    recorder.cut("rack", 3, 4.0, 6.0, flagged=True)
    assert world.next() == "rack 3"
    assert _names(world) == ["rack-003.mp4"]
    clip = world.clips["rack-003.mp4"]
    assert (clip.made, clip.flagged, clip.size) == (NOW, True, (world.folder / clip.file).stat().st_size)


def test_a_full_disk_stops_clips_says_so_once_and_they_go_on_when_there_is_room(
    world: World, recorder: ClipRecorder
) -> None:
    world.free = 50
    for number in range(3):
        recorder.cut("rack", number, 4.0, 6.0, flagged=False)
    assert world.next() == "no clips are written (the disk is nearly full); rulings and records go on"
    recorder.close()
    assert world.told.empty()
    assert _names(world) == []


def test_an_index_that_fails_is_said_and_the_next_clip_is_written(world: World, recorder: ClipRecorder) -> None:
    world.fails = True
    recorder.cut("rack", 0, 4.0, 6.0, flagged=False)
    assert world.next() == "no clips are written (the index is locked); rulings and records go on"
    world.fails = False
    recorder.cut("rack", 1, 4.0, 6.0, flagged=False)
    assert world.next() == "rack 1"


def test_a_clip_that_cannot_be_deleted_is_said_and_stays_noted(world: World, recorder: ClipRecorder) -> None:
    (world.folder / "old-001.mp4").mkdir()
    world.clips["old-001.mp4"] = Kept("old-001.mp4", 0.0, 10, False)
    recorder.cut("rack", 0, 4.0, 6.0, flagged=False)
    assert "no clips are written" in world.next()
    assert "old-001.mp4" in world.clips


def test_old_clips_make_room(world: World, recorder: ClipRecorder) -> None:
    (world.folder / "old-001.mp4").write_bytes(b"x")
    world.clips["old-001.mp4"] = Kept("old-001.mp4", 0.0, 10, False)
    recorder.cut("rack", 0, 4.0, 6.0, flagged=False)
    assert world.next() == "rack 0"
    assert _names(world) == ["rack-000.mp4"]


def test_the_ring_is_filled_while_a_clip_is_written(world: World, recorder: ClipRecorder) -> None:
    """The writer is held up in noting one clip; the next shot's frames come in meanwhile."""
    noting, go_on = threading.Event(), threading.Event()

    def held_up() -> None:
        noting.set()
        go_on.wait(30)

    world.hold = held_up
    recorder.cut("rack", 0, 4.0, 6.0, flagged=False)
    assert noting.wait(30)
    before = recorder.picture()
    for k in range(8):
        recorder.take(Frame(10.0 + k, np.full((90, 160, 3), 200 + k, np.uint8), k))
    while recorder.picture() == before:
        go_on.wait(0.01)
    world.hold = lambda: None
    recorder.cut("rack", 1, 12.0, 14.0, flagged=False)
    go_on.set()
    assert [world.next(), world.next()] == ["rack 0", "rack 1"]


def test_at_the_end_what_was_asked_for_is_still_written(world: World, recorder: ClipRecorder) -> None:
    recorder.cut("rack", 0, 4.0, 60.0, flagged=False)
    recorder.close()
    assert world.next() == "rack 0"


def test_a_shot_whose_frames_are_gone_has_no_clip(world: World, recorder: ClipRecorder) -> None:
    recorder.cut("rack", 0, -60.0, -50.0, flagged=False)
    recorder.cut("rack", 1, 4.0, 6.0, flagged=False)
    assert world.next() == "rack 1"
