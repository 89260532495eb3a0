"""What is true of a clip, written as the footage of this project has it: one JSON document and arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import Table
from lab.shot import Happening, PlayedShot

Floats = npt.NDArray[np.float64]

CORNERS = ("head_left", "head_right", "foot_right", "foot_left")


def _rounded(layout: dict[str, tuple[float, float]]) -> dict[str, list[float]]:
    return {name: [round(x, 5), round(y, 5)] for name, (x, y) in layout.items()}


def facts_of(shot: PlayedShot) -> dict[str, Any]:
    """The facts that rules ask for."""
    first = next((e for e in shot.of("ball_contact") if e.balls and "cue" in e.balls), None)
    after = first.t if first else np.inf
    with_cue = [e for e in shot.of("ball_contact") if e.balls and "cue" in e.balls]
    second = next((e for e in with_cue if first and set(e.balls or ()) != set(first.balls or ())), None)
    rails = [e for e in shot.of("rail_contact") if not e.frozen]
    potted = [e.ball for e in shot.of("pocketed") if e.ball]
    times = np.arange(shot.t_strike, shot.t_rest, 0.002)
    crossed = [n for n, way in shot.ways.items() if n != "cue" and _crosses(way(times)[:, 0])]
    return {
        "first_contact": shot.first_contact,
        "first_contact_gap_ms": round((second.t - first.t) * 1000, 3) if first and second else None,
        "rail_after_contact": any(e.t > after for e in rails),
        "rail_before_contact": any(e.ball == "cue" and e.t < after for e in rails),
        "pocketed": [b for b in potted if b != "cue"],
        "scratch": "cue" in potted,
        "balls_to_rail": sorted({e.ball for e in rails if e.ball and e.ball != "cue" and e.t > after}),
        "crossed_side_centre": crossed,
    }


def _crosses(x: Floats) -> bool:
    seen = x[np.isfinite(x)]
    return bool(len(seen) and seen.min() < 0 < seen.max())


def shot_json(index: int, shot: PlayedShot) -> dict[str, Any]:
    """One entry of `shots`."""
    velocity = np.array(shot.stroke.velocity)
    speed = float(np.hypot(*velocity))

    def told(event: Happening) -> bool:
        return event.type != "came_to_rest"

    return {
        "index": index,
        "t_strike": round(shot.t_strike, 6),
        "t_rest": round(shot.t_rest, 6),
        "layout_before": _rounded(dict(shot.layout_before)),
        "layout_after": _rounded(shot.layout_after),
        "cue_ball_speed": round(speed, 4),
        "aim": [round(float(a), 6) for a in velocity / speed],
        "events": [event.as_json() for event in shot.events if told(event)],
        "facts": facts_of(shot),
    }


def camera_json(camera: Camera) -> dict[str, Any]:
    return {key: getattr(camera, key).tolist() for key in ("K", "dist", "R", "t")}


def corners_json(camera: Camera, table: Table) -> dict[str, Any]:
    """Pixels of the playing surface's corners at the slate's and the noses' height."""
    found = {}
    for key, z in (("slate", 0.0), ("nose", table.nose_height)):
        px = camera.project_at(table.corners, z)
        found[key] = {name: [round(float(v), 3) for v in p] for name, p in zip(CORNERS, px, strict=True)}
    return found


def clip_json(
    name: str, camera: Camera, table: Table, rate: int, frames: int, exposure: float, shots: Sequence[PlayedShot]
) -> dict[str, Any]:
    """The whole document."""
    size = {"length": table.length, "width": table.width, "ball_diameter": table.ball_diameter}
    return {
        "clip": name,
        "fps": rate,
        "variable_frame_rate": False,
        "frames": frames,
        "width": camera.size[0],
        "height": camera.size[1],
        "game": "9-ball",
        "table": {**size, "nose_height": round(table.nose_height, 5)},
        "camera": camera_json(camera),
        "corners_px": corners_json(camera, table),
        "exposure_s": exposure,
        "shots": [shot_json(k, shot) for k, shot in enumerate(shots)],
        "interludes": [],
    }
