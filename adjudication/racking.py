"""The rack before the break: which ball must lie where, and how far one may be off."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from pydantic import TypeAdapter, ValidationError

from adjudication.certainty import Finding
from adjudication.errors import IllegalEntryError
from record.entries import Observation
from record.names import Layout, Place
from record.rack import TableSize
from record.ruling import Margin

DIME: Final = 0.00895
"""A dime's radius: so far may the head ball lie from the foot spot (UPA 2.1)."""

_TIGHT: Final = 0.25
"""A ball further than this share of a diameter from its place lies in none."""

_LAYOUT: Final[TypeAdapter[Layout]] = TypeAdapter(Layout)

_DIAMOND: Final = (1, 2, 3, 2, 1)
_TRIANGLE: Final = (1, 2, 3, 4, 5)


def layout_of(observation: Observation) -> Layout:
    """The balls' places that an observation holds under `layout`.

    Raises:
        IllegalEntryError: there are none, or they are no places.
    """
    try:
        return _LAYOUT.validate_python((observation.model_extra or {}).get("layout"))
    except ValidationError:
        raise IllegalEntryError(
            f"the observation {observation.what!r} must hold the balls' places as 'layout'"
        ) from None


def diamond(table: TableSize) -> list[list[Place]]:
    """Places of nine balls, row by row from the foot spot to the foot rail."""
    return _rows(_DIAMOND, table)


def triangle(table: TableSize) -> list[list[Place]]:
    """Places of fifteen balls, row by row from the foot spot to the foot rail."""
    return _rows(_TRIANGLE, table)


def _rows(counts: tuple[int, ...], table: TableSize) -> list[list[Place]]:
    d = table.ball_diameter
    apex = table.length / 4
    return [
        [(apex + row * d * math.sqrt(3) / 2, (k - (count - 1) / 2) * d) for k in range(count)]
        for row, count in enumerate(counts)
    ]


def seated(layout: Layout, rows: list[list[Place]], table: TableSize) -> tuple[list[list[str | None]], Finding | None]:
    """Which ball lies in each place, and the first fault: a head ball off the foot spot, or an empty place.

    The whole rack may lie a little off with its head ball, which is where the others' places start from.
    """
    balls = {ball: at for ball, at in layout.items() if ball != "cue"}
    head = min(balls, key=lambda ball: math.dist(balls[ball], rows[0][0]), default=None)
    if head is None:
        return [[None] * len(row) for row in rows], Finding(True, 1.0, "no balls are racked")
    (hx, hy), (sx, sy) = balls[head], rows[0][0]
    off = math.dist((hx, hy), (sx, sy))
    found = [[_at((x + hx - sx, y + hy - sy), balls, table) for x, y in row] for row in rows]
    if off > DIME:
        margin = Margin(what="head ball off the foot spot", value=round(off, 4), unit="m")
        return found, Finding(True, 1.0, f"the {head} lies {off * 1000:.1f} mm off the foot spot", margin)
    if any(ball is None for row in found for ball in row):
        return found, Finding(True, 1.0, "the rack is not complete or not tight")
    return found, None


def by_group(layout: Layout, pattern: Sequence[str] | None, table: TableSize) -> list[Finding]:
    """A triangle with the 8 on the foot spot, its rows told by group: `8`, and one letter a group (UPL Rack).

    Which letter is which group does not matter. Without a pattern only the triangle is checked, the 8 at its head
    or in its middle.
    """
    heads = range(3) if pattern is None else [next((k for k, row in enumerate(pattern) if "8" in row), 0)]
    shift = table.ball_diameter * math.sqrt(3) / 2
    tried = []
    for row in heads:
        rows = [[(x - row * shift, y) for x, y in line] for line in triangle(table)]
        balls = [[_at(place, layout, table) for place in line] for line in rows]
        tried.append(balls)
    whole = next((balls for balls in tried if all(ball is not None for line in balls for ball in line)), None)
    if whole is None:
        return [Finding(True, 1.0, "the rack is not complete or not tight")]
    if pattern is None:
        return []
    return _groups_wrong(whole, pattern)


def _groups_wrong(rows: list[list[str | None]], pattern: Sequence[str]) -> list[Finding]:
    solids: set[str] = set()
    stripes: set[str] = set()
    for line, letters in zip(rows, pattern, strict=False):
        for ball, letter in zip(line, letters, strict=False):
            if ball is not None and ball.isdigit() and ball != "8":
                (solids if int(ball) < 8 else stripes).add(letter)
    if len(solids) > 1 or len(stripes) > 1 or solids & stripes:
        return [Finding(True, 1.0, "the solids and stripes do not lie in the league's pattern")]
    return []


def _at(place: Place, balls: Mapping[str, Place], table: TableSize) -> str | None:
    near = min(balls, key=lambda ball: math.dist(balls[ball], place))
    return near if math.dist(balls[near], place) <= _TIGHT * table.ball_diameter else None


def must_be(ball: str | None, wanted: Collection[str], where: str) -> Finding | None:
    """A fault where a place does not hold one of the wanted balls; a ball without a name is not held against it."""
    if ball is None or ball in wanted or ball.startswith("?"):
        return None
    named = f"the {next(iter(wanted))}" if len(wanted) == 1 else "another ball"
    return Finding(True, 1.0, f"the {ball} lies {where}, where {named} belongs")
