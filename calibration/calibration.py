"""A calibration: the table, the camera over it, how well they fit, and where its numbers come from; kept as JSON."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.camera import Camera
from calibration.cloth import Picture
from calibration.pose import PictureEnd, camera_from_corners, head_end, turned_round
from calibration.search import TableNotFoundError, find_table
from calibration.solve import Solution
from calibration.table import Table

FORMAT: Final = "headstring-calibration/1"
HeadEndSource = Literal["told", "rack", "assumed"]
Number = Annotated[float, Field(allow_inf_nan=False)]


class CalibrationError(ValueError):
    """A calibration that cannot be read or does not fit its picture."""


@dataclass(frozen=True, eq=False)
class Residuals:
    """What the fit leaves over, metres on the table; None where no such landmark was used."""

    diamonds: float | None
    noses: float | None
    diamonds_seen: int
    rails_seen: int
    setback: float | None = None


@dataclass(frozen=True, eq=False)
class Calibration:
    table: Table
    camera: Camera
    method: Literal["found", "corners"]
    residuals: Residuals
    head_end_source: HeadEndSource

    @property
    def head_end(self) -> PictureEnd:
        return head_end(self.camera, self.table)

    @property
    def id(self) -> str:
        """Twelve hex digits that change with any number of the calibration."""
        return hashlib.sha256(to_json(self).encode()).hexdigest()[:12]

    def turned(self, source: HeadEndSource) -> Calibration:
        """The same with the table's ends exchanged."""
        return replace(self, camera=turned_round(self.camera), head_end_source=source)


def calibrate(picture: Picture, table: Table, head: PictureEnd | None = None) -> Calibration:
    """Find the table in a picture and calibrate on it.

    Without `head` the head rail is taken to lie at the picture's left (or bottom) end and marked as assumed.

    Raises:
        TableNotFoundError: no table is seen, or not the whole of one.
        CalibrationError: the head end told is one of the table's long sides.
    """
    solution = find_table(picture, table)
    _must_be_in_view(solution.camera, table)
    _must_be_of_this_size(solution, table)
    found = Calibration(table, solution.camera, "found", _residuals(solution), "assumed")
    return with_head_end(found, head)


def calibrate_on_corners(
    corners: list[tuple[float, float]], table: Table, size: tuple[int, int], focal: float | None = None
) -> Calibration:
    """Calibrate on four clicked corners of the playing surface (pixels; head_left, head_right, foot_right, foot_left).

    Raises:
        CalibrationError: the corners make no table.
    """
    camera = camera_from_corners(np.array(corners, dtype=np.float64), table, size, focal=focal)
    if camera is None:
        raise CalibrationError(
            "the four corners make no table seen from above: give them in the order "
            "head_left, head_right, foot_right, foot_left"
        )
    away = camera.project_at(table.corners, table.nose_height) - np.array(corners)
    scale = float(np.abs(np.linalg.det(camera.metres_per_pixel([(0.0, 0.0)], 0.0)[0])) ** 0.5)
    left_over = scale * float(np.abs(away).max())
    if left_over > 0.05:
        raise CalibrationError(
            f"the four corners fit a {table.length:g} × {table.width:g} m table only to {1000 * left_over:.0f} mm: "
            "check their order (head_left, head_right, foot_right, foot_left) and the table's size"
        )
    return Calibration(table, camera, "corners", Residuals(None, left_over, 0, 4), "told")


def recalibrated(picture: Picture, known: Calibration) -> Calibration | None:
    """A calibration after the camera was moved, its ends as they were; None where the table is not found."""
    try:
        found = calibrate(picture, known.table)
    except TableNotFoundError:
        return None
    facing = np.diag(found.camera.R @ known.camera.R.T)
    turned = found.turned("told") if facing[0] < 0 else found
    return replace(turned, head_end_source=known.head_end_source)


def with_head_end(calibration: Calibration, head: PictureEnd | None) -> Calibration:
    """The calibration with its head rail at the told end of the picture."""
    if head is None:
        return calibration
    if head == calibration.head_end:
        return replace(calibration, head_end_source="told")
    turned = calibration.turned("told")
    if turned.head_end != head:
        raise CalibrationError(
            f"the head rail cannot lie at the picture's {head}: the table's ends are {calibration.head_end} and "
            f"{turned.head_end}"
        )
    return turned


def _must_be_in_view(camera: Camera, table: Table) -> None:
    px = camera.project_at(table.corners, table.nose_height)
    outside = (px < -2).any(axis=1) | (px > np.array(camera.size) + 1).any(axis=1)
    if outside.any():
        raise TableNotFoundError(
            f"the table is only partly in view: {int(outside.sum())} of its four corners lie outside the picture; "
            "move the camera back or turn it until the whole table is seen"
        )


def _must_be_of_this_size(solution: Solution, table: Table) -> None:
    """Diamonds lie 3 11/16 in from the nose on tables of every size: a wrong size shows in that distance."""
    if solution.setback is not None and not 0.060 <= solution.setback <= 0.125:
        raise TableNotFoundError(
            f"this is hardly a table of {table.length:g} × {table.width:g} m: its diamonds would lie "
            f"{1000 * solution.setback:.0f} mm from the cushions, where 70 to 115 mm are usual; check --table"
        )


def _residuals(solution: Solution) -> Residuals:
    return Residuals(
        solution.diamond_residual, solution.nose_residual, solution.diamonds, solution.rails, solution.setback
    )


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _TableFile(_Part):
    length: Number
    width: Number
    ball_diameter: Number
    nose_height: Number


class _CameraFile(_Part):
    K: list[list[Number]]
    dist: list[Number]
    R: list[list[Number]]
    t: list[Number]
    size: tuple[int, int]


class _ResidualsFile(_Part):
    diamonds_mm: Number | None
    noses_mm: Number | None
    diamonds_seen: int
    rails_seen: int
    diamond_setback_mm: Number | None = None


class _CalibrationFile(_Part):
    format: Literal["headstring-calibration/1"] = FORMAT
    table: _TableFile
    camera: _CameraFile
    method: Literal["found", "corners"]
    residuals: _ResidualsFile
    head_end: PictureEnd
    head_end_source: HeadEndSource


def to_json(calibration: Calibration) -> str:
    """The calibration as a JSON document; reading it back gives the same document."""
    camera, table, rest = calibration.camera, calibration.table, calibration.residuals
    file = _CalibrationFile(
        table=_TableFile(
            length=table.length,
            width=table.width,
            ball_diameter=table.ball_diameter,
            nose_height=round(table.nose_height, 6),
        ),
        camera=_CameraFile(
            K=np.round(camera.K, 4).tolist(),
            dist=np.round(camera.dist, 7).tolist(),
            R=np.round(camera.R, 9).tolist(),
            t=np.round(camera.t, 7).tolist(),
            size=camera.size,
        ),
        method=calibration.method,
        residuals=_ResidualsFile(
            diamonds_mm=_millimetres(rest.diamonds),
            noses_mm=_millimetres(rest.noses),
            diamonds_seen=rest.diamonds_seen,
            rails_seen=rest.rails_seen,
            diamond_setback_mm=_millimetres(rest.setback),
        ),
        head_end=calibration.head_end,
        head_end_source=calibration.head_end_source,
    )
    return json.dumps(file.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"


def from_json(text: str) -> Calibration:
    """Read a calibration.

    Raises:
        CalibrationError: the text is not a calibration, with what is wrong in it.
    """
    try:
        file = _CalibrationFile.model_validate_json(text)
        seen = file.camera
        camera = Camera(np.array(seen.K), np.array(seen.dist), np.array(seen.R), np.array(seen.t), seen.size)
        table = Table(file.table.length, file.table.width, file.table.ball_diameter, file.table.nose_height)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise CalibrationError(f"not a calibration this version can read: {where}: {first['msg']}") from None
    except ValueError as error:
        raise CalibrationError(f"not a calibration this version can read: {error}") from None
    rest = file.residuals
    residuals = Residuals(
        _metres(rest.diamonds_mm),
        _metres(rest.noses_mm),
        rest.diamonds_seen,
        rest.rails_seen,
        _metres(rest.diamond_setback_mm),
    )
    return Calibration(table, camera, file.method, residuals, file.head_end_source)


def read(path: Path) -> Calibration:
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise CalibrationError(f"cannot read the calibration {path}: {error}") from None


def _millimetres(value: float | None) -> float | None:
    return None if value is None else round(1000 * value, 2)


def _metres(value: float | None) -> float | None:
    return None if value is None else value / 1000
