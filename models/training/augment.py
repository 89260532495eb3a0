"""Changes of light and sensor on training pictures, mild enough that a ball's hue still says which it is."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

from models.rectified import CROP_BALL_PIXELS

_SCALES: Final = 0.05
"""Spread of the logarithm of a crop's scale."""
_STILL: Final = 1.0
"""Half-length of a streak, crop pixels, up to which a ball has a round rim."""


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


def shade(crops: Tensor, centre: Tensor, streak: Tensor, generator: torch.Generator) -> Tensor:
    """Crops (N, 3, S, S) of balls at `centre` (N, 2) from the middle, as in other rooms: rims darker or tinted by the
    cloth, one side turned from the light. Balls that smear (`streak` (N, 2)) stay as they are."""
    n, size = len(crops), crops.shape[-1]
    at = torch.arange(size, dtype=torch.float32) - (size - 1) / 2
    dx = at.view(1, 1, size) - centre[:, 0].view(n, 1, 1)
    dy = at.view(1, size, 1) - centre[:, 1].view(n, 1, 1)
    away = torch.sqrt(dx**2 + dy**2) / (CROP_BALL_PIXELS / 2)
    still = (torch.hypot(streak[:, 0], streak[:, 1]) < _STILL).view(n, 1, 1)
    inside = ((1.04 - away) / 0.16).clamp(0, 1) * still

    def drawn(low: float, high: float, share: float = 1.0) -> Tensor:
        value = low + (high - low) * torch.rand(n, 1, 1, generator=generator)
        return torch.where(torch.rand(n, 1, 1, generator=generator) < share, value, torch.zeros_like(value))

    rim = drawn(0.0, 0.65, 0.6) * away.clamp(0, 1) ** drawn(1.5, 6.0)
    angle = 6.2832 * torch.rand(n, 1, 1, generator=generator)
    across = ((dx * torch.cos(angle) + dy * torch.sin(angle)) / (CROP_BALL_PIXELS / 2)).clamp(0, 1)
    side = drawn(0.0, 0.55, 0.5) * across ** drawn(1.0, 3.0)
    tint = drawn(0.0, 0.55, 0.5) * away.clamp(0, 1) ** drawn(2.5, 7.0)
    dark = ((1 - rim * inside) * (1 - side * inside)).unsqueeze(1)
    cloth = torch.cat([crops[:, :, :2].flatten(2), crops[:, :, -2:].flatten(2)], dim=2).median(dim=2).values
    share = (tint * inside).unsqueeze(1)
    return (crops * dark) * (1 - share) + cloth.view(n, 3, 1, 1) * share


def rescale(crops: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Crops (N, 3, S, S) a little larger or smaller, and by how much (N,): a ball's size in the picture is known no
    better than the calibration, and no ring of cloth round it is a stripe."""
    n = len(crops)
    scale = torch.exp(_SCALES * torch.randn(n, generator=generator)).clamp(0.86, 1.16)
    turn = torch.zeros(n, 2, 3)
    turn[:, 0, 0] = turn[:, 1, 1] = 1 / scale
    grid = torch.nn.functional.affine_grid(turn, list(crops.shape), align_corners=False)
    made = torch.nn.functional.grid_sample(crops, grid, padding_mode="border", align_corners=False)
    return made, scale
