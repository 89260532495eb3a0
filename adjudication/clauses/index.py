"""The clauses by league."""

from __future__ import annotations

from typing import Final

from adjudication.clauses.clause import Clause
from adjudication.clauses.ipl import IPL
from adjudication.clauses.napa import NAPA
from adjudication.clauses.upa import UPA
from adjudication.clauses.upl import UPL

CLAUSES: Final[dict[str, tuple[Clause, ...]]] = {
    "upa-9ball": UPA,
    "upl-8ball": UPL,
    "napa-9ball": NAPA,
    "ipl-8ball": IPL,
}


def clause(league: str, cited: str) -> Clause | None:
    """The clause that a ruling of a league cites."""
    return next((one for one in CLAUSES[league] if one.id == cited), None)
