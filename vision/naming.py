"""Names for the balls of one frame, given jointly: one cue ball, each number once."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from vision.detections import BALL_NAMES

Floats = npt.NDArray[np.float64]

_UNSURE: Final = 0.05
"""A ball whose best free name has less than this probability stays anonymous."""


def jointly_named(names: Floats) -> list[tuple[str, float]]:
    """Names and their confidences for rows of name probabilities (N, 17), by the likeliest one-to-one assignment.

    A ball that no free name fits becomes `?1`, `?2` …, with the probability that its best name was wrong.
    """
    count = len(names)
    if count == 0:
        return []
    logs = np.log(np.clip(names[:, : len(BALL_NAMES)], 1e-9, 1.0))
    nameless = np.full((count, count), np.log(_UNSURE))
    rows, columns = linear_sum_assignment(-np.hstack([logs, nameless]))
    found: list[tuple[str, float]] = []
    unknown = 0
    for row, column in zip(rows, columns, strict=True):
        if column < len(BALL_NAMES):
            found.append((BALL_NAMES[column], float(names[row, column])))
        else:
            unknown += 1
            found.append((f"?{unknown}", float(1 - names[row, : len(BALL_NAMES)].max())))
    return found
