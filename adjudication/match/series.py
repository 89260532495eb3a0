"""A pairing that plays several racks: breaks alternate, the first side to reach its race wins."""

from __future__ import annotations

from adjudication.match.scoresheet import Line, MatchError, opponent, racks_of, tosses_of, won
from record.match import Match, Pairing, Side


def first_breaker(match: Match, pairing: Pairing) -> Side | None:
    """Who breaks first by the last toss or lag; None where neither was held."""
    held = tosses_of(match, pairing.number)
    return held[-1].breaks if held else None


def line_of(
    match: Match, pairing: Pairing, first: Side | None, race: dict[Side, int] | None, spot: tuple[int, int] = (0, 0)
) -> Line:
    """The series as it stands.

    Raises:
        MatchError: a rack was played after the race was won.
    """
    score: dict[Side, int] = {"home": spot[0], "visitors": spot[1]}
    winner: Side | None = None
    racks = racks_of(match, pairing.number)
    for rack in racks:
        if winner is not None:
            raise MatchError(f"pairing {pairing.number} has a rack after it was won")
        score[rack.winner] += 1
        if race is not None and score[rack.winner] >= race[rack.winner]:
            winner = rack.winner
    breaks = first if first is None or len(racks) % 2 == 0 else opponent(first)
    how = "played" if winner is not None else "open"
    return Line(
        pairing,
        won(racks, "home") + spot[0],
        won(racks, "visitors") + spot[1],
        winner,
        "played" if how == "played" else "open",
        None if winner is not None else breaks,
        spot,
    )


def alternation_notes(match: Match, pairing: Pairing, first: Side | None) -> list[str]:
    """Racks whose breaker was not the one whose turn it was."""
    found = []
    for number, rack in enumerate(racks_of(match, pairing.number)):
        expected = first if first is None or number % 2 == 0 else opponent(first)
        if rack.breaker is not None and expected is not None and rack.breaker != expected:
            found.append(f"rack {number + 1} of pairing {pairing.number} was broken by the {rack.breaker}")
    return found
