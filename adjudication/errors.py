"""The errors that a record can make."""

from __future__ import annotations


class IllegalEntryError(ValueError):
    """An entry that cannot be judged: out of order, contradictory, or unknown to the league."""
