"""Measures both networks on pictures they were not trained on: `python -m models.training.evaluate --count 150`.

With `--json` one object instead of the table; with `--card` the figures also go into the model card.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
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
_SURE: Final = 0.95
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


@dataclass
class Found:
    """What the finder said of one picture's clear balls, and how much too much."""

    asked: int
    missed: int
    false: int
    errors: list[float]
    cover_right: float


def found_in(finder: Finder, sample: FinderSample, least: float = 0.3) -> Found:
    """The finder alone on one top view."""
    findings = finder(sample.picture)
    places = findings.peaks(least).places
    gaps = np.hypot(*(sample.balls[:, None] - places[None]).transpose(2, 0, 1)) / BALL_PIXELS
    nearest = gaps.min(axis=1, initial=9.0)
    clear = sample.visible >= _CLEAR
    return Found(
        int(clear.sum()),
        int((nearest[clear] > 0.5).sum()),
        int((gaps.min(axis=0, initial=9.0) > 0.75).sum()),
        nearest[clear & (nearest <= 0.5)].tolist(),
        float(((findings.cover > 0.5) == (sample.cover > 0.5)).mean()),
    )


def finder_figures(found: list[Found]) -> list[Figure]:
    """Recall, false balls and centre errors of the finder alone."""
    asked, missed, false = (sum(getattr(one, name) for one in found) for name in ("asked", "missed", "false"))
    error = np.array([e for one in found for e in one.errors])
    return [
        _figure("finder: balls found", 1 - missed / asked, "share", asked, 0.995),
        _figure("finder: false balls", false / len(found), "per picture", len(found), 0.1, more=False),
        _figure("finder: centre error, median", np.median(error), "ball diameters", len(error)),
        _figure("finder: centre error, 99 %", np.percentile(error, 99), "ball diameters", len(error)),
        _figure(
            "finder: cells whose cover is told right", np.mean([one.cover_right for one in found]), "share", len(found)
        ),
    ]


def _kind(names: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Cue ball 0, solid 1, eight 2, stripe 3, none 4."""
    return np.select([names == 0, names < 8, names == 8, names < NOT_A_BALL], [0, 1, 2, 3], 4).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Said:
    """What the namer said of crops beside what is true: names, kinds of crop, errors in ball diameters, squares."""

    told: npt.NDArray[np.int64]
    true: npt.NDArray[np.int64]
    sure: Floats
    rest: npt.NDArray[np.bool_]
    moving: npt.NDArray[np.bool_]
    error: Floats
    square: Floats


def said_of(namer: Namer, part: NamerSamples) -> Said:
    """The namer on crops; `rest` and `moving` are balls at least half visible."""
    centre = part.centre + (CROP_SIZE - 1) / 2
    said = namer(part.crops)
    ball = (part.name != NOT_A_BALL) & (part.covered < 1 - _CLEAR)
    rest = ball & (np.hypot(*part.streak.T) < _RESTING)
    off = centre - said.centre
    square = np.einsum("ni,ni->n", off, np.linalg.solve(said.cov, off[..., None])[..., 0])
    told = said.names.argmax(axis=1)
    error = np.hypot(*off.T) / CROP_BALL_PIXELS
    return Said(told, part.name, said.names.max(axis=1), rest, ball & ~rest, error, square)


def _joined(parts: list[Said]) -> Said:
    return Said(*(np.concatenate([getattr(p, name) for p in parts]) for name in Said.__dataclass_fields__))


def namer_figures(said: Said) -> list[Figure]:
    """Names, centres and the honesty of the stated regions and probabilities."""
    told, name, rest, moving, error, square = said.told, said.true, said.rest, said.moving, said.error, said.square
    ball = rest | moving
    solid_or_stripe = rest & (name != NOT_A_BALL) & (name != 0) & (name != 8)
    found = [
        _figure("namer: name right, ball at rest", (told == name)[rest].mean(), "share", int(rest.sum()), 0.97),
        _figure(
            "namer: cue/solid/eight/stripe right, at rest",
            (_kind(told) == _kind(name))[rest].mean(),
            "share",
            int(rest.sum()),
            0.98,
        ),
        _figure(
            "namer: solid against stripe, at rest",
            (_kind(told) == _kind(name))[solid_or_stripe].mean(),
            "share",
            int(solid_or_stripe.sum()),
            0.985,
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


def all_balls_figures(said: Said) -> list[Figure]:
    """Over balls at rest and in motion together."""
    ball = said.rest | said.moving
    error, n = said.error[ball], int(ball.sum())
    sure = ball & (said.sure >= _SURE)
    inside = float((said.square[ball] <= _WITHIN_95).mean())
    honest = 0.93 <= inside <= 0.97
    return [
        _figure("all balls: centre error, median", np.median(error), "ball diameters", n, 0.03, more=False),
        _figure("all balls: centre error, 99 %", np.percentile(error, 99), "ball diameters", n, 0.12, more=False),
        replace(_figure("all balls: inside the stated 95 % region", inside, "share", n), goal=0.95, met=honest),
        _figure(
            f"all balls: right where a name has {_SURE:g} or more",
            (said.told == said.true)[sure].mean(),
            "share",
            int(sure.sum()),
            _SURE,
        ),
        _figure("all balls: mean probability less share right", _overconfidence(said, ball), "share", n),
    ]


def _overconfidence(said: Said, ball: npt.NDArray[np.bool_]) -> float:
    return float(said.sure[ball].mean() - (said.told == said.true)[ball].mean())


def by_condition(found: list[Found], said: list[Said], conditions: list[tuple[str, ...]]) -> list[list[str]]:
    """A row for each condition: pictures, balls found, false balls a picture, names and kinds right, centre error."""
    rows = []
    for label in sorted({one for these in conditions for one in these}):
        at = [k for k, these in enumerate(conditions) if label in these]
        seen, named = [found[k] for k in at], _joined([said[k] for k in at])
        asked = sum(one.asked for one in seen)
        ball, kind = named.rest | named.moving, _kind(named.told) == _kind(named.true)
        if not asked or not ball.any():
            continue
        rows.append(
            [
                label,
                str(len(at)),
                f"{1 - sum(one.missed for one in seen) / asked:.3f}",
                f"{sum(one.false for one in seen) / len(at):.2f}",
                f"{(named.told == named.true)[named.rest].mean():.3f}" if named.rest.any() else "",
                f"{kind[named.rest].mean():.3f}" if named.rest.any() else "",
                f"{np.median(named.error[ball]):.3f}",
                f"{np.percentile(named.error[ball], 99):.3f}",
            ]
        )
    return rows


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


def measure(count: int, seed: int, finder: Finder, namer: Namer) -> Evaluation:
    """All figures on `count` fresh pictures, and the conditions they hold under."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    source = pictures(rng)
    found, said, kinds = [], [], []
    for _ in range(count):
        drawn = next(source)
        shown = (drawn.picture, drawn.truth, drawn.table, drawn.camera)
        found.append(found_in(finder, finder_sample(*shown)))
        said.append(said_of(namer, namer_samples(*shown, rng)))
        kinds.append(drawn.conditions)
    whole = _joined(said)
    figures = [
        *finder_figures(found),
        *namer_figures(whole),
        *all_balls_figures(whole),
        *speed_figures(finder, namer),
    ]
    conditions = {
        "pictures": count,
        "seed": seed,
        "source": "models.synthesis, every kind of scene, calibration off by up to a few pixels",
        "balls asked for": "at least half visible",
        "finder_sha256": finder.sha256,
        "namer_sha256": namer.sha256,
        "machine": f"{platform.machine()}, one thread",
    }
    return Evaluation(figures, conditions, by_condition(found, said, kinds))


@dataclass(frozen=True)
class Evaluation:
    """All figures, the conditions they hold under, and a row for each kind of picture."""

    figures: list[Figure]
    conditions: dict[str, Any]
    kinds: list[list[str]]


_HEADINGS: Final = (
    "pictures with",
    "n",
    "balls found",
    "false a picture",
    "named right, at rest",
    "solid, stripe, cue, eight right",
    "centre error, median",
    "99 %",
)


def kinds_table(kinds: list[list[str]]) -> str:
    """The rows by condition as a Markdown table."""
    lines = ["| " + " | ".join(_HEADINGS) + " |", "|" + "---|" * len(_HEADINGS)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in kinds)]) + "\n"


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
    done = measure(chosen.count, chosen.seed, Finder(chosen.finder), Namer(chosen.namer))
    table = as_table(done.figures, done.conditions) + "\n" + kinds_table(done.kinds)
    if chosen.card:
        write_card(table)
    if chosen.json:
        figures = [asdict(f) for f in done.figures]
        print(json.dumps({"figures": figures, "conditions": done.conditions, "kinds": done.kinds}, indent=1))
    else:
        print(table, end="")


if __name__ == "__main__":
    main()
