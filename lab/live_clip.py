"""Renders the clip that the live loop is measured on: 1456 × 1088 at 60 frames a second, rest, two shots, rest.

python -m lab.live_clip OUT.mp4
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from calibration.table import table_named
from lab.clips import ClipPlan, demo_look, write_clip
from lab.layouts import random_shot
from lab.motion import Physics
from models.synthesis.scene import ball_paints, camera_over

SIZE: Final = (1456, 1088)
_REST: Final = 8.0


def live_plan(seed: int) -> ClipPlan:
    """A fair shot without a pot and a wrong ball hit first, with some seconds of rest before, between and after."""
    table, rng, physics = table_named("9ft"), np.random.default_rng(seed), Physics(roll=0.016)
    first = random_shot(table, "miss", rng, None, _REST, physics)
    second = random_shot(table, "wrong_ball", rng, first.layout_after, first.t_rest + _REST, physics, tries=2000)
    camera = camera_over(
        table,
        SIZE,
        np.array([0.10, -0.16, 2.55]),
        np.array([0.01, 0.0]),
        0.012,
        1200.0,
        np.array([-0.05, 0.006, 0.0, 0.0, 0.0]),
    )
    look, development = demo_look(table, seed)
    paints = ball_paints(rng, "standard", spread=0.0)
    return ClipPlan(
        (first, second), camera, look, paints, development, second.t_rest + 5.0, rate=60, exposure=0.001, seed=seed
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=11)
    chosen = parser.parse_args()
    write_clip(live_plan(chosen.seed), chosen.out)


if __name__ == "__main__":
    main()
