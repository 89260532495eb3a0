"""Queues, losses, pacing and exposure: what the workers between camera and record promise, piece by piece."""

from __future__ import annotations

import numpy as np
import pytest

from device.cameras.faults import Health
from device.live.exposure import ExposureKeeper, Order
from device.live.losses import Loss, Losses
from device.live.pacing import Pacing, Stir
from device.live.queues import Latest
from device.live.taken import Taken
from tests.device.cameras.scripted import Picture, raw

WELL = Health(frozenset(), frozenset(), frozenset(), None)


def test_a_full_queue_loses_the_oldest_and_counts_it() -> None:
    queue: Latest[int] = Latest(3)
    lost = [queue.put(k) for k in range(5)]
    assert lost == [None, None, None, 0, 1]
    assert queue.dropped == 2
    assert [queue.get(0.0) for _ in range(4)] == [2, 3, 4, None]


def test_a_closed_queue_gives_what_is_left_and_then_ends() -> None:
    queue: Latest[int] = Latest(3)
    queue.put(1)
    queue.close()
    assert not queue.closed
    assert queue.get(60.0) == 1
    assert queue.get(60.0) is None
    assert queue.closed


def test_losses_that_follow_each_other_are_told_as_one() -> None:
    losses = Losses()
    for k in range(5):
        losses.add(Loss(10 + k / 8, 10 + k / 8 + 1 / 16, 2, "slow"))
    assert losses.over(10.5) == []
    assert losses.over(12.0) == [Loss(10.0, 10.5625, 10, "slow")]
    assert losses.over(13.0) == []


def test_a_shot_says_what_is_missing_in_it_and_only_in_it() -> None:
    losses = Losses()
    losses.add(Loss(10.0, 10.2, 5, "slow"))
    losses.add(Loss(12.0, 12.6, 17, "camera"))
    assert losses.remark(0.0, 9.9) is None
    assert losses.remark(9.0, 11.0) == "5 frames are missing during this shot, the longest stretch 0.20 s"
    assert losses.remark(9.0, 13.0) == "22 frames are missing during this shot, the longest stretch 0.60 s"


def table(ball: int | None = None, noise: int = 0) -> Picture:
    """A grey cloth with some noise and, at a column, a ball."""
    picture = np.random.default_rng(noise).normal(90, 1.5, (240, 480, 3))
    if ball is not None:
        picture[110:130, ball : ball + 20] = 220
    return np.clip(picture, 0, 255).astype(np.uint8)


def taken(index: int, picture: Picture, rate: float = 60.0) -> Taken:
    return Taken(raw(index / rate, picture, index), WELL, index / rate)


def looks(pacing: Pacing, frames: list[Taken], at_rest: bool = True) -> list[list[int]]:
    return [[one.frame.index for one in pacing.choose(frame, at_rest)] for frame in frames]


def paced() -> Pacing:
    return Pacing(Stir((slice(0, 240), slice(0, 480))), 15.0)


def test_at_rest_a_quarter_of_the_frames_is_looked_at() -> None:
    pacing = paced()
    frames = [taken(k, table(100, noise=k)) for k in range(240)]
    chosen = [index for some in looks(pacing, frames) for index in some]
    assert chosen[:3] == [0, 1, 2]
    late = [index for index in chosen if index >= 120]
    assert len(late) == pytest.approx(30, abs=1)
    assert pacing.passed_over > 80


def test_when_something_stirs_the_frames_passed_over_are_looked_at_first() -> None:
    pacing = paced()
    looks(pacing, [taken(k, table(100, noise=k)) for k in range(122)])
    chosen = looks(pacing, [taken(k, table(100 if k < 125 else 106, noise=k)) for k in range(122, 128)])
    flat = [index for some in chosen for index in some]
    assert flat[-6:] == [122, 123, 124, 125, 126, 127] or flat[-4:] == [124, 125, 126, 127]
    skipped = set(range(flat[0], 128)) - set(flat)
    assert all(index < 125 for index in skipped)


def test_while_balls_roll_every_frame_is_looked_at() -> None:
    frames = [taken(k, table(100, noise=k)) for k in range(30)]
    assert looks(paced(), frames, at_rest=False) == [[k] for k in range(30)]


def test_the_light_is_measured_between_shots_only() -> None:
    keeper = ExposureKeeper()
    orders = {}
    for k in range(2000):
        t = k / 10
        rolling = 90.0 <= t < 100.0
        order = keeper.step(t, not rolling)
        if order is not None:
            orders[t] = order
    times = list(orders)
    assert [orders[t] for t in times] == [Order.LOCK, Order.UNLOCK] * 3 + [Order.LOCK] * (len(times) % 2)
    assert times[0] == pytest.approx(2.0)
    assert times[1] == pytest.approx(62.0)
    assert times[2] == pytest.approx(63.5)
    assert not any(90 <= t < 102 for t in times)


def test_a_stroke_while_the_light_is_measured_locks_at_once() -> None:
    keeper = ExposureKeeper()
    assert keeper.step(0.0, True) is None
    assert keeper.step(0.5, False) is Order.LOCK
