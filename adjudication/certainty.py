"""Three-valued findings: a predicate holds, does not, or cannot be told, and the number that decided it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudication.settings import CERTAINTY
from record.ruling import Margin


@dataclass(frozen=True)
class Thresholds:
    """When a fact is taken as told; each is an option of the record (`adjudication.settings`).

    Attributes:
        sure: an event with at least this confidence took place; with at most 1 − `sure` it did not.
        split_sigmas: two contacts nearer in time than this many standard deviations cannot be told apart.
        place_sigma: standard uncertainty of a ball's place where the record gives none, metres.
    """

    sure: float = 0.9
    split_sigmas: float = 2.0
    place_sigma: float = 0.002

    @staticmethod
    def of(options: Mapping[str, Any]) -> Thresholds:
        """The thresholds that a record's options set.

        Raises:
            BadOptionError: one of them cannot be.
        """
        names = Thresholds.__dataclass_fields__
        return Thresholds(**{name: CERTAINTY[name].read(name, options) for name in names})


@dataclass(frozen=True)
class Finding:
    """What a predicate found: `holds` is None where the facts do not tell.

    `confidence` is the probability of what `holds` says; `why` is a phrase for the explanation or the review.
    """

    holds: bool | None
    confidence: float = 1.0
    why: str = ""
    margin: Margin | None = None


NO = Finding(holds=False)


def told(probability: float, thresholds: Thresholds, why: str, margin: Margin | None = None) -> Finding:
    """A finding from the probability that something is so."""
    if probability >= thresholds.sure:
        return Finding(True, probability, why, margin)
    if probability <= 1 - thresholds.sure:
        return Finding(False, 1 - probability, why, margin)
    return Finding(None, max(probability, 1 - probability), why, margin)
