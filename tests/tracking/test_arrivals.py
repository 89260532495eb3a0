"""What is taken for a ball, and when: hands that look like balls, sources that begin late, balls that come back."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.table import table_named
from record.shot import Shot
from tests.tracking import billiards as B
from tracking import Happening, Noticed, ShotEnded, Watcher
from tracking.arrivals import clarity, on_bed
from tracking.samples import Sighting
from tracking.tracks import Track
from vision.detections import Detections

TABLE = table_named("8ft")
LAYOUT = {"cue": (-0.6, 0.0), "1": (0.1, 0.02), "2": (0.7, 0.1)}
HAND = (-0.2, -0.3)


def watched(frames: list[Detections]) -> tuple[Watcher, list[Happening]]:
    watcher = Watcher(TABLE)
    happened = [h for frame in frames for h in watcher.update(frame)]
    return watcher, happened + watcher.finish()


def shots(happened: list[Happening]) -> list[Shot]:
    return [h.shot for h in happened if isinstance(h, ShotEnded)]


def noticed(happened: list[Happening]) -> list[tuple[str, str | None]]:
    return [(h.observation.what, h.observation.ball) for h in happened if isinstance(h, Noticed)]


def with_hand(truth: object, times: np.ndarray, since: float, until: float) -> list[Detections]:
    """Frames in which a resting hand looks like the 7, as sure as a ball but with a vaguer centre."""
    rng = np.random.default_rng(3)
    frames = []
    for t in times:
        seen = {name: truth.at(name, float(t)) for name in LAYOUT}  # type: ignore[attr-defined]
        here = since < t < until
        if here:
            seen["7"] = np.array([HAND[0] + 0.004 * np.sin(9 * t), HAND[1]])
        found = B.frame(float(t), seen, rng, sigma=0.001, cover=B.cover_over(TABLE, HAND) if here else None)
        if here:
            found.cov[-1] = np.eye(2) * 0.0026**2
        frames.append(found)
    return frames


def test_a_hand_that_looks_like_a_ball_is_none() -> None:
    truth = B.played(TABLE, LAYOUT, (1.5, 0.0), strike=4.0, until=7.0)
    frames = with_hand(truth, np.arange(0, 7, 1 / 30), since=1.5, until=4.6)
    watcher, happened = watched(frames)
    (shot,) = shots(happened)
    assert set(shot.layout_before) == set(LAYOUT)
    assert shot.moving_at_strike == []
    assert noticed(happened) == []
    assert {ball.name for ball in watcher.balls} == set(LAYOUT)


@pytest.mark.parametrize("lead", [0.2, 0.27, 0.4])
def test_a_stroke_soon_after_the_source_began_is_told(lead: float) -> None:
    truth = B.played(TABLE, LAYOUT, (1.8, 0.0), strike=lead, until=5.0)
    (shot,) = shots(watched(B.filmed(truth, np.arange(0, 5, 1 / 30), drop=0.0))[1])
    assert abs(shot.t_strike - lead) < 0.02
    assert set(shot.layout_before) == set(LAYOUT)
    first = next(e for e in shot.events if e.type == "ball_contact")
    assert first.balls == ("cue", "1")


def test_a_cue_ball_under_address_when_the_source_begins_is_told() -> None:
    truth = B.played(TABLE, LAYOUT, (1.8, 0.0), strike=0.3, until=5.0)
    rng = np.random.default_rng(0)
    frames = []
    for t in np.arange(0, 5, 1 / 30):
        stick = B.cover_over(TABLE, (-0.71, 0.0), 0.08) if t < 0.5 else None
        frames.append(B.frame(float(t), {n: truth.at(n, float(t)) for n in LAYOUT}, rng, 0.001, cover=stick))
    (shot,) = shots(watched(frames)[1])
    assert abs(shot.t_strike - 0.3) < 0.02


def test_balls_that_ran_already_are_noticed_once_and_make_no_shot() -> None:
    truth = B.played(TABLE, LAYOUT, (1.8, 0.0), until=7.0)
    happened = watched(B.filmed(truth, np.arange(1.1, 7.0, 1 / 60)))[1]
    assert shots(happened) == []
    assert noticed(happened) == [("already_moving", None)]


def test_the_ball_that_is_struck_is_the_cue_ball_whatever_it_looks_like() -> None:
    truth = B.played(TABLE, LAYOUT, (1.8, 0.0), strike=0.6, until=6.0)
    cream = 0.6 * B.look("13", 0.9) + 0.4 * B.look("cue", 0.9)
    (shot,) = shots(watched(B.filmed(truth, np.arange(0, 6, 1 / 30), looks={"cue": cream}))[1])
    assert set(shot.layout_before) == set(LAYOUT)


def _potted_then(extra: tuple[float, float]) -> list[tuple[str, str | None]]:
    """The 3 is potted; from `extra[0]` to `extra[1]` something that looks like it lies in the open."""
    x, y = TABLE.length / 2, TABLE.width / 2
    layout = {"cue": (0.5, y - (x - 0.5) * 0.98), "3": (0.8, y - (x - 0.8) * 0.98), "9": (-0.5, 0.0)}
    truth = B.played(TABLE, layout, (1.0, 0.98), until=9.0)
    rng = np.random.default_rng(5)
    frames = []
    for t in np.arange(0, 9, 1 / 30):
        seen = {n: truth.at(n, float(t)) for n in layout}
        if extra[0] < t < extra[1]:
            seen["3"] = np.array([0.2, 0.2])
        frames.append(B.frame(float(t), seen, rng, 0.001))
    happened = watched(frames)[1]
    (shot,) = shots(happened)
    assert any(e.type == "pocketed" and e.ball == "3" for e in shot.events)
    return noticed(happened)


def test_a_pocketed_ball_comes_back_only_when_it_is_plainly_spotted() -> None:
    assert ("ball_spotted", "3") in _potted_then((6.0, 9.0))
    assert ("ball_spotted", "3") not in _potted_then((6.0, 6.9))


def test_no_ball_lies_beyond_the_noses_except_over_a_pocket() -> None:
    half = TABLE.width / 2
    assert on_bed(TABLE, np.array([0.4, half - TABLE.ball_radius + 0.004]))
    assert not on_bed(TABLE, np.array([0.4, half]))
    assert on_bed(TABLE, np.array([0.0, half]))


def test_only_a_sharp_ball_is_believed_beside_a_hand() -> None:
    rng = np.random.default_rng(0)
    beside = np.array([HAND[0] + 0.15, HAND[1]])
    for sigma, expected in ((0.001, 0.5), (0.003, 0.0)):
        seen = B.frame(0.0, {"3": beside}, rng, 1e-6, cover=B.cover_over(TABLE, HAND))
        seen.cov[:] = np.eye(2) * sigma**2
        assert clarity(seen, TABLE.ball_diameter).tolist() == [expected]


def test_a_flat_look_and_a_repeated_place_tell_nothing() -> None:
    track = Track(0, 0.0, np.zeros(2), 0.0)
    track.settle(np.zeros(2), 6.0, 0.0)
    for k in range(5):
        sighting = Sighting(0.1 * (k + 1), 0.001, 0.0, 0.0005, 0.0, np.full(17, 1 / 17), again=k > 0)
        track.stay(sighting)
        track.notice(sighting)
    assert track.looked == 0.0
    assert track.weight == 7.0


def test_a_stroke_while_a_ball_still_rolls_is_a_shot_of_its_own() -> None:
    layout = {"cue": (-0.6, 0.0), "1": (-0.3, 0.0), "2": (0.7, 0.4)}
    first = B.played(TABLE, layout, (1.5, 0.0), strike=0.6, until=5.0)
    still = first.at("cue", 2.5)
    again = B.played(TABLE, {"cue": tuple(still), "2": layout["2"]}, (0.2, -1.0), strike=2.6, until=5.0)
    rng = np.random.default_rng(4)
    frames = []
    for t in np.arange(0, 5, 1 / 30):
        seen = {n: first.at(n, float(t)) for n in layout}
        if t > 2.6:
            seen["cue"] = again.at("cue", float(t))
        frames.append(B.frame(float(t), seen, rng, 0.001))
    one, two = shots(watched(frames)[1])
    assert one.moving_at_strike == []
    assert abs(two.t_strike - 2.6) < 0.04
    assert two.moving_at_strike == ["1"]
