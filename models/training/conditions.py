"""What a drawn picture is like, in the words that a model card uses to say where a network fails."""

from __future__ import annotations

from typing import Final

import numpy as np

from calibration.camera import Camera
from models.synthesis.camera_effects import Development
from models.synthesis.colours import CLOTHS
from models.synthesis.render import Look, Truth

_SMALL, _LARGE = 16.0, 30.0
_STEEP: Final = 10.0
_DIM: Final = 0.65
_GRAINY: Final = 4.5
_BLOCKY: Final = 60
_HANDS: Final = 0.01


def conditions(look: Look, camera: Camera, development: Development, truth: Truth) -> tuple[str, ...]:
    """The conditions that hold for a picture: its cloth, its light, how large balls are, what is in the way."""
    found = [f"cloth {_cloth(look)}", _size(look, camera)]
    if _tilt(camera) > _STEEP:
        found.append(f"camera tilted by more than {_STEEP:g}°")
    if development.exposure < _DIM:
        found.append("dim")
    if development.noise > _GRAINY:
        found.append("grainy")
    if development.quality and development.quality < _BLOCKY:
        found.append("strongly compressed")
    if any(np.hypot(*lamp.place[:2]) > 0.6 * look.table.length for lamp in look.light.lamps):
        found.append("lamps beside the table")
    if float(truth.cover.mean()) > _HANDS:
        found.append("hands, cues or graphics in the picture")
    return tuple(found)


def _cloth(look: Look) -> str:
    """The named cloth whose hue and depth are nearest."""
    tone = np.log(np.asarray(look.style.cloth, dtype=np.float64) + 0.01)
    return min(CLOTHS, key=lambda name: float(np.linalg.norm(np.log(CLOTHS[name] + 0.01) - tone)))


def _size(look: Look, camera: Camera) -> str:
    radius = look.table.ball_radius
    ends = camera.project_at([[-radius, 0.0], [radius, 0.0]], radius)
    width = float(np.hypot(*(ends[1] - ends[0])))
    if width < _SMALL:
        return f"balls under {_SMALL:g} pixels"
    return f"balls over {_LARGE:g} pixels" if width > _LARGE else f"balls of {_SMALL:g} to {_LARGE:g} pixels"


def _tilt(camera: Camera) -> float:
    """Degrees between the line of sight and straight down."""
    return float(np.degrees(np.arccos(np.clip(-camera.R[2, 2], -1, 1))))
