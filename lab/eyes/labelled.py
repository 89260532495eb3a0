"""Pictures with balls that somebody marked by hand, out of the sets that people collect.

Stills with `labels.json` or `*truth.json`, and clips with `*truth.json` whose layouts before and after a shot hold for
ranges of frames. Of a clip's other frames only the number of balls is known. Nothing of it is ever learned from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import av
import cv2
import numpy as np
import numpy.typing as npt

from calibration.calibration import Calibration, calibrate, calibrate_on_corners
from calibration.table import Table, table_named
from vision.detections import BALL_NAMES

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

PUB: Final = Table(1.881, 0.943, 0.0523)
SNOOKER: Final = Table(3.569, 1.778, 0.0525)
_NINE: Final = table_named("9ft")
_NEAR_POCKET: Final = 1.2
"""Ball diameters round a ball that lies in a pocket within which it may be seen or not."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """One picture.

    Attributes:
        set_name: the set it belongs to.
        where: picture or clip, and frame.
        calibration: the camera over that table.
        px: (N, 2) marked centres, pixels; all balls of the table, unless only `count` is known.
        names: the ball each is, None where a person cannot tell or the set's balls have no numbers.
        count: balls on the table; more seen than that are false.
        loose: (M, 2) pixels where something may be taken for a ball or not: balls that lie in pockets.
    """

    set_name: str
    where: str
    picture: Picture
    calibration: Calibration
    px: Floats | None
    names: tuple[str | None, ...]
    count: int
    loose: Floats


def labelled(folder: Path) -> Iterator[Labelled]:
    """Every overhead picture and clip frame of the sets in `folder`."""
    yield from _pub_stills(folder / "pub_table" / "stills")
    yield from _numbered_still(folder / "overhead_pool_stills")
    clips = [
        ("television", folder / "pool8/game1_clip1/truth.json", _NINE),
        ("snooker", folder / "overhead_snooker/clip1.truth.json", SNOOKER),
        *(("pub clips", path, PUB) for path in sorted((folder / "pub_table" / "clips").glob("*.truth.json"))),
    ]
    for name, truth, table in clips:
        if truth.is_file():
            yield from _clip(name, truth, table)


def _read(path: Path) -> Picture:
    picture = cv2.imdecode(np.fromfile(path, dtype=np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{path} is no picture")
    return np.asarray(picture, dtype=np.uint8)


def _pub_stills(folder: Path) -> Iterator[Labelled]:
    labels = folder / "labels.json"
    if not labels.is_file():
        return
    for name, balls in json.loads(labels.read_text(encoding="utf-8")).items():
        picture = _read(folder / name)
        px = np.array([ball["px"] for ball in balls], dtype=np.float64)
        yield Labelled(
            "pub stills", name, picture, calibrate(picture, PUB, "left"), px, (None,) * len(px), len(px), _none()
        )


def _numbered_still(folder: Path) -> Iterator[Labelled]:
    for path in sorted(folder.glob("*.truth.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        picture = _read(folder / truth["clip"])
        corners = [(float(x), float(y)) for x, y in truth["corners_px"]]
        known = calibrate_on_corners(corners, _NINE, (picture.shape[1], picture.shape[0]))
        px, names = _layout(truth["layout"], truth.get("layout_sure", {}))
        yield Labelled("numbered still", truth["clip"], picture, known, px, names, len(px), _none())
        empty = _read(folder / truth["empty_table"])
        yield Labelled("empty table", truth["empty_table"], empty, known, np.zeros((0, 2)), (), 0, _none())


def _none() -> Floats:
    return np.zeros((0, 2))


def _layout(balls: dict[str, list[float]], sure: dict[str, bool]) -> tuple[Floats, tuple[str | None, ...]]:
    """Places (N, 2) and names; a ball told by colour alone (`red2`, `pink`) has no name of ours."""
    numbered = any(name.isdigit() for name in balls)
    names = tuple(name if numbered and name in BALL_NAMES and sure.get(name, True) else None for name in balls)
    return np.array(list(balls.values()), dtype=np.float64).reshape(-1, 2), names


def _clip(set_name: str, path: Path, table: Table) -> Iterator[Labelled]:
    truth = json.loads(path.read_text(encoding="utf-8"))
    corners = [(float(x), float(y)) for x, y in truth["corners_px"]]
    known = calibrate_on_corners(corners, table, (truth["width"], truth["height"]))
    layouts = [one for shot in truth["shots"] for one in _layouts(shot)]
    most = max((len(balls) for _, _, balls in layouts), default=0)
    with av.open(str(path.parent / truth["clip"])) as container:
        for index, frame in enumerate(container.decode(video=0)):
            picture = np.asarray(frame.to_ndarray(format="bgr24"), dtype=np.uint8)
            balls = next((balls for first, last, balls in layouts if first <= index <= last), None)
            px, names = _layout(balls, {}) if balls is not None else (None, ())
            count = most if px is None else len(px)
            yield Labelled(
                set_name, f"{path.parent.name} {index}", picture, known, px, names, count, _loose(truth, index)
            )


def _layouts(shot: dict[str, Any]) -> Iterator[tuple[int, int, dict[str, list[float]]]]:
    for when in ("before", "after"):
        frames = shot.get(f"layout_{when}_frames")
        # A layout whose last ball still rolls holds for its last frame alone.
        if frames and shot.get(f"layout_{when}"):
            first = frames[1] if "rolling" in str(shot.get(f"layout_{when}_note", "")) else frames[0]
            yield first, frames[1], shot[f"layout_{when}"]


def _loose(truth: dict[str, Any], index: int) -> Floats:
    found = [
        ball["px"] for ball in truth.get("balls_in_pocket_visible", ()) if ball["f0"] <= index <= ball.get("f1", index)
    ]
    return np.array(found, dtype=np.float64).reshape(-1, 2)
