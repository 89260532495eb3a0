"""How balls turn while they slide and roll, so that their stripes and numbers do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from lab.shot import PlayedShot
from models.synthesis.scene import random_turn

Field = npt.NDArray[np.floating[Any]]

_STEP: Final = 1 / 240


class Turns:
    """Every ball's present turn (3, 3); `advance` carries them on through a shot."""

    def __init__(self, names: Iterable[str], rng: np.random.Generator) -> None:
        self._turns = {name: random_turn(rng).astype(np.float64) for name in names}

    def advance(self, shot: PlayedShot, start: float, end: float) -> None:
        """Turns the balls of `shot` from time `start` to `end`."""
        steps = max(1, int(np.ceil((end - start) / _STEP)))
        dt = (end - start) / steps
        for name, way in shot.ways.items():
            for k in range(steps):
                t = start + (k + 0.5) * dt
                spin = way.spin(t)
                if t >= way.gone or not spin.any():
                    continue
                turn, _ = cv2.Rodrigues(spin * dt)
                self._turns[name] = turn @ self._turns[name]

    def now(self) -> Mapping[str, Field]:
        return {name: turn.astype(np.float32) for name, turn in self._turns.items()}
