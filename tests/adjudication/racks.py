"""Short hand for records in tests: a shot is a line of events."""

from __future__ import annotations

from typing import Any

from adjudication.judge import adjudicate
from record.document import from_json, to_json
from record.entries import Declaration, Entry, Observation
from record.lag import Lag
from record.rack import Player, RackRecord, TableSize
from record.ruling import Ruling
from record.shot import Shot

NINE = ("cue", *(str(n) for n in range(1, 10)))
FIFTEEN = ("cue", *(str(n) for n in range(1, 16)))


def layout(balls: tuple[str, ...] = NINE, cue: tuple[float, float] = (-0.8, 0.05)) -> dict[str, tuple[float, float]]:
    """Balls in a wide grid, none touching; the cue ball behind the head string."""
    places = {ball: (-0.4 + 0.2 * (k % 8), -0.4 + 0.3 * (k // 8)) for k, ball in enumerate(balls)}
    return {**places, "cue": cue} if "cue" in balls else places


def events(line: str, t: float) -> list[dict[str, Any]]:
    """Events from words: `cue>3` a contact, `3|foot` a rail, `3|foot*` a frozen one, `3@side_left` a pocket,
    `3^` off the table, `3.` came to rest, `3/` across the side pockets' line, `cue!3` a jump over it; `+0.5` moves
    the clock on, `~0.002` and `%0.6` set the uncertainty and the confidence of the event before. Each event comes
    0.1 s after the one before."""
    found: list[dict[str, Any]] = [{"type": "strike", "ball": "cue", "t": t}]
    for word in line.split():
        if word[0] == "+":
            t += float(word[1:])
        elif word[0] == "~":
            found[-1]["t_sigma"] = float(word[1:])
        elif word[0] == "%":
            found[-1]["confidence"] = float(word[1:])
        else:
            t += 0.1
            found.append({**_event(word), "t": round(t, 6)})
    return found


def _event(word: str) -> dict[str, Any]:
    if ">" in word:
        return {"type": "ball_contact", "balls": word.split(">")}
    if "|" in word:
        ball, rail = word.split("|")
        frozen = {"frozen": True} if rail.endswith("*") else {}
        return {"type": "rail_contact", "ball": ball, "rail": rail.rstrip("*"), **frozen}
    if "@" in word:
        ball, pocket = word.split("@")
        return {"type": "pocketed", "ball": ball, "pocket": pocket}
    if word.endswith("^"):
        return {"type": "off_table", "ball": word[:-1], "returned": False}
    if "!" in word:
        ball, over = word.split("!")
        return {"type": "jump", "ball": ball, "over": over}
    if word.endswith("/"):
        return {"type": "side_crossing", "ball": word[:-1]}
    if word.endswith("."):
        return {"type": "came_to_rest", "ball": word[:-1]}
    raise ValueError(f"no event: {word!r}")


def shot(index: int, player: str | None, line: str, before: dict[str, tuple[float, float]], **more: Any) -> Shot:
    """A shot at 10 s, 30 s, 50 s …"""
    told = events(line, 10.0 + 20 * index)
    gone = {e["ball"] for e in told if e["type"] in ("pocketed", "off_table")}
    value = {
        "index": index,
        "player": player,
        "t_strike": 10.0 + 20 * index,
        "t_rest": 14.0 + 20 * index,
        "layout_before": before,
        "layout_after": {ball: at for ball, at in before.items() if ball not in gone},
        "events": told,
        **more,
    }
    return Shot.model_validate(value)


def says(t: float, by: str, what: str, **more: Any) -> Declaration:
    return Declaration.model_validate({"t": t, "by": by, "what": what, **more})


def rack(rules: str, *entries: Entry, breaker: str = "A", **options: Any) -> RackRecord:
    """A record as it would be read from a file."""
    record = RackRecord(
        rack_id="r",
        table_id="t",
        started="2026-01-01T19:00:00Z",
        rules=rules,
        rules_options=options,
        table=TableSize(length=2.54, width=1.27, ball_diameter=0.05715),
        players=[Player(id="A", name="A"), Player(id="B", name="B")],
        breaker="A" if breaker == "A" else "B",
        entries=list(entries),
    )
    return from_json(to_json(record))


def without(places: dict[str, tuple[float, float]], *balls: str) -> dict[str, tuple[float, float]]:
    """A layout with some balls gone."""
    return {ball: at for ball, at in places.items() if ball not in balls}


def sees(t: float, what: str, **more: Any) -> Observation:
    return Observation.model_validate({"t": t, "what": what, **more})


def judged(rules: str, *entries: Entry, **more: Any) -> list[Entry]:
    """The entries of a rack with their rulings."""
    return adjudicate(rack(rules, *entries, **more)).entries


def last(rules: str, *entries: Entry, **more: Any) -> Ruling:
    """The ruling of the last entry of a rack."""
    return ruling_of(judged(rules, *entries, **more)[-1])


def ruling_of(entry: Entry) -> Ruling:
    assert isinstance(entry, Shot | Declaration | Observation | Lag)
    assert entry.ruling is not None
    return entry.ruling


def codes(ruling: Ruling) -> list[str]:
    return sorted(foul.code for foul in ruling.fouls)
