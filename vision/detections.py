"""What one frame shows: the value that vision hands to tracking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

BALL_NAMES: Final[tuple[str, ...]] = ("cue", *(str(n) for n in range(1, 16)))
"""The sixteen names, in the order of the columns of `Detections.names`; one more column says "not a ball"."""


@dataclass(frozen=True, eq=False)
class Cover:
    """A coarse picture of what hides the cloth (hands, cues, players), laid over the table frame.

    `share` (rows, columns) is the covered share of each cell, 0 to 1; cell [0, 0] starts at `origin` (x, y) and
    rows run along +y, columns along +x; `cell` is a cell's side in metres.
    """

    share: npt.NDArray[np.float32]
    origin: tuple[float, float]
    cell: float

    def at(self, xy: npt.ArrayLike) -> Floats:
        """Covered share at table places (N, 2) → (N,); places outside the picture count as open."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        column = np.floor((points[:, 0] - self.origin[0]) / self.cell).astype(int)
        row = np.floor((points[:, 1] - self.origin[1]) / self.cell).astype(int)
        rows, columns = self.share.shape
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        found = np.zeros(len(points))
        found[inside] = self.share[row[inside], column[inside]]
        return found


@dataclass(frozen=True, eq=False)
class Detections:
    """The balls seen in one frame.

    Attributes:
        t: the frame's own time, seconds since the source's first frame (middle of the exposure).
        px: (N, 2) centres in the picture, pixels.
        xy: (N, 2) centres in the table frame at ball-centre height, metres.
        cov: (N, 2, 2) covariance of `xy`, metres².
        names: (N, 17) probability of each of `BALL_NAMES`, then of "not a ball"; rows sum to one.
        covered: (N,) share of the ball's disc that something hides, 0 to 1.
        cover: what hides the table in this frame; None where nothing does.
        late: (N,) seconds by which each ball's row was exposed later than `t` (rolling shutter); None where all were
            exposed together.
        repeated: the picture is the one before it once more: nothing new was seen.
    """

    t: float
    px: Floats
    xy: Floats
    cov: Floats
    names: Floats
    covered: Floats
    cover: Cover | None = None
    late: Floats | None = None
    repeated: bool = False

    def __post_init__(self) -> None:
        count = len(self.px)
        shapes = {
            "px": (count, 2),
            "xy": (count, 2),
            "cov": (count, 2, 2),
            "names": (count, len(BALL_NAMES) + 1),
            "covered": (count,),
        }
        for name, shape in shapes.items():
            value = np.asarray(getattr(self, name), dtype=np.float64)
            if value.shape != shape:
                raise ValueError(f"Detections.{name} must have shape {shape}, not {value.shape}")
            object.__setattr__(self, name, value)
        if self.late is not None and np.shape(self.late) != (count,):
            raise ValueError(f"Detections.late must have shape {(count,)}, not {np.shape(self.late)}")
        if not np.isfinite(self.t):
            raise ValueError(f"Detections.t must be a finite time, not {self.t}")

    def __len__(self) -> int:
        return len(self.px)
