"""Each check says how it is and what to do; the command looks at the real thing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from device.cameras.camera import CameraFacts
from device.health import board, doctor, picture
from device.health.doctor import Finding, State
from device.health.probing import disk_finding, file_system_of, models_finding
from device.terminal import Exit
from tests.device.test_command_line import headstring, refused
from vision.frame import Frame

FACTS = CameraFacts("imx296", (1456, 1088), "YUV420", 60.0, 59.9, 1000.0, 4.0, (1.5, 1.9), True)


def states(*findings: Finding) -> list[State]:
    return [finding.state for finding in findings]


def test_a_rate_below_what_was_asked_for_is_ill() -> None:
    slow = doctor.check_rate(replace(FACTS, rate=30.0))
    assert states(doctor.check_rate(FACTS), slow) == [State.WELL, State.ILL]
    assert "exposure_us" in slow.advice
    assert doctor.check_rate(replace(FACTS, nominal_rate=None, rate=15.0)).state is State.WATCH
    assert doctor.check_rate(replace(FACTS, rate=None)).state is State.UNKNOWN


def test_an_exposure_that_smears_or_does_not_lock() -> None:
    assert doctor.check_exposure(FACTS).state is State.WELL
    assert "8.0 mm" in doctor.check_exposure(FACTS).found
    assert doctor.check_exposure(replace(FACTS, exposure_us=8000.0)).state is State.WATCH
    assert doctor.check_exposure(replace(FACTS, locked=False)).state is State.ILL
    assert doctor.check_exposure(replace(FACTS, exposure_us=None)).state is State.UNKNOWN


def test_a_lens_out_of_focus_is_told_from_a_sharp_one(demo_look: Frame) -> None:
    sharp = np.ascontiguousarray(demo_look.pixels[:, :, 1])
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 2.0), dtype=np.uint8)
    found = [doctor.check_focus(picture.sharpness(one)) for one in (sharp, soft)]
    assert states(*found) == [State.WELL, State.ILL]
    dim = (sharp // 3).astype(np.uint8)
    assert picture.sharpness(dim) == pytest.approx(picture.sharpness(sharp), rel=0.15)


def test_light() -> None:
    assert doctor.check_light(110.0, 0.0, 600.0).state is State.WELL
    assert "520" in doctor.check_light(20.0, 0.0, None).advice
    assert doctor.check_light(120.0, 0.2, None).state is State.WATCH
    bright, dim = picture.lux(118, 0.001, 4.0), picture.lux(118, 0.010, 8.0)
    assert 1000 < bright < 5000
    assert dim == pytest.approx(bright / 20)


def flickering(depth: float, waves: float, noise: float = 2.0) -> npt.NDArray[np.uint8]:
    """Pictures of a table-like scene with bands of a depth that wander from picture to picture."""
    random = np.random.default_rng(3)
    scene = random.uniform(60, 160, (240, 1)) + random.uniform(-20, 20, (240, 320))
    rows = np.arange(240)[:, None] / 240
    stack = [
        scene * (1 + depth * np.sin(2 * np.pi * (waves * rows + k * 0.37))) + random.normal(0, noise, scene.shape)
        for k in range(12)
    ]
    return np.clip(np.stack(stack), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("waves", [2.0, 6.0, 13.5])
def test_bands_of_flickering_lamps_are_measured(waves: float) -> None:
    assert picture.banding(flickering(0.04, waves)) == pytest.approx(0.04, rel=0.3)
    assert doctor.check_flicker(picture.banding(flickering(0.04, waves)), rolling=True).state is State.WATCH


def test_steady_light_has_no_bands() -> None:
    found = doctor.check_flicker(picture.banding(flickering(0.0, 6.0)), rolling=True)
    assert found.state is State.WELL


def test_throttling_is_decoded() -> None:
    now, before = board.throttling(0x50005)
    assert now == ["the supply's voltage is too low", "the processor is throttled"]
    assert before == ["the supply's voltage was too low", "the processor was throttled"]
    found = [doctor.check_power(value) for value in (0x50005, 0x50000, 0, None)]
    assert states(*found) == [State.ILL, State.WATCH, State.WELL, State.UNKNOWN]
    assert "0x50005" in found[0].found


def test_disk(tmp_path: Path) -> None:
    assert doctor.check_disk(50_000_000_000, True, "ext4", "/d").state is State.WELL
    assert doctor.check_disk(1_000_000_000, True, "ext4", "/d").state is State.WATCH
    assert doctor.check_disk(1_000_000, True, "ext4", "/d").state is State.ILL
    assert doctor.check_disk(1, False, "ext4", "/d").found == "/d cannot be written"
    assert "network" in doctor.check_disk(50_000_000_000, True, "cifs", "/d").found
    assert disk_finding(tmp_path / "not" / "there" / "yet").state in (State.WELL, State.WATCH)


def test_the_file_system_under_a_folder(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("/dev/a / ext4 rw 0 0\nnas:/x /data nfs4 rw 0 0\ntmpfs /data/in\\040ram tmpfs rw 0 0\n")
    assert file_system_of(Path("/data/racks"), mounts) == "nfs4"
    assert file_system_of(Path("/data/in ram/x"), mounts) == "tmpfs"
    assert file_system_of(Path("/database"), mounts) == "ext4"


def test_the_models_load_in_a_child_and_an_illegal_instruction_is_named() -> None:
    assert models_finding().state is State.WELL
    assert "this processor lacks" in doctor.check_models(-4, "").found
    assert doctor.check_models(1, "ModelError: damaged").state is State.ILL


def test_clock_temperature_permissions_and_shared_memory() -> None:
    assert states(*(doctor.check_clock(value) for value in (True, False, None))) == [
        State.WELL,
        State.WATCH,
        State.UNKNOWN,
    ]
    assert states(*(doctor.check_temperature(value) for value in (50.0, 75.0, 85.0, None))) == [
        State.WELL,
        State.WATCH,
        State.ILL,
        State.UNKNOWN,
    ]
    missing = doctor.check_permissions(frozenset({"users"}), frozenset({"video", "gpio"}), root=False)
    assert missing.state is State.ILL
    assert "usermod -aG gpio,video" in missing.advice
    assert doctor.check_permissions(frozenset(), frozenset({"video"}), root=True).state is State.WELL
    assert "--shm-size" in doctor.check_shared_memory(8_000_000).advice
    assert doctor.check_calibration(None, 5.0, "cal.json").state is State.ILL


def test_board_facts_are_read_from_made_up_files(tmp_path: Path) -> None:
    zone = tmp_path / "thermal_zone0"
    zone.mkdir()
    (zone / "temp").write_text("61234\n")
    assert board.temperature(tmp_path) == 61.234
    assert board.temperature(tmp_path / "none") is None
    status = tmp_path / "status"
    status.write_text("Name:\tx\nVmRSS:\t  2048 kB\n")
    assert board.resident_bytes(status) == 2048 * 1024


def test_the_command_examines_a_whole_set_up(demo_clip: Path, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    text = '[camera]\nkind = "file"\npath = "{path}"\nspeed = "fast"\n[table]\nhead_end = "left"\n'
    text += '[data]\nfolder = "{data}"\n'
    config.write_text(text.format(path=demo_clip, data=tmp_path / "data"))
    done = headstring("doctor", "--config", config, "--json")
    assert done.returncode == 0, done.stderr
    told = {one["name"]: one["state"] for one in json.loads(done.stdout)["findings"]}
    for name in ("camera", "rate", "focus", "light", "flicker", "calibration", "models", "disk", "permissions"):
        assert told[name] == "well", (name, told)
    config.write_text(text.format(path="/none.mp4", data=tmp_path / "data"))
    refused(Exit.UNFIT, "not fit to watch a table: camera", "doctor", "--config", config)
