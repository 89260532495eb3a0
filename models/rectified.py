"""The pictures that the two networks look at: the whole table from straight above, and one ball cut out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import Table

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

BALL_PIXELS: Final = 12
"""A ball's diameter in the top view."""
MARGIN_BALLS: Final = 1.5
"""What the top view shows beyond the nose lines, at least, in ball diameters."""
GRID_MULTIPLE: Final = 16
"""The finder takes pictures whose sides are multiples of this."""

CROP_SIZE: Final = 40
CROP_BALL_PIXELS: Final = 24
"""Side of a namer's crop, and the diameter of a ball in it."""


@dataclass(frozen=True)
class TopView:
    """The table from straight above at ball-centre height, `BALL_PIXELS` pixels to a ball, the table in the middle.

    Columns run along +x; rows run along −y (so that it is a view from above, not a mirror image). Whole-number
    coordinates (column, row) are pixel centres.
    """

    table: Table

    @property
    def pitch(self) -> float:
        """Metres a pixel."""
        return self.table.ball_diameter / BALL_PIXELS

    @property
    def size(self) -> tuple[int, int]:
        """Columns, rows: both multiples of `GRID_MULTIPLE`."""
        margin = 2 * MARGIN_BALLS * BALL_PIXELS
        columns, rows = (
            int(np.ceil((side / self.pitch + margin) / GRID_MULTIPLE)) * GRID_MULTIPLE
            for side in (self.table.length, self.table.width)
        )
        return columns, rows

    @property
    def _middle(self) -> Floats:
        columns, rows = self.size
        return np.array([(columns - 1) / 2, (rows - 1) / 2])

    def to_pixels(self, xy: npt.ArrayLike) -> Floats:
        """Table x, y (N, 2) in metres → (column, row) (N, 2)."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        return np.asarray(self._middle + points * [1.0, -1.0] / self.pitch)

    def to_table(self, pixels: npt.ArrayLike) -> Floats:
        """(Column, row) (N, 2) → table x, y (N, 2) in metres."""
        points = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        return np.asarray((points - self._middle) * [1.0, -1.0] * self.pitch)

    def maps(self, camera: Camera) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Maps (rows, columns) of picture x and y for `cv2.remap`: what the camera sees at each grid place."""
        columns, rows = self.size
        u, v = np.meshgrid(np.arange(columns), np.arange(rows))
        xy = self.to_table(np.column_stack([u.ravel(), v.ravel()]))
        px = camera.project_at(xy, self.table.ball_radius).astype(np.float32).reshape(rows, columns, 2)
        return np.ascontiguousarray(px[..., 0]), np.ascontiguousarray(px[..., 1])

    def rectify(self, picture: Picture, maps: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]) -> Picture:
        """The top view (rows, columns, 3) of a camera picture (H, W, 3), BGR; black where the camera does not see."""
        return np.asarray(cv2.remap(picture, maps[0], maps[1], cv2.INTER_LINEAR), dtype=np.uint8)


def crop_placements(camera: Camera, xy: npt.ArrayLike, ball_diameter: float) -> Floats:
    """Similarities (N, 2, 3) from crop pixels to picture pixels for balls at table places `xy` (N, 2).

    A crop shows the picture turned so that the table's +x points right, scaled so that a ball of this diameter,
    seen from the camera, is `CROP_BALL_PIXELS` wide; the place's projection at ball-centre height falls on the
    crop's middle. A turn and a scale only: a ball near the picture's edge keeps the oval shape it has there.
    """
    places = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
    if not len(places):
        return np.zeros((0, 2, 3))
    radius = ball_diameter / 2
    centres = np.column_stack([places, np.full(len(places), radius)])
    sight = centres - camera.centre
    sight /= np.linalg.norm(sight, axis=1, keepdims=True)
    across = np.cross(sight, [0.0, 1.0, 0.0])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    along = np.cross(sight, across)
    middle = camera.project(centres)
    widths = [
        np.linalg.norm(camera.project(centres + radius * side) - camera.project(centres - radius * side), axis=1)
        for side in (across, along)
    ]
    scale = np.sqrt(widths[0] * widths[1]) / CROP_BALL_PIXELS
    step = np.array([radius, 0.0, 0.0])
    ahead = camera.project(centres + step) - camera.project(centres - step)
    angle = np.arctan2(ahead[:, 1], ahead[:, 0])
    c, s = scale * np.cos(angle), scale * np.sin(angle)
    turn = np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=1)
    half = (CROP_SIZE - 1) / 2
    shift = middle - turn @ np.array([half, half])
    return np.concatenate([turn, shift[:, :, None]], axis=2)


def cut(picture: Picture, placements: Floats) -> Picture:
    """Crops (N, CROP_SIZE, CROP_SIZE, 3) of a picture (H, W, 3), one for each placement (N, 2, 3)."""
    crops = np.empty((len(placements), CROP_SIZE, CROP_SIZE, 3), dtype=np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for crop, placement in zip(crops, placements, strict=True):
        crop[:] = cv2.warpAffine(
            picture, placement, (CROP_SIZE, CROP_SIZE), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
    return crops


def to_picture(placements: Floats, crop_pixels: npt.ArrayLike) -> Floats:
    """Places in the crops (N, 2), crop pixels → picture pixels (N, 2), one for each placement (N, 2, 3)."""
    points = np.asarray(crop_pixels, dtype=np.float64).reshape(-1, 2)
    return np.asarray(np.einsum("nij,nj->ni", placements[:, :, :2], points) + placements[:, :, 2])


def to_crop(placements: Floats, pixels: npt.ArrayLike) -> Floats:
    """Picture pixels (N, 2) → places in the crops (N, 2), the inverse of `to_picture`."""
    points = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
    return np.asarray(np.linalg.solve(placements[:, :, :2], (points - placements[:, :, 2])[..., None])[..., 0])
