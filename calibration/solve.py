"""The camera that explains all landmarks at once: robust least squares over pose, focal length and lens.

From almost straight above, a flat table says little about the focal length, so a wide prior holds it where the
landmarks do not; what that leaves open shows in the height of the camera and costs millimetres, not centimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from calibration.camera import Camera
from calibration.landmarks import RAIL_TOP, Diamonds, NosePoints, on_rail
from calibration.pose import TYPICAL_FOCAL_RATIO, intrinsics
from calibration.table import Table

Floats = npt.NDArray[np.float64]

_SETBACK: Final = 0.0937
_DIAMOND_SIGMA: Final = 0.5
_NOSE_SIGMA: Final = 0.7
_NOSE_BIAS: Final = 0.004
"""A nose is rounded and throws a shadow: its seen edge lies within some 4 mm of the line that balls meet."""
_POINTS_A_RAIL: Final = 12
_PITCH_SIGMA: Final = 0.002
"""Makers set diamonds off from the eighths of the playing surface by some 2 in 1000, alike on all rails."""


@dataclass(frozen=True, eq=False)
class Solution:
    """A camera and what the landmarks leave over, in metres on the table (root mean square)."""

    camera: Camera
    diamond_residual: float | None
    nose_residual: float | None
    diamonds: int
    rails: int
    setback: float | None


def solve(
    start: Camera, table: Table, noses: list[NosePoints], diamonds: Diamonds, focal_prior: tuple[float, float] | None
) -> Solution:
    """Fit the camera. `focal_prior`: focal length in pixels and its relative standard deviation."""
    focal, spread = focal_prior or (TYPICAL_FOCAL_RATIO * max(start.size), 0.12)
    rvec, _ = cv2.Rodrigues(start.R)
    first = np.concatenate([[np.log(start.K[0, 0]), start.dist[0]], rvec.ravel(), start.t, [_SETBACK, _SETBACK, 0.0]])

    nose_bias = _NOSE_BIAS / _pixel(start, table)

    def camera_of(v: Floats) -> Camera:
        R, _ = cv2.Rodrigues(v[2:5])
        dist = np.array([v[1], 0.0, 0.0, 0.0, 0.0])
        return Camera(intrinsics(start.size, float(np.exp(v[0]))), dist, np.asarray(R), v[5:8], start.size)

    def left_over(v: Floats) -> Floats:
        camera = camera_of(v)
        parts = [
            np.array([(v[0] - np.log(focal)) / spread, v[1] / 0.12]),
            (v[8:10] - _SETBACK) / 0.02,
            v[10:11] / _PITCH_SIGMA,
            (_diamond_pixels(camera, table, diamonds, v[8:11]) - diamonds.px).ravel() / _DIAMOND_SIGMA,
        ]
        parts += [_nose_terms(_nose_pixels(camera, table, nose), nose_bias) for nose in noses]
        return np.concatenate(parts)

    fit = least_squares(left_over, first, loss="soft_l1", x_scale="jac", max_nfev=60)
    return _solution(camera_of(fit.x), table, noses, diamonds, fit.x[8:11])


def _nose_terms(away: Floats, bias: float) -> Floats:
    """A nose line's straightness and slope are sharp; where across its rounded edge it lies is not."""
    mean = away.mean()
    sharp = np.sqrt(min(1.0, _POINTS_A_RAIL / len(away))) / _NOSE_SIGMA
    return np.concatenate([[mean / bias], (away - mean) * sharp])


def _diamond_places(table: Table, diamonds: Diamonds, setting: Floats) -> Floats:
    """Where diamonds lie by their `setting`: setbacks on side and end rails, metres, and what their pitch is off by."""
    feet = np.array(table.diamonds)[diamonds.index].reshape(-1, 2)
    on_side = np.isclose(np.abs(feet[:, 1]), table.width / 2)
    out = np.where(on_side[:, None], np.sign(feet) * (0, 1), np.sign(feet) * (1, 0))
    return np.asarray((1 + setting[2]) * feet + out * np.where(on_side, setting[0], setting[1])[:, None])


def _diamond_pixels(camera: Camera, table: Table, diamonds: Diamonds, setting: Floats) -> Floats:
    return camera.project_at(_diamond_places(table, diamonds, setting), table.nose_height + RAIL_TOP)


def _nose_pixels(camera: Camera, table: Table, nose: NosePoints) -> Floats:
    """Distances (N,) in pixels from the seen points to the projected nose line."""
    expected = camera.project_at(on_rail(table, nose.rail, nose.along, 0.0), table.nose_height)
    return np.asarray(np.sum((expected - nose.px) * nose.across, axis=1))


def _pixel(camera: Camera, table: Table) -> float:
    """Side of a pixel on the table's middle, metres."""
    return float(np.abs(np.linalg.det(camera.metres_per_pixel([(0.0, 0.0)], table.nose_height)[0])) ** 0.5)


def _solution(camera: Camera, table: Table, noses: list[NosePoints], diamonds: Diamonds, setting: Floats) -> Solution:
    scale = _pixel(camera, table)
    diamond_residual = None
    if len(diamonds.index):
        away = _diamond_pixels(camera, table, diamonds, setting) - diamonds.px
        diamond_residual = scale * float(np.sqrt(np.median((away**2).sum(axis=1))))
    nose_residual = None
    if noses:
        away = np.concatenate([_nose_pixels(camera, table, nose) for nose in noses])
        nose_residual = scale * float(np.sqrt(np.median(away**2)))
    setback = float(setting[:2].mean()) if len(diamonds.index) >= 6 else None
    return Solution(camera, diamond_residual, nose_residual, len(diamonds.index), len(noses), setback)
