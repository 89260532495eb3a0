"""The report of a series of trials: markdown with the figures as measured, and plots beside it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import matplotlib as mpl
import numpy as np

from lab.trials.figures import Figure, by_kind, rail_f1, reliability
from lab.trials.scoring import Call, Score

mpl.use("Agg")
import matplotlib.pyplot as plt

GREEN: Final = "#1f7a4d"
GREY: Final = "#8a8f98"
RED: Final = "#b3261e"
KINDS: Final = ("ball contact", "rail contact", "pocketed", "off_table")


def markdown(series: Sequence[tuple[str, list[Score], list[Figure]]], command: str, conditions: dict[str, Any]) -> str:
    """The whole report; `series` are (heading, scores, figures)."""
    lines = [
        "# Trials of event inference",
        "",
        "Shots of every kind, played by a simulator with exact truth "
        "([pooltool](https://github.com/ekiefl/pooltool) for what rolls, ballistic flight for jumps), seen as a camera "
        "would see them, told by the tracking that runs live, and judged by all four leagues twice: as they were, and "
        "as they were told. Every trial has its own seed and can be run again alone.",
        "",
        f"    {command}",
        "",
        ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in conditions.items()) + ".",
    ]
    for heading, scores, figures in series:
        lines += ["", f"## {heading}", "", *_table(figures), "", *_kinds(scores)]
    main = series[0][1]
    lines += [
        "",
        "## How far a stated confidence holds",
        "",
        "![Share of events that were right, by the confidence they were told with](trials/reliability.png)",
        "",
        "![Error of the time of the first contact](trials/times.png)",
        "",
        "![Order of two contacts, by the time between them](trials/order.png)",
        "",
        "## What fails",
        "",
        *_failures(main),
        "",
    ]
    return "\n".join(lines)


def _table(figures: Sequence[Figure]) -> list[str]:
    rows = ["| figure | measured | goal | | trials |", "|---|---:|---:|---|---:|"]
    for f in figures:
        met = {True: "met", False: "**missed**", None: ""}[f["met"]]
        goal = "" if f["goal"] is None else f"{f['goal']:g}"
        rows.append(f"| {f['name']} | {f['value']:.4g} {f['unit']} | {goal} | {met} | {f['n']} |")
    return rows


def _kinds(scores: Sequence[Score]) -> list[str]:
    rows = [
        "| kind of shot | shots | first contact wrong / undecided | rails F1 | some rail wrong / undecided "
        "| fates wrong / undecided | false fouls | fouls missed |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for kind, mine in by_kind(scores):
        judged = [j for s in mine for j in s.judged]
        rows.append(
            f"| {kind} | {len(mine)} | {_wrong([s.first for s in mine])} | {rail_f1(mine):.3f} "
            f"| {_wrong([s.some_rail for s in mine])} | {_wrong([s.fates for s in mine])} "
            f"| {sum(j.legal and j.false_foul for j in judged)} of {sum(j.legal for j in judged)} "
            f"| {sum(not j.legal and not j.caught for j in judged)} of {sum(not j.legal for j in judged)} |"
        )
    return rows


def _wrong(calls: Sequence[Call]) -> str:
    return f"{sum(c.right is False for c in calls)} / {sum(c.right is None for c in calls)}"


def _failures(scores: Sequence[Score]) -> list[str]:
    """Every trial whose first contact, rail or fates were told wrong, by number."""
    rows = []
    for s in scores:
        wrong = [
            name
            for name, c in (("first contact", s.first), ("some rail", s.some_rail), ("fates", s.fates))
            if c.right is False
        ]
        if s.shots != 1:
            wrong.append(f"told as {s.shots} shots")
        if wrong:
            rows.append(f"- trial {s.number}, {s.kind}: {', '.join(wrong)}")
    return rows or ["No shot of this series was told wrong."]


def plots(scores: Sequence[Score]) -> dict[str, bytes]:
    """PNG pictures by file name."""
    return {"reliability.png": _reliability(scores), "times.png": _times(scores), "order.png": _order(scores)}


def _png(figure: Any) -> bytes:
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=110, metadata={"Software": None})
    plt.close(figure)
    return data.getvalue()


def _reliability(scores: Sequence[Score]) -> bytes:
    figure, axes = plt.subplots(2, 2, figsize=(8, 7.2), layout="constrained")
    for axis, what in zip(axes.flat, KINDS, strict=True):
        steps = reliability(scores, what)
        axis.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle="--")
        x, y, n = ([step[k] for step in steps] for k in range(3))
        axis.plot(x, y, color=GREEN, marker="o")
        for a, b, count in zip(x, y, n, strict=True):
            axis.annotate(str(count), (a, b), textcoords="offset points", xytext=(-4, -13), fontsize=7, color=GREY)
        axis.set(
            xlim=(0, 1.03),
            ylim=(-0.05, 1.06),
            title=what.replace("_", " "),
            xlabel="stated confidence",
            ylabel="share right",
        )
    return _png(figure)


def _times(scores: Sequence[Score]) -> bytes:
    late = 1000 * np.array([s.late for s in scores if np.isfinite(s.late)])
    figure, axis = plt.subplots(figsize=(8, 3.6), layout="constrained")
    axis.hist(np.clip(late, -8, 8), bins=np.linspace(-8, 8, 81).tolist(), color=GREEN)
    axis.set(xlabel="error of the first contact's time, ms (beyond 8 at the edge)", ylabel="shots")
    return _png(figure)


def _order(scores: Sequence[Score]) -> bytes:
    edges = np.array([0.0, 0.5, 1, 2, 3, 5, 7, 10, 20, 50])
    figure, axis = plt.subplots(figsize=(8, 3.6), layout="constrained")
    bars: dict[str, list[float]] = {"right": [], "undecided": [], "wrong": []}
    labels = []
    for low, high in pairwise(edges):
        calls = [s.first.right for s in scores if low <= 1000 * s.gap < high]
        labels.append(f"{low:g}–{high:g}\n(n={len(calls)})")
        for name, value in (("right", True), ("undecided", None), ("wrong", False)):
            bars[name].append(sum(c is value for c in calls) / max(len(calls), 1))
    bottom = np.zeros(len(labels))
    for name, colour in (("right", GREEN), ("undecided", GREY), ("wrong", RED)):
        axis.bar(labels, bars[name], bottom=bottom, color=colour, label=name)
        bottom += np.array(bars[name])
    axis.set(xlabel="time between the cue ball's first two contacts, ms", ylabel="share of shots")
    axis.legend(loc="lower right")
    return _png(figure)
