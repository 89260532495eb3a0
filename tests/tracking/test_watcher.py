"""From detections to shots: what the watcher promises, against exact truth."""

from __future__ import annotations

import functools
from typing import Any, TypeVar

import numpy as np
import pytest

from calibration.table import Table, table_named
from record.events import BallContact, CameToRest, Pocketed, RailContact, SideCrossing
from record.shot import Shot
from tests.tracking import billiards as B
from tracking import Happening, Noticed, ShotEnded, ShotStarted, Watcher
from vision.detections import Detections

TABLE = table_named("8ft")
LAYOUT = {"cue": (-0.6, 0.0), "1": (0.1, 0.02), "2": (0.7, 0.1), "5": (-0.3, -0.4)}


@functools.cache
def the_shot() -> Any:
    """The cue ball drives the 1 to three rails."""
    return B.played(TABLE, LAYOUT, (1.8, 0.0))


def watched(frames: list[Detections], table: Table = TABLE) -> tuple[Watcher, list[Happening]]:
    watcher = Watcher(table)
    happened = [h for frame in frames for h in watcher.update(frame)]
    return watcher, happened + watcher.finish()


def shots(happened: list[Happening]) -> list[Shot]:
    return [h.shot for h in happened if isinstance(h, ShotEnded)]


Kind = TypeVar("Kind", BallContact, RailContact, Pocketed, CameToRest, SideCrossing)


def told(shot: Shot, kind: type[Kind]) -> list[Kind]:
    return [e for e in shot.events if isinstance(e, kind)]


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
def test_a_shot_is_told_as_it_was(fps: float) -> None:
    truth = the_shot()
    _, happened = watched(B.filmed(truth, np.arange(0, 8, 1 / fps)))
    (shot,) = shots(happened)
    assert any(isinstance(h, ShotStarted) and h.ball == "cue" for h in happened)
    assert abs(shot.t_strike - 1.0) < 1 / fps
    assert set(shot.layout_before) == set(LAYOUT) == set(shot.layout_after)
    assert shot.layout_before["2"] == pytest.approx((0.7, 0.1), abs=0.001)
    first = told(shot, BallContact)[0]
    t, balls = truth.of("ball_contact")[0]
    assert first.balls == ("cue", "1")
    assert set(balls) == {"cue", "1"}
    assert abs(first.t - t) < 0.004
    assert first.sure > 0.9
    rails = [(e.ball, e.rail) for e in told(shot, RailContact) if e.sure > 0.9]
    assert rails == [who for _, who in truth.of("rail_contact")]


def test_what_each_name_rested_on_is_kept_with_the_shot() -> None:
    (shot,) = shots(watched(B.filmed(the_shot(), np.arange(0, 8, 1 / 60)))[1])
    assert shot.identities is not None
    assert set(shot.identities) == set(LAYOUT)
    for ball, seen in shot.identities.items():
        assert seen.chances[ball] > 0.9
        assert seen.looks > 10


def test_variable_rate_repeats_and_gaps_change_nothing() -> None:
    rng = np.random.default_rng(3)
    truth = the_shot()
    times = np.cumsum(rng.uniform(0.012, 0.045, 280))
    frames = B.filmed(truth, times[times < 8], seed=4)
    for k in range(10, len(frames), 17):
        old = frames[k - 1]
        frames[k] = Detections(frames[k].t, old.px, old.xy, old.cov, old.names, old.covered, old.cover)
    del frames[60:62]
    (shot,) = shots(watched(frames)[1])
    assert told(shot, BallContact)[0].balls == ("cue", "1")
    assert [(e.ball, e.rail) for e in told(shot, RailContact) if e.sure > 0.9] == [
        who for _, who in truth.of("rail_contact")
    ]


def test_a_potted_ball_is_pocketed_and_a_scratch_too() -> None:
    x, y = TABLE.length / 2, TABLE.width / 2
    layout = {"cue": (0.5, y - (x - 0.5) * 0.98), "3": (0.8, y - (x - 0.8) * 0.98), "9": (-0.5, 0.0)}
    truth = B.played(TABLE, layout, (1.6, 1.57))
    potted = {who for _, who in truth.of("pocketed")}
    assert ("3", "foot_left") in potted
    (shot,) = shots(watched(B.filmed(truth, np.arange(0, 8, 1 / 60)))[1])
    assert {(e.ball, e.pocket) for e in told(shot, Pocketed)} == potted
    assert "3" not in shot.layout_after


def test_a_ball_that_is_gone_into_a_pocket_is_known_before_all_has_come_to_rest() -> None:
    x, y = TABLE.length / 2, TABLE.width / 2
    layout = {"cue": (0.51, y - (x - 0.5) * 0.98 - 0.01), "3": (x - 0.12, y - 0.12), "9": (-0.5, 0.0)}
    truth = B.played(TABLE, layout, (1.8, 1.76))
    (fallen,) = [t for t, who in truth.of("pocketed") if who[0] == "3"]
    watcher = Watcher(TABLE)
    known: list[float] = []
    for frame in B.filmed(truth, np.arange(0, 8, 1 / 60)):
        ended = any(isinstance(happening, ShotEnded) for happening in watcher.update(frame))
        if "3" in watcher.sunk:
            assert watcher.sunk["3"] == "foot_left"
            known.append(frame.t)
        if ended:
            break
    assert fallen < known[0] < fallen + 1.0
    assert watcher.sunk == {}


def test_balls_come_to_rest_and_cross_the_side_line() -> None:
    layout = {"cue": (-0.7, 0.1), "4": (-0.35, 0.1)}
    truth = B.played(TABLE, layout, (1.2, 0.0), until=10)
    (shot,) = shots(watched(B.filmed(truth, np.arange(0, 10, 1 / 60)))[1])
    moving = np.flatnonzero(np.hypot(*np.diff(truth.paths["4"], axis=0).T) > 1e-9)
    assert abs(shot.t_rest - moving[-1] * B.STEP) < 0.2
    assert {e.ball for e in told(shot, CameToRest)} == {"cue", "4"}
    (crossing,) = told(shot, SideCrossing)
    exact = np.flatnonzero(truth.paths["4"][:, 0] > TABLE.ball_radius)[0] * B.STEP
    assert abs(crossing.t - exact) < 0.01


def test_a_hand_that_carries_the_cue_ball_is_no_shot() -> None:
    rng = np.random.default_rng(1)
    frames = []
    for t in np.arange(0, 6, 1 / 30):
        share = float(np.clip((t - 2.0) / 1.5, 0, 1))
        smooth = share**3 * (10 - 15 * share + 6 * share**2)
        spot = (-0.6 + 0.5 * smooth, 0.0)
        moving = 1.8 < t < 3.8
        cover = B.cover_over(TABLE, spot) if moving else None
        seen = {"cue": np.array(spot), "1": np.array((0.5, 0.2))}
        if moving and rng.random() < 0.3:
            del seen["cue"]
        frames.append(B.frame(float(t), seen, rng, covered={"cue": 0.6 if moving else 0.0}, cover=cover))
    watcher, happened = watched(frames)
    assert shots(happened) == []
    seen_between = [h.observation for h in happened if isinstance(h, Noticed)]
    assert any(o.ball == "cue" and o.what == "cue_ball_placed" for o in seen_between)
    cue = next(b for b in watcher.balls if b.name == "cue")
    assert cue.at == pytest.approx((-0.1, 0.0), abs=0.003)


def test_a_covered_ball_is_hidden_not_gone() -> None:
    rng = np.random.default_rng(2)
    frames = []
    for t in np.arange(0, 14, 1 / 30):
        hidden = 2.0 < t < 11.0
        seen = {n: np.array(p) for n, p in LAYOUT.items() if not (hidden and n == "5")}
        cover = B.cover_over(TABLE, LAYOUT["5"]) if hidden else None
        frames.append(B.frame(float(t), seen, rng, cover=cover))
    watcher, happened = watched(frames)
    assert happened == []
    assert [b.name for b in watcher.balls] == sorted(LAYOUT)


def test_no_shot_is_invented_when_a_clip_starts_in_motion() -> None:
    truth = the_shot()
    frames = B.filmed(truth, np.arange(1.5, 8, 1 / 60))
    assert shots(watched(frames)[1]) == []


def test_a_shot_cut_short_says_so() -> None:
    truth = the_shot()
    (shot,) = shots(watched(B.filmed(truth, np.arange(0, 2.2, 1 / 60)))[1])
    assert any("cut short" in note for note in shot.notes)
    assert told(shot, BallContact)[0].balls == ("cue", "1")


def test_balls_without_names_stay_anonymous() -> None:
    truth = B.played(TABLE, {"cue": (-0.6, 0.0), "1": (0.1, 0.02), "2": (0.7, 0.3)}, (2.0, 0.0))
    nothing = {"1": B.look(None), "2": B.look(None)}
    (shot,) = shots(watched(B.filmed(truth, np.arange(0, 8, 1 / 60), looks=nothing))[1])
    assert set(shot.layout_before) == {"cue", "?1", "?2"}
    assert "cue" in told(shot, BallContact)[0].balls


def test_two_balls_that_look_alike_do_not_share_a_name() -> None:
    rng = np.random.default_rng(5)
    places = {"cue": np.array((-0.6, 0.0)), "a": np.array((0.2, 0.1)), "b": np.array((0.5, -0.2))}
    looks = {"a": B.look("7", 0.8), "b": B.look("7", 0.5)}
    frames = [B.frame(float(t), places, rng, looks=looks) for t in np.arange(0, 2, 1 / 30)]
    watcher, _ = watched(frames)
    at = {b.name: b.at for b in watcher.balls}
    assert set(at) == {"cue", "7", "?1"}
    assert at["7"] == pytest.approx((0.2, 0.1), abs=0.002)


def test_a_shot_is_the_same_whenever_it_is_read() -> None:
    frames = B.filmed(B.played(TABLE, LAYOUT, (2.5, 0.3)), np.arange(0, 8, 1 / 60))
    one, two = (shots(watched(frames)[1])[0].model_dump_json() for _ in range(2))
    assert one == two


def test_frames_out_of_order_and_empty_ones_do_no_harm() -> None:
    watcher = Watcher(TABLE)
    rng = np.random.default_rng(0)
    places = {n: np.array(p) for n, p in LAYOUT.items()}
    for t in np.arange(0, 1, 1 / 30):
        watcher.update(B.frame(float(t), places, rng))
    assert watcher.update(B.frame(0.2, places, rng)) == []
    for t in np.arange(1, 4, 1 / 30):
        assert watcher.update(B.frame(float(t), {}, rng)) == []
    assert len(watcher.balls) == len(LAYOUT)


def test_a_ball_struck_before_it_could_be_named_does_no_harm() -> None:
    truth = B.played(TABLE, LAYOUT, (1.8, 0.0), strike=0.6, until=7.0)
    hidden = B.filmed(truth, np.arange(0.15, 7.0, 1 / 60))
    barely = B.filmed(truth, np.arange(0.15, 7.0, 1 / 60), looks=dict.fromkeys(LAYOUT, B.look(None)))
    for frames in (hidden, barely):
        watcher, _ = watched(frames)
        assert len(watcher.balls) == len(LAYOUT)
