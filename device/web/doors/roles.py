"""Roles, each of which may do what the ones before it may."""

from __future__ import annotations

from enum import IntEnum


class Role(IntEnum):
    """What a person may do.

    `VIEWER` sees tables, racks and reviews; `SCOREKEEPER` says what the camera cannot see; `REFEREE` rules, corrects
    facts and closes reviews; `OPERATOR` keeps accounts, imports, exports and erases.
    """

    VIEWER = 1
    SCOREKEEPER = 2
    REFEREE = 3
    OPERATOR = 4

    @property
    def words(self) -> str:
        return self.name.lower()


def role_named(name: str) -> Role:
    """A role by its name.

    Raises:
        ValueError: there is none of that name.
    """
    found = next((role for role in Role if role.words == name), None)
    if found is None:
        raise ValueError(f"no role {name!r}: there are {', '.join(role.words for role in Role)}")
    return found
