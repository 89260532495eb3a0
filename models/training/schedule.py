"""The training loop's frame that both networks share: seeds, optimiser, one-cycle learning rate, averaged weights."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable

import torch
from torch import Tensor, nn


def say(line: str) -> None:
    """Prints a line at once, also into a log file."""
    print(line, flush=True)


def fit(
    network: nn.Module,
    loss: Callable[[int], tuple[Tensor, dict[str, float]]],
    steps: int,
    rate: float,
    label: str,
    told: Callable[[str], None] = say,
    half: float = 0.0,
) -> nn.Module:
    """Trains `network` for `steps` on what `loss(step)` returns; gives back the running mean of its weights.

    The first steps, a share `half` of all, are worked out in bfloat16: twice as fast on processors that have it.
    """
    torch.set_num_threads(1)  # a second thread on a shared machine costs more in waiting than it brings
    network.to(memory_format=torch.channels_last)  # type: ignore[call-overload, unused-ignore]
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-4)
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=rate, total_steps=steps, pct_start=0.1)
    mean = copy.deepcopy(network)
    kept: dict[str, float] = {}
    started = time.monotonic()
    for step in range(steps):
        network.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=step < half * steps):
            total, parts = loss(step)
        optimiser.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        cycle.step()
        _follow(mean, network, min(0.995, step / (step + 10)))
        for key, value in parts.items():
            kept[key] = 0.98 * kept.get(key, value) + 0.02 * value
        if step % 100 == 99:
            shown = "  ".join(f"{key} {value:.4f}" for key, value in kept.items())
            told(f"{label} {step + 1}/{steps}  {time.monotonic() - started:.0f} s  {shown}")
    return mean


@torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
def _follow(mean: nn.Module, network: nn.Module, keep: float) -> None:
    for a, b in zip(mean.state_dict().values(), network.state_dict().values(), strict=True):
        if a.dtype.is_floating_point:
            a.lerp_(b, 1 - keep)
        else:
            a.copy_(b)
