"""Rulings put together from findings, in one way for every league."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

from adjudication.certainty import Finding
from adjudication.state import GameState
from adjudication.words import FOUL_WORDS
from record.names import Call, FoulCode, PlayerId
from record.ruling import Foul, Margin, Next, Ruling


@dataclass(frozen=True)
class Tried:
    """A predicate that was tried: which foul it would be, under which clause, and what it found."""

    code: FoulCode
    clause: str
    finding: Finding


@dataclass(frozen=True)
class Verdict:
    """A ruling and the game after it; `ruling` is None for a declaration that changes nothing.

    `tried` are the fouls that were tried, with what was found of each.
    """

    ruling: Ruling | None
    state: GameState
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True)
class Weighed:
    """A shot's fouls, what cannot be told about it, and the number that decided."""

    fouls: list[Foul] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    doubts: list[dict[str, Any]] = field(default_factory=list)
    margin: Margin | None = None
    why: str = ""
    restore: tuple[str, ...] = ()
    tried: tuple[Tried, ...] = ()

    @property
    def codes(self) -> list[FoulCode]:
        return [foul.code for foul in self.fouls]

    def doubting(self, finding: Finding, call: Call, clause: str, **more: Any) -> Weighed:
        """The same with one more thing that cannot be told, and what would be called if it were so."""
        doubt = {"if": finding.why, "call": call, "clause": clause, **more}
        return replace(self, reasons=[*self.reasons, finding.why], doubts=[*self.doubts, doubt])

    def with_fouls(self, *more: Foul) -> Weighed:
        """The same with more fouls; the first listed is the one that counts."""
        fouls = [*self.fouls, *more]
        return replace(self, fouls=[foul.model_copy(update={"counts": k == 0}) for k, foul in enumerate(fouls)])


def weigh(
    tried: list[Tried],
    reported: list[Foul],
    player: PlayerId,
    restore: tuple[str, ...],
    unsure: list[Finding],
    *,
    alike: bool = False,
) -> Weighed:
    """Fouls that were seen and reported, doubts, and the margin.

    With `alike` all fouls have the same penalty: where one is certain, a doubt about another changes nothing and is
    not for review.
    """
    fouls = fouls_found(tried, player)
    fouls += [foul for foul in reported if foul.code not in {one.code for one in fouls}]
    fouls = [foul.model_copy(update={"counts": k == 0}) for k, foul in enumerate(fouls)]
    settled = alike and bool(fouls)
    why = ""
    if fouls:
        why = reason_of(fouls[0], tried) or FOUL_WORDS.get(fouls[0].code, fouls[0].code.replace("_", " "))
    return Weighed(
        fouls=fouls,
        reasons=([] if settled else review_reasons(tried)) + [one.why for one in unsure],
        doubts=([] if settled else alternatives(tried)) + [{"if": one.why, "call": "legal"} for one in unsure],
        margin=deciding_margin(tried, fouls),
        why=why,
        restore=restore,
        tried=tuple(tried),
    )


def next_of(state: GameState) -> Next:
    if state.phase == "over":
        return Next(player=None, cue_ball=None)
    return Next(player=state.turn, cue_ball=state.cue_ball, options=list(state.options))


def ruled(
    weighed: Weighed,
    call: Call,
    after: GameState,
    clauses: Collection[str],
    text: str,
    spot: Collection[str] = (),
) -> Verdict:
    """A ruling with its state; the fouls' clauses are cited with the others."""
    cited = [*clauses, *sorted({foul.clause for foul in weighed.fouls} - set(clauses))]
    ruling = Ruling(
        call=call,
        fouls=weighed.fouls,
        margin=weighed.margin,
        clauses=cited,
        needs_review=bool(weighed.reasons),
        review_reasons=weighed.reasons,
        alternatives=weighed.doubts,
        spot=sorted(spot),
        restore=sorted(weighed.restore),
        groups=after.groups,
        winner=after.winner,
        next=next_of(after),
        explanation=sentence(text),
    )
    return Verdict(ruling, after.but(to_spot=frozenset(spot)), weighed.tried)


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
