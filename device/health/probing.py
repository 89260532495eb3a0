"""Reads what the doctor's checks want to know."""

from __future__ import annotations

import grp
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from calibration.calibration import Calibration, CalibrationError, calibrate
from calibration.calibration import read as read_calibration
from calibration.drift import DriftWatch
from calibration.search import TableNotFoundError
from calibration.table import UnknownTableError, table_named
from device.cameras.camera import Camera, CameraError, CameraFacts, SourceEndedError
from device.cameras.settings import AnyCamera, PiCamera, V4l2Camera
from device.health import doctor, picture
from device.health.doctor import Finding
from device.live.config import Config
from device.live.loop import table_area
from device.source import SourceError, median_frame, read_picture
from vision.frame import Frame

_FRAMES: Final = 90
_KEPT: Final = 15
_PATIENCE: Final = 30
_LOAD_MODELS: Final = (
    "import numpy as np; from models.loading import Finder, Namer; f, n = Finder(), Namer();"
    "f(np.zeros((64, 64, 3), np.uint8)); n(np.zeros((1, 40, 40, 3), np.uint8)); print(f.sha256[:12], n.sha256[:12])"
)


@dataclass(frozen=True, eq=False)
class Shown:
    """What the camera gave: some frames spread over the time, and its own word on itself."""

    frames: list[Frame]
    facts: CameraFacts


def watch_briefly(camera: Camera) -> Shown:
    """Open a camera and take a few seconds of it.

    Raises:
        CameraError: it does not open, or gives nothing.
    """
    camera.open()
    kept: list[Frame] = []
    try:
        taken = waited = 0
        while taken < _FRAMES and waited < _PATIENCE:
            frame = camera.next_frame(0.5)
            if frame is None:
                waited += 1
                continue
            taken += 1
            if taken % (_FRAMES // _KEPT) == 0:
                kept.append(frame)
        facts = camera.facts()
    except SourceEndedError:
        facts = camera.facts()
    finally:
        camera.close()
    if not kept:
        raise CameraError("the camera opened, but gives no frames")
    return Shown(kept, facts)


def camera_findings(config: Config, camera: Camera) -> list[Finding]:
    """All that the camera's pictures tell."""
    try:
        shown = watch_briefly(camera)
    except CameraError as error:
        return [doctor.check_camera(str(error), None)]
    facts = shown.facts
    look = median_frame(shown.frames)
    known, finding = calibration_finding(config, look)
    area = table_area(known) if known is not None else (slice(None), slice(None))
    lumas = [raw.luma[area] for raw in shown.frames if raw.size == shown.frames[0].size]
    level, burnt = picture.brightness(lumas[-1])
    lux = None
    if facts.exposure_us:
        lux = picture.lux(level, facts.exposure_us * 1e-6, facts.gain or 1.0)
    return [
        doctor.check_camera(None, facts),
        doctor.check_rate(facts),
        doctor.check_exposure(facts),
        doctor.check_focus(picture.sharpness(look.pixels[:, :, 1][area])),
        doctor.check_light(level, burnt, lux),
        doctor.check_flicker(picture.banding(np.stack(lumas)), _rolling(config.camera)),
        finding,
    ]


def _rolling(camera: AnyCamera) -> bool:
    return not (isinstance(camera, PiCamera) and camera.preset == "imx296")


def calibration_finding(config: Config, look: Frame) -> tuple[Calibration | None, Finding]:
    """The calibration that a run would use, held against what the camera shows now."""
    path = config.table.calibration or config.data.folder / "calibration.json"
    reference = config.data.folder / "calibration.png"
    try:
        if config.table.calibration is None and not path.exists():
            found = calibrate(look.pixels, table_named(config.table.size, config.table.ball), config.table.head_end)
            return found, doctor.check_calibration(None, None, "none yet; the table is found in the picture")
        known = read_calibration(path)
    except (CalibrationError, TableNotFoundError, UnknownTableError) as error:
        return None, doctor.check_calibration(str(error), None, None)
    height, width = look.pixels.shape[:2]
    if known.camera.size != (width, height):
        said = f"{path} is for pictures of another size than the camera's {width}×{height}"
        return None, doctor.check_calibration(said, None, None)
    return known, doctor.check_calibration(None, _shift(reference, known, look), str(path))


def _shift(reference: Path, known: Calibration, look: Frame) -> float | None:
    try:
        then = read_picture(reference)
    except SourceError:
        return None
    if then.pixels.shape != look.pixels.shape:
        return None
    drift = DriftWatch(then.pixels, known.camera, known.table).compare(look.pixels)
    return None if drift is None else drift.shift


def models_finding() -> Finding:
    """Loaded in a child: on some processors the library dies of an illegal instruction."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _LOAD_MODELS], capture_output=True, text=True, timeout=120, check=False
        )
    except subprocess.TimeoutExpired:
        return doctor.check_models(1, "loading them takes longer than two minutes")
    said = done.stdout.strip() or (done.stderr.strip().splitlines() or [""])[-1]
    return doctor.check_models(done.returncode, said)


def disk_finding(folder: Path) -> Finding:
    there = next(part for part in (folder, *folder.parents) if part.exists())
    try:
        with tempfile.TemporaryFile(dir=there) as probe:
            probe.write(b"x")
            probe.flush()
            os.fsync(probe.fileno())
        writable = True
    except OSError:
        writable = False
    try:
        state = os.statvfs(there)
        free: int | None = state.f_bavail * state.f_frsize
    except OSError:
        free = None
    return doctor.check_disk(free, writable, file_system_of(there, Path("/proc/mounts")), str(folder))


def file_system_of(folder: Path, mounts: Path) -> str | None:
    """The type of the file system that a folder lies on."""
    best: tuple[int, str] | None = None
    try:
        lines = mounts.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    for line in lines:
        parts = line.split(" ")
        if len(parts) < 3:
            continue
        point = Path(parts[1].replace("\\040", " "))
        inside = point == folder or point in folder.parents
        if inside and (best is None or len(parts[1]) >= best[0]):
            best = (len(parts[1]), parts[2])
    return None if best is None else best[1]


def permissions_finding(config: Config) -> Finding:
    wanted = set()
    if isinstance(config.camera, PiCamera | V4l2Camera):
        wanted.add("video")
    if config.alerts.gpio is not None:
        wanted.add("gpio")
    mine = {_group(number) for number in (*os.getgroups(), os.getegid())}
    return doctor.check_permissions(frozenset(mine), frozenset(wanted), os.geteuid() == 0)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def shared_memory_finding(folder: Path = Path("/dev/shm")) -> Finding:
    try:
        state = os.statvfs(folder)
    except OSError:
        return doctor.check_shared_memory(None)
    return doctor.check_shared_memory(state.f_blocks * state.f_frsize)
