"""What the looks of a rest say is kept with a shot, and a set that is none is said to be none."""

from __future__ import annotations

import numpy as np
import pytest

from tracking.closed_set import check, identity
from tracking.samples import Floats
from vision.detections import BALL_NAMES

NINE = BALL_NAMES[:10]


def looks(count: float = 20.0, **shares: float) -> tuple[float, Floats]:
    """A ball that was looked at so often, each look saying these shares (`b3=0.9`; the rest evenly spread)."""
    row = np.full(17, (1 - sum(shares.values())) / (17 - len(shares)))
    for name, share in shares.items():
        row[BALL_NAMES.index(name.removeprefix("b")) if name != "none" else 16] = share
    return count, count * np.log(row)


def test_a_sound_set() -> None:
    seen = [looks(cue=0.8), *(looks(**{f"b{n}": 0.8}) for n in range(1, 10))]
    found = check(seen, NINE, NINE)
    assert found.sound
    assert (found.sure, found.balls, found.missing) == (1.0, 10, ())


def test_two_cue_balls_are_said() -> None:
    found = check([looks(cue=0.9), looks(cue=0.8), looks(b3=0.9)], NINE, ["cue", "3"])
    assert found.twice == ("cue",)
    assert not found.sound


def test_a_ball_of_another_set_is_said() -> None:
    """A twelve on a nine-ball table."""
    found = check([looks(cue=0.9), looks(b12=0.9)], NINE, ["cue"])
    assert (found.foreign, found.twice) == (1, ())
    assert not found.sound


def test_an_incomplete_set_is_no_fault_but_its_missing_balls_are_known() -> None:
    found = check([looks(cue=0.9), looks(b1=0.9)], NINE, ["cue", "1"])
    assert found.sound
    assert found.missing == ("2", "3", "4", "5", "6", "7", "8", "9")


def test_nothing_is_said_of_balls_hardly_looked_at() -> None:
    assert check([looks(2.0, cue=0.9), looks(3.0, cue=0.9)], NINE, ["cue"]).balls == 0


def test_a_ball_between_two_names_is_neither_twice_nor_foreign() -> None:
    found = check([looks(3 * 4, b3=0.45, b7=0.45), looks(b7=0.9)], NINE, ["3", "7"])
    assert found.sound
    assert found.sure == pytest.approx(0.5)


def test_the_evidence_of_a_name_is_told_in_chances() -> None:
    told = identity(*looks(2.0, b3=0.6, b7=0.3))
    assert list(told.chances) == ["3", "7"]
    assert told.chances["3"] == pytest.approx(0.8, abs=0.01)
    assert told.looks == 2.0
