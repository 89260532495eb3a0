"""Trains the finder: `python -m models.training.finder FOLDER --steps 4000 --seed 1 --out models/finder.onnx`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.training.augment import crush, relight
from models.training.export import export, load_weights, quantise, save_weights
from models.training.networks import FinderNetwork
from models.training.samples import SEEN, STRIDE, FinderSample
from models.training.schedule import fit, say

Field = npt.NDArray[np.floating[Any]]

_WINDOW: Final = 160
_BATCH: Final = 12
_SIGMA: Final = 0.62
"""Width of a ball's mark in the heat map, cells; touching balls lie three cells apart."""
_SHOWN: Final = 48
"""Windows that the eight-bit form's ranges are measured on."""
_COVER_COUNTS: Final = torch.tensor(4.0)
"""Covered cells are few and count so many times as much; where they are, a ball seen by mistake does too."""


class Views:
    """Top views kept in memory; draws random windows with their targets."""

    def __init__(self, samples: Sequence[FinderSample]) -> None:
        self._all = list(samples)

    @classmethod
    def read(cls, files: Sequence[Path]) -> Views:
        """All that `render_set` wrote into these files."""
        found: list[FinderSample] = []
        for file in files:
            with np.load(file) as data:
                for k in range(sum(key.startswith("picture") for key in data)):
                    found.append(FinderSample(*(data[f"{key}{k}"] for key in ("picture", "balls", "visible", "cover"))))
        return cls(found)

    def __len__(self) -> int:
        return len(self._all)

    def window(self, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], Field]:
        """A window (_WINDOW, _WINDOW, 3) and targets (5, cells, cells): heat, weight, offsets, cover."""
        sample = self._all[rng.integers(len(self._all))]
        picture, balls, visible, cover = sample.picture, sample.balls, sample.visible, sample.cover
        cells = _WINDOW // STRIDE
        rows, columns = picture.shape[0] // STRIDE, picture.shape[1] // STRIDE
        top, left = int(rng.integers(-4, rows - cells + 5)), int(rng.integers(-4, columns - cells + 5))
        if len(balls) and rng.random() < 0.6:
            u, v = balls[rng.integers(len(balls))] / STRIDE
            top = int(np.clip(v - rng.uniform(0, cells), -4, rows - cells + 4))
            left = int(np.clip(u - rng.uniform(0, cells), -4, columns - cells + 4))
        out = np.zeros((_WINDOW, _WINDOW, 3), dtype=np.uint8)
        covered = np.zeros((cells, cells), dtype=np.float32)
        t0, l0 = max(top, 0), max(left, 0)
        t1, l1 = min(top + cells, rows), min(left + cells, columns)
        inner = picture[t0 * STRIDE : t1 * STRIDE, l0 * STRIDE : l1 * STRIDE]
        out[(t0 - top) * STRIDE : (t1 - top) * STRIDE, (l0 - left) * STRIDE : (l1 - left) * STRIDE] = inner
        covered[t0 - top : t1 - top, l0 - left : l1 - left] = cover[t0:t1, l0:l1]
        places = (balls - [left * STRIDE, top * STRIDE] - (STRIDE - 1) / 2) / STRIDE
        return out, targets(places, visible, covered)


def targets(places: npt.NDArray[np.float64], visible: npt.NDArray[np.float64], cover: Field) -> Field:
    """Training targets (5, rows, columns) for balls at `places` (N, 2), cells: heat, weight, offsets, cover (NaN where
    nobody has said whether something hides the cloth)."""
    rows, columns = cover.shape
    v, u = np.indices((rows, columns), dtype=np.float32)
    heat, weight = np.zeros_like(cover), np.ones_like(cover)
    offset = np.zeros((2, rows, columns), dtype=np.float32)
    for (x, y), seen in zip(places, visible, strict=True):
        away = (u - x) ** 2 + (v - y) ** 2
        if seen < SEEN:
            weight[away < 4] = 0
            continue
        heat = np.maximum(heat, np.exp(-away / (2 * _SIGMA**2)))
        i, j = round(y), round(x)
        if 0 <= i < rows and 0 <= j < columns:
            heat[i, j], weight[i, j] = 1, 1
            near = away < 1.6
            offset[0][near], offset[1][near] = (x - u)[near], (y - v)[near]
    return np.stack([heat, weight, *offset, cover]).astype(np.float32)


def _loss(answer: Tensor, target: Tensor) -> tuple[Tensor, dict[str, float]]:
    heat, weight, cover = target[:, 0], target[:, 1], target[:, 4]
    logit = answer[:, 0]
    chance = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    told = torch.isfinite(cover)
    cover = torch.where(told, cover, torch.zeros_like(cover))
    centre = heat > 0.999
    count = centre.sum().clamp(min=1)
    hit = -((1 - chance) ** 2 * torch.log(chance))[centre].sum()
    deceptive = weight * (1 + 3 * cover)
    miss = -((1 - heat) ** 4 * chance**2 * torch.log(1 - chance) * deceptive)[~centre].sum()
    near = (heat > 0.25) & (weight > 0)
    away = F.smooth_l1_loss(answer[:, 1:3], target[:, 2:4], beta=0.1, reduction="none").sum(1)
    offset = (away * heat)[near].sum() / heat[near].sum().clamp(min=1)
    each = F.binary_cross_entropy_with_logits(answer[:, 3], cover, pos_weight=_COVER_COUNTS, reduction="none")
    hidden = (each * told).sum() / told.sum().clamp(min=1)
    total = (hit + miss) / count + 2 * offset + 2 * hidden
    return total, {"heat": ((hit + miss) / count).item(), "offset": offset.item(), "cover": hidden.item()}


def train(folder: Path, steps: int, seed: int, out: Path, start: Path | None = None, half: float = 0.0) -> None:
    """Writes `out` (eight bits), beside it `NAME.full.onnx` and `NAME.weights.npz`."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    views = Views.read(sorted(folder.glob("finder_*.npz")))
    network = FinderNetwork()
    if start is not None:
        load_weights(network, start)
    print(sum(p.numel() for p in network.parameters()), "parameters")
    mean = learn(network, views, steps, seed, 3e-3 if start is None else 1.2e-3, half=half)
    write(mean, out, shown(views, rng))


def learn(
    network: nn.Module,
    views: Views,
    steps: int,
    seed: int,
    rate: float,
    told: Callable[[str], None] = say,
    half: float = 0.0,
) -> nn.Module:
    """Trains on random windows; gives back the running mean of the weights."""
    rng = np.random.default_rng(seed)
    noise = torch.Generator().manual_seed(seed)

    def loss(step: int) -> tuple[Tensor, dict[str, float]]:
        drawn = [views.window(rng) for _ in range(_BATCH)]
        pictures = torch.from_numpy(np.stack([p for p, _ in drawn])).permute(0, 3, 1, 2).float()
        target = torch.from_numpy(np.stack([t for _, t in drawn]))
        for axis in (2, 3):
            if rng.random() < 0.5:
                pictures, target = pictures.flip(axis), target.flip(axis)
                target[:, 5 - axis] *= -1
        return _loss(network(relight(crush(pictures, noise), noise)).float(), target)

    return fit(network, loss, steps, rate, "finder", told, half)


def shown(views: Views, rng: np.random.Generator) -> Iterator[npt.NDArray[np.uint8]]:
    """Windows to fix the ranges of the eight-bit form on."""
    return (views.window(rng)[0] for _ in range(_SHOWN))


def write(network: nn.Module, out: Path, windows: Iterable[npt.NDArray[np.uint8]]) -> None:
    """Writes the network; `windows` are shown to it for the ranges of its eight-bit form."""
    save_weights(network, out.with_suffix(".weights.npz"))
    full = out.with_suffix(".full.onnx")
    export(network, torch.zeros(1, 3, 304, 576), full, {0: "pictures", 2: "rows", 3: "columns"})
    shown = (window.transpose(2, 0, 1)[None].astype(np.float32) for window in windows)
    quantise(full, out, shown)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("models/finder.onnx"))
    parser.add_argument("--start", type=Path, help="weights (.weights.npz) to go on from")
    parser.add_argument("--half", type=float, default=0.0, help="share of the steps worked out in bfloat16")
    chosen = parser.parse_args()
    train(chosen.folder, chosen.steps, chosen.seed, chosen.out, chosen.start, chosen.half)
