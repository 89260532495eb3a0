"""Renders simulated shots to a clip with its truth beside it: `python -m lab.clips --demo`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import Table, table_named
from lab.layouts import random_layout, random_shot
from lab.motion import Physics
from lab.player import player_at
from lab.shot import PlayedShot
from lab.truth import clip_json
from lab.turning import Turns
from models.synthesis.ball import Paint
from models.synthesis.camera_effects import Development
from models.synthesis.colours import CLOTHS, colour
from models.synthesis.light import Lamp, Light
from models.synthesis.render import Look, Placed, Stage, Truth
from models.synthesis.scene import NAMES, ball_paints, camera_over
from models.synthesis.table_picture import TableStyle

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

_FALLS: Final = 0.25
_DEPTH: Final = 0.07
_VISIBLE: Final = 0.5
DEMO: Final = Path(__file__).parent / "footage" / "demo.mp4"


@dataclass(frozen=True, eq=False)
class ClipPlan:
    """What a clip shows: shots one after the other on one table, seen by one camera; times from the first frame."""

    shots: tuple[PlayedShot, ...]
    camera: Camera
    look: Look
    paints: Mapping[str, Paint]
    development: Development
    duration: float
    rate: int = 30
    exposure: float = 0.004
    seed: int = 0


@dataclass(frozen=True, eq=False)
class ClipFrame:
    """One frame: its time, its picture (H, W, 3) BGR, and for each of `NAMES` place (16, 2), visible share, state."""

    t: float
    picture: Picture
    xy: Floats
    visible: Floats
    state: npt.NDArray[np.uint8]


def _present(shots: Sequence[PlayedShot], t: float) -> PlayedShot:
    """The shot whose ways hold at time `t`."""
    return next((shot for shot in reversed(shots) if shot.t_strike <= t), shots[0])


def _ball(plan: ClipPlan, shot: PlayedShot, name: str, t: float, turn: npt.NDArray[np.float32]) -> Placed | None:
    way, paint = shot.ways[name], plan.paints[name]
    radius = shot.table.ball_radius
    if t < way.gone:
        times = t + plan.exposure * np.array([-0.5, -0.25, 0.0, 0.25, 0.5])
        places = way(np.minimum(times, np.nextafter(way.gone, 0)))
        path = np.column_stack([places, np.full(len(times), radius)])
        return Placed(name, path if np.ptp(places, axis=0).max() > 1e-5 else path[:1], turn, paint)
    sunk = (t - way.gone) / _FALLS
    if sunk >= 1:
        return None
    drop = next(e for e in shot.of("pocketed") if e.ball == name)
    assert drop.pocket is not None
    start = way([np.nextafter(way.gone, 0)])[0]
    hole = np.array(shot.table.pockets[drop.pocket].centre)
    place = start + (hole - start) * sunk
    return Placed(name, np.array([[*place, radius - _DEPTH * sunk**2]]), turn, paint, in_pocket=True)


def render_clip(plan: ClipPlan) -> Iterator[ClipFrame]:
    """The clip's frames in time order."""
    rng = np.random.default_rng(plan.seed)
    stage = Stage(plan.camera, plan.look)
    turns = Turns(plan.shots[0].ways, rng)
    before = 0.0
    for k in range(round(plan.duration * plan.rate)):
        t = k / plan.rate
        shot = _present(plan.shots, t)
        turns.advance(shot, before, t)
        before = t
        now = turns.now()
        drawn = [_ball(plan, shot, name, t, now[name]) for name in shot.ways]
        balls = [ball for ball in drawn if ball is not None]
        limbs = [limb for s in plan.shots for limb in player_at(s, t, plan.seed)]
        picture, truth = stage.picture(balls, plan.development, rng, limbs)
        yield _frame(t, picture, truth)


def _frame(t: float, picture: Picture, truth: Truth) -> ClipFrame:
    xy = np.full((len(NAMES), 2), np.nan)
    visible, state = np.zeros(len(NAMES)), np.zeros(len(NAMES), dtype=np.uint8)
    for name, place, seen, on_table in zip(truth.names, truth.xy, truth.visible, truth.on_table, strict=True):
        k = NAMES.index(name)
        state[k] = 1 if on_table else 2
        if on_table:
            xy[k], visible[k] = place, seen
    return ClipFrame(t, picture, xy, visible, state)


def write_clip(plan: ClipPlan, path: Path, quality: int = 20) -> None:
    """Writes `path` (.mp4, H.264, yuv420p) with its truth in a .json and a .npz beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frames: list[ClipFrame] = []
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=plan.rate)
        stream.width, stream.height = plan.camera.size
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": str(quality), "preset": "slow"}
        stream.time_base = Fraction(1, plan.rate)
        for k, frame in enumerate(render_clip(plan)):
            image = av.VideoFrame.from_ndarray(frame.picture, format="bgr24")
            image.pts, image.time_base = k, Fraction(1, plan.rate)
            container.mux(stream.encode(image))
            frames.append(ClipFrame(frame.t, np.zeros((0, 0, 3), dtype=np.uint8), frame.xy, frame.visible, frame.state))
        container.mux(stream.encode(None))
    _write_truth(plan, path, frames)


def _write_truth(plan: ClipPlan, path: Path, frames: Sequence[ClipFrame]) -> None:
    table = plan.shots[0].table
    document = clip_json(path.name, plan.camera, table, plan.rate, len(frames), plan.exposure, plan.shots)
    path.with_suffix(".json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    visible = np.array([f.visible for f in frames], dtype=np.float32)
    state = np.array([f.state for f in frames])
    np.savez_compressed(
        path.with_suffix(".npz"),
        t=np.array([f.t for f in frames]),
        balls=np.array(NAMES),
        xy=np.array([f.xy for f in frames], dtype=np.float32),
        visible=visible,
        occluded=(state == 1) & (visible < _VISIBLE),
        state=state,
    )


def hall_light() -> Light:
    """Two long lamps over the table, as in a pool hall."""
    tint = np.array([0.98, 1.0, 1.02], dtype=np.float32)
    lamps = [Lamp(np.array([x, 0, 1.1], dtype=np.float32), (0.45, 0.14), 0.0, 0.42, tint) for x in (-0.55, 0.55)]
    return Light(tuple(lamps), np.full(3, 0.35, dtype=np.float32))


def demo_look(table: Table, seed: int) -> tuple[Look, Development]:
    """A hall's table with blue cloth, and an ordinary camera's way with it."""
    style = TableStyle(
        CLOTHS["tournament blue"],
        colour(96, 58, 34),
        colour(38, 36, 38),
        diamond="rhombus",
        castings="dark",
        texture=0.4,
        wear=0.3,
        lines=("head string", "foot spot"),
        seed=seed,
    )
    development = Development(noise=1.2, quality=0, softness=0.6, vignette=0.2)
    return Look(table, style, hall_light(), glow=10.0), development


def demo_plan(seed: int) -> ClipPlan:
    """Two nine-ball shots: the lowest ball potted, then a wrong ball hit first."""
    table = table_named("9ft")
    rng = np.random.default_rng(seed)
    physics = Physics(roll=0.016)
    while True:
        first = random_shot(table, "pot", rng, random_layout(table, rng, 5), 1.5, physics, tries=2000)
        rest = first.layout_after
        if first.t_rest > 5.0 or "9" not in rest or len(rest) != 5:
            continue
        second = random_shot(table, "wrong_ball", rng, rest, first.t_rest + 1.8, physics)
        if second.t_rest < 12.6 and not second.of("pocketed"):
            break
    size = (1280, 720)
    camera = camera_over(
        table,
        size,
        np.array([0.10, -0.16, 2.55]),
        np.array([0.01, 0.0]),
        0.012,
        1075.0,
        np.array([-0.05, 0.006, 0.0, 0.0, 0.0]),
    )
    look, development = demo_look(table, seed)
    duration = second.t_rest + 0.8
    return ClipPlan(
        (first, second), camera, look, ball_paints(rng, "standard", spread=0.0), development, duration, seed=seed
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--demo", action="store_true", help="render the demonstration clip")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=DEMO)
    chosen = parser.parse_args()
    if not chosen.demo:
        parser.error("say --demo")
    write_clip(demo_plan(chosen.seed), chosen.out)


if __name__ == "__main__":
    main()
