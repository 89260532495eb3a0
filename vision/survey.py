"""The table as last seen: heat, offsets and cover of every cell, brought up to date tile by tile by the finder."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from models.loading import STRIDE, Finder, Findings
from vision.change import CELL, TILE, TILE_CELLS, Picture, Small, Tiles, changed_tiles, noise_between, shrunk

_CONTEXT: Final = 32
"""Top-view pixels round a tile that the finder is shown besides it."""
_UPSET: Final = 0.6
_MOST_TILES: Final = 7
"""With more changed tiles than this, one look at the whole table costs less."""

assert CELL == STRIDE


class Survey:
    """Keeps the finder's answer for the whole top view and renews what has changed."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._reference: Small | None = None
        self._previous: Small | None = None
        self._noise = 1.0
        self.findings: Findings | None = None
        self.upset = False
        """Most tiles along the rails have changed at once: a lamp, or the camera itself."""

    def renew(self, top_view: Picture) -> Tiles:
        """Look at one frame's top view; says which tiles (rows, columns) were looked at anew."""
        small = shrunk(top_view)
        if self._previous is not None and self._previous.shape == small.shape:
            self._noise += 0.1 * (noise_between(small, self._previous) - self._noise)
        self._previous = small
        self.upset = False
        if self._reference is None or self.findings is None:
            return self._whole(top_view, small)
        changed = changed_tiles(small, self._reference, self._noise)
        self.upset = bool(_along_rails(changed).mean() > _UPSET)
        count = int(changed.sum())
        if count > _MOST_TILES:
            return self._whole(top_view, small)
        for row, column in np.argwhere(changed):
            self._tile(top_view, small, int(row), int(column))
        return changed

    def _whole(self, top_view: Picture, small: Small) -> Tiles:
        self._reference = small.copy()
        found = self._finder(top_view)
        self.findings = Findings(found.heat.copy(), found.offset.copy(), found.cover.copy())
        rows, columns = found.heat.shape
        return np.ones((-(-rows // TILE_CELLS), -(-columns // TILE_CELLS)), dtype=bool)

    def _tile(self, top_view: Picture, small: Small, row: int, column: int) -> None:
        """Renew one tile from a window of fixed size around it, shifted to lie inside the picture."""
        assert self.findings is not None
        assert self._reference is not None
        height, width = top_view.shape[:2]
        side = TILE + 2 * _CONTEXT
        top = min(max(row * TILE - _CONTEXT, 0), max(height - side, 0)) // 8 * 8
        left = min(max(column * TILE - _CONTEXT, 0), max(width - side, 0)) // 8 * 8
        found = self._finder(np.ascontiguousarray(top_view[top : top + side, left : left + side]))
        core = (
            slice(row * TILE_CELLS, min((row + 1) * TILE_CELLS, height // CELL)),
            slice(column * TILE_CELLS, min((column + 1) * TILE_CELLS, width // CELL)),
        )
        inner = tuple(slice(s.start - o // CELL, s.stop - o // CELL) for s, o in zip(core, (top, left), strict=True))
        self.findings.heat[core] = found.heat[inner]
        self.findings.offset[core] = found.offset[inner]
        self.findings.cover[core] = found.cover[inner]
        self._reference[core] = small[core]


def _along_rails(tiles: Tiles) -> Tiles:
    """The outermost tiles (N,)."""
    return np.concatenate([tiles[0], tiles[-1], tiles[1:-1, 0], tiles[1:-1, -1]])


def tile_of(places: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Row and column (N,) of the tiles that top-view pixels (N, 2) lie in."""
    return (places[:, 1] // TILE).astype(np.int64), (places[:, 0] // TILE).astype(np.int64)
