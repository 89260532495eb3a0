"""Rails that no bend of a path tells: between two meetings of the same balls, or with the last of a ball's speed."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.table import table_named
from record.events import RailContact
from record.shot import Shot
from tests.tracking import billiards as B
from tracking import ShotEnded, Watcher

TABLE = table_named("8ft")
HALF = TABLE.width / 2 - TABLE.ball_radius


def told(truth: B.Truth, seed: int, fps: float = 60.0) -> Shot:
    watcher = Watcher(TABLE)
    frames = B.filmed(truth, np.arange(0, 8, 1 / fps), seed=seed, drop=0.0)
    happened = [h for frame in frames for h in watcher.update(frame)] + watcher.finish()
    (shot,) = [h.shot for h in happened if isinstance(h, ShotEnded)]
    return shot


def touches(shot: Shot, ball: str, rail: str) -> list[RailContact]:
    return [e for e in shot.events if isinstance(e, RailContact) and e.ball == ball and e.rail == rail]


@pytest.mark.parametrize("gap", [0.008, 0.02, 0.03])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_ball_driven_into_a_rail_close_by_and_back_onto_the_cue_ball_touched_that_rail(gap: float, seed: int) -> None:
    places = {"cue": (0.3, HALF - 0.4), "1": (0.3, HALF - gap), "2": (-0.6, 0.0)}
    truth = B.played(TABLE, places, (0.0, 1.6))
    kinds = [kind for kind, _, who in truth.events if "1" in who]
    assert kinds[:3] == ["ball_contact", "rail_contact", "ball_contact"]
    assert sum(e.sure for e in touches(told(truth, seed), "1", "left")) > 0.25


@pytest.mark.parametrize("speed", [0.07, 0.1, 0.15])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_ball_that_comes_back_by_millimetres_touched_the_rail(speed: float, seed: int) -> None:
    """It reaches the rail with a tenth of a metre a second and stands still for an instant, as it seems."""
    start = float(np.sqrt(speed**2 + 2 * B.DRAG * HALF))
    truth = B.played(TABLE, {"cue": (0.3, 0.0), "1": (-0.6, 0.2)}, (0.0, start))
    assert [who for _, who in truth.of("rail_contact")] == [("cue", "left")]
    assert sum(e.sure for e in touches(told(truth, seed), "cue", "left")) > 0.5


def test_balls_that_meet_once_near_a_rail_have_not_touched_it_for_that() -> None:
    places = {"cue": (-0.4, HALF - 0.05), "1": (0.2, HALF - 0.05)}
    truth = B.played(TABLE, places, (0.7, 0.0))
    assert not truth.of("rail_contact")
    assert not [e for e in told(truth, 0).events if isinstance(e, RailContact) and e.sure > 0.2]
