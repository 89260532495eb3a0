"""Changes of light and sensor on training pictures, mild enough that a ball's hue still says which it is."""

from __future__ import annotations

import torch
from torch import Tensor


def relight(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """(N, 3, H, W) BGR 0 to 255 with exposure, white balance, contrast and noise changed, picture by picture."""

    def drawn(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    n = len(pictures)
    gain = torch.exp(0.12 * drawn(n, 1, 1, 1) + 0.04 * drawn(n, 3, 1, 1))
    gamma = torch.exp(0.08 * drawn(n, 1, 1, 1))
    lit = 255 * (pictures / 255).clamp(1e-3, 1) ** gamma * gain
    grain = drawn(*pictures.shape) * (drawn(n, 1, 1, 1).abs() * 2.0)
    return (lit + grain).clamp(0, 255).round()


def crush(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Every fourth picture loses sharpness, as a small or soft camera picture would."""
    soft = torch.nn.functional.avg_pool2d(pictures, 3, 1, 1, count_include_pad=False)
    pick = torch.rand(len(pictures), 1, 1, 1, generator=generator) < 0.2
    return torch.where(pick, soft, pictures)
