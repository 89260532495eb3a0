"""Options of a rule set as a record may set them under `rules_options`: their defaults, limits and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


class BadOptionError(ValueError):
    """An option has a value that it cannot have; the message says which values it can."""


@dataclass(frozen=True)
class Setting:
    """One option: a number between `low` and `high`, or yes or no where `default` is a bool."""

    default: float | bool
    about: str
    low: float = 0.0
    high: float = 1.0

    def read(self, name: str, options: Mapping[str, Any]) -> float:
        """The option's value; yes is 1, no is 0.

        Raises:
            BadOptionError: the value is none that the option can have.
        """
        value = options.get(name, self.default)
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise BadOptionError(f"the option {name!r} must be true or false, not {value!r}")
        elif isinstance(value, bool) or not isinstance(value, int | float) or not self.low <= value <= self.high:
            raise BadOptionError(f"the option {name!r} must be from {self.low:g} to {self.high:g}, not {value!r}")
        return float(value)


CERTAINTY: Final[dict[str, Setting]] = {
    "sure": Setting(0.9, "an event with at least this confidence took place", 0.5, 1.0),
    "split_sigmas": Setting(
        2.0, "two contacts nearer than this many standard deviations cannot be told apart", 0.0, 10
    ),
    "place_sigma": Setting(0.002, "standard uncertainty of a ball's place, metres", 0.0, 0.05),
    "officiated": Setting(True, "somebody watches the hits; if not, a questionable hit is the shooter's to call"),
}
"""Options that every league has."""
