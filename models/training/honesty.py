"""How honest the namer is, and what would make it so: `python -m models.training.honesty --count 150`.

Prints the temperature of its name probabilities (Guo et al. 2017) and the widening of its stated regions that hold on
drawn pictures of another seed than those it is measured on. The numbers printed go into `models.loading`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from models.loading import NAMER_PATH, Namer
from models.rectified import CROP_SIZE
from models.training.samples import NOT_A_BALL, namer_samples, pictures

Floats = npt.NDArray[np.float64]

_SEED: Final = 771_001
_CLEAR: Final = 0.5
_WITHIN_95: Final = 5.991
_LEAST: Final = 1e-6


def told(namer: Namer, count: int, seed: int) -> tuple[Floats, npt.NDArray[np.int64], Floats, Floats]:
    """Names (N, 17) and what is true (N,) of crops; squares (M,) and streaks (M,) of the balls among them."""
    rng = np.random.default_rng(seed)
    source = pictures(rng)
    names, true, squares, streaks = [], [], [], []
    for _ in range(count):
        drawn = next(source)
        part = namer_samples(drawn.picture, drawn.truth, drawn.table, drawn.camera, rng)
        said = namer(part.crops)
        asked = part.covered < 1 - _CLEAR
        names.append(said.names[asked])
        true.append(part.name[asked])
        ball = asked & (part.name != NOT_A_BALL)
        off = part.centre[ball] + (CROP_SIZE - 1) / 2 - said.centre[ball]
        squares.append(np.einsum("ni,ni->n", off, np.linalg.solve(said.cov[ball], off[..., None])[..., 0]))
        streaks.append(np.hypot(*part.streak[ball].T))
    return np.concatenate(names), np.concatenate(true), np.concatenate(squares), np.concatenate(streaks)


def temperature(names: Floats, true: npt.NDArray[np.int64]) -> float:
    """The power 1/T of the probabilities (N, 17), normed anew, under which the truth (N,) is likeliest."""
    logs = np.log(np.clip(names, _LEAST, 1))

    def surprise(t: float) -> float:
        scaled = logs / t
        norm = np.logaddexp.reduce(scaled, axis=1)
        return float(np.mean(norm - scaled[np.arange(len(true)), true]))

    return float(minimize_scalar(surprise, bounds=(0.3, 4.0), method="bounded").x)


def widening(squares: Floats) -> float:
    """The factor on the standard deviations with which 95 of 100 true places lie inside the stated 95 % region."""
    return float(np.sqrt(np.quantile(squares, 0.95) / _WITHIN_95))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--namer", type=Path, default=NAMER_PATH)
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    names, true, squares, streaks = told(Namer(chosen.namer), chosen.count, chosen.seed)
    rest = streaks < 0.25
    print(f"temperature {temperature(names, true):.3f} ({len(true)} crops)")
    for label, group in (("all", np.ones(len(rest), dtype=bool)), ("at rest", rest), ("moving", ~rest)):
        inside = float((squares[group] <= _WITHIN_95).mean())
        print(f"{label}: {inside:.3f} inside the 95 % region; widen by {widening(squares[group]):.3f} ({group.sum()})")


if __name__ == "__main__":
    main()
