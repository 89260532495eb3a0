"""Frames come with their own times; damage is told; what is no video is refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from device.source import SourceError, VideoFile, empty_look, read_picture
from tests.device.clips import grey, write_video


def test_frames_carry_their_own_times_at_a_variable_rate(tmp_path: Path) -> None:
    times = [0.0, 0.02, 0.1, 0.11, 0.5, 0.9]
    path = write_video(tmp_path / "vfr.mp4", [(t, grey(40 * k)) for k, t in enumerate(times)])
    frames = list(VideoFile(path))
    assert [frame.t for frame in frames] == pytest.approx(times, abs=1e-4)
    assert [frame.index for frame in frames] == list(range(6))
    assert frames[4].pixels.mean() == pytest.approx(160, abs=6)


def test_the_first_frame_is_time_zero(tmp_path: Path) -> None:
    path = write_video(tmp_path / "late.mp4", [(3.0 + 0.1 * k, grey(100)) for k in range(4)])
    assert next(iter(VideoFile(path))).t == 0.0


def test_a_cut_file_gives_the_frames_before_the_cut_and_says_so(demo_clip: Path, tmp_path: Path) -> None:
    """A file whose index comes first can be read up to where it is cut."""
    whole = tmp_path / "whole.mp4"
    with av.open(str(demo_clip)) as source, av.open(str(whole), "w", options={"movflags": "faststart"}) as copy:
        stream = copy.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(source.streams.video[0]):
            if packet.dts is not None:
                packet.stream = stream
                copy.mux(packet)
    data = whole.read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(data[: len(data) // 2])
    every, part = VideoFile(whole), VideoFile(cut)
    count, seen = len(list(every)), len(list(part))
    assert every.damage is None
    assert 0.2 * count < seen < 0.8 * count
    assert part.damage is not None
    assert "\n" not in part.damage


@pytest.mark.parametrize("content", [b"", b"not a video", b"\x00" * 5000, b"\x00\x00\x00\x18ftypmp42" + b"\x00" * 400])
def test_what_is_no_video_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        list(VideoFile(path))
    assert "\n" not in str(caught.value)
    assert "clip.mp4" in str(caught.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(SourceError, match="no such file"):
        VideoFile(Path("nowhere.mp4"))


def test_a_picture_that_is_none_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"no picture"):
        path = tmp_path / "table.png"
        path.write_bytes(content)
        with pytest.raises(SourceError, match="not a picture"):
            read_picture(path)


def test_the_empty_look_has_no_passers_by(tmp_path: Path) -> None:
    def frame(k: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        picture = grey(90)
        picture[:, 20 * k : 20 * k + 30] = 250
        return picture

    path = write_video(tmp_path / "walk.mp4", [(0.9 * k, frame(k)) for k in range(12)])
    assert np.abs(empty_look(path).pixels.astype(int) - 90).max() < 20
