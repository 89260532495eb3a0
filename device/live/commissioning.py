"""Before the watch begins: the calibration, from a file, from the last time, or from what the camera shows now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.calibration import Calibration, CalibrationError, calibrate, read, to_json
from calibration.drift import DriftWatch
from calibration.search import TableNotFoundError
from calibration.table import Table, table_named
from device.cameras.faults import Thumbnail, thumbnail
from device.files import OutputError, write_png, write_text
from device.live.config import TableSettings
from device.size_check import check_ball_size
from device.source import median_frame
from vision.frame import Frame

_SHIFT: Final = 2.0
_AGREEING: Final = 0.45
_LOOK_FOR: Final = 2.0
_PICTURES: Final = 11


@dataclass(frozen=True, eq=False)
class Commissioned:
    """A calibration with the look of the table it holds for, where that is known."""

    calibration: Calibration
    usual: Thumbnail | None


class Look:
    """Gathers the table's typical picture over two seconds, so that people vanish from it."""

    def __init__(self) -> None:
        self._kept: list[Frame] = []

    def add(self, raw: Frame) -> Frame | None:
        """The typical picture, once there is enough to tell."""
        step = _LOOK_FOR / (_PICTURES - 1)
        if not self._kept or raw.t >= self._kept[-1].t + step - 1e-3:
            self._kept.append(raw)
        if len(self._kept) < _PICTURES:
            return None
        kept, self._kept = self._kept, []
        return median_frame(kept)


def from_file(path: Path, size: tuple[int, int]) -> Calibration:
    """The calibration that the configuration names.

    Raises:
        CalibrationError: it cannot be read, or is of pictures of another size.
    """
    known = read(path)
    if known.camera.size != size:
        have, want = "×".join(map(str, known.camera.size)), "×".join(map(str, size))
        raise CalibrationError(f"{path} is for {have} pictures, the camera gives {want}: calibrate on this camera")
    return known


def from_last_time(folder: Path, look: Frame, table: Table) -> Commissioned | None:
    """What was found at an earlier start, if the camera has not moved since and the table is the same."""
    try:
        known = read(folder / "calibration.json")
    except CalibrationError:
        return None
    picture = cv2.imread(str(folder / "calibration.png")) if (folder / "calibration.png").exists() else None
    if picture is None or picture.shape != look.pixels.shape or not _same(known.table, table):
        return None
    reference = np.asarray(picture, dtype=np.uint8)
    drift = DriftWatch(reference, known.camera, known.table).compare(look.pixels)
    if drift is None or drift.agreeing < _AGREEING or drift.shift > _SHIFT:
        return None
    return Commissioned(known, usual(reference))


def _same(one: Table, other: Table) -> bool:
    """The same table, but for the digits that a file leaves out."""
    sides = ((one.length, other.length), (one.width, other.width), (one.ball_diameter, other.ball_diameter))
    return all(abs(a - b) < 1e-4 for a, b in sides)


def usual(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Thumbnail:
    """A picture as the fault watch compares with it."""
    return thumbnail(np.ascontiguousarray(pixels[:, :, 1]))


def known_already(
    look: Frame, settings: TableSettings, folder: Path, complain: Callable[[str], None]
) -> Commissioned | None:
    """The calibration that the configuration names, or that of an earlier start: one picture is enough for these.

    Raises:
        CalibrationError: the configured calibration file is not one for this camera.
    """
    if settings.calibration is not None:
        return _as_told(settings.calibration, look, folder, complain)
    return from_last_time(folder, look, table_named(settings.size, settings.ball))


def commission(
    look: Frame, settings: TableSettings, folder: Path, complain: Callable[[str], None]
) -> Commissioned | None:
    """Find the table in its typical picture; None, with a reason told, where it does not do yet.

    Raises:
        CalibrationError: the table's size is wrong, or its head cannot lie where the configuration says.
    """
    try:
        found = calibrate(look.pixels, table_named(settings.size, settings.ball), settings.head_end)
    except TableNotFoundError as error:
        complain(f"not watching yet: {error}")
        return None
    check_ball_size(look, found)
    _remember(folder, found, look, complain)
    return Commissioned(found, usual(look.pixels))


def _as_told(path: Path, look: Frame, folder: Path, complain: Callable[[str], None]) -> Commissioned:
    """The configured calibration; how the table looked when it was first used tells later whether all hangs as then."""
    height, width = look.pixels.shape[:2]
    known = from_file(path, (width, height))
    picture = cv2.imread(str(folder / "calibration.png")) if (folder / "calibration.png").exists() else None
    try:
        same = read(folder / "calibration.json").id == known.id
    except CalibrationError:
        same = False
    if same and picture is not None and picture.shape == look.pixels.shape:
        return Commissioned(known, usual(np.asarray(picture, dtype=np.uint8)))
    _remember(folder, known, look, complain)
    return Commissioned(known, usual(look.pixels))


def _remember(folder: Path, found: Calibration, look: Frame, complain: Callable[[str], None]) -> None:
    try:
        write_png(folder / "calibration.png", look.pixels)
        write_text(folder / "calibration.json", to_json(found))
    except OutputError as error:
        complain(f"the calibration cannot be kept for the next start ({error})")
