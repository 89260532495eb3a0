"""What was done to entries, told from the chain alone."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from record.chain import links
from record.difference import Change, Kind, differences


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("abcd", "abcd", []),
        ("abcd", "abcdef", []),
        ("", "ab", []),
        ("abcd", "axcd", ["entry 1 was changed"]),
        ("abcd", "axyd", ["entry 1 was changed", "entry 2 was changed"]),
        ("abcd", "acd", ["entry 1 was taken out"]),
        ("abcd", "abc", ["entry 3 was taken out"]),
        ("abcd", "", [f"entry {k} was taken out" for k in range(4)]),
        ("abcd", "xabcd", ["entry 0 was put in"]),
        ("abcd", "abxcd", ["entry 2 was put in"]),
        ("abcd", "abbcd", ["entry 1 was put in"]),
        ("abcd", "bcda", ["entry 0 was moved to 3"]),
        ("abcd", "dabc", ["entry 3 was moved to 0"]),
        ("abcd", "acbd", ["entry 2 was moved to 1"]),
        ("abcd", "xbde", ["entry 0 was changed", "entry 2 was taken out"]),
        ("aabb", "abb", ["entry 1 was taken out"]),
    ],
)
def test_what_was_done_is_told(was: str, now: str, told: list[str]) -> None:
    assert [str(one) for one in differences(links("start", was), list(now))] == told


@given(st.lists(st.integers(0, 5), max_size=12), st.lists(st.integers(0, 5), max_size=12))
def test_entries_are_told_to_differ_exactly_when_they_do(was: list[int], now: list[int]) -> None:
    assert (differences(links("start", was), now) == []) == (now[: len(was)] == was)


@given(st.integers(1, 60), st.randoms(use_true_random=False))
def test_one_changed_entry_is_found_whatever_the_length(count: int, rng: random.Random) -> None:
    was: list[Any] = [{"t": k} for k in range(count)]
    at = rng.randrange(count)
    now = [*was[:at], {"t": -1}, *was[at + 1 :]]
    assert differences(links("start", was), now) == [Change(Kind.CHANGED, at)]
