"""Golden cases: records with an `expect` beside entries, from the folder given with `--golden`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudication.judge import adjudicate
from record.document import from_json
from record.entries import Declaration
from record.lag import Lag
from record.ruling import Ruling
from record.shot import Shot


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = metafunc.config.getoption("--golden")
    cases = sorted(Path(str(folder)).glob("*.json")) if folder else []
    metafunc.parametrize("case", cases, ids=[case.stem for case in cases])


def test_case(case: Path) -> None:
    judged = adjudicate(from_json(case.read_text(encoding="utf-8")))
    expected = [entry for entry in judged.entries if isinstance(entry, Shot | Declaration | Lag) and entry.expect]
    assert expected
    for entry in expected:
        assert entry.expect is not None
        assert differences(entry.expect, entry.ruling) == {}


def differences(expect: dict[str, Any], ruling: Ruling | None) -> dict[str, Any]:
    """Keys of `expect` that the ruling does not meet, with what it says instead."""
    if ruling is None:
        return {"ruling": None}
    said = ruling.model_dump(mode="json")
    said["fouls"] = [foul["code"] for foul in said["fouls"]]
    return {key: said[key] for key, value in expect.items() if not _same(key, value, said[key])}


def _same(key: str, wanted: Any, said: Any) -> bool:
    if key == "next":
        return all(_same(inner, value, said[inner]) for inner, value in wanted.items())
    if key in ("fouls", "spot", "options", "restore"):
        return sorted(wanted) == sorted(said)
    return bool(wanted == said)
