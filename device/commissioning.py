"""Is this table, under this light, seen well enough to call fouls? A score from its rests, before anything is called.

Every rest of a few seconds is judged by itself: the calibration, the light, how sharply balls are placed, how surely
they are named, whether they make a set, whether red and blue are what they should be. The weakest part counts. Below
`LEAST` the product watches and records but calls nothing by itself, and the record says so.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from calibration.calibration import Calibration
from models.loading import Namer
from models.rectified import crop_placements, cut
from tracking.closed_set import SetCheck
from vision.detections import BALL_NAMES, Detections
from vision.frame import Frame

Floats = npt.NDArray[np.float64]

LEAST: Final = 0.5
_RESTS: Final = 5
"""The score is the median of the last so many rests."""
_AFTER: Final = 1.0
"""Seconds of a rest before it is judged."""
_FEWEST: Final = 3
_COVERED: Final = 0.3
_TELLING: Final = 5
"""Balls that it takes to tell the order of the colours: of a few, most may be of colours that are names either way."""
_DISC: Final = 0.35
"""Radius, in crop sides, of what is compared of a ball in the two orders of colours."""


@dataclass(frozen=True)
class Score:
    """One rest, or several: each part 0 (hopeless) to 1 (as good as can be asked for).

    Attributes:
        parts: the parts by name.
        said: a sentence for each part that is below `LEAST`.
    """

    parts: dict[str, float]
    said: dict[str, str] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """The weakest part."""
        return min(self.parts.values())

    @property
    def weakest(self) -> str:
        return min(self.parts, key=lambda name: self.parts[name])

    @property
    def why(self) -> str:
        """What keeps the score low, in one sentence."""
        return self.said.get(self.weakest, self.weakest)


class VenueCheck:
    """Judges the rests of one table as they come."""

    def __init__(self, namer: Namer) -> None:
        self._namer = namer
        self._since: float | None = None
        self._done = False
        self.rests: deque[Score] = deque(maxlen=_RESTS)

    def stirred(self) -> None:
        """Something moves: the next rest will be judged anew."""
        self._since, self._done = None, False

    def rest(self, frame: Frame, seen: Detections, balls: SetCheck, calibration: Calibration) -> Score | None:
        """Take in a frame in which all balls lie still; gives this rest's score once, when there is enough to judge."""
        if self._since is None:
            self._since = frame.t
        covered = seen.cover is not None and float((seen.cover.share > 0.5).mean()) > _COVERED
        if self._done or covered or frame.t - self._since < _AFTER or balls.balls < _FEWEST:
            return None
        self._done = True
        score = judged(frame, seen, balls, calibration, self._namer)
        self.rests.append(score)
        return score

    @property
    def waiting(self) -> bool:
        """The present rest has not been judged yet."""
        return not self._done

    @property
    def standing(self) -> Score | None:
        """The rest that stands for the last few: the one with the median score (the lower of two)."""
        if not self.rests:
            return None
        ordered = sorted(self.rests, key=lambda score: score.value)
        return ordered[(len(ordered) - 1) // 2]


def judged(frame: Frame, seen: Detections, balls: SetCheck, calibration: Calibration, namer: Namer) -> Score:
    """The score of one rest."""
    found = {
        "calibration": _calibration(calibration),
        "light": _light(frame, calibration),
        "places": _places(seen, calibration),
        "names": _names(balls),
        "set": _set(balls),
        "colours": _colours(frame, seen, calibration, namer),
    }
    parts = {name: round(value, 3) for name, (value, _) in found.items()}
    return Score(parts, {name: text for name, (value, text) in found.items() if value < LEAST})


def _between(value: float, bad: float, good: float) -> float:
    return float(np.clip((value - bad) / (good - bad), 0, 1))


def _calibration(known: Calibration) -> tuple[float, str]:
    left = [value for value in (known.residuals.diamonds, known.residuals.noses) if value is not None]
    worst = 1000 * max(left, default=0.0)
    return _between(worst, 16.0, 5.0), f"the calibration is {worst:.0f} mm off: calibrate again, with the table empty"


def _light(frame: Frame, known: Calibration) -> tuple[float, str]:
    """How bright the cloth is, and how much of the table is burnt out."""
    table = known.table
    x = np.linspace(-0.47, 0.47, 40) * table.length
    y = np.linspace(-0.44, 0.44, 20) * table.width
    px = known.camera.project_at(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2), 0.0).round().astype(int)
    width, height = frame.size
    px = px[((px >= 0) & (px < [width, height])).all(axis=1)]
    level = frame.luma[px[:, 1], px[:, 0]].astype(np.float64) if len(px) else np.zeros(1)
    middle, burnt = float(np.median(level)), float((level >= 250).mean())
    if burnt > 0.05:
        return _between(burnt, 0.25, 0.05), f"{burnt:.0%} of the cloth is burnt out: less exposure or softer light"
    return _between(
        middle, 12.0, 40.0
    ), f"the cloth is too dark (grey level {middle:.0f} of 255): more light or exposure"


def _places(seen: Detections, known: Calibration) -> tuple[float, str]:
    if not len(seen):
        return 0.0, "no ball is seen"
    spread = np.sqrt(np.median(np.linalg.eigvalsh(seen.cov)[:, 1])) / known.table.ball_diameter
    return (
        _between(float(spread), 0.12, 0.04),
        f"balls are placed only to {100 * spread:.0f} % of their diameter: focus, and enough pixels to a ball",
    )


def _names(balls: SetCheck) -> tuple[float, str]:
    return (
        _between(balls.sure, 0.3, 0.8),
        f"only {balls.sure:.0%} of {balls.balls} balls are named beyond doubt by their looks: more even light, or "
        "`headstring train` on this table's pictures",
    )


def _set(balls: SetCheck) -> tuple[float, str]:
    if balls.twice:
        names = " and ".join("cue ball" if name == "cue" else f"the {name}" for name in balls.twice)
        return 0.2, f"two balls look like {names}"
    if balls.foreign:
        many = "a ball does" if balls.foreign == 1 else f"{balls.foreign} balls do"
        return 0.3, f"{many} not look like any of the set"
    return 1.0, ""


def _colours(frame: Frame, seen: Detections, known: Calibration, namer: Namer) -> tuple[float, str]:
    """Whether the balls look more like a set with red and blue as they are than exchanged.

    The cloth round the balls is left as it is: exchanged, a blue cloth would look like none the namer has seen, and
    the comparison would be won by the cloth.
    """
    if len(seen) < _TELLING:
        return 1.0, ""
    crops = cut(frame.pixels, crop_placements(known.camera, seen.xy, known.table.ball_diameter))
    side = crops.shape[1]
    v, u = np.indices((side, side)) - (side - 1) / 2
    disc = (u**2 + v**2 < (_DISC * side) ** 2)[None, :, :, None]
    exchanged = np.where(disc, crops[..., ::-1], crops)
    right, wrong = (_together(namer(np.ascontiguousarray(one)).names) for one in (crops, exchanged))
    lead = right - wrong
    return (
        _between(lead, -0.1, 0.1),
        "red and blue are exchanged in the picture: the camera's colour order is set wrongly",
    )


def _together(names: Floats) -> float:
    """Mean log-probability of the balls' names (N, 17), every name given once."""
    logs = np.log(np.clip(names[:, : len(BALL_NAMES)], 0.01, 1.0))
    rows, columns = linear_sum_assignment(-logs)
    return float(logs[rows, columns].mean())
