"""Real overhead clips and stills with labels made by hand, watched by the product: `python -m lab.real_clips FOLDER`.

The folder holds sets as people collect them: stills with `labels.json` (places in pixels and millimetres), clips with
`*truth.json` (frames of strikes, first contacts and pots). Nothing of it is ever learned from.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from calibration.calibration import calibrate
from calibration.table import Table, table_named
from device import terminal
from device.commands.analyze import analyze
from device.commands.evaluate import figures_table
from device.evaluation import Figure
from device.source import empty_look, read_picture
from models.loading import Finder, Namer
from record.events import BallContact, Pocketed
from record.names import CUE
from record.shot import Shot
from vision.detections import Detections
from vision.eye import Eye

Floats = npt.NDArray[np.float64]

_NEAR_STRIKE: Final = 2.0
_SAME_SHOT: Final = 10.0
_PUB: Final = Table(1.881, 0.943, 0.0523)
_SNOOKER: Final = Table(3.569, 1.778, 0.0525)
_POCKETS: Final = {
    "left": {
        "TL": "head_left",
        "TM": "side_left",
        "TR": "foot_left",
        "BL": "head_right",
        "BM": "side_right",
        "BR": "foot_right",
    },
    "right": {
        "TL": "foot_right",
        "TM": "side_right",
        "TR": "head_right",
        "BL": "foot_left",
        "BM": "side_left",
        "BR": "head_left",
    },
}


@dataclass(frozen=True)
class RealClip:
    """A clip with its labels, its table, and the end of the picture at which the head rail lies."""

    path: Path
    truth: Path
    table: Table
    head: Any


@dataclass
class ClipTally:
    """What was said of one clip: lines for people, and counts."""

    lines: list[str]
    strikes: int = 0
    strikes_near: int = 0
    invented: int = 0
    pots: int = 0
    pots_right: int = 0
    pots_invented: int = 0
    contacts: int = 0
    contacts_near: int = 0


def clips_in(folder: Path) -> Iterator[RealClip]:
    """The overhead clips of the folder's sets."""
    yield RealClip(
        folder / "pool8/game1_clip1/game1_clip1.mp4",
        folder / "pool8/game1_clip1/truth.json",
        table_named("9ft"),
        "left",
    )
    yield RealClip(
        folder / "overhead_snooker/clip1.mp4", folder / "overhead_snooker/clip1.truth.json", _SNOOKER, "right"
    )
    for path in sorted((folder / "pub_table/clips").glob("*.mp4")):
        yield RealClip(path, path.with_name(f"{path.stem}.truth.json"), _PUB, "left")


def watch(clip: RealClip) -> ClipTally:
    """Watch one clip and compare it with its labels, in frames."""
    truth = json.loads(clip.truth.read_text(encoding="utf-8"))
    times: list[float] = []
    known = calibrate(empty_look(clip.path).pixels, clip.table, clip.head)
    done = analyze(clip.path, known, "upl-8ball", ("A", "B"), each=lambda seen: times.append(seen.t))
    said = [entry for entry in done.record.entries if isinstance(entry, Shot)]
    at = np.array(times)
    tally = ClipTally([])
    matched: set[int] = set()
    for true in truth["shots"]:
        tally.strikes += 1
        strikes = [float(np.interp(shot.t_strike, at, np.arange(len(at)))) for shot in said]
        near = [k for k, frame in enumerate(strikes) if abs(frame - true["frame_strike"]) < _SAME_SHOT]
        if not near:
            tally.pots += len(true["pocketed"])
            tally.lines.append(f"  strike in frame {true['frame_strike']}: not found")
            continue
        matched.add(near[0])
        tally.strikes_near += abs(strikes[near[0]] - true["frame_strike"]) <= _NEAR_STRIKE
        _compare(tally, true, said[near[0]], at, strikes[near[0]], _POCKETS[clip.head])
    tally.invented = len(said) - len(matched)
    if tally.invented:
        tally.lines.append(f"  {tally.invented} shots invented")
    return tally


def _compare(
    tally: ClipTally, true: dict[str, Any], said: Shot, at: Floats, strike: float, pockets: dict[str, str]
) -> None:
    def frame(t: float) -> float:
        return float(np.interp(t, at, np.arange(len(at))))

    pots = sorted(pockets.get(one["pocket"], one["pocket"]) for one in true["pocketed"])
    told = sorted(e.pocket for e in said.events if isinstance(e, Pocketed) and e.sure >= 0.5)
    right = len(pots) - len(_left_over(pots, told))
    tally.pots += len(pots)
    tally.pots_right += right
    tally.pots_invented += len(_left_over(told, pots))
    contact = next((e for e in said.events if isinstance(e, BallContact) and CUE in e.balls), None)
    wanted = true.get("first_contact") or {}
    line = f"  strike {strike:.1f} (true {true['frame_strike']}), pots {told or 'none'} (true {pots or 'none'})"
    if wanted.get("frame") is not None:
        tally.contacts += 1
        if contact is not None:
            away = frame(contact.t) - wanted["frame"]
            tally.contacts_near += -3 <= away <= 1.5
            line += f", first contact {frame(contact.t):.1f} (first seen in {wanted['frame']})"
        else:
            line += f", no first contact (first seen in {wanted['frame']})"
    tally.lines.append(line)


def _left_over(these: Sequence[str], those: Sequence[str]) -> list[str]:
    rest = list(these)
    for one in those:
        if one in rest:
            rest.remove(one)
    return rest


@dataclass
class StillTally:
    balls: int = 0
    found: int = 0
    false: int = 0
    errors: tuple[float, ...] = ()


def look_at_stills(folder: Path, finder: Finder, namer: Namer) -> StillTally:
    """The labelled stills of the pub table, each calibrated by itself."""
    tally = StillTally()
    for name, balls in json.loads((folder / "labels.json").read_text(encoding="utf-8")).items():
        frame = read_picture(folder / name)
        seen = Eye(calibrate(frame.pixels, _PUB, "left"), finder, namer).look(frame)
        _count(tally, seen, np.array([ball["table_mm"] for ball in balls]) / 1000)
    return tally


def _count(tally: StillTally, seen: Detections, places: Floats) -> None:
    used: set[int] = set()
    for place in places:
        away = np.hypot(*(seen.xy - place).T)
        near = int(away.argmin())
        tally.balls += 1
        if away[near] < _PUB.ball_radius and near not in used:
            used.add(near)
            tally.found += 1
            tally.errors = (*tally.errors, float(away[near]))
    tally.false += len(seen) - len(used)


def figures(stills: StillTally, clips: list[ClipTally]) -> list[Figure]:
    def total(name: str) -> int:
        return sum(int(getattr(clip, name)) for clip in clips)

    def figure(name: str, value: float, unit: str, goal: float | None, n: int, *, low: bool = False) -> Figure:
        met = None if goal is None else bool(value <= goal if low else value >= goal)
        return {"name": name, "value": round(value, 4), "unit": unit, "goal": goal, "met": met, "n": n}

    errors = 1000 * np.array(stills.errors)
    return [
        figure("stills: balls found", stills.found / stills.balls, "share", 1.0, stills.balls),
        figure("stills: false balls", stills.false, "balls", 0, stills.balls, low=True),
        figure("stills: centre error, median", float(np.median(errors)), "mm", 4.0, len(errors), low=True),
        figure("stills: centre error, 99 %", float(np.quantile(errors, 0.99)), "mm", 4.0, len(errors), low=True),
        figure(
            "clips: strikes within two frames", total("strikes_near") / total("strikes"), "share", 1.0, total("strikes")
        ),
        figure("clips: shots invented", total("invented"), "shots", 0, len(clips), low=True),
        figure("clips: pots right", total("pots_right") / max(total("pots"), 1), "share", 1.0, total("pots")),
        figure("clips: pots invented", total("pots_invented"), "pots", 0, len(clips), low=True),
        figure(
            "clips: first contact within its frame",
            total("contacts_near") / max(total("contacts"), 1),
            "share",
            None,
            total("contacts"),
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    stills = look_at_stills(chosen.folder / "pub_table" / "stills", Finder(), Namer())
    tallies = []
    for clip in clips_in(chosen.folder):
        tallies.append(watch(clip))
        if not chosen.json:
            terminal.out.print("\n".join([clip.path.stem, *tallies[-1].lines]), highlight=False)
    found = figures(stills, tallies)
    if chosen.json:
        terminal.print_json({"figures": found, "conditions": {"clips": len(tallies)}})
    else:
        terminal.out.print(figures_table(found))


if __name__ == "__main__":
    main()
