"""A rack is told from balls that lie about, and its end of the table from the other."""

from __future__ import annotations

import numpy as np

from calibration.table import table_named
from device.opening import rack_end, racked
from lab.layouts import nine_ball_rack, random_layout

TABLE = table_named("9ft")


def test_a_nine_ball_rack_stands_at_the_foot() -> None:
    layout = nine_ball_rack(TABLE, np.random.default_rng(1))
    assert racked(TABLE, layout)
    turned = [(-x, -y) for ball, (x, y) in layout.items() if ball != "cue"]
    assert rack_end(TABLE, turned) == "head"


def test_a_measured_rack_is_still_one() -> None:
    rng = np.random.default_rng(2)
    layout = nine_ball_rack(TABLE, rng)
    noisy = {ball: (x + rng.normal(0, 0.001), y + rng.normal(0, 0.001)) for ball, (x, y) in layout.items()}
    assert racked(TABLE, noisy)


def test_balls_in_play_are_no_rack() -> None:
    rng = np.random.default_rng(3)
    assert not any(racked(TABLE, random_layout(TABLE, rng, 9)) for _ in range(50))
