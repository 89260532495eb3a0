"""Landmarks of a table in a picture: points of the nose lines, and the diamonds on the rails.

Both are looked for in a top view made through the camera as known so far, and handed back as pixels of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import RAILS, RailName, Table

Floats = npt.NDArray[np.float64]

RAIL_TOP: Final = 0.0055
"""Height of the rail's top, where diamonds lie, above the nose line, metres: rails slope down to the nose."""
SETBACKS: Final = (0.055, 0.14)
"""Least and greatest distance of a diamond from the nose line, metres (WPA: 3 11/16 in, 0.0937)."""

_INWARD: Final[dict[RailName, tuple[float, float]]] = {
    "head": (1.0, 0.0),
    "foot": (-1.0, 0.0),
    "left": (0.0, -1.0),
    "right": (0.0, 1.0),
}


@dataclass(frozen=True, eq=False)
class NosePoints:
    """Points seen on one rail's nose line: `along` (N,) metres along the rail, `px` (N, 2), `across` (N, 2) the unit
    vector in the picture that points from the cushion to the cloth."""

    rail: RailName
    along: Floats
    px: Floats
    across: Floats


@dataclass(frozen=True, eq=False)
class Diamonds:
    """Diamonds seen: `index` (N,) into `Table.diamonds`, `px` (N, 2) their centres."""

    index: npt.NDArray[np.int64]
    px: Floats


def on_rail(table: Table, rail: RailName, along: Floats, inward: Floats | float) -> Floats:
    """Table x, y (N, 2) of points at `along` on a rail's nose line, moved `inward` from it."""
    dx, dy = _INWARD[rail]
    base = np.column_stack([along, np.zeros_like(along)]) if dx == 0 else np.column_stack([np.zeros_like(along), along])
    edge = np.array([-dx * table.length / 2, -dy * table.width / 2])
    return np.asarray(base + edge + np.outer(np.broadcast_to(inward, along.shape), (dx, dy)))


def nose_stations(table: Table, rail: RailName, step: float = 0.02) -> Floats:
    """Places along a rail, metres, that lie clear of its pockets."""
    clear = 0.13 * table.ball_diameter / 0.05715
    if rail in ("head", "foot"):
        return np.arange(-table.width / 2 + clear, table.width / 2 - clear, step)
    half = np.arange(clear, table.length / 2 - clear, step)
    return np.concatenate([-half[::-1], half])


def find_noses(grey: npt.NDArray[np.float32], camera: Camera, table: Table, reach: float) -> list[NosePoints]:
    """The nose lines: where the cushion's light top ends inward in its dark face or shadow.

    `reach` says how far from the expected line to look, metres. Rails with no clear line are left out.
    """
    found = (_nose(grey, camera, table, rail, reach) for rail in RAILS)
    return [nose for nose in found if nose is not None]


def _nose(
    grey: npt.NDArray[np.float32], camera: Camera, table: Table, rail: RailName, reach: float
) -> NosePoints | None:
    along = nose_stations(table, rail)
    inward = np.arange(-reach - 0.012, reach + 0.012, 0.001)
    profiles = _profiles(grey, camera, table, rail, along, inward)
    smooth = np.asarray(cv2.GaussianBlur(profiles, (0, 0), sigmaX=2.0, sigmaY=1.5), dtype=np.float32)
    offset, height = _falling_edge(smooth, inward, reach)
    clear = height > max(0.35 * float(np.median(height)), 0.5)
    kept = clear & _near_a_line(along, offset, clear)
    if kept.sum() < 8:
        return None
    a, o = along[kept], offset[kept]
    px = camera.project_at(on_rail(table, rail, a, o), table.nose_height)
    across = camera.project_at(on_rail(table, rail, a, o + 0.01), table.nose_height) - px
    return NosePoints(rail, a, px, across / np.linalg.norm(across, axis=1, keepdims=True))


def _profiles(
    grey: npt.NDArray[np.float32], camera: Camera, table: Table, rail: RailName, along: Floats, inward: Floats
) -> npt.NDArray[np.float32]:
    """Brightness (stations, steps) along lines that cross a rail's nose."""
    grid = np.concatenate([on_rail(table, rail, np.full(len(inward), a), inward) for a in along])
    px = camera.project_at(grid, table.nose_height).astype(np.float32).reshape(len(along), len(inward), 2)
    return _sample(grey, px)


def _sample(grey: npt.NDArray[np.float32], px: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
    """An image at a grid of pixels (rows, columns, 2); beyond its border the border goes on."""
    x, y = np.ascontiguousarray(px[..., 0], np.float32), np.ascontiguousarray(px[..., 1], np.float32)
    return np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32)


def _falling_edge(profiles: npt.NDArray[np.float32], inward: Floats, reach: float) -> tuple[Floats, Floats]:
    """Middle and depth of the fall from cushion top to its shadow in each profile (stations, steps).

    The fall has a step at the rounded nose and one at the shadow; the nose line lies between them.
    """
    steep = -np.gradient(profiles, axis=1)
    steep[:, np.abs(inward) > reach] = 0
    foot = np.argmax(steep, axis=1)
    middle, depth = np.empty(len(profiles)), np.empty(len(profiles))
    for row, (profile, k) in enumerate(zip(profiles, foot, strict=True)):
        window = slice(max(k - 14, 0), k + 9)
        part, at = profile[window], inward[window]
        top, bottom = float(part[: k - window.start + 1].max()), float(part[k - window.start :].min())
        begin = at[np.flatnonzero(part >= top - 0.12 * (top - bottom))[-1]]
        after = np.flatnonzero((part <= bottom + 0.12 * (top - bottom)) & (at >= begin))
        end = at[after[0]] if len(after) else at[-1]
        middle[row], depth[row] = (begin + end) / 2, (top - bottom) / 4
    return middle, depth


def _near_a_line(along: Floats, offset: Floats, clear: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Points that agree with one gently curved line across the rail."""
    kept = clear.copy()
    for tolerance in (0.012, 0.006, 0.004, 0.004):
        if kept.sum() < 8:
            return kept
        bend = np.polyfit(along[kept], offset[kept], 2 if kept.sum() > 20 else 1)
        away = offset - np.polyval(bend, along)
        kept = clear & (np.abs(away - np.median(away[kept])) < tolerance)
    return kept


def find_diamonds(grey: npt.NDArray[np.float32], camera: Camera, table: Table, reach: float) -> Diamonds:
    """The diamonds: small marks that stand out from the rail, all at one distance from the nose lines.

    `reach` says how far along the rail from its place one may be seen, metres.
    """
    pitch = 0.0015
    half, depth = np.arange(-reach, reach + pitch / 2, pitch), np.arange(*SETBACKS, pitch)
    spots: list[tuple[int, float, Floats, float]] = []
    for index, (x, y) in enumerate(table.diamonds):
        out = np.array([0.0, np.sign(y)]) if np.isclose(abs(y), table.width / 2) else np.array([np.sign(x), 0.0])
        side = np.array([out[1], out[0]])
        grid = np.array([x, y]) + depth[:, None, None] * out + half[None, :, None] * side
        mark = _mark(grey, camera, table, grid)
        if mark is not None:
            spots.append((index, float(np.interp(mark[0], np.arange(len(depth)), depth)), mark[1], mark[2]))
    return _agreeing(spots)


def _mark(
    grey: npt.NDArray[np.float32], camera: Camera, table: Table, grid: Floats
) -> tuple[float, Floats, float] | None:
    """The clearest small mark in a patch of the rail: its row, its pixel (2,), how far it stands out."""
    rows, columns = grid.shape[:2]
    px = camera.project_at(grid.reshape(-1, 2), table.nose_height + RAIL_TOP).reshape(rows, columns, 2)
    height, width = grey.shape
    patch = _sample(grey, px)
    stands_out = _spots(patch)
    noise = 1.4826 * float(np.median(np.abs(patch - cv2.medianBlur(patch, 5)))) + 0.8
    row, column = np.unravel_index(int(np.argmax(stands_out)), stands_out.shape)
    strength = float(stands_out[row, column]) / noise
    x, y = px[row, column]
    whole = 4 < x < width - 5 and 4 < y < height - 5 and 3 < row < rows - 4 and 3 < column < columns - 4
    if strength < 5 or not whole:
        return None
    window = np.s_[max(row - 10, 0) : row + 11, max(column - 10, 0) : column + 11]
    weight = np.clip(stands_out[window] - 0.35 * stands_out[row, column], 0, None).astype(np.float64)
    centre = np.tensordot(weight / weight.sum(), px[window], axes=([0, 1], [0, 1]))
    return float(row), np.asarray(centre), strength


def _spots(patch: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """How much each place outshines everything on a ring of 20 mm about it: high on marks, not on edges or lines."""
    smooth = cv2.GaussianBlur(patch, (0, 0), 2.0)
    radius = 13
    padded = cv2.copyMakeBorder(smooth, radius, radius, radius, radius, cv2.BORDER_REPLICATE)
    rows, columns = patch.shape
    around = [
        padded[radius + dy : radius + dy + rows, radius + dx : radius + dx + columns]
        for dx, dy in (
            (round(radius * np.cos(angle)), round(radius * np.sin(angle))) for angle in np.arange(12) * np.pi / 6
        )
    ]
    return np.asarray(smooth - np.max(around, axis=0), dtype=np.float32)


def _agreeing(spots: list[tuple[int, float, Floats, float]]) -> Diamonds:
    """Those marks whose distance from the nose is the common one (within 12 mm)."""
    if len(spots) < 4:
        return Diamonds(np.zeros(0, np.int64), np.zeros((0, 2)))
    setback = np.array([spot[1] for spot in spots])
    near = np.abs(setback[:, None] - setback[None, :]) < 0.012
    kept = near[int(np.argmax(near.sum(axis=1)))]
    chosen = [spot for spot, keep in zip(spots, kept, strict=True) if keep]
    return Diamonds(np.array([spot[0] for spot in chosen]), np.array([spot[2] for spot in chosen]))
