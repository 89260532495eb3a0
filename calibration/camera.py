"""A camera with its lens and its pose over the table: pixels ⇄ table frame at a stated height."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Camera:
    """OpenCV's pinhole model: X_cam = R X + t; `dist` is k1 k2 p1 p2 k3; whole pixels are pixel centres.

    Shapes: `K` (3, 3) pixels, `dist` (5,), `R` (3, 3), `t` (3,) metres; `size` is width, height in pixels.
    """

    K: Floats
    dist: Floats
    R: Floats
    t: Floats
    size: tuple[int, int]

    def __post_init__(self) -> None:
        for name, shape in (("K", (3, 3)), ("dist", (5,)), ("R", (3, 3)), ("t", (3,))):
            value = np.asarray(getattr(self, name), dtype=np.float64)
            if value.shape != shape or not np.isfinite(value).all():
                raise ValueError(f"camera.{name} must be finite numbers of shape {shape}, not {value.shape}")
            value.flags.writeable = False
            object.__setattr__(self, name, value)

    @property
    def centre(self) -> Floats:
        """Where the camera is, (3,) in the table frame."""
        return np.asarray(-self.R.T @ self.t)

    def project(self, points: npt.ArrayLike) -> Floats:
        """Table-frame points (N, 3) → pixels (N, 2)."""
        xyz = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        if not len(xyz):
            return np.zeros((0, 2))
        # Turned here and not by OpenCV: its rotation vector loses digits near half a turn, which is "straight down".
        seen = np.ascontiguousarray(xyz @ self.R.T + self.t)
        px, _ = cv2.projectPoints(seen, np.zeros(3), np.zeros(3), self.K, self.dist)
        return np.asarray(px, dtype=np.float64).reshape(-1, 2)

    def at_height(self, pixels: npt.ArrayLike, z: float) -> Floats:
        """Pixels (N, 2) → table x, y (N, 2) of the points seen there at height `z`."""
        px = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        if not len(px):
            return np.zeros((0, 2))
        rays = self._rays(px)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.R
        centre = self.centre
        reach = (z - centre[2]) / directions[:, 2]
        return np.asarray(centre[:2] + reach[:, None] * directions[:, :2], dtype=np.float64)

    def _rays(self, px: Floats) -> Floats:
        """Pixels (N, 2) → undistorted rays (N, 2) at unit depth, by fixed-point iteration of the lens model.

        OpenCV's own inverse differs in name and accuracy between its versions 4 and 5.
        """
        k1, k2, p1, p2, k3 = self.dist
        bent = (px - self.K[:2, 2]) / np.array([self.K[0, 0], self.K[1, 1]])
        rays = bent.copy()
        for _ in range(200):
            x, y = rays[:, 0], rays[:, 1]
            r2 = x * x + y * y
            radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
            shift = np.column_stack([2 * p1 * x * y + p2 * (r2 + 2 * x * x), p1 * (r2 + 2 * y * y) + 2 * p2 * x * y])
            before, rays = rays, (bent - shift) / radial[:, None]
            if np.abs(rays - before).max() < 1e-12:
                break
        return np.asarray(rays, dtype=np.float64)

    def project_at(self, xy: npt.ArrayLike, z: float) -> Floats:
        """Table x, y (N, 2) at height `z` → pixels (N, 2)."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        return self.project(np.column_stack([points, np.full(len(points), z)]))

    def metres_per_pixel(self, xy: npt.ArrayLike, z: float) -> Floats:
        """Jacobians (N, 2, 2) of table x, y by pixel x, y at the given table places and height."""
        places = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        step = 0.001
        columns = [
            (self.project_at(places + delta, z) - self.project_at(places - delta, z)) / (2 * step)
            for delta in (np.array([step, 0.0]), np.array([0.0, step]))
        ]
        return np.linalg.inv(np.stack(columns, axis=-1))
