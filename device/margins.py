"""What decided a ruling, in words: the number that was measured, with its error, as people say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from record.events import BallContact
from record.names import CUE
from record.ruling import Margin
from record.shot import Shot

_SAME: Final = 0.0005
"""Two contacts whose times differ by the margin, to this many seconds, are those that it is about."""


def in_words(margin: Margin, shot: Shot | None = None) -> str:
    """A margin as one phrase; with the shot, the balls of a first contact are named."""
    told = _PHRASES.get(margin.what)
    if told is not None:
        return told(margin)
    if margin.what == "first contact":
        return _order(margin, shot)
    return f"{margin.what}: {_amount(margin)}"


def _order(margin: Margin, shot: Shot | None) -> str:
    pair = None if shot is None else _pair(margin, shot)
    return f"{pair[0]} before {pair[1]} by {_amount(margin)}" if pair else f"first contact by {_amount(margin)}"


def _pair(margin: Margin, shot: Shot) -> tuple[str, str] | None:
    """The two balls hit one after the other by that margin, the first of them first."""
    hits = sorted((e for e in shot.events if isinstance(e, BallContact) and CUE in e.balls), key=lambda e: e.t)
    for one in hits[:1]:
        for other in hits[1:]:
            if abs(other.t - one.t - margin.value) < _SAME and _ball(other) != _ball(one):
                return _ball(one), _ball(other)
    return None


def _ball(contact: BallContact) -> str:
    return contact.balls[1] if contact.balls[0] == CUE else contact.balls[0]


def _amount(margin: Margin) -> str:
    """Milliseconds below a second, seconds above; millimetres; plain counts."""
    factor, unit = {"m": (1000.0, "mm"), "probability": (100.0, "%")}.get(margin.unit, (1.0, margin.unit))
    if margin.unit == "s" and margin.value < 1.0:
        factor, unit = 1000.0, "ms"
    error = f" ± {factor * margin.sigma:.2g}" if margin.sigma else ""
    return f"{factor * margin.value:.3g}{error} {unit}".rstrip()


_PHRASES: Final[Mapping[str, Callable[[Margin], str]]] = {
    "least confidence of a fact": lambda m: f"the least certain fact is {100 * m.value:.1f} % certain",
    "over the head string": lambda m: (
        f"{_amount(m)} over the head string" if m.value >= 0 else "behind the head string"
    ),
    "over the shot clock": lambda m: f"{_amount(m)} over the shot clock",
    "gap before the stroke": lambda m: f"{_amount(m)} between the balls before the stroke",
    "balls to rails on the break": lambda m: f"{m.value:.0f} balls to a rail on the break",
    "points on the break": lambda m: f"{m.value:.0f} points on the break",
}
