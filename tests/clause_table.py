"""`python -m tests.clause_table`: every clause with who decides it and the tests that show it, as docs/rules.md."""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from typing import Final

import pytest

from adjudication.clauses.index import CLAUSES
from adjudication.leagues import BOOKS

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = ROOT / "docs" / "rules.md"

_INTRODUCTION: Final = """# The rules, clause by clause

What each league's rules say in our own words, who establishes the facts, and the tests that show the clause. A ruling
cites these ids. *camera*: the camera alone decides. *camera flags, person confirms*: the machine only asks for a
review. *person*: somebody says it at the console, and the penalty is applied.

This page is made from the code by `python -m tests.clause_table`; a test fails when it is out of date.
`headstring rules NAME` prints the same clauses and a league's options.

"""

_FIFTH: Final = """
## Adding a league

1. `adjudication/clauses/NAME.py`: its clauses, in our own words, and a line in `adjudication/clauses/index.py`.
2. `adjudication/NAME.py`: a class over `NineBall` or `EightBall` (or `RuleBook` for another game) with its `name`,
   `title`, the clause of each foul code and topic, and the few methods in which it differs; what people may say between
   shots is its `declarations`. A line in `adjudication/leagues.py` registers it.
3. `adjudication/match/NAME.py`: how a match is scored, and a line in `adjudication/match/leagues.py`.
4. Its cases: `tests/adjudication/test_NAME.py`, each test marked with the clauses it shows. The tests of
   properties and of this page take the new league in by themselves.
"""


class _Collected:
    """Which tests are marked with which clauses."""

    def __init__(self) -> None:
        self.tests: dict[str, list[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            name = f"{item.path.stem}: {getattr(item, 'originalname', item.name)}"
            for mark in item.iter_markers("clause"):
                for clause in mark.args:
                    tests = self.tests.setdefault(clause, [])
                    if name not in tests:
                        tests.append(name)


def tests_by_clause() -> dict[str, list[str]]:
    """The names of the tests that show each clause."""
    found = _Collected()
    arguments = ["--collect-only", "-q", "-n0", "-p", "no:cacheprovider", str(ROOT / "tests" / "adjudication")]
    with contextlib.redirect_stdout(io.StringIO()):
        code = pytest.main(arguments, plugins=[found])
    if code != pytest.ExitCode.OK:
        raise RuntimeError("the tests cannot be collected")
    return found.tests


def page(tests: dict[str, list[str]]) -> str:
    """The page, in markdown."""
    parts = [_INTRODUCTION]
    for league, clauses in CLAUSES.items():
        parts.append(f"## {BOOKS[league].title} (`{league}`)\n\n| clause | who | says | tests |\n|---|---|---|---|\n")
        for clause in clauses:
            names = "<br>".join(_words(name) for name in tests.get(clause.id, []))
            parts.append(f"| {clause.id} | {clause.who.words} | {clause.says} | {names} |\n")
        parts.append("\n| option | default | meaning |\n|---|---|---|\n")
        for name, setting in BOOKS[league].settings.items():
            parts.append(f"| `{name}` | {str(setting.default).lower()} | {setting.about} |\n")
        parts.append("\n")
    return "".join(parts).rstrip() + "\n" + _FIFTH


def _words(test: str) -> str:
    file, name = test.split(": ")
    return f"`{file}` {name.removeprefix('test_').replace('_', ' ')}"


if __name__ == "__main__":
    PAGE.write_text(page(tests_by_clause()), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} written\n")
