"""What is known of one clause."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto


class Who(Flag):
    """Who establishes a clause's facts."""

    CAMERA = auto()
    """The camera alone decides."""
    FLAG = auto()
    """The camera flags, a person confirms."""
    PERSON = auto()
    """A person declares it; the penalty is applied."""

    @property
    def words(self) -> str:
        names = {Who.CAMERA: "camera", Who.FLAG: "camera flags, person confirms", Who.PERSON: "person"}
        return " + ".join(word for who, word in names.items() if who in self)


@dataclass(frozen=True)
class Clause:
    """One clause: `id` as rulings cite it, `says` in our own words."""

    id: str
    who: Who
    says: str
