"""Trains the namer: `python -m models.training.namer FOLDER --steps 6000 --seed 1 --out models/namer.onnx`."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.training.augment import relight, rescale, shade
from models.training.export import export, load_weights, quantise, save_weights
from models.training.networks import NamerNetwork
from models.training.samples import NOT_A_BALL, SEEN, UNKNOWN_NAME, NamerSamples
from models.training.schedule import fit, say

_BATCH: Final = 192
_SHOWN: Final = 1024
"""Crops that the eight-bit form's ranges are measured on."""
_SHORTEST: Final = 0.02
"""Least standard deviation (crop pixels) the loss believes in."""


class Crops:
    """Crops in memory with what is true of them."""

    def __init__(self, samples: Sequence[NamerSamples]) -> None:
        crops = np.concatenate([s.crops for s in samples])
        self.crops = torch.from_numpy(crops).permute(0, 3, 1, 2).contiguous()
        self.centre, self.name, self.covered, self.streak = (
            torch.from_numpy(np.concatenate([getattr(s, key) for s in samples]))
            for key in ("centre", "name", "covered", "streak")
        )

    @classmethod
    def read(cls, files: Sequence[Path]) -> Crops:
        """All that `render_set` wrote into these files."""
        parts = []
        for file in files:
            with np.load(file) as data:
                parts.append(NamerSamples(**{key: data[key] for key in data}))
        return cls(parts)

    def __len__(self) -> int:
        return len(self.crops)


def placing_loss(answer: Tensor, centre: Tensor) -> Tensor:
    """Negative log-likelihood (N,) of the true centre under the stated normal distribution in two dimensions."""
    away = centre - answer[:, 0:2]
    sigma = torch.exp(answer[:, 2:4].clamp(-6, 4)) + _SHORTEST
    rho = 0.95 * torch.tanh(answer[:, 4])
    zx, zy = (away / sigma).unbind(1)
    one = 1 - rho**2
    square = (zx**2 - 2 * rho * zx * zy + zy**2) / one
    # Tails heavier than a normal's keep single bad crops from ruling the rest.
    robust = torch.where(square < 16, square, 8 * torch.sqrt(square.clamp(min=16)) - 16)
    return 0.5 * robust + torch.log(sigma).sum(1) + 0.5 * torch.log(one) + math.log(2 * math.pi)


def streak_code(streak: Tensor) -> Tensor:
    """A streak (N, 2) up to its sign: length, and length times cosine and sine of twice its angle (N, 3)."""
    x, y = streak.unbind(1)
    length = torch.hypot(x, y)
    safe = length.clamp(min=1e-6)
    return torch.stack([length, (x * x - y * y) / safe, 2 * x * y / safe], dim=1)


def _loss(
    answer: Tensor, batch: Crops, pick: Tensor, flips: tuple[int, int], scale: Tensor
) -> tuple[Tensor, dict[str, float]]:
    name, covered = batch.name[pick], batch.covered[pick]
    change = torch.tensor(flips, dtype=torch.float32) * scale[:, None]
    centre, streak = batch.centre[pick] * change, batch.streak[pick] * change
    ball = name != NOT_A_BALL
    clear = ball & (covered < 1 - SEEN)
    asked = (clear | ~ball) & (name != UNKNOWN_NAME)
    placing = placing_loss(answer[clear], centre[clear]).mean()
    naming = F.cross_entropy(answer[asked, 5:22], name[asked], label_smoothing=0.005)
    hiding = F.binary_cross_entropy_with_logits(answer[:, 22], covered)
    timed = clear & torch.isfinite(streak).all(1)
    away = F.smooth_l1_loss(answer[timed, 23:26], streak_code(streak[timed]), beta=0.5, reduction="sum")
    streaking = away / (3 * timed.sum().clamp(min=1))
    total = 0.5 * placing + 2 * naming + 0.5 * hiding + 0.15 * streaking
    right = (answer[asked, 5:22].argmax(1) == name[asked]).float().mean()
    return total, {"place": placing.item(), "name": naming.item(), "right": right.item(), "cover": hiding.item()}


def train(folder: Path, steps: int, seed: int, out: Path, start: Path | None = None, half: float = 0.0) -> None:
    """Writes `out` (eight bits), beside it `NAME.full.onnx` and `NAME.weights.npz`."""
    torch.manual_seed(seed)
    data = Crops.read(sorted(folder.glob("namer_*.npz")))
    network = NamerNetwork()
    if start is not None:
        load_weights(network, start)
    print(len(data), "crops;", sum(p.numel() for p in network.parameters()), "parameters")
    mean = learn(network, data, steps, seed, 3e-3 if start is None else 2e-3, half=half)
    write(mean, out, shown(data))


def learn(
    network: nn.Module,
    data: Crops,
    steps: int,
    seed: int,
    rate: float,
    told: Callable[[str], None] = say,
    half: float = 0.0,
) -> nn.Module:
    """Trains on random crops; gives back the running mean of the weights."""
    noise = torch.Generator().manual_seed(seed)

    def loss(step: int) -> tuple[Tensor, dict[str, float]]:
        pick = torch.randint(len(data), (_BATCH,), generator=noise)
        crops = shade(data.crops[pick].float(), data.centre[pick], data.streak[pick].nan_to_num(), noise)
        crops, scale = rescale(relight(crops, noise), noise)
        flips = tuple(int(f) * 2 - 1 for f in torch.randint(2, (2,), generator=noise))
        if flips[0] < 0:
            crops = crops.flip(3)
        if flips[1] < 0:
            crops = crops.flip(2)
        return _loss(network(crops).float(), data, pick, (flips[0], flips[1]), scale)

    return fit(network, loss, steps, rate, "namer", told, half)


def shown(data: Crops) -> Tensor:
    """Crops (N, 3, 40, 40) to fix the ranges of the eight-bit form on."""
    return data.crops[:: max(1, len(data) // _SHOWN)]


def write(network: nn.Module, out: Path, crops: Tensor) -> None:
    """Writes the network; `crops` (N, 3, 40, 40) are shown to it for the ranges of its eight-bit form."""
    save_weights(network, out.with_suffix(".weights.npz"))
    full = out.with_suffix(".full.onnx")
    export(network, torch.zeros(1, 3, 40, 40), full, {0: "crops"})
    quantise(full, out, (part.float().numpy() for part in crops.split(64)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("models/namer.onnx"))
    parser.add_argument("--start", type=Path, help="weights (.weights.npz) to go on from")
    parser.add_argument("--half", type=float, default=0.0, help="share of the steps worked out in bfloat16")
    chosen = parser.parse_args()
    train(chosen.folder, chosen.steps, chosen.seed, chosen.out, chosen.start, chosen.half)
