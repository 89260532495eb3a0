"""`headstring run` as a service runs it: readiness, watchdog, metrics, and a quick end on SIGTERM."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from device.live.queues import Latest
from device.terminal import Exit
from tests.device.alerts.test_sinks import free_port
from tests.device.test_command_line import refused


def test_a_service_tells_systemd_and_ends_within_five_seconds(demo_clip: Path, tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    port = free_port()
    config = tmp_path / "c.toml"
    config.write_text(
        f'[camera]\nkind = "file"\npath = "{demo_clip}"\ntimes = 20\n[table]\nhead_end = "left"\n'
        f'[data]\nfolder = "{tmp_path / "data"}"\n[health]\nmetrics_port = {port}\n',
        encoding="utf-8",
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(address)
        notified.settimeout(60)
        environment = {**os.environ, "NOTIFY_SOCKET": address, "WATCHDOG_USEC": "900000", "no_proxy": "127.0.0.1"}
        running = subprocess.Popen(
            [sys.executable, "-c", "from device.cli import main; main()", "run", "--config", str(config)],
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        told: list[str] = []
        while not any("READY=1" in text for text in told):
            told.append(notified.recv(4096).decode())
        while not any("WATCHDOG=1" in text for text in told[-3:]):
            told.append(notified.recv(4096).decode())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            metrics = answer.read().decode()
        begun = time.monotonic()
        running.send_signal(signal.SIGTERM)
        _, said = running.communicate(timeout=20)
        assert time.monotonic() - begun < 5
    assert running.returncode == 0, said
    assert "Traceback" not in said
    assert "headstring_watching 1" in metrics
    lines = [json.loads(line) for line in said.splitlines()]
    assert lines[0]["message"] == "starting"
    assert lines[-1]["message"] == "ended"
    assert lines[-1]["frames"] > 0


def test_what_cannot_run_is_one_line(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    refused(Exit.USAGE, "cannot read", "run", "--config", config)
    config.write_text('[camera]\nkind = "file"\npath = "/none.mp4"\nspede = "fast"\n')
    refused(Exit.USAGE, "unknown key camera.file.spede", "run", "--config", config)
    config.write_text(f'[camera]\nkind = "file"\npath = "/none.mp4"\n[data]\nfolder = "{tmp_path}"\n')
    refused(Exit.UNREADABLE, "no such file: /none.mp4", "run", "--config", config)
    config.write_text(f'[camera]\nkind = "picamera2"\n[data]\nfolder = "{tmp_path}"\n')
    refused(Exit.UNREADABLE, "apt-get install python3-picamera2", "run", "--config", config)


def test_an_idle_reader_is_woken_when_the_queue_ends() -> None:
    queue: Latest[int] = Latest(1)
    queue.close()
    assert queue.get(60.0) is None
