"""The table as last seen: heat, offsets and cover of every cell, brought up to date where it is no longer as it was."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from models.loading import STRIDE, Finder, Findings
from models.rectified import GRID_MULTIPLE
from vision.change import (
    TILE,
    TILE_CELLS,
    Cells,
    Repeats,
    Small,
    Tiles,
    changed_cells,
    noise_between,
    stir_between,
    tiles_with,
)
from vision.frame import Frame
from vision.outlook import Outlook

Floats = npt.NDArray[np.float64]

_CONTEXT: Final = 32
"""Top-view pixels round a tile that the finder is shown besides it."""
_UPSET: Final = 0.6
MOST_TILES: Final = 7
"""With more changed tiles than this, one look at the whole table costs less."""


class Survey:
    """Keeps the finder's answer for the whole top view and renews what has changed.

    A frame is taken in by `changes`; then come `moved` for balls that were followed without the finder, and `renew`.
    """

    def __init__(self, finder: Finder, outlook: Outlook) -> None:
        self._finder = finder
        self._outlook = outlook
        self._reference: Small | None = None
        self._now: Small | None = None
        self._noise = 1.0
        self.findings: Findings | None = None
        self.upset = False
        """Most tiles along the rails have changed at once: a lamp, or the camera itself."""
        self._repeats = Repeats()
        self.repeated = False
        """The last frame is the one before it once more."""

    def changes(self, frame: Frame) -> Cells:
        """Cells (rows, columns) of one frame that are no longer as they were when they were last looked at."""
        small = self._outlook.coarse(frame)
        self.repeated = self._now is not None and self._repeats.again(stir_between(small, self._now))
        if self._now is not None and not self.repeated:
            self._noise += 0.1 * (noise_between(small, self._now) - self._noise)
        self._now = small
        self.upset = False
        if self._reference is None:
            return np.ones(small.shape[:2], dtype=bool)
        cells = changed_cells(small, self._reference, self._noise)
        self.upset = bool(_along_rails(tiles_with(cells)).mean() > _UPSET)
        return cells

    def moved(self, start: Floats, place: Floats, explained: Cells) -> None:
        """A ball was followed from one top-view place (2,) to another: its mark goes with it.

        The cells in `explained` are from now on compared with this frame.
        """
        assert self.findings is not None
        assert self._reference is not None
        assert self._now is not None
        row, column = self._cell(start)
        around = np.s_[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        score = self.findings.heat[around].max(initial=0.0)
        self.findings.heat[around] = 0.0
        row, column = self._cell(place)
        self.findings.heat[row, column] = score
        self.findings.offset[row, column] = place - (np.array([column, row]) * STRIDE + (STRIDE - 1) / 2)
        self._reference[explained] = self._now[explained]

    def _cell(self, place: Floats) -> tuple[int, int]:
        rows, columns = self._outlook.cells
        column, row = np.round((place - (STRIDE - 1) / 2) / STRIDE).astype(int)
        return int(np.clip(row, 0, rows - 1)), int(np.clip(column, 0, columns - 1))

    def renew(self, frame: Frame, tiles: Tiles) -> Tiles:
        """Let the finder look at these tiles (rows, columns) of the frame; says which were looked at in the end."""
        assert self._now is not None
        if self._reference is None or self.findings is None or int(tiles.sum()) > MOST_TILES:
            self._reference = self._now.copy()
            found = self._finder(self._outlook.whole(frame))
            self.findings = Findings(found.heat.copy(), found.offset.copy(), found.cover.copy())
            return np.ones_like(tiles)
        for row, column in np.argwhere(tiles):
            self._tile(frame, int(row), int(column))
        return tiles

    def _tile(self, frame: Frame, row: int, column: int) -> None:
        """Renew one tile from a window of fixed size around it, shifted to lie inside the picture."""
        assert self.findings is not None
        assert self._reference is not None
        assert self._now is not None
        rows, columns = self._outlook.cells
        side = TILE + 2 * _CONTEXT
        top, left = (
            min(max(k * TILE - _CONTEXT, 0), max(cells * STRIDE - side, 0)) // GRID_MULTIPLE * GRID_MULTIPLE
            for k, cells in ((row, rows), (column, columns))
        )
        found = self._finder(self._outlook.window(frame, top, left, side))
        core = (
            slice(row * TILE_CELLS, min((row + 1) * TILE_CELLS, rows)),
            slice(column * TILE_CELLS, min((column + 1) * TILE_CELLS, columns)),
        )
        inner = tuple(
            slice(s.start - o // STRIDE, s.stop - o // STRIDE) for s, o in zip(core, (top, left), strict=True)
        )
        self.findings.heat[core] = found.heat[inner]
        self.findings.offset[core] = found.offset[inner]
        self.findings.cover[core] = found.cover[inner]
        self._reference[core] = self._now[core]


def _along_rails(tiles: Tiles) -> Tiles:
    """The outermost tiles (N,)."""
    return np.concatenate([tiles[0], tiles[-1], tiles[1:-1, 0], tiles[1:-1, -1]])
