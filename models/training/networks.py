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
    """Top view (N, 3, H, W), H and W multiples of 16 → (N, 4, H/4, W/4): see `FINDER_OUTPUTS`.

    Three scales, each looked at with what the coarser ones saw: a ball is told from a knuckle or a pocket's lining by
    what lies round it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_block(3, 16, 2), _block(16, 32, 2), _block(32, 32))
        self.wide = nn.Sequential(_block(32, 64, 2), _Residual(64), _Residual(64))
        self.widest = nn.Sequential(_block(64, 96, 2), _Residual(96), _block(96, 64, 1, 1))
        self.back = nn.Sequential(_block(64, 64), _block(64, 32, 1, 1))
        self.join = _block(32, 32)
        self.head = nn.Conv2d(32, FINDER_OUTPUTS, 1)
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[0] = -4.0
            self.head.bias[3] = -2.0

    def forward(self, picture: Tensor) -> Tensor:
        near = self.stem(picture / 128 - 1)
        far = self.wide(near)
        far = self.back(far + _twice(self.widest(far)))
        return self.head(self.join(near + _twice(far)))  # type: ignore[no-any-return, unused-ignore]


def _twice(x: Tensor) -> Tensor:
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


class NamerNetwork(nn.Module):  # type: ignore[misc, unused-ignore]
    """Crops (N, 3, 40, 40) → (N, 26): see `NAMER_OUTPUTS`."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(3, 24, 2),
            _block(24, 32),
            _block(32, 64, 2),
            _Residual(64),
            _block(64, 96, 2),
            _Residual(96),
            _block(96, 32, 1, 1),
        )
        self.middle = nn.Sequential(nn.Linear(32 * 25, 96), nn.ReLU(True))
        self.out = nn.Linear(96, NAMER_OUTPUTS)

    def forward(self, crops: Tensor) -> Tensor:
        return self.out(self.middle(self.body(crops / 128 - 1).flatten(1)))  # type: ignore[no-any-return, unused-ignore]
