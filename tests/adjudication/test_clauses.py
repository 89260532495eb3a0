"""Every clause is known, cited by the code as it is named, shown by a test, and listed in the docs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from adjudication.clauses.index import CLAUSES, clause
from adjudication.leagues import BOOKS
from record.names import FoulCode

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def made() -> str:
    """The page of clauses made anew, in a process of its own (the collecting run must not disturb this one)."""
    program = "from tests.clause_table import page, tests_by_clause; print(page(tests_by_clause()), end='')"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_every_clause_is_shown_by_a_test(made: str) -> None:
    rows = [line for line in made.splitlines() if line.startswith("| UP") or line[:6] in ("| NAPA", "| IPL ")]
    assert len(rows) == sum(map(len, CLAUSES.values()))
    assert [row for row in rows if row.endswith("|  |")] == []


def test_the_page_in_the_docs_is_up_to_date(made: str) -> None:
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == made


@pytest.mark.parametrize("league", sorted(BOOKS))
def test_what_a_league_cites_is_among_its_clauses(league: str) -> None:
    known = {one.id for one in CLAUSES[league]}
    assert set(BOOKS[league].clauses.values()) <= known
    assert len(known) == len(CLAUSES[league])


def test_a_clause_is_found_by_its_id() -> None:
    found = clause("upl-8ball", "UPL Lag")
    assert found is not None
    assert found.who.words == "camera"
    assert clause("upl-8ball", "UPA 1.0") is None


def test_every_foul_code_belongs_to_some_league() -> None:
    codes = set(get_args(FoulCode))
    used = {code for book in BOOKS.values() for code in book.clauses}
    assert codes - used == {"three_fouls"}
