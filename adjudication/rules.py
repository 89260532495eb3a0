"""What a league's rules are made of: the record's table, thresholds and options, and the league's clauses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from adjudication.certainty import Thresholds
from adjudication.settings import CERTAINTY, Setting
from record.rack import RackRecord, TableSize


@dataclass(frozen=True)
class Rules:
    """A league's name, balls, clauses and options.

    `clauses` gives the clause of each foul code that the league knows, and of topics (`fair`, `break` …).
    """

    thresholds: Thresholds
    table: TableSize
    options: Mapping[str, Any] = field(default_factory=dict)

    name: ClassVar[str]
    title: ClassVar[str]
    balls: ClassVar[frozenset[str]]
    clauses: ClassVar[Mapping[str, str]]
    settings: ClassVar[Mapping[str, Setting]] = CERTAINTY

    @classmethod
    def of(cls, record: RackRecord) -> Self:
        """The league's rules with a record's table and options.

        Raises:
            BadOptionError: an option has a value that it cannot have.
        """
        for name, setting in cls.settings.items():
            setting.read(name, record.rules_options)
        return cls(Thresholds.of(record.rules_options), record.table, record.rules_options)

    def option(self, name: str) -> float:
        """An option's value, its default where the record sets none; yes is 1."""
        return self.settings[name].read(name, self.options)

    @property
    def head_string(self) -> float:
        """x of the head string, metres."""
        return -self.table.length / 4

    def clause(self, topic: str) -> str:
        return self.clauses[topic]
