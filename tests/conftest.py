"""What several tests share: the built-in clip, its truth, and a picture of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import lab
from device.source import empty_look
from device.truth import ClipTruth, read_truth
from vision.frame import Frame

DEMO = Path(lab.__file__).parent / "footage" / "demo.mp4"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", default=None, help="folder of golden cases (records with an `expect` beside entries)")


@pytest.fixture(scope="session")
def demo_clip() -> Path:
    return DEMO


@pytest.fixture(scope="session")
def demo_truth() -> ClipTruth:
    return read_truth(DEMO)


@pytest.fixture(scope="session")
def demo_look() -> Frame:
    """The built-in clip's table without people."""
    return empty_look(DEMO)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Golden cases are not part of the project: they are collected only where their folder is given."""
    return True if collection_path.name == "golden" and not config.getoption("--golden") else None
