"""What sets the project up: scripts that a shell accepts, a unit that systemd accepts and finds tight enough."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SCRIPTS = [*sorted(DEPLOY.glob("*.sh")), ROOT / ".ci" / "run"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_sound(script: Path) -> None:
    subprocess.run(["bash", "-n", str(script)], check=True)
    checker = Path(sys.executable).parent / "shellcheck"
    done = subprocess.run([str(checker), str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program that is there, so that only the unit itself is judged."""
    text = (DEPLOY / "headstring.service").read_text(encoding="utf-8")
    assert "/opt/headstring/current/bin/headstring" in text
    path = tmp_path / "headstring.service"
    path.write_text(text.replace("/opt/headstring/current/bin/headstring", "/bin/true"), encoding="utf-8")
    return path


def test_systemd_accepts_the_unit(unit: Path) -> None:
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert unit.name not in done.stderr


def test_the_unit_is_hardened(unit: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-400:]


def test_the_unit_keeps_what_cameras_and_onnx_runtime_need(unit: Path) -> None:
    lines = unit.read_text(encoding="utf-8").splitlines()
    assert not any(line.startswith(("MemoryDenyWriteExecute", "ProcSubset")) for line in lines)
    assert "DeviceAllow=char-video4linux rw" in lines
    assert "Type=notify" in lines
    assert any(re.fullmatch(r"WatchdogSec=\d+", line) for line in lines)


def test_constraints_name_versions_that_the_project_allows() -> None:
    """The set for Bookworm keeps numpy 1, which the system's picamera2 needs there, and only exact versions."""
    lines = (DEPLOY / "constraints-bookworm.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    assert pins["numpy"].startswith("1.")
    assert pins["opencv-python-headless"].startswith("4.")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {re.split(r"[<>=]", dependency)[0] for dependency in project["dependencies"]}
    assert set(pins) <= asked


def test_every_dependency_of_what_is_installed_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["live"], *(one for one in extras["web"] if "headstring" not in one)]
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8").lower()
    for dependency in wanted:
        name = re.split(r"[<>=\[]", dependency)[0].lower()
        assert f"\n{name}==" in locked, name


def test_the_command_line_needs_no_library_of_the_live_parts() -> None:
    code = (
        "import sys\n"
        "for name in ('aiomqtt', 'paho', 'gpiozero', 'picamera2', 'prometheus_client'): sys.modules[name] = None\n"
        "import device.cli"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
