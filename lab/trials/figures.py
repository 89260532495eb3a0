"""From scores to figures: the table of goals, the same by kind of shot, and how far stated confidences hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from lab.trials.rulings import Judgement
from lab.trials.scoring import Call, Score

Figure = dict[str, Any]

CLOSE: Final = (0.002, 0.010)
"""Contacts so far apart, seconds, are the ones whose order is asked for separately."""
CLAIMED: Final = 0.95
"""Of events told with at least this confidence, at least this share must be right."""
EDGES: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0001)


@dataclass(frozen=True)
class Goals:
    """What is asked of a series of trials; None where a figure is only reported."""

    strict: bool = True
    false_fouls: float = 1.0

    def of(self, goal: float) -> float | None:
        return goal if self.strict else None


def figures(scores: Sequence[Score], goals: Goals) -> list[Figure]:
    """The table of goals over a series."""
    g = goals.of
    first = [s.first for s in scores]
    close = [s.first for s in scores if CLOSE[0] <= s.gap <= CLOSE[1]]
    late = 1000 * np.abs([s.late for s in scores if np.isfinite(s.late)])
    known = 1000 * np.array([s.known_after for s in scores if np.isfinite(s.known_after)])
    judged = [j for s in scores for j in s.judged]
    some, fates = [s.some_rail for s in scores], [s.fates for s in scores]
    breaks = [s.to_rails for s in scores if s.to_rails is not None]
    return [
        _share("shots told, once each", sum(s.shots == 1 for s in scores), len(scores), g(1.0)),
        _right("first contact right when decided", first, g(0.997)),
        _undecided("first contact undecided", first, g(0.015)),
        _right("order of contacts 2 to 10 ms apart, right when decided", close, g(0.97)),
        _undecided("order of contacts 2 to 10 ms apart, undecided", close, g(0.15)),
        _at_most("first contact time error, median", _quantile(late, 50), "ms", g(1.5), len(late)),
        _at_most("first contact time error, 95 %", _quantile(late, 95), "ms", g(6.0), len(late)),
        _rails(scores, g(0.985)),
        _right("some rail after contact, right when decided", some, g(0.998)),
        _undecided("some rail after contact, undecided", some, g(0.01)),
        _right("pocketed, scratch, off the table, right when decided", fates, g(0.999)),
        _undecided("pocketed, scratch, off the table, undecided", fates, None),
        _right("balls to a rail on the break, right when decided", breaks, g(0.97)),
        _undecided("balls to a rail on the break, undecided", breaks, g(0.10)),
        _false_fouls(judged, goals.false_fouls),
        _caught(judged, g(0.98)),
        *_claims(scores, g(CLAIMED)),
        _right("first contact told while balls roll, right", [s.early for s in scores], None),
        _at_most("first contact told while balls roll, 95 % after", _quantile(known, 95), "ms", g(250.0), len(known)),
        _at_most("reading a shot, median", _quantile(_reading(scores), 50), "ms", None, len(scores)),
        _at_most("reading a shot, 95 %", _quantile(_reading(scores), 95), "ms", None, len(scores)),
    ]


def by_kind(scores: Sequence[Score]) -> list[tuple[str, list[Score]]]:
    kinds = list(dict.fromkeys(s.kind for s in scores))
    return [(kind, [s for s in scores if s.kind == kind]) for kind in kinds]


def reliability(scores: Sequence[Score], what: str) -> list[tuple[float, float, int]]:
    """By steps of confidence: mean confidence, share right, how many."""
    beliefs = [(sure, right) for s in scores for kind, sure, right in s.beliefs if kind == what]
    steps = []
    for low, high in pairwise(EDGES):
        inside = [(sure, right) for sure, right in beliefs if low <= sure < high]
        if inside:
            steps.append((float(np.mean([a for a, _ in inside])), float(np.mean([b for _, b in inside])), len(inside)))
    return steps


def rail_f1(scores: Sequence[Score]) -> float:
    found, missed, invented = (sum(s.rails[k] for s in scores) for k in range(3))
    return 2 * found / max(2 * found + missed + invented, 1)


def _reading(scores: Sequence[Score]) -> np.ndarray:
    return 1000 * np.array([s.reading for s in scores])


def _quantile(values: np.ndarray, percent: float) -> float:
    return float(np.percentile(values, percent)) if len(values) else 0.0


def _figure(name: str, value: float, unit: str, goal: float | None, met: bool | None, n: int) -> Figure:
    return {"name": name, "value": round(value, 5), "unit": unit, "goal": goal, "met": met, "n": n}


def _share(name: str, count: int, n: int, goal: float | None) -> Figure:
    value = count / n if n else 1.0
    return _figure(name, value, "share", goal, None if goal is None else value >= goal, n)


def _at_most(name: str, value: float, unit: str, goal: float | None, n: int) -> Figure:
    return _figure(name, value, unit, goal, None if goal is None else value <= goal, n)


def _right(name: str, calls: Sequence[Call], goal: float | None) -> Figure:
    decided = [c for c in calls if c.right is not None]
    return _share(name, sum(bool(c.right) for c in decided), len(decided), goal)


def _undecided(name: str, calls: Sequence[Call], goal: float | None) -> Figure:
    count = sum(c.right is None for c in calls)
    return _at_most(name, count / max(len(calls), 1), "share", goal, len(calls))


def _rails(scores: Sequence[Score], goal: float | None) -> Figure:
    value = rail_f1(scores)
    met = None if goal is None else value >= goal
    return _figure("rail contacts of all balls, F1", value, "share", goal, met, sum(sum(s.rails[:2]) for s in scores))


def _false_fouls(judged: Sequence[Judgement], goal: float) -> Figure:
    legal = [j for j in judged if j.legal]
    value = 1000 * sum(j.false_foul for j in legal) / max(len(legal), 1)
    return _at_most("false fouls per 1,000 legal shots, all leagues", value, "fouls", goal, len(legal))


def _caught(judged: Sequence[Judgement], goal: float | None) -> Figure:
    fouls = [j for j in judged if not j.legal]
    return _share("fouls called or sent to review, all leagues", sum(j.caught for j in fouls), len(fouls), goal)


def _claims(scores: Sequence[Score], goal: float | None) -> list[Figure]:
    found = []
    for what in ("ball contact", "rail contact", "pocketed", "off_table"):
        sure = [
            right for s in scores for kind, confidence, right in s.beliefs if kind == what and confidence >= CLAIMED
        ]
        name = f"{what.replace('_', ' ')} told with confidence {CLAIMED} or more, right"
        found.append(_share(name, sum(sure), len(sure), goal))
    return found
