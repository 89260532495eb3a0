"""The simulated shots keep the laws of mechanics, and their events are where the trajectories say they are."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from calibration.table import Table, table_named
from lab.layouts import ShotKind, nine_ball_rack, random_layout, random_shot
from lab.motion import Physics, collide, energy, rebound
from lab.shot import PlayedShot, Stroke
from lab.simulator import play

TABLE = table_named("9ft")
KINDS: tuple[ShotKind, ...] = ("break", "pot", "miss", "kick", "wrong_ball", "scratch", "no_contact")


@pytest.fixture(scope="module")
def shots() -> dict[str, PlayedShot]:
    return {kind: random_shot(TABLE, kind, np.random.default_rng(3)) for kind in KINDS}


def test_a_collision_keeps_momentum_and_never_gains_energy() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        v, w = rng.normal(0, 2, (2, 2)), rng.normal(0, 30, (2, 3))
        angle = rng.uniform(0, 2 * np.pi)
        line = np.array([np.cos(angle), np.sin(angle)])
        if (v[0] - v[1]) @ line < 0:
            line = -line
        before, had = v.sum(axis=0), energy(v, w, TABLE.ball_radius)
        collide(v[0], w[0], v[1], w[1], line, TABLE.ball_radius, Physics(), 0.95)
        assert np.allclose(v.sum(axis=0), before)
        assert (v[1] - v[0]) @ line >= 0
        assert energy(v, w, TABLE.ball_radius) <= had + 1e-9


def test_a_rebound_turns_the_ball_round_and_never_gains_energy() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        v, w = rng.normal(0, 2, 2), rng.normal(0, 30, 3)
        v[1] = -abs(v[1])
        had = energy(v, w, TABLE.ball_radius)
        rebound(v, w, np.array([0.0, 1.0]), TABLE.ball_radius, Physics(), 0.8)
        assert v[1] > 0
        assert energy(v, w, TABLE.ball_radius) <= had + 1e-9


def test_energy_never_grows_during_a_shot(shots: dict[str, PlayedShot]) -> None:
    for shot in shots.values():
        times = np.arange(shot.t_strike + 1e-6, shot.t_rest, 0.01)
        kept = [_energy(shot, t) for t in times]
        assert all(b <= a + 1e-9 for a, b in itertools.pairwise(kept))


def _energy(shot: PlayedShot, t: float) -> float:
    found = 0.0
    for way in shot.ways.values():
        starts = [leg.start for leg in way.legs]
        _, v, w = way.legs[int(np.searchsorted(starts, t, side="right")) - 1].at(t)
        # What drops into a pocket takes its energy along: leave it in the sum.
        found += energy(v, w, TABLE.ball_radius)
    return found


def test_balls_never_overlap_and_leave_only_through_pockets(shots: dict[str, PlayedShot]) -> None:
    for shot in shots.values():
        times = np.arange(0, shot.t_rest, 0.0007)
        places = np.stack([way(times) for way in shot.ways.values()])
        for a, b in itertools.combinations(places, 2):
            assert np.nanmin(np.hypot(*(a - b).T), initial=9.0) > TABLE.ball_diameter - 1e-4
        for track in places:
            away = np.abs(track) - (np.array([TABLE.length, TABLE.width]) / 2 - TABLE.ball_radius)
            out = (away > 1e-4).any(axis=1)
            assert all(_near_a_pocket(place) for place in track[out])


def _near_a_pocket(place: np.ndarray) -> bool:
    return any(np.hypot(*(place - np.array(p.centre))) < 0.15 for p in TABLE.pockets.values())


def test_a_contact_has_centres_one_diameter_apart_and_a_rail_contact_one_radius(shots: dict[str, PlayedShot]) -> None:
    for shot in shots.values():
        for event in shot.of("ball_contact"):
            assert event.balls is not None
            a, b = (shot.ways[name]([event.t])[0] for name in event.balls)
            assert np.hypot(*(a - b)) == pytest.approx(TABLE.ball_diameter, abs=2e-5)
        for event in shot.of("rail_contact"):
            assert event.ball is not None
            assert event.rail is not None
            x, y = shot.ways[event.ball]([event.t])[0]
            if not event.jaw:
                assert TABLE.rail_distance(event.rail, x, y) == pytest.approx(TABLE.ball_radius, abs=2e-5)


def test_events_are_in_order_and_start_with_the_strike(shots: dict[str, PlayedShot]) -> None:
    for shot in shots.values():
        assert shot.events[0].type == "strike"
        assert all(a.t <= b.t for a, b in itertools.pairwise(shot.events))
        for event in shot.of("pocketed"):
            assert event.ball not in shot.layout_after


def test_a_straight_shot_rolls_as_far_as_friction_says() -> None:
    physics = Physics(roll=0.02)
    shot = play(TABLE, {"cue": (-1.0, 0.1)}, Stroke((1.0, 0.0), follow=1.0), physics=physics)
    x, y = shot.layout_after["cue"]
    assert x == pytest.approx(-1.0 + 1.0 / (2 * 0.02 * 9.81), abs=1e-6) or shot.of("rail_contact")
    assert y == pytest.approx(0.1, abs=1e-9)


def test_a_ball_frozen_to_a_rail_says_so() -> None:
    y = TABLE.width / 2 - TABLE.ball_radius
    layout = {"cue": (-0.3, y - 0.3), "1": (0.3, y)}
    way = np.array(layout["1"]) - np.array(layout["cue"])
    shot = play(TABLE, layout, Stroke((float(way[0] * 3), float(way[1] * 3))))
    touches = [e for e in shot.of("rail_contact") if e.ball == "1" and e.rail == "left"]
    assert touches
    assert touches[0].frozen


def test_a_tight_rack_breaks() -> None:
    layout = nine_ball_rack(TABLE, np.random.default_rng(1), gap=0.0)
    shot = play(TABLE, layout, Stroke((8.0, -8.0 * layout["cue"][1] / (TABLE.foot_spot[0] - layout["cue"][0]))))
    moved = [
        n
        for n in layout
        if n not in shot.layout_after or np.hypot(*np.subtract(shot.layout_after[n], layout[n])) > 0.02
    ]
    assert len(moved) >= 8


def test_the_same_seed_plays_the_same_shot() -> None:
    one, two = (random_shot(TABLE, "miss", np.random.default_rng(5)) for _ in range(2))
    assert one.events == two.events


def test_layouts_keep_balls_apart_on_any_table() -> None:
    table = Table(1.881, 0.943, 0.0523)
    layout = random_layout(table, np.random.default_rng(2), 8)
    for a, b in itertools.combinations(layout.values(), 2):
        assert np.hypot(*np.subtract(a, b)) > table.ball_diameter
