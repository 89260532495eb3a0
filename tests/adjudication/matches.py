"""Short hand for match files in tests."""

from __future__ import annotations

from typing import Any

from record.match import Match, match_from_json, match_to_json


def match(league: str, *entries: dict[str, Any], players: int = 5, ratings: Any = None, **more: Any) -> Match:
    """A match of players h1, h2 … against v1, v2 …; `ratings` by player."""
    told = ratings or {}

    def team(name: str, letter: str) -> dict[str, Any]:
        ids = [f"{letter}{k + 1}" for k in range(players)]
        return {"name": name, "players": [{"id": one, "name": one.upper(), "rating": told.get(one)} for one in ids]}

    value = {
        "match_id": "m",
        "league": league,
        "date": "2026-03-01",
        "home": team("Home", "h"),
        "visitors": team("Visitors", "v"),
        "entries": list(entries),
        **more,
    }
    return match_from_json(match_to_json(Match.model_validate(value)))


def pairing(number: int, home: str, visitors: str, minutes: float = 0.0, **more: Any) -> dict[str, Any]:
    sides = {"home": home.split("+"), "visitors": visitors.split("+")}
    return {"type": "pairing", "number": number, **sides, "t": minutes * 60, **more}


def racks(number: int, winners: str, minutes: float = 0.0, **more: Any) -> list[dict[str, Any]]:
    """Racks of a pairing: `h` and `v` won them, in order, a minute apart."""
    sides = {"h": "home", "v": "visitors"}
    return [
        {"type": "rack", "pairing": number, "winner": sides[one], "t": (minutes + k) * 60, **more}
        for k, one in enumerate(winners)
    ]


def arrive(side: str, minutes: float, *players: str) -> dict[str, Any]:
    return {"type": "arrival", "side": side, "players": list(players), "t": minutes * 60}


def forfeit(side: str, number: int | None = None) -> dict[str, Any]:
    return {"type": "forfeit", "side": side, **({} if number is None else {"pairing": number})}
