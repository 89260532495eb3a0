"""Prometheus metrics as text, and a small server for them."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence

from device.alerts.dispatch import Delivery
from device.health import board
from device.live.counters import Counters


def text_of(counters: Counters, ways: Mapping[str, Delivery]) -> str:
    """The exposition format 0.0.4."""
    lines: list[str] = []

    def add(name: str, kind: str, about: str, *values: tuple[str, float]) -> None:
        lines.append(f"# HELP headstring_{name} {about}")
        lines.append(f"# TYPE headstring_{name} {kind}")
        lines.extend(f"headstring_{name}{labels} {value:g}" for labels, value in values)

    for field, about in (
        ("frames_taken", "Frames that came from the camera."),
        ("frames_looked_at", "Frames that were looked at."),
        ("frames_passed_over", "Frames that needed no look, at rest."),
        ("frames_dropped", "Frames left out because this machine was behind."),
        ("camera_gaps", "Gaps between the camera's frames."),
        ("camera_losses", "Times the camera was lost."),
        ("shots", "Shots recorded."),
        ("racks", "Racks ended."),
        ("alerts", "Alerts raised."),
        ("recording_failures", "Tries to record that failed."),
        ("entries_lost", "Entries that could not be recorded."),
    ):
        add(f"{field}_total", "counter", about, ("", getattr(counters, field)))
    add("entries_waiting", "gauge", "Entries not on the disk yet.", ("", counters.entries_waiting))
    add("queue_frames", "gauge", "Frames that wait for detection.", ("", counters.queue_length))
    add("watching", "gauge", "1 while the camera gives frames.", ("", counters.watching))
    add("camera_fault", "gauge", "1 for each fault of the camera's picture.", *_faults(counters.faults))
    add("camera_rate", "gauge", "Frames a second, by their own times.", ("", counters.rate or 0.0))
    add("behind_seconds", "gauge", "From a frame's arrival to the end of its look.", ("", counters.behind))
    if (degrees := board.temperature()) is not None:
        add("temperature_celsius", "gauge", "The hottest part of the board.", ("", degrees))
    if (memory := board.resident_bytes()) is not None:
        add("memory_bytes", "gauge", "Memory of this process.", ("", memory))
    if ways:
        _add_ways(add, ways)
    return "\n".join(lines) + "\n"


def _faults(faults: frozenset[str]) -> list[tuple[str, float]]:
    return [(f'{{fault="{name}"}}', 1.0) for name in sorted(faults)] or [('{fault="none"}', 0.0)]


def _add_ways(add: Callable[..., None], ways: Mapping[str, Delivery]) -> None:
    labels = {name: f'{{way="{name}"}}' for name in ways}
    for metric, kind, about, field in (
        ("alerts_delivered_total", "counter", "Alerts handed over.", "delivered"),
        ("alerts_waiting", "gauge", "Alerts not handed over yet.", "waiting"),
        ("alerts_failures_total", "counter", "Tries to hand over that failed.", "failures"),
    ):
        add(metric, kind, about, *((labels[name], getattr(way, field)) for name, way in ways.items()))
    for name, way in ways.items():
        add(
            "alert_latency_seconds",
            "summary",
            "From the deciding frame's arrival to delivery, the last 1000.",
            *((f'{{way="{name}",quantile="{share:g}"}}', value) for share, value in quantiles(way.latencies)),
        )


def quantiles(values: Iterable[float], shares: Sequence[float] = (0.5, 0.95, 1.0)) -> list[tuple[float, float]]:
    """Quantiles by nearest rank; none of no values."""
    ordered = sorted(values)
    return [(share, ordered[min(len(ordered) - 1, int(share * len(ordered)))]) for share in shares] if ordered else []


class MetricsServer:
    """Serves `/metrics` to whoever may reach the port; by default only this machine."""

    def __init__(self, host: str, port: int, text: Callable[[], str]) -> None:
        """Raises OSError where the port is taken."""

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                known = self.path.split("?")[0] == "/metrics"
                body = text().encode() if known else b"metrics are at /metrics\n"
                self.send_response(200 if known else 404)
                self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                """The metrics themselves are the log."""

        Handler.timeout = 5
        self._server = http.server.ThreadingHTTPServer((host, port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.2,), name="metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
