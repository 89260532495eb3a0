"""Ctrl-C ends a command at once and leaves no half-written file."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from device.terminal import Exit


def test_an_interrupted_analysis_leaves_nothing_half_written(demo_clip: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["analyze", str(demo_clip), "--table", "9ft", "--overlay", "-o", str(out)]
    running = subprocess.Popen(
        [sys.executable, "-c", "from device.cli import main; main()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 60
    while not list(out.glob(".*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=30)
    assert running.returncode == Exit.INTERRUPTED
    assert "stopped" in said
    assert "Traceback" not in said
    assert list(out.iterdir()) == []
