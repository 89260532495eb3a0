"""Positions per frame from a file of arrays (`.npz`), as trackers and the truth of rendered clips write them."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from device.source import SourceError
from tracking.positions import BadPositionsError, Positions
from vision.detections import BALL_NAMES

Floats = npt.NDArray[np.float64]

LARGEST: Final = 512 * 1024 * 1024
"""Bytes that a file's arrays may hold."""
FINEST: Final = 0.0003
"""No tracker is better than this, metres: what seems to be was rounded, or is exact."""
_GRIDS: Final = (0.001, 0.0005)


def read_positions(path: Path) -> Positions:
    """Arrays `t` (N), `balls` (B names), `xy` (N, B, 2), and `visible` (N, B) where there is one.

    Raises:
        SourceError: the file cannot be read, or holds no positions.
    """
    if not path.is_file():
        raise SourceError(f"no such file: {path}")
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > LARGEST:
                raise SourceError(f"{path} holds more than {LARGEST // 2**20} MiB of arrays")
        with np.load(path, allow_pickle=False) as arrays:
            missing = [key for key in ("t", "balls", "xy") if key not in arrays]
            if missing:
                raise SourceError(f"{path} holds no array {missing[0]!r}; needed are t, balls and xy")
            return _positions(path, {key: arrays[key] for key in arrays if key in ("t", "balls", "xy", "visible")})
    except (OSError, ValueError, zipfile.BadZipFile, EOFError) as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"{path} cannot be read as positions: {error}") from None


def _positions(path: Path, arrays: dict[str, npt.NDArray[np.generic]]) -> Positions:
    t = np.asarray(arrays["t"], dtype=np.float64).reshape(-1)
    balls = tuple(str(name) for name in np.asarray(arrays["balls"]).reshape(-1))
    strange = [name for name in balls if name not in BALL_NAMES and not (name[:1] == "?" and name[1:].isdigit())]
    if strange:
        raise SourceError(f"{path}: {strange[0]!r} is no ball; balls are 'cue', '1' to '15', or '?1' and so on")
    xy = np.asarray(arrays["xy"], dtype=np.float64)
    shape = (len(t), len(balls))
    seen = arrays.get("visible")
    visible = np.ones(shape) if seen is None else np.asarray(seen, dtype=np.float64)
    try:
        found = Positions(t, balls, xy, visible)
    except BadPositionsError as error:
        raise SourceError(f"{path}: {error}") from None
    if not np.isfinite(xy).any():
        raise SourceError(f"{path}: no ball is seen in any frame")
    return found


def with_noise(positions: Positions, noise: float, seed: int) -> Positions:
    """The positions with added error, `noise` the standard error of a coordinate in metres.

    Positions that were rounded to a grid are spread over its cells: else a resting ball would seem never to be looked
    at anew.
    """
    rng = np.random.default_rng(seed)
    grid = _grid(positions.xy)
    spread = rng.uniform(-0.5, 0.5, positions.xy.shape) * grid + rng.normal(0.0, 1.0, positions.xy.shape) * noise
    return Positions(positions.t, positions.balls, positions.xy + spread, positions.visible)


def _grid(xy: Floats) -> float:
    """The cell to which positions were rounded, metres; 0 for none that is known."""
    numbers = xy[np.isfinite(xy)]
    return next((g for g in _GRIDS if np.all(np.abs(numbers / g - np.round(numbers / g)) < 0.02)), 0.0)


def scatter(positions: Positions) -> float:
    """Standard error of a coordinate as the positions themselves show it, metres: from third differences, which the
    steady parts of all ways make up."""
    thirds = np.diff(positions.xy, n=3, axis=0)
    sizes = np.abs(thirds[np.isfinite(thirds)])
    found = float(np.median(sizes)) / (0.6745 * np.sqrt(20.0)) if len(sizes) else FINEST
    return float(np.clip(found, FINEST, 0.01))
