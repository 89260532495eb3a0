"""The two networks. Both take BGR pictures as float32 numbers 0 to 255 and scale them themselves."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

FINDER_OUTPUTS: Final = 4
"""Heat logit, offset in column and row (cells), cover logit."""
NAMER_OUTPUTS: Final = 26
"""dx, dy, their two log-sigmas, their correlation (before tanh), 17 name logits, cover logit, streak code (3)."""


def _block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(True)
    )


class _Residual(nn.Module):  # type: ignore[misc, unused-ignore]
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _block(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class FinderNetwork(nn.Module):  # type: ignore[misc, unused-ignore]
    """Top view (N, 3, H, W), H and W multiples of 8 → (N, 4, H/4, W/4): see `FINDER_OUTPUTS`."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_block(3, 12, 2), _block(12, 28, 2), _Residual(28))
        self.wide = nn.Sequential(_block(28, 48, 2), _Residual(48), _Residual(48))
        self.back = _block(48, 28, 1, 1)
        self.join = _block(56, 32)
        self.head = nn.Conv2d(32, FINDER_OUTPUTS, 1)
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[0] = -4.0
            self.head.bias[3] = -2.0

    def forward(self, picture: Tensor) -> Tensor:
        near = self.stem(picture / 128 - 1)
        far = nn.functional.interpolate(self.back(self.wide(near)), scale_factor=2.0, mode="nearest")
        return self.head(self.join(torch.cat([near, far], dim=1)))  # type: ignore[no-any-return, unused-ignore]


class NamerNetwork(nn.Module):  # type: ignore[misc, unused-ignore]
    """Crops (N, 3, 40, 40) → (N, 26): see `NAMER_OUTPUTS`."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(3, 20, 2), _block(20, 32), _block(32, 48, 2), _Residual(48), _block(48, 64, 2), _block(64, 24, 1, 1)
        )
        self.middle = nn.Sequential(nn.Linear(24 * 25, 64), nn.ReLU(True))
        self.out = nn.Linear(64, NAMER_OUTPUTS)

    def forward(self, crops: Tensor) -> Tensor:
        return self.out(self.middle(self.body(crops / 128 - 1).flatten(1)))  # type: ignore[no-any-return, unused-ignore]
