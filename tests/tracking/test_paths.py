"""Kinks and fits: a known path is found again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracking.kinks import cut, without_outliers
from tracking.paths import fit
from tracking.samples import Samples


def bent(t: np.ndarray, kink: float, before: tuple[float, float], after: tuple[float, float]) -> np.ndarray:
    u = t - kink
    return np.asarray(np.where(u[:, None] < 0, u[:, None] * np.array(before), u[:, None] * np.array(after)))


def sampled(t: np.ndarray, xy: np.ndarray, sigma: float = 0.001, seed: int = 0) -> Samples:
    rng = np.random.default_rng(seed)
    n = len(t)
    noisy = xy + rng.normal(0, sigma, xy.shape)
    return Samples(t, noisy, np.full(n, sigma), np.zeros(n), np.full((n, 17), 1 / 17))


@settings(max_examples=30, deadline=None)
@given(kink=st.floats(0.35, 0.65), speed=st.floats(0.4, 4.0), turn=st.floats(0.8, 3.0), seed=st.integers(0, 1000))
def test_the_time_of_a_kink_is_found_within_its_uncertainty(kink: float, speed: float, turn: float, seed: int) -> None:
    t = np.arange(0, 1, 1 / 60)
    after = (speed * np.cos(turn), speed * np.sin(turn))
    samples = sampled(t, bent(t, kink, (speed, 0.0), after), seed=seed)
    stretches = cut(samples, samples.sigma)
    guesses = [float(0.5 * (t[s.first - 1] + t[s.first])) for s in stretches[1:]]
    assert guesses
    nearest = min(guesses, key=lambda g: abs(g - kink))
    path = fit(t, samples.xy, samples.sigma, [nearest], [False, False])
    assert abs(path.knots[0] - kink) < 6 * path.knot_sigma[0] + 1e-4


def test_a_rest_is_still_and_a_roll_is_not() -> None:
    t = np.arange(0, 2, 1 / 30)
    xy = np.where(t[:, None] < 1.0, 0.0, (t[:, None] - 1.0) * np.array([1.0, 0.2]))
    stretches = cut(sampled(t, xy), np.full(len(t), 0.001))
    assert stretches[0].still
    assert not stretches[-1].still
    assert t[stretches[0].last - 1] == pytest.approx(1.0, abs=0.07)


def test_a_single_outlier_is_left_out_and_a_kink_is_not() -> None:
    t = np.arange(0, 1, 1 / 60)
    xy = bent(t, 0.5, (2.0, 0.0), (-1.0, 1.5))
    samples = sampled(t, xy, sigma=0.0005)
    samples.xy[20] += 0.02
    good = without_outliers(samples, samples.sigma)
    assert not good[20]
    assert good.sum() == len(t) - 1
