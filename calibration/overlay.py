"""The picture with its calibration drawn over it, for a person to check."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.calibration import Calibration

Picture = npt.NDArray[np.uint8]
_NOSE, _STRING, _DIAMOND, _POCKET = (60, 60, 255), (255, 220, 80), (0, 230, 255), (80, 255, 80)


def draw(picture: Picture, calibration: Calibration) -> Picture:
    """A copy of the picture (BGR) with nose lines, head string, spots, pockets and diamonds as calibrated."""
    table, camera = calibration.table, calibration.camera
    shown = picture.copy()
    corners = np.array(table.corners)
    outline = np.concatenate([np.linspace(a, b, 25) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)])
    _line(shown, camera.project_at(outline, table.nose_height), _NOSE)
    string = [(table.head_string, y) for y in np.linspace(-table.width / 2, table.width / 2, 25)]
    _line(shown, camera.project_at(string, 0.0), _STRING)
    turn = np.linspace(0, 2 * np.pi, 40)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    for pocket in table.pockets.values():
        _line(shown, camera.project_at(np.array(pocket.centre) + pocket.radius * circle, 0.0), _POCKET)
    _line(shown, camera.project_at(np.array(table.foot_spot) + 0.01 * circle, 0.0), _STRING)
    setback = calibration.residuals.setback or 0.0937
    feet = np.array(table.diamonds)
    edge = np.isclose(np.abs(feet), (table.length / 2, table.width / 2))
    for place in camera.project_at(feet + setback * np.sign(feet) * edge, table.nose_height + 0.0055):
        cv2.circle(shown, _pixel(place), 6, _DIAMOND, 1, cv2.LINE_AA)
    for text, place in (("HEAD", (-0.42 * table.length, 0.0)), ("FOOT", (0.42 * table.length, 0.0))):
        _label(shown, text, camera.project_at([place], 0.0)[0])
    return shown


def _pixel(place: npt.NDArray[np.float64]) -> tuple[int, int]:
    return round(float(place[0])), round(float(place[1]))


def _line(picture: Picture, px: npt.NDArray[np.float64], colour: tuple[int, int, int]) -> None:
    points = np.round(px * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [points], False, colour, 1, cv2.LINE_AA, shift=4)


def _label(picture: Picture, text: str, place: npt.NDArray[np.float64]) -> None:
    scale = max(picture.shape[1] / 1800, 0.5)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    x, y = _pixel(place - np.array([width / 2, -height / 2]))
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), 1, cv2.LINE_AA)
