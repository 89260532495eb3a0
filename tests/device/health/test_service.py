"""systemd, logs and metrics: what the outside is told."""

from __future__ import annotations

import json
import logging
import os
import socket
import urllib.request
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

import pytest

from device.alerts.dispatch import Delivery
from device.health.logs import set_up
from device.health.metrics import MetricsServer, quantiles, text_of
from device.health.pulse import Pulse
from device.health.systemd import Notifier
from device.live.counters import Counters, Progress
from tests.device.cameras.scripted import Clock


def test_notifications_reach_the_socket(tmp_path: Path) -> None:
    address = str(tmp_path / "n")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as service:
        service.bind(address)
        Notifier({"NOTIFY_SOCKET": address}).send(READY=1, STATUS="a\nb")
        assert service.recv(100) == b"READY=1\nSTATUS=a b"
    Notifier({"NOTIFY_SOCKET": address}).send(READY=1)
    Notifier({}).send(READY=1)


def test_abstract_sockets_too() -> None:
    name = f"headstring-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as service:
        service.bind("\0" + name)
        Notifier({"NOTIFY_SOCKET": "@" + name}).send(WATCHDOG=1)
        assert service.recv(100) == b"WATCHDOG=1"


def test_the_watchdog_is_only_this_processs_own() -> None:
    mine = {"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}
    assert Notifier(mine).watchdog == 30.0
    assert Notifier({**mine, "WATCHDOG_PID": "1"}).watchdog is None
    assert Pulse(Notifier({"WATCHDOG_USEC": "3000000"}), Counters(), Progress(), Clock()).every == 1.0


def test_the_watchdog_is_fed_while_frames_advance_or_a_lost_camera_is_tried_again() -> None:
    clock, counters, progress = Clock(), Counters(watching=True, rate=60.0, shots=3), Progress(at=1000.0)
    pulse = Pulse(Notifier({}), counters, progress, clock)
    assert pulse.beat()
    clock.sleep(11.0)
    assert not pulse.beat()
    progress.at = clock()
    counters.watching = False
    assert pulse.beat()
    assert "not watching" in pulse.status()
    counters.watching, counters.faults = True, frozenset({"frozen"})
    assert "not calling: the camera's picture is frozen" in pulse.status()


@pytest.fixture
def log(tmp_path: Path) -> Iterator[tuple[logging.Logger, Path, Clock]]:
    clock = Clock()
    path = tmp_path / "logs" / "h.log"
    logger = set_up(path, 20_000, clock)
    yield logger, path, clock
    set_up(None, 20_000)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_million_times_the_same_error_stays_a_few_lines(log: tuple[logging.Logger, Path, Clock]) -> None:
    logger, path, clock = log
    handler = next(one for one in logger.handlers if isinstance(one, RotatingFileHandler))
    for k in range(1_000_000):
        if k % 250_000 == 0:
            clock.sleep(61)
            error = logger.makeRecord(logger.name, logging.ERROR, "x.py", 1, "the camera is lost", (), None)
        handler.handle(error)
    told = lines(path)
    assert len(told) == 20
    assert told[5]["repeats"] == 249_995


def test_the_log_and_its_predecessor_stay_within_their_size(log: tuple[logging.Logger, Path, Clock]) -> None:
    logger, path, _ = log
    for k in range(3000):
        logger.warning(f"another matter {k}")
    files = list(path.parent.iterdir())
    assert len(files) == 2
    assert sum(file.stat().st_size for file in files) <= 20_000


def test_passwords_do_not_reach_the_log(log: tuple[logging.Logger, Path, Clock]) -> None:
    logger, path, _ = log
    logger.error("cannot open %s", "rtsp://admin:s3cret@10.0.0.5/s")
    assert "s3cret" not in path.read_text(encoding="utf-8")
    assert lines(path)[0]["level"] == "error"


def test_metrics_are_served_as_prometheus_reads_them() -> None:
    counters = Counters(frames_taken=12, watching=True, faults=frozenset({"black"}))
    way = Delivery(delivered=3)
    way.latencies.extend([0.01, 0.02, 0.2])
    server = MetricsServer("127.0.0.1", 0, lambda: text_of(counters, {"MQTT": way}))
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{server.port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    finally:
        server.close()
    assert "headstring_frames_taken_total 12\n" in text
    assert 'headstring_camera_fault{fault="black"} 1\n' in text
    assert 'headstring_alert_latency_seconds{way="MQTT",quantile="0.95"} 0.2\n' in text
    names = [line.split("{")[0].split(" ")[0] for line in text.splitlines() if not line.startswith("#")]
    typed = {line.split(" ")[2] for line in text.splitlines() if line.startswith("# TYPE")}
    assert set(names) <= typed


def test_quantiles() -> None:
    assert quantiles([]) == []
    assert quantiles(range(100), (0.5, 0.95, 1.0)) == [(0.5, 50), (0.95, 95), (1.0, 99)]
