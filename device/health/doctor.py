"""The checks of `headstring doctor`: each a pure function from what was read to what is said and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from device.cameras.camera import CameraFacts
from device.health.board import throttling


class State(Enum):
    """`UNKNOWN`: it could not be told here, which is no fault."""

    WELL = "well"
    WATCH = "watch"
    ILL = "ill"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Finding:
    """One check's result: its name, how it is, what was found, and what to do about it."""

    name: str
    state: State
    found: str
    advice: str = ""


_SLOW: Final = 0.9
_BLUR: Final = 0.004
_FAST: Final = 8.0
_SHARP, _SOFT = 6.0, 4.0
_DARK, _BRIGHT, _BURNT = 40.0, 200.0, 0.05
_BANDS: Final = 0.015
_DISK, _DISK_LOW = 2_000_000_000, 300_000_000
_HOT, _WARM = 80.0, 70.0
_SHM: Final = 64_000_000
_NETWORK: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "ceph", "glusterfs"})


def check_camera(problem: str | None, facts: CameraFacts | None) -> Finding:
    if problem is not None or facts is None:
        return Finding(
            "camera", State.ILL, problem or "it gives nothing", "see to this first: nothing works without it"
        )
    size = "?" if facts.size is None else f"{facts.size[0]}×{facts.size[1]}"
    return Finding("camera", State.WELL, f"{facts.name}, {size}, {facts.layout}")


def check_rate(facts: CameraFacts) -> Finding:
    if facts.rate is None:
        return Finding("rate", State.UNKNOWN, "too few frames to tell")
    said = f"{facts.rate:.1f} frames/s by their own times"
    if facts.nominal_rate is None:
        good = facts.rate >= 25
        return Finding(
            "rate",
            State.WELL if good else State.WATCH,
            said,
            "" if good else "30 frames/s decide more contacts",
        )
    said += f", {facts.nominal_rate:g} asked for"
    if facts.rate >= _SLOW * facts.nominal_rate:
        return Finding("rate", State.WELL, said)
    return Finding("rate", State.ILL, said, "in dim light automatic exposure halves the rate: fix camera.exposure_us")


def check_exposure(facts: CameraFacts) -> Finding:
    if facts.exposure_us is None:
        return Finding(
            "exposure",
            State.UNKNOWN,
            "this camera does not tell",
            "lock exposure and white balance in its settings",
        )
    blur = facts.exposure_us * 1e-6 * _FAST
    said = f"{facts.exposure_us:.0f} µs: a ball at {_FAST:g} m/s smears by {1e3 * blur:.1f} mm"
    if facts.locked is False:
        return Finding(
            "exposure", State.ILL, f"{said}; the lock did not take", "set camera.exposure_us and camera.gain"
        )
    if blur > 3 * _BLUR:
        return Finding("exposure", State.WATCH, said, "more light and a shorter exposure: 500 µs smears by 4 mm")
    return Finding("exposure", State.WELL, said)


def check_focus(sharpness: float) -> Finding:
    said = f"sharpness {sharpness:.1f} (10 is crisp, 3 is out of focus)"
    if sharpness >= _SHARP:
        return Finding("focus", State.WELL, said)
    advice = "turn the lens until the diamonds are crisp, then fix it; wipe the glass"
    return Finding("focus", State.WATCH if sharpness >= _SOFT else State.ILL, said, advice)


def check_light(level: float, burnt: float, lux: float | None) -> Finding:
    said = f"table at grey level {level:.0f} of 255, {100 * burnt:.1f} % burnt out"
    if lux is not None:
        said += f", about {lux:.0f} lux"
    if level < _DARK:
        return Finding("light", State.ILL, said, "more light over the table: 500 lux or more (WPA asks for 520)")
    if burnt > _BURNT or level > _BRIGHT:
        return Finding("light", State.WATCH, said, "less gain or a shorter exposure; keep lamps out of the picture")
    return Finding("light", State.WELL, said)


def check_flicker(depth: float, rolling: bool) -> Finding:
    if depth < _BANDS:
        return Finding("flicker", State.WELL, f"bands of {100 * depth:.1f} %")
    advice = (
        "set camera.mains to 50 or 60, expose for a multiple of 10 ms (8.3 ms at 60 Hz), or take flicker-free lamps"
    )
    if not rolling:
        advice = "take flicker-free lamps"
    return Finding("flicker", State.WATCH, f"bands of {100 * depth:.1f} % across the picture", advice)


def check_calibration(problem: str | None, shift: float | None, name: str | None) -> Finding:
    if problem is not None:
        return Finding(
            "calibration", State.ILL, problem, "have the whole table in the picture, or calibrate with --corners"
        )
    if shift is not None and shift > 2.0:
        said = f"{name}: the picture has shifted by {shift:.1f} pixels since"
        return Finding("calibration", State.ILL, said, "fix the mount and calibrate again")
    return Finding("calibration", State.WELL, f"{name}" + ("" if shift is None else f", {shift:.1f} pixels off"))


def check_models(exit_code: int, said: str) -> Finding:
    """`exit_code` of a child process that loads both networks and runs them once; negative: killed by a signal."""
    if exit_code == 0:
        return Finding("models", State.WELL, said)
    if exit_code == -4:
        return Finding(
            "models",
            State.ILL,
            "ONNX Runtime uses instructions that this processor lacks",
            "install another version: pip install 'onnxruntime==1.20.*'",
        )
    return Finding("models", State.ILL, said or f"loading them ended with {exit_code}", "reinstall headstring")


def check_disk(free: int | None, writable: bool, file_system: str | None, folder: str) -> Finding:
    if not writable:
        return Finding(
            "disk", State.ILL, f"{folder} cannot be written", "give it to the service's user; is the card read-only?"
        )
    if file_system in _NETWORK:
        return Finding(
            "disk", State.ILL, f"{folder} lies on a network file system ({file_system})", "keep records on a local disk"
        )
    if free is None:
        return Finding("disk", State.UNKNOWN, "its free space cannot be read")
    said = f"{free / 1e9:.1f} GB free in {folder}"
    if free < _DISK_LOW:
        return Finding("disk", State.ILL, said, "make room: records need a few MB an evening, clips some GB")
    return Finding("disk", State.WATCH if free < _DISK else State.WELL, said, "" if free >= _DISK else "make room")


def check_clock(synchronised: bool | None) -> Finding:
    if synchronised is None:
        return Finding("clock", State.UNKNOWN, "the kernel does not say")
    if synchronised:
        return Finding("clock", State.WELL, "set by a time source")
    return Finding(
        "clock",
        State.WATCH,
        "not set by a time source",
        "records may bear a wrong date: timedatectl set-ntp true",
    )


def check_temperature(degrees: float | None) -> Finding:
    if degrees is None:
        return Finding("temperature", State.UNKNOWN, "this board does not tell")
    said = f"{degrees:.0f} °C"
    if degrees >= _HOT:
        return Finding("temperature", State.ILL, said, "give it a fan or a heat sink, and air")
    return Finding("temperature", State.WATCH if degrees >= _WARM else State.WELL, said)


def check_power(value: int | None) -> Finding:
    """The firmware's word, such as 0x50005."""
    if value is None:
        return Finding("power", State.UNKNOWN, "no Raspberry Pi")
    now, before = throttling(value)
    advice = "use the board's own power supply and a short cable"
    if now:
        return Finding("power", State.ILL, f"0x{value:x}: {', '.join(now)}", advice)
    if before:
        return Finding("power", State.WATCH, f"0x{value:x}: since the start {', '.join(before)}", advice)
    return Finding("power", State.WELL, "steady since the start")


def check_permissions(groups: frozenset[str], wanted: frozenset[str], root: bool) -> Finding:
    missing = sorted(wanted - groups)
    if root or not missing:
        return Finding(
            "permissions", State.WELL, "root" if root else "in " + (", ".join(sorted(wanted)) or "no groups")
        )
    return Finding(
        "permissions",
        State.ILL,
        f"the user is not in {', '.join(missing)}",
        f"sudo usermod -aG {','.join(missing)} $USER, then log in again",
    )


def check_shared_memory(size: int | None) -> Finding:
    if size is None:
        return Finding("shared memory", State.UNKNOWN, "there is no /dev/shm")
    said = f"{size / 1e6:.0f} MB in /dev/shm"
    if size >= _SHM:
        return Finding("shared memory", State.WELL, said)
    return Finding("shared memory", State.WATCH, said, "start the container with --shm-size=128m")
