"""Rulings put together from findings, in one way for every league."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjudication.certainty import Finding
from adjudication.state import GameState
from record.names import FoulCode, PlayerId
from record.ruling import Foul, Margin, Ruling


@dataclass(frozen=True)
class Verdict:
    """A ruling and the game after it; `ruling` is None for a declaration that changes nothing."""

    ruling: Ruling | None
    state: GameState


@dataclass(frozen=True)
class Tried:
    """A predicate that was tried: which foul it would be, under which clause, and what it found."""

    code: FoulCode
    clause: str
    finding: Finding


def fouls_found(tried: list[Tried], player: PlayerId) -> list[Foul]:
    """The fouls that hold; the first one listed is the one that counts."""
    held = [one for one in tried if one.finding.holds]
    return [
        Foul(
            code=one.code,
            clause=one.clause,
            player=player,
            confidence=round(one.finding.confidence, 4),
            counts=number == 0,
        )
        for number, one in enumerate(held)
    ]


def doubts(tried: list[Tried]) -> list[Tried]:
    """Fouls that cannot be told."""
    return [one for one in tried if one.finding.holds is None]


def review_reasons(tried: list[Tried]) -> list[str]:
    return [f"{one.code}: {one.finding.why}" for one in doubts(tried)]


def alternatives(tried: list[Tried]) -> list[dict[str, Any]]:
    """The rulings that would stand if a doubtful foul were confirmed."""
    return [{"if": one.finding.why, "call": "foul", "foul": one.code, "clause": one.clause} for one in doubts(tried)]


def sentence(text: str) -> str:
    """A phrase as a sentence."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


def reason_of(foul: Foul, tried: list[Tried]) -> str | None:
    """What was found that makes the foul; None where a person reported it."""
    return next((one.finding.why for one in tried if one.code == foul.code and one.finding.holds), None)


def deciding_margin(tried: list[Tried], fouls: list[Foul]) -> Margin | None:
    """The number that decided: that of the foul that counts, else of a doubt, else of the first contact.

    Where nothing was measured against a limit, it is the least confidence among the facts that the ruling rests on.
    """
    wanted = [one for one in tried if fouls and one.code == fouls[0].code and one.finding.holds]
    if not wanted:
        wanted = [one for one in tried if one.finding.holds is None]
        wanted += [one for one in tried if one.code in ("bad_hit", "head_string")]
    measured = next((one.finding.margin for one in wanted if one.finding.margin is not None), None)
    if measured is not None:
        return measured
    told = [one.finding.confidence for one in (wanted if fouls else tried)]
    return Margin(what="least confidence of a fact", value=round(min(told), 4), unit="probability") if told else None
