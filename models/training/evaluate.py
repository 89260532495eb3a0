"""Measures both networks on pictures they were not trained on: `python -m models.training.evaluate --count 150`.

With `--json` one object instead of the table; with `--card` the figures also go into the model card.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from models.loading import FINDER_PATH, NAMER_PATH, Finder, Namer
from models.rectified import BALL_PIXELS, CROP_BALL_PIXELS, CROP_SIZE
from models.training.samples import (
    NOT_A_BALL,
    FinderSample,
    NamerSamples,
    finder_sample,
    namer_samples,
    pictures,
)

Floats = npt.NDArray[np.float64]

CARD: Final = FINDER_PATH.with_name("CARD.md")
_BEGIN, _END = "<!-- figures -->\n", "<!-- end of figures -->\n"
_CLEAR: Final = 0.5
_RESTING: Final = 0.25
"""Half-length of a streak, crop pixels, up to which a ball counts as resting."""
_WITHIN_95: Final = 5.991
_SEED: Final = 990_001


@dataclass(frozen=True)
class Figure:
    """One measured number; `goal` is None where none was set."""

    name: str
    value: float
    unit: str
    n: int
    goal: float | None = None
    met: bool | None = None


def _figure(
    name: str, value: float | np.floating[Any], unit: str, n: int, goal: float | None = None, more: bool = True
) -> Figure:
    met = None if goal is None else bool(value >= goal if more else value <= goal)
    return Figure(name, float(value), unit, n, goal, met)


def finder_figures(finder: Finder, samples: list[FinderSample], least: float = 0.3) -> list[Figure]:
    """Recall, false balls and centre errors of the finder alone."""
    away: list[float] = []
    missed = false = asked = 0
    cover_right: list[float] = []
    for sample in samples:
        findings = finder(sample.picture)
        places = findings.peaks(least).places
        gaps = np.hypot(*(sample.balls[:, None] - places[None]).transpose(2, 0, 1)) / BALL_PIXELS
        nearest = gaps.min(axis=1, initial=9.0)
        clear = sample.visible >= _CLEAR
        asked += int(clear.sum())
        missed += int((nearest[clear] > 0.5).sum())
        away += nearest[clear & (nearest <= 0.5)].tolist()
        false += int((gaps.min(axis=0, initial=9.0) > 0.75).sum())
        cover_right.append(float(((findings.cover > 0.5) == (sample.cover > 0.5)).mean()))
    error = np.array(away)
    return [
        _figure("finder: balls found", 1 - missed / asked, "share", asked, 0.995),
        _figure("finder: false balls", false / len(samples), "per picture", len(samples), 0.1, more=False),
        _figure("finder: centre error, median", np.median(error), "ball diameters", len(error)),
        _figure("finder: centre error, 99 %", np.percentile(error, 99), "ball diameters", len(error)),
        _figure("finder: cells whose cover is told right", np.mean(cover_right), "share", len(samples)),
    ]


def _kind(names: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Cue ball 0, solid 1, eight 2, stripe 3, none 4."""
    return np.select([names == 0, names < 8, names == 8, names < NOT_A_BALL], [0, 1, 2, 3], 4).astype(np.int64)


def namer_figures(namer: Namer, parts: list[NamerSamples]) -> list[Figure]:
    """Names, centres and the honesty of the stated regions, for balls at least half visible."""
    crops = np.concatenate([p.crops for p in parts])
    name = np.concatenate([p.name for p in parts])
    covered = np.concatenate([p.covered for p in parts])
    centre = np.concatenate([p.centre for p in parts]) + (CROP_SIZE - 1) / 2
    streak = np.concatenate([p.streak for p in parts])
    said = namer(crops)
    told = said.names.argmax(axis=1)
    ball = (name != NOT_A_BALL) & (covered < 1 - _CLEAR)
    rest = ball & (np.hypot(*streak.T) < _RESTING)
    moving = ball & ~rest
    off = centre - said.centre
    error = np.hypot(*off.T) / CROP_BALL_PIXELS
    square = np.einsum("ni,ni->n", off, np.linalg.solve(said.cov, off[..., None])[..., 0])
    found = [
        _figure("namer: name right, ball at rest", (told == name)[rest].mean(), "share", int(rest.sum()), 0.97),
        _figure(
            "namer: cue/solid/eight/stripe right, at rest",
            (_kind(told) == _kind(name))[rest].mean(),
            "share",
            int(rest.sum()),
            0.98,
        ),
        _figure("namer: name right, moving", (told == name)[moving].mean(), "share", int(moving.sum())),
        _figure("namer: balls taken for none", (told == NOT_A_BALL)[ball].mean(), "share", int(ball.sum())),
        _figure(
            "namer: places without a ball told so",
            (told == NOT_A_BALL)[name == NOT_A_BALL].mean(),
            "share",
            int((name == NOT_A_BALL).sum()),
        ),
    ]
    for label, group in (("at rest", rest), ("moving", moving)):
        n = int(group.sum())
        found += [
            _figure(f"namer: centre error {label}, median", np.median(error[group]), "ball diameters", n),
            _figure(f"namer: centre error {label}, 99 %", np.percentile(error[group], 99), "ball diameters", n),
            _figure(
                f"namer: true centre inside the stated 95 % region, {label}",
                (square[group] <= _WITHIN_95).mean(),
                "share",
                n,
            ),
        ]
    return found


def _seconds(work: Callable[[], Any], times: int) -> float:
    work()
    started = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - started) / times


def speed_figures(finder: Finder, namer: Namer) -> list[Figure]:
    """Time of one call on one core of this machine."""
    top = np.zeros((304, 576, 3), dtype=np.uint8)
    crops = np.zeros((16, CROP_SIZE, CROP_SIZE, 3), dtype=np.uint8)
    return [
        _figure("finder: time for 576 × 304", 1000 * _seconds(lambda: finder(top), 20), "ms", 20),
        _figure("namer: time a crop, sixteen at once", 1000 * _seconds(lambda: namer(crops), 20) / 16, "ms", 20),
    ]


def measure(count: int, seed: int, finder: Finder, namer: Namer) -> tuple[list[Figure], dict[str, Any]]:
    """All figures on `count` fresh pictures, and the conditions they hold under."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    source = pictures(rng)
    top, crops = [], []
    for _ in range(count):
        picture, truth, table, camera = next(source)
        top.append(finder_sample(picture, truth, table, camera))
        crops.append(namer_samples(picture, truth, table, camera, rng))
    figures = finder_figures(finder, top) + namer_figures(namer, crops) + speed_figures(finder, namer)
    conditions = {
        "pictures": count,
        "seed": seed,
        "source": "models.synthesis, every kind of scene, calibration off by up to a few pixels",
        "balls asked for": "at least half visible",
        "finder_sha256": finder.sha256,
        "namer_sha256": namer.sha256,
        "machine": f"{platform.machine()}, one thread",
    }
    return figures, conditions


def as_table(figures: list[Figure], conditions: dict[str, Any]) -> str:
    """The figures as a Markdown table, their conditions below."""
    lines = ["| figure | value | unit | n | goal |", "|---|---|---|---|---|"]
    for f in figures:
        goal = "" if f.goal is None else f"{f.goal:g} ({'met' if f.met else 'not met'})"
        lines.append(f"| {f.name} | {f.value:.4g} | {f.unit} | {f.n} | {goal} |")
    return "\n".join([*lines, "", *(f"- {key}: {value}" for key, value in conditions.items())]) + "\n"


def write_card(table: str, card: Path = CARD) -> None:
    """Puts the table between the card's two marks."""
    text = card.read_text(encoding="utf-8")
    head, rest = text.split(_BEGIN)
    _, tail = rest.split(_END)
    card.write_text(head + _BEGIN + table + _END + tail, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--finder", type=Path, default=FINDER_PATH)
    parser.add_argument("--namer", type=Path, default=NAMER_PATH)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--card", action="store_true", help="write the table into the model card")
    chosen = parser.parse_args()
    figures, conditions = measure(chosen.count, chosen.seed, Finder(chosen.finder), Namer(chosen.namer))
    if chosen.card:
        write_card(as_table(figures, conditions))
    if chosen.json:
        print(json.dumps({"figures": [asdict(f) for f in figures], "conditions": conditions}, indent=1))
    else:
        print(as_table(figures, conditions), end="")


if __name__ == "__main__":
    main()
