"""Each league's match format, by the league's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudication.match import ipl, napa, upa, upl
from adjudication.match.scoresheet import SIDES, MatchError, Scoresheet, pairings, person, players_of
from record.match import Match, Offence

FORMATS: Final[dict[str, Callable[[Match], Scoresheet]]] = {
    "upa-9ball": upa.score,
    "upl-8ball": upl.score,
    "napa-9ball": napa.score,
    "ipl-8ball": ipl.score,
}


def score_of(match: Match) -> Scoresheet:
    """The match as it stands under its league's format.

    Raises:
        MatchError: an unknown league, or an entry that its format does not allow.
    """
    score = FORMATS.get(match.league)
    if score is None:
        raise MatchError(f"unknown league {match.league!r}: known are {', '.join(sorted(FORMATS))}")
    return score(match)


def rack_options(match: Match, number: int) -> dict[str, Any]:
    """`rules_options` for a rack of a pairing: what the match knows and the rack must (home is A, visitors B)."""
    pairing = next((one for one in pairings(match) if one.number == number), None)
    if pairing is None:
        raise MatchError(f"there is no pairing {number}")
    names = dict(zip(SIDES, ("A", "B"), strict=True))
    options: dict[str, Any] = {}
    ratings = {names[side]: person(match, side, players_of(pairing, side)[0]).rating for side in SIDES}
    if all(value is not None for value in ratings.values()):
        options["ratings"] = ratings
    offences: dict[str, list[str]] = {}
    for entry in match.entries:
        if isinstance(entry, Offence):
            offences.setdefault(names[entry.side], []).append(entry.about)
    if offences:
        options["offences"] = offences
    if match.league == "ipl-8ball" and max(len(players_of(pairing, side)) for side in SIDES) == 2:
        options["doubles"] = True
        short = [names[side] for side in SIDES if len(players_of(pairing, side)) == 1]
        if short:
            options["short_side"] = short[0]
    return options
