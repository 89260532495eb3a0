"""Our eyes beside what a user would pick instead, in one run, on one core: what is seen, how well, at what cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from calibration.calibration import Calibration, Residuals
from lab.eyes.costs import Film, as_labelled, at_rest, film, in_motion, milliseconds
from lab.eyes.counting import Count, Seen
from lab.eyes.labelled import Labelled
from lab.eyes.rivals import SquareNetwork, hough
from models.loading import FINDER_PATH, Finder, Namer
from models.training.samples import pictures
from vision.eye import Eye
from vision.frame import Frame

Figure = dict[str, Any]
Floats = npt.NDArray[np.float64]

OURS, HOUGH = "ours", "HoughCircles"
DRAWN: Final = "drawn, all conditions"
_SEED: Final = 880_001
_SEEN: Final = 0.5
_CHEAPER: Final = 10.0
_TIMES: Final = 15


def drawn(count: int, seed: int = _SEED) -> Iterator[Labelled]:
    """Pictures of the synthesiser that no network was trained on, the calibration off by up to a few pixels."""
    source = pictures(np.random.default_rng(seed))
    for number in range(count):
        shown = next(source)
        truth = shown.truth
        asked = truth.on_table & (truth.visible >= _SEEN)
        yield Labelled(
            DRAWN,
            str(number),
            shown.picture,
            Calibration(shown.table, shown.camera, "corners", Residuals(None, None, 0, 0), "told"),
            truth.px[asked],
            tuple(np.array(truth.names)[asked]),
            int(asked.sum()),
            truth.px[~asked],
        )


def count(
    shown: Iterator[Labelled], finder: Finder, namer: Namer, every: int, each: Callable[[], None]
) -> dict[str, dict[str, Count]]:
    """By set: what we saw, and what circles saw in the pictures all of whose balls are marked.

    Of clip frames whose balls are not marked every `every`-th is looked at.
    """
    counts: dict[str, dict[str, Count]] = defaultdict(lambda: {OURS: Count(), HOUGH: Count()})
    for number, picture in enumerate(shown):
        if picture.px is None and number % every:
            continue
        seen = Eye(picture.calibration, finder, namer).look(Frame(0.0, picture.picture, 0))
        counts[picture.set_name][OURS].add(picture, Seen.of(seen))
        if picture.px is not None:
            counts[picture.set_name][HOUGH].add(picture, hough(picture))
        each()
    return dict(counts)


def seen_figures(counts: dict[str, dict[str, Count]]) -> list[Figure]:
    """Figures over the real sets together (goals), then set by set."""
    real = {name: c for name, c in counts.items() if name != DRAWN}
    found: list[Figure] = []
    if real:
        ours = _sum([c[OURS] for c in real.values()])
        found += [
            _figure("real: balls found", ours.found / max(ours.balls, 1), "share", ours.balls, 0.995),
            _figure("real: false balls", ours.false / ours.pictures, "a picture", ours.pictures, 1 / 200, low=True),
            _figure(
                "real: named right in a single picture",
                ours.named_right / max(ours.named, 1),
                "share",
                ours.named,
                0.97,
            ),
        ]
    for name, by in counts.items():
        for who, one in by.items():
            found += _of(f"{name}, {who}", one, drawn=name == DRAWN and who == OURS)
    return found


def _of(label: str, one: Count, *, drawn: bool) -> list[Figure]:
    found = [_figure(f"{label}: false balls", one.false / max(one.pictures, 1), "a picture", one.pictures)]
    if one.balls:
        found.insert(0, _figure(f"{label}: balls found", one.found / one.balls, "share", one.balls))
    if one.errors:
        goals = (0.03, 0.12) if drawn else (None, None)
        middle, most = np.median(one.errors), np.quantile(one.errors, 0.99)
        n = len(one.errors)
        found.append(_figure(f"{label}: centre error, median", middle, "ball diameters", n, goals[0], low=True))
        found.append(_figure(f"{label}: centre error, 99 %", most, "ball diameters", n, goals[1], low=True))
    if one.named:
        found.append(_figure(f"{label}: named right", one.named_right / one.named, "share", one.named))
    return found


def _sum(counts: list[Count]) -> Count:
    whole = Count()
    for one in counts:
        for name in ("pictures", "balls", "found", "false", "named", "named_right"):
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
        whole.errors += one.errors
    return whole


def cost_figures(finder: Finder, namer: Namer, rival: Path | None) -> list[Figure]:
    """Milliseconds of one core for a 1456 × 1088 frame: at rest, in motion, and the rival's for the same frame."""
    shown: Film = film()
    other = SquareNetwork(rival) if rival is not None else None
    rest: list[float] = []
    theirs: list[float] = []
    for _ in range(3):
        # Turn about, so that a busy machine slows both.
        rest += at_rest(shown, finder, namer, _TIMES)
        if other is not None:
            theirs += milliseconds(lambda: other.look(as_labelled(shown)), _TIMES)
    motion = in_motion(shown, finder, namer)
    size = sum(path.stat().st_size for path in FINDER_PATH.parent.iterdir() if path.suffix in (".onnx", ".npz"))
    found = [
        _figure("cost at rest (whole table, sixteen balls)", np.median(rest), "ms", len(rest), 12.0, low=True),
        _figure("cost in motion (six balls roll)", np.median(motion), "ms", len(motion), 3.0, low=True),
        _figure("weights", size / 1e6, "MB", 2, 3.0, low=True),
    ]
    if theirs:
        found += [
            _figure(f"cost of {rival.stem if rival else ''} at 640 pixels", np.median(theirs), "ms", len(theirs)),
            _figure("its cost beside ours at rest", np.median(theirs) / np.median(rest), "times", 1, _CHEAPER),
        ]
    return found


def _figure(
    name: str, value: float | np.floating[Any], unit: str, n: int, goal: float | None = None, *, low: bool = False
) -> Figure:
    number = float(value)
    met = None if goal is None else bool(number <= goal if low else number >= goal)
    return {"name": name, "value": round(number, 4), "unit": unit, "goal": goal, "met": met, "n": n}
