"""Clips with exact truth: NAME.mp4 with NAME.json and NAME.npz beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter

from calibration.camera import Camera
from calibration.pose import PictureEnd, head_end
from calibration.table import Table
from device.source import SourceError
from record.events import Event
from record.shot import Shot

Floats = npt.NDArray[np.float64]

_EVENTS: Final[TypeAdapter[list[Event]]] = TypeAdapter(list[Event])
_RULES: Final = {"9-ball": "upa-9ball", "8-ball": "upl-8ball"}


@dataclass(frozen=True, eq=False)
class ClipTruth:
    """What really happens in a clip.

    `t` (N,), `names` (M,), `xy` (N, M, 2) metres with NaN where a ball is not on the table, `visible` (N, M).
    """

    path: Path
    table: Table
    camera: Camera
    rules: str
    shots: tuple[Shot, ...]
    t: Floats
    names: tuple[str, ...]
    xy: Floats
    visible: Floats

    @property
    def head_end(self) -> PictureEnd:
        return head_end(self.camera, self.table)


def clips_in(folder: Path) -> list[ClipTruth]:
    """All clips of a folder that have truth, by name.

    Raises:
        SourceError: the folder holds none, or a truth file cannot be read.
    """
    found = [path for path in sorted(folder.glob("*.mp4")) if path.with_suffix(".json").exists()]
    if not found:
        raise SourceError(f"{folder} holds no clips with truth (NAME.mp4 with NAME.json and NAME.npz)")
    return [read_truth(path) for path in found]


def read_truth(video: Path) -> ClipTruth:
    try:
        value = json.loads(video.with_suffix(".json").read_text(encoding="utf-8"))
        arrays = np.load(video.with_suffix(".npz"), allow_pickle=False)
        return _truth(video, value, arrays)
    except (OSError, ValueError, KeyError) as error:
        raise SourceError(f"the truth of {video} cannot be read: {error}") from None


def _truth(video: Path, value: dict[str, Any], arrays: Any) -> ClipTruth:
    size, seen = value["table"], value["camera"]
    camera = Camera(
        np.array(seen["K"]),
        np.array(seen["dist"]),
        np.array(seen["R"]),
        np.array(seen["t"]),
        (value["width"], value["height"]),
    )
    return ClipTruth(
        video,
        Table(size["length"], size["width"], size["ball_diameter"], size["nose_height"]),
        camera,
        _RULES.get(value["game"], "upa-9ball"),
        tuple(_shot(number, shot) for number, shot in enumerate(value["shots"])),
        np.asarray(arrays["t"], dtype=np.float64),
        tuple(str(name) for name in arrays["balls"]),
        np.asarray(arrays["xy"], dtype=np.float64),
        np.asarray(arrays["visible"], dtype=np.float64),
    )


def _shot(number: int, value: dict[str, Any]) -> Shot:
    events = [event for event in value["events"] if event["type"] != "player_leans_in"]
    return Shot(
        index=number,
        t_strike=value["t_strike"],
        t_rest=value["t_rest"],
        layout_before=value["layout_before"],
        layout_after=value["layout_after"],
        events=_EVENTS.validate_python(events),
    )
