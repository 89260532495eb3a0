"""Renders a training set to disk: `python -m models.training.render_set FOLDER --count 1500 --seed 1`.

Top views go to `finder_*.npz`, crops to `namer_*.npz`, in files of a hundred pictures: what is there can be trained on
while the rest is still being drawn. With `--closeups N` so many close-ups
(`models.training.closeups`) are drawn instead.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.closeups import closeups
from models.training.samples import FinderSample, NamerSamples, finder_sample, namer_samples, pictures

_PART = 100
_CLOSEUPS_A_PART = 10_000


def _write(folder: Path, name: str, top: list[FinderSample], crops: list[NamerSamples]) -> None:
    ragged: dict[str, Any] = {}
    for k, s in enumerate(top):
        ragged |= {f"picture{k}": s.picture, f"balls{k}": s.balls, f"visible{k}": s.visible, f"cover{k}": s.cover}
    np.savez(folder / f"finder_{name}.npz", **ragged)
    _write_crops(folder / f"namer_{name}.npz", crops)


def _write_crops(path: Path, crops: list[NamerSamples]) -> None:
    joined: dict[str, Any] = {
        key: np.concatenate([getattr(s, key) for s in crops])
        for key in ("crops", "centre", "name", "covered", "streak")
    }
    np.savez(path, **joined)


def render(folder: Path, count: int, seed: int) -> None:
    """Draws `count` pictures; the same seed draws the same ones."""
    folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    source = pictures(rng)
    for part in range(0, count, _PART):
        top, crops = [], []
        for _ in range(min(_PART, count - part)):
            drawn = next(source)
            shown = (drawn.picture, drawn.truth, drawn.table, drawn.camera)
            top.append(finder_sample(*shown))
            crops.append(namer_samples(*shown, rng))
        _write(folder, f"{seed}_{part:06d}", top, crops)
        print(f"{part + len(top)} of {count} pictures", flush=True)


def render_closeups(folder: Path, count: int, seed: int) -> None:
    """Draws `count` close-ups; the same seed draws the same ones."""
    folder.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    source = closeups(np.random.default_rng(seed))
    for part in range(0, count, _CLOSEUPS_A_PART):
        size = min(_CLOSEUPS_A_PART, count - part)
        _write_crops(folder / f"namer_close_{seed}_{part:07d}.npz", list(itertools.islice(source, size)))
        print(f"{part + size} of {count} close-ups", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--closeups", type=int, default=0, help="draw so many close-ups instead of pictures")
    chosen = parser.parse_args()
    if chosen.closeups:
        render_closeups(chosen.folder, chosen.closeups, chosen.seed)
    else:
        render(chosen.folder, chosen.count, chosen.seed)
