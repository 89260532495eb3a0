"""What was said of a clip against what is true: one clip at a time, then figures over all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from adjudication.certainty import Thresholds
from adjudication.facts import ShotFacts
from adjudication.judge import adjudicate
from adjudication.leagues import BOOKS
from calibration.calibration import Calibration
from device.truth import ClipTruth
from record.events import RailContact
from record.rack import RackRecord
from record.ruling import Ruling
from record.shot import Shot
from vision.detections import BALL_NAMES, Detections

Floats = npt.NDArray[np.float64]

_SAME_STROKE: Final = 0.2
_AT_REST: Final = 0.003
_NEAR: Final = 0.5


@dataclass
class ShotScore:
    """One true shot: was it found, and what was said of it. None: not decided."""

    clip: str
    index: int
    found: bool = False
    strike_error: float = np.nan
    rest_error: float = np.nan
    first_contact: bool | None = None
    contact_error: float = np.nan
    pocketed: bool = False
    rail_after: bool | None = None
    rails_hit: int = 0
    rails_missed: int = 0
    rails_invented: int = 0
    named: int = 0
    balls: int = 0
    ruling: str = ""
    wrong_foul: bool = False
    missed_foul: bool = False
    said: str = ""


@dataclass
class ClipScore:
    """One clip: calibration, places, shots."""

    clip: str
    worst_corner: float
    shots: list[ShotScore]
    invented: int
    rest_errors: Floats = field(default_factory=lambda: np.zeros(0))
    move_errors: Floats = field(default_factory=lambda: np.zeros(0))
    name_looks: int = 0
    names_right: int = 0
    unseen: int = 0
    seen: int = 0
    false_balls: int = 0


class PlaceTally:
    """Detections of a clip against the truth, frame by frame."""

    def __init__(self, truth: ClipTruth) -> None:
        self._truth = truth
        step = np.abs(np.gradient(truth.xy, truth.t, axis=0)).max(axis=2)
        self._speed = np.where(np.isfinite(step), step, np.inf)
        self.rest: list[float] = []
        self.moving: list[float] = []
        self.looks = self.right = self.unseen = self.seen = self.false = 0

    def add(self, detections: Detections) -> None:
        truth = self._truth
        k = int(np.argmin(np.abs(truth.t - detections.t)))
        if abs(truth.t[k] - detections.t) > 0.002:
            return
        there = np.isfinite(truth.xy[k, :, 0])
        clear = there & (truth.visible[k] > 0.9)
        used = np.zeros(len(detections), dtype=bool)
        for ball in np.flatnonzero(there):
            away = np.hypot(*(detections.xy - truth.xy[k, ball]).T) if len(detections) else np.zeros(0)
            near = int(away.argmin()) if len(away) else -1
            hit = near >= 0 and away[near] < _NEAR * truth.table.ball_diameter
            if hit:
                used[near] = True
            if not clear[ball]:
                continue
            self.seen += hit
            self.unseen += not hit
            if hit:
                self._score(k, int(ball), float(away[near]), detections.names[near])
        self.false += int((~used).sum())

    def _score(self, k: int, ball: int, away: float, names: Floats) -> None:
        if self._speed[k, ball] < _AT_REST:
            self.rest.append(away)
            if np.ptp(names) > 1e-9:
                self.looks += 1
                self.right += BALL_NAMES[int(np.argmax(names[: len(BALL_NAMES)]))] == self._truth.names[ball]
        elif np.isfinite(self._speed[k, ball]):
            self.moving.append(away)


def worst_corner(calibration: Calibration, truth: ClipTruth) -> float:
    """Largest error of a corner of the playing surface, at slate and at nose height, metres."""
    corners = np.array(truth.table.corners)
    worst = 0.0
    for z in (0.0, truth.table.nose_height):
        found = calibration.camera.at_height(truth.camera.project_at(corners, z), z)
        worst = max(worst, float(np.hypot(*(found - corners).T).max()))
    return worst


def score_clip(truth: ClipTruth, record: RackRecord, calibration: Calibration, places: PlaceTally) -> ClipScore:
    """Everything that was said of one clip against its truth."""
    found = [entry for entry in record.entries if isinstance(entry, Shot)]
    expected = _true_rulings(truth, record)
    scores: list[ShotScore] = []
    matched: set[int] = set()
    for true in truth.shots:
        near = [n for n, shot in enumerate(found) if abs(shot.t_strike - true.t_strike) < _SAME_STROKE]
        score = ShotScore(truth.path.stem, true.index)
        if near:
            matched.add(near[0])
            _score_shot(score, true, found[near[0]], truth.table.ball_diameter)
            _score_ruling(score, expected.get(true.index), found[near[0]].ruling)
        scores.append(score)
    return ClipScore(
        truth.path.stem,
        worst_corner(calibration, truth),
        scores,
        len(found) - len(matched),
        np.array(places.rest),
        np.array(places.moving),
        places.looks,
        places.right,
        places.unseen,
        places.seen,
        places.false,
    )


def _true_rulings(truth: ClipTruth, record: RackRecord) -> dict[int, Ruling | None]:
    if record.rules not in BOOKS:
        return {}
    entries = [shot.model_copy(update={"player": None}) for shot in truth.shots]
    judged = adjudicate(record.model_copy(update={"entries": entries}))
    return {entry.index: entry.ruling for entry in judged.entries if isinstance(entry, Shot)}


def _score_shot(score: ShotScore, true: Shot, said: Shot, diameter: float) -> None:
    score.found = True
    score.strike_error = said.t_strike - true.t_strike
    score.rest_error = said.t_rest - true.t_rest
    truth, told = ShotFacts.of(true, Thresholds()), ShotFacts.of(said, Thresholds())
    score.first_contact, score.contact_error = _first_contact(truth, told)
    score.pocketed = _falls(truth) == _falls(told)
    score.rail_after = _rail_after(truth, told)
    _count_rails(score, truth, told)
    score.balls = len(true.layout_before)
    for ball, place in true.layout_before.items():
        at = said.layout_before.get(ball)
        score.named += at is not None and float(np.hypot(at[0] - place[0], at[1] - place[1])) < _NEAR * diameter
    first = told.first_contacts[0].ball if told.first_contacts else None
    score.said = f"first {first}, pocketed {sorted(_falls(told))}"


def _first_contact(truth: ShotFacts, told: ShotFacts) -> tuple[bool | None, float]:
    if not truth.first_contacts:
        return (not told.first_contacts), np.nan
    if not told.first_contacts:
        return False, np.nan
    first, right = told.first_contacts[0], truth.first_contacts[0]
    if len(told.first_contacts) > 1 or first.sure < told.thresholds.sure or first.ball.startswith("?"):
        return None, np.nan
    return first.ball == right.ball, first.t - right.t


def _falls(facts: ShotFacts) -> set[tuple[str, str]]:
    fallen = {(event.ball, event.pocket) for event in facts.pocketed}
    return fallen | {(event.ball, "off") for event in facts.off_table if not event.returned}


def _rail_after(truth: ShotFacts, told: ShotFacts) -> bool | None:
    def answer(facts: ShotFacts) -> float:
        if not facts.first_contacts:
            return 0.0
        start = facts.first_contacts[0].t
        missed = 1.0
        for event in facts.rail_contacts:
            if event.t > start:
                missed *= 1 - event.sure
        return 1 - missed

    chance = answer(told)
    if 0.1 < chance < 0.9:
        return None
    return (chance >= 0.9) == (answer(truth) > 0.5)


def _count_rails(score: ShotScore, truth: ShotFacts, told: ShotFacts) -> None:
    """Rail contacts matched by ball, rail and time (within 60 ms)."""
    left = [event for event in told.rail_contacts if event.sure >= 0.5]
    for event in truth.rail_contacts:
        match = next((e for e in left if _same_rail(e, event)), None)
        if match is None:
            score.rails_missed += 1
        else:
            score.rails_hit += 1
            left.remove(match)
    score.rails_invented += len(left)


def _same_rail(a: RailContact, b: RailContact) -> bool:
    return a.ball == b.ball and a.rail == b.rail and abs(a.t - b.t) < 0.06


def _score_ruling(score: ShotScore, expected: Ruling | None, said: Ruling | None) -> None:
    if expected is None or said is None:
        return
    true, told = ({foul.code for foul in ruling.fouls} for ruling in (expected, said))
    score.wrong_foul = bool(told - true) and not said.needs_review
    score.missed_foul = bool(true - told) and not said.needs_review
    verdict = "as in truth" if true == told and expected.call == said.call else f"truth {expected.call} {sorted(true)}"
    review = ", review" if said.needs_review else ""
    score.ruling = f"{said.call}{review} ({verdict})"


Figure = dict[str, Any]


def figures(scores: list[ClipScore]) -> list[Figure]:
    """Figures over all clips, each with its goal and number of trials."""
    shots = [shot for clip in scores for shot in clip.shots]
    found = [shot for shot in shots if shot.found]
    rest = np.concatenate([clip.rest_errors for clip in scores]) if scores else np.zeros(0)
    moving = np.concatenate([clip.move_errors for clip in scores]) if scores else np.zeros(0)
    contacts = [shot.first_contact for shot in found]
    rails = [shot.rail_after for shot in found]
    hit, missed, wrong = (sum(getattr(s, f"rails_{k}") for s in found) for k in ("hit", "missed", "invented"))
    times = np.abs([s.contact_error for s in found if np.isfinite(s.contact_error)])
    return [
        _figure(
            "worst corner of any clip", 1000 * max(c.worst_corner for c in scores), "mm", 6.0, len(scores), low=True
        ),
        _figure("ball centre at rest, median", 1000 * _quantile(rest, 0.5), "mm", 1.5, len(rest), low=True),
        _figure("ball centre at rest, 99 %", 1000 * _quantile(rest, 0.99), "mm", 5.0, len(rest), low=True),
        _figure("ball centre in motion, median", 1000 * _quantile(moving, 0.5), "mm", None, len(moving), low=True),
        _figure(
            "clear balls not seen",
            _share([c.unseen for c in scores], [c.unseen + c.seen for c in scores]),
            "share",
            None,
            sum(c.unseen + c.seen for c in scores),
            low=True,
        ),
        _figure("false balls", sum(c.false_balls for c in scores), "balls", None, len(scores), low=True),
        _figure(
            "single looks named right",
            _share([c.names_right for c in scores], [c.name_looks for c in scores]),
            "share",
            None,
            sum(c.name_looks for c in scores),
        ),
        _figure(
            "named right before a stroke",
            _share([s.named for s in shots], [s.balls for s in found] or [1]),
            "share",
            0.99,
            sum(s.balls for s in found),
        ),
        _figure("shots found", len(found) / max(len(shots), 1), "share", 1.0, len(shots)),
        _figure("shots invented", sum(c.invented for c in scores), "shots", 0, len(scores), low=True),
        _figure("first contact right when decided", _right(contacts), "share", 1.0, _decided(contacts)),
        _figure("first contact undecided", contacts.count(None), "shots", 1, len(contacts), low=True),
        _figure("first contact time error, median", 1000 * _quantile(times, 0.5), "ms", None, len(times), low=True),
        _figure("pocketed balls and scratches right", _mean(s.pocketed for s in found), "share", 1.0, len(found)),
        _figure("a rail after contact right when decided", _right(rails), "share", 1.0, _decided(rails)),
        _figure("rail contacts, F1", 2 * hit / max(2 * hit + missed + wrong, 1), "share", None, hit + missed),
        _figure(
            "strike time error, median",
            1000 * _quantile(np.abs([s.strike_error for s in found]), 0.5),
            "ms",
            None,
            len(found),
            low=True,
        ),
        _figure("wrong fouls", sum(s.wrong_foul for s in found), "shots", 0, len(found), low=True),
        _figure("fouls missed without review", sum(s.missed_foul for s in found), "shots", 0, len(found), low=True),
    ]


def _figure(name: str, value: float, unit: str, goal: float | None, n: int, *, low: bool = False) -> Figure:
    met = None if goal is None else bool(value <= goal if low else value >= goal)
    return {"name": name, "value": round(float(value), 4), "unit": unit, "goal": goal, "met": met, "n": int(n)}


def _quantile(values: Floats, q: float) -> float:
    return float(np.quantile(values, q)) if len(values) else float("nan")


def _share(part: Iterable[int], whole: Iterable[int]) -> float:
    return sum(part) / max(sum(whole), 1)


def _mean(values: Iterable[bool]) -> float:
    listed = list(values)
    return sum(listed) / max(len(listed), 1)


def _right(answers: list[bool | None]) -> float:
    decided = [answer for answer in answers if answer is not None]
    return sum(decided) / max(len(decided), 1) if decided else 1.0


def _decided(answers: list[bool | None]) -> int:
    return sum(answer is not None for answer in answers)
