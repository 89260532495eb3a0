"""Margins in words."""

from __future__ import annotations

import pytest

from device.margins import in_words
from record.events import BallContact
from record.ruling import Margin
from tests.adjudication.racks import layout, shot


@pytest.mark.parametrize(
    ("margin", "words"),
    [
        (Margin(what="first contact", value=0.0042, unit="s", sigma=0.0011), "first contact by 4.2 ± 1.1 ms"),
        (Margin(what="over the head string", value=0.0312, unit="m", sigma=0.002), "31.2 ± 2 mm over the head string"),
        (Margin(what="over the shot clock", value=2.34, unit="s"), "2.34 s over the shot clock"),
        (Margin(what="over the shot clock", value=0.34, unit="s"), "340 ms over the shot clock"),
        (
            Margin(what="least confidence of a fact", value=0.998, unit="probability"),
            "the least certain fact is 99.8 % certain",
        ),
        (Margin(what="points on the break", value=3, unit="points"), "3 points on the break"),
        (Margin(what="something new", value=7, unit="balls"), "something new: 7 balls"),
    ],
)
def test_a_margin_is_said_in_peoples_units(margin: Margin, words: str) -> None:
    assert in_words(margin) == words


def test_the_balls_of_a_first_contact_are_named() -> None:
    events = [BallContact(t=1.0, balls=("cue", "3")), BallContact(t=1.0042, balls=("1", "cue"))]
    played = shot(0, "A", "", layout()).model_copy(update={"events": events})
    margin = Margin(what="first contact", value=0.0042, unit="s", sigma=0.0011)
    assert in_words(margin, played) == "3 before 1 by 4.2 ± 1.1 ms"
    later = margin.model_copy(update={"value": 0.3})
    assert in_words(later, played) == "first contact by 300 ± 1.1 ms"
