"""Measures the two networks on clips with truth: `python -m lab.network_figures FOLDER [--every 20] [--json]`.

Nothing is joined over time: each frame is looked at alone, with the camera given in the clip's truth.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
import numpy.typing as npt

from calibration.camera import Camera
from calibration.table import Table
from models.loading import Finder, Namer
from models.rectified import TopView, crop_placements, cut, to_picture
from models.training.evaluate import Figure, as_table

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

_CLEAR: Final = 0.5
_OPEN: Final = 0.9
_STILL: Final = 0.01
_WITHIN_95: Final = 5.991
_LEAST: Final = 0.3


@dataclass(frozen=True, eq=False)
class _Frame:
    """One frame and the balls on the table in it: places (N, 2), visible shares, speeds (m/s), name indices (N,).

    `loose`: a ball is falling into a pocket or in a hand; it may be seen, but the truth says not where.
    """

    picture: Picture
    xy: Floats
    visible: Floats
    speed: Floats
    name: npt.NDArray[np.int64]
    loose: bool


@dataclass
class _Tally:
    """What was counted over all frames."""

    frames: int = 0
    calm: int = 0
    asked: int = 0
    missed: int = 0
    false: int = 0
    false_named: int = 0
    named: list[bool] = field(default_factory=list)
    error_still: list[float] = field(default_factory=list)
    error_moving: list[float] = field(default_factory=list)
    square: list[float] = field(default_factory=list)


def _frames(clip: Path, document: dict[str, Any], every: int) -> Iterator[_Frame]:
    with np.load(clip.with_suffix(".npz")) as data:
        xy, visible, state = data["xy"].astype(np.float64), data["visible"], data["state"]
    step = np.linalg.norm(np.diff(xy, axis=0, prepend=xy[:1]), axis=2) * document["fps"]
    with av.open(str(clip)) as container:
        for k, frame in enumerate(container.decode(video=0)):
            if k % every == 0 and k < len(xy):
                on = np.flatnonzero(state[k] == 1)
                speed = np.nan_to_num(np.maximum(step[k], step[min(k + 1, len(step) - 1)])[on], nan=9.0)
                picture = np.asarray(frame.to_ndarray(format="bgr24"), dtype=np.uint8)
                yield _Frame(picture, xy[k, on], visible[k, on], speed, on, bool((state[k] > 1).any()))


def _count(
    tally: _Tally, frame: _Frame, camera: Camera, table: Table, finder: Finder, namer: Namer, blur: float
) -> None:
    view = TopView(table)
    top = view.rectify(frame.picture, view.maps(camera))
    seen = view.to_table(finder(top).peaks(_LEAST).places)
    placements = crop_placements(camera, seen, table.ball_diameter)
    said = namer(cut(frame.picture, placements))
    gaps = np.linalg.norm(frame.xy[:, None] - seen[None], axis=2)
    clear = frame.visible >= _CLEAR
    tally.frames += 1
    tally.asked += int(clear.sum())
    near = gaps.min(axis=1, initial=9.0) < 0.5 * table.ball_diameter + frame.speed * blur
    tally.missed += int((clear & ~near).sum())
    stray = gaps.min(axis=0, initial=9.0) > 0.75 * table.ball_diameter
    if not frame.loose:
        tally.calm += 1
        tally.false += int(stray.sum())
        tally.false_named += int((stray & (said.names[:, -1] < 0.5)).sum())
    px = camera.project_at(frame.xy, table.ball_radius)
    found = to_picture(placements, said.centre)
    for k in np.flatnonzero(near & (frame.visible > _OPEN)):
        at = int(gaps[k].argmin())
        off = px[k] - found[at]
        tally.named.append(bool(said.names[at].argmax() == frame.name[k]))
        if frame.speed[k] > _STILL:
            tally.error_moving.append(float(np.hypot(*off)))
            continue
        tally.error_still.append(float(np.hypot(*off)))
        inside = np.linalg.solve(placements[at, :, :2], off)
        tally.square.append(float(inside @ np.linalg.solve(said.cov[at], inside)))


def measure(folder: Path, every: int, finder: Finder, namer: Namer) -> tuple[list[Figure], dict[str, Any]]:
    """Figures over every `every`-th frame of all clips in `folder`."""
    tally = _Tally()
    documents = sorted(path for path in folder.glob("*.json") if path.with_suffix(".npz").exists())
    for path in documents:
        document = json.loads(path.read_text(encoding="utf-8"))
        size = document["table"]
        table = Table(size["length"], size["width"], size["ball_diameter"], size["nose_height"])
        lens = {key: np.array(document["camera"][key]) for key in ("K", "dist", "R", "t")}
        camera = Camera(**lens, size=(document["width"], document["height"]))
        for frame in _frames(path.with_suffix(".mp4"), document, every):
            _count(tally, frame, camera, table, finder, namer, document["exposure_s"])
    conditions = {
        "clips": len(documents),
        "frames": tally.frames,
        "camera": "as given in the truth",
        "finder_sha256": finder.sha256,
        "namer_sha256": namer.sha256,
    }
    return _figures(tally), conditions


def _figures(tally: _Tally) -> list[Figure]:
    still, moving = np.array(tally.error_still or [np.nan]), np.array(tally.error_moving or [np.nan])
    median, names = float(np.median(still)), float(np.mean(tally.named)) if tally.named else float("nan")
    return [
        Figure("balls found (half visible or more)", 1 - tally.missed / max(tally.asked, 1), "share", tally.asked),
        Figure("false balls of the finder", tally.false / max(tally.calm, 1), "a frame", tally.calm),
        Figure("of these called balls by the namer", tally.false_named / max(tally.calm, 1), "a frame", tally.calm),
        Figure("name right in a single frame", names, "share", len(tally.named), 0.99, names >= 0.99),
        Figure("centre error at rest, median", median, "px", len(still), 0.4, median <= 0.4),
        Figure("centre error at rest, 99 %", float(np.percentile(still, 99)), "px", len(still)),
        Figure("centre error moving, median", float(np.median(moving)), "px", len(moving)),
        Figure(
            "true centre inside the stated 95 % region, at rest",
            float(np.mean(np.array(tally.square or [np.nan]) <= _WITHIN_95)),
            "share",
            len(tally.square),
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    figures, conditions = measure(chosen.folder, chosen.every, Finder(), Namer())
    if chosen.json:
        print(json.dumps({"figures": [asdict(f) for f in figures], "conditions": conditions}, indent=1))
    else:
        print(as_table(figures, conditions), end="")


if __name__ == "__main__":
    main()
