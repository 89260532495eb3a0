"""How entries differ from those that a chain was made over, told from the chain alone.

A link covers the entry and the link before it, so for each entry that was sealed the chain says whether a given value
is that entry. The entries are compared as two texts are, line by line.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from record.chain import canonical, link_after

_REACH: Final = 300
"""How far a moved entry is looked for; farther off it is told as taken out here and put in there."""


class Kind(StrEnum):
    """What was done to an entry."""

    CHANGED = "changed"
    REMOVED = "taken out"
    INSERTED = "put in"
    MOVED = "moved"


@dataclass(frozen=True)
class Change:
    """One difference. `entry` is the number (from 0) that it had when it was sealed; of one that was put in, the number
    that it has now. `to` is where a moved one is now."""

    kind: Kind
    entry: int
    to: int | None = None

    def __str__(self) -> str:
        return f"entry {self.entry} was {self.kind.value}" + ("" if self.to is None else f" to {self.to}")


@dataclass(frozen=True)
class _Block:
    """A run of sealed entries in whose place a run of other entries is now; `last`: nothing sealed comes after."""

    was: list[int]
    now: list[int]
    last: bool


def differences(links: Sequence[str], values: Sequence[Any]) -> list[Change]:
    """What was done to the entries since `links` were made (the header's link first); none for what came after them."""
    now = [canonical(value) for value in values]
    was = _recognised(links, now)
    matcher = SequenceMatcher(None, was, now, autojunk=False)
    blocks = [
        _Block(list(range(i, i_end)), list(range(j, j_end)), i_end == len(was))
        for what, i, i_end, j, j_end in matcher.get_opcodes()
        if what != "equal"
    ]
    moved = list(_taken_moves(blocks, was, now))
    rest = [change for block in blocks for change in _told(block)]
    return sorted([*moved, *rest], key=lambda change: (change.entry, change.to or 0))


def _recognised(links: Sequence[str], now: Sequence[bytes]) -> list[bytes | int]:
    """Each sealed entry as it was written, where it is among those there now; else its number."""
    count = len(links) - 1
    ahead = 0
    while ahead < min(count, len(now)) and link_after(links[ahead], now[ahead]) == links[ahead + 1]:
        ahead += 1
    others = deque(dict.fromkeys(now[ahead:]))
    found: list[bytes | int] = list(now[:ahead])
    for number in range(ahead, count):
        # The entry after the last that was found comes first: mostly it is the next one.
        near = enumerate(islice(others, _REACH))
        place = next((k for k, one in near if link_after(links[number], one) == links[number + 1]), None)
        found.append(number if place is None else others[place])
        others.rotate(0 if place is None else -place - 1)
    return found


def _taken_moves(blocks: Sequence[_Block], was: Sequence[bytes | int], now: Sequence[bytes]) -> Iterator[Change]:
    """Entries that are gone at one place and there at another; they are taken out of their blocks."""
    for block in blocks:
        for number in list(block.was):
            target = next(((other, j) for other in blocks for j in other.now if now[j] == was[number]), None)
            if target is not None:
                other, to = target
                block.was.remove(number)
                other.now.remove(to)
                yield Change(Kind.MOVED, number, to)


def _told(block: _Block) -> Iterator[Change]:
    """Pairs were changed; of the rest, sealed ones were taken out and others put in, if not added after the last."""
    pairs = min(len(block.was), len(block.now))
    yield from (Change(Kind.CHANGED, number) for number in block.was[:pairs])
    yield from (Change(Kind.REMOVED, number) for number in block.was[pairs:])
    if not block.last:
        yield from (Change(Kind.INSERTED, number) for number in block.now[pairs:])
