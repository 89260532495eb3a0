"""`headstring bench-live`: how well this machine keeps up with a camera, measured on a recording played as if live."""

from __future__ import annotations

import http.server
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from device import terminal
from device.alerts.dispatch import Dispatcher
from device.alerts.settings import WebhookSettings
from device.alerts.webhook import Webhook
from device.cameras.camera import SourceEndedError
from device.cameras.replay import Replay
from device.cameras.settings import FileCamera
from device.commands.calibrate import TableOption
from device.commands.evaluate import figures_table
from device.health import board
from device.health.metrics import quantiles
from device.live.config import Config
from device.live.counters import Counters, Progress
from device.live.loop import Live, Surroundings

_EVERY: Final = 0.1
_SETTLE: Final = 2.0


class Phase(Enum):
    """What goes on over the table."""

    SHOT = "during shots"
    PEOPLE = "with people at the table"
    REST = "at rest"


@dataclass
class Samples:
    """What was seen of the process while it ran: CPU seconds and wall seconds by phase, memory in bytes."""

    cpu: dict[Phase, float] = field(default_factory=lambda: dict.fromkeys(Phase, 0.0))
    wall: dict[Phase, float] = field(default_factory=lambda: dict.fromkeys(Phase, 0.0))
    memory: list[int] = field(default_factory=list)

    def share(self, phase: Phase) -> float:
        return self.cpu[phase] / self.wall[phase] if self.wall[phase] else 0.0


def command(
    clip: Annotated[Path, typer.Argument(help="a recording; `python -m lab.live_clip` renders one")],
    table: TableOption = "9ft",
    league: Annotated[str, typer.Option("--rules", help="the league")] = "upa-9ball",
    times: Annotated[int, typer.Option("--times", help="how often to play it")] = 1,
    fast: Annotated[bool, typer.Option("--fast", help="as fast as it goes: for memory over a long time")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print for machines")] = False,
) -> None:
    """Measure dropped frames, CPU, memory, alert latency and start; says which goals are met."""
    with tempfile.TemporaryDirectory(prefix="headstring-bench-") as folder:
        decoding = _decoding(clip)
        counters, samples, way = _watched(clip, str(table), league, times, fast, Path(folder))
        start = None if fast else _start(clip, str(table), Path(folder))
    found = _figures(counters, samples, way, decoding, start, fast)
    if as_json:
        terminal.print_json({"figures": found, "conditions": _conditions(clip, times, fast)})
    else:
        terminal.out.print(figures_table(found))


def _watched(
    clip: Path, table: str, league: str, times: int, fast: bool, folder: Path
) -> tuple[Counters, Samples, list[float]]:
    config = Config.model_validate(
        {
            "camera": {"kind": "file", "path": clip, "speed": "fast" if fast else "live", "times": times},
            "table": {"size": table},
            "rules": {"league": league},
            "data": {"folder": folder},
        }
    )
    counters, progress = Counters(), Progress()
    never = threading.Event()
    around = Surroundings(time.monotonic, never.wait, lambda: datetime.now(UTC), lambda: "bench", _say)
    with _receiver() as url:
        dispatcher = Dispatcher([Webhook(WebhookSettings(url=url))], time.monotonic, _say)
        live = Live(config, around, dispatcher, counters, progress)
        samples = Samples()
        done = threading.Event()
        watcher = threading.Thread(target=_sample, args=(counters, samples, done), daemon=True)
        watcher.start()
        live.run()
        done.set()
        watcher.join()
        latencies = list(dispatcher.states["webhook"].latencies)
    return counters, samples, latencies


def _say(text: str) -> None:
    terminal.notes.print(f"note: {text}", markup=False, highlight=False)


def _sample(counters: Counters, samples: Samples, done: threading.Event) -> None:
    """Look at this process ten times a second, from when the table is being watched."""
    while counters.frames_looked_at == 0 and not done.wait(_EVERY):
        continue
    if done.wait(_SETTLE):
        return
    cpu, wall, count = time.process_time(), time.monotonic(), 0
    while not done.wait(_EVERY):
        phase = _phase(counters)
        cpu_now, wall_now = time.process_time(), time.monotonic()
        samples.cpu[phase] += cpu_now - cpu
        samples.wall[phase] += wall_now - wall
        cpu, wall, count = cpu_now, wall_now, count + 1
        if count % 10 == 0 and (memory := board.resident_bytes()) is not None:
            samples.memory.append(memory)


def _phase(counters: Counters) -> Phase:
    if not counters.at_rest:
        return Phase.SHOT
    return Phase.REST if counters.asleep else Phase.PEOPLE


class _receiver:  # noqa: N801 - used as a context
    """A web server on this machine that takes alerts."""

    def __enter__(self) -> str:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *args: object) -> None: ...

        os.environ["no_proxy"] = "127.0.0.1"
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _decoding(clip: Path) -> tuple[float, float]:
    """CPU seconds to decode a second of the clip, and its frames a second: a real camera costs less or nothing."""
    camera = Replay(FileCamera(kind="file", path=clip, speed="fast"), time.monotonic, time.sleep)
    camera.open()
    begun, last, frames = time.process_time(), 0.0, 0
    try:
        while (frame := camera.next_frame(1.0)) is not None:
            last, frames = frame.t, frames + 1
    except SourceEndedError:
        pass
    spent = time.process_time() - begun
    camera.close()
    return spent / max(last, 1e-9), (frames - 1) / max(last, 1e-9)


def _start(clip: Path, table: str, folder: Path) -> float | None:
    """Seconds from starting the program to its word that frames come, with the calibration known from last time."""
    config = folder / "start.toml"
    config.write_text(
        f'[camera]\nkind = "file"\npath = "{clip.resolve()}"\n[table]\nsize = "{table}"\n[data]\nfolder = "{folder}"\n',
        encoding="utf-8",
    )
    address = str(folder / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(address)
        told.settimeout(60)
        begun = time.monotonic()
        program = [sys.executable, "-c", "from device.cli import main; main()", "run", "--config", str(config)]
        running = subprocess.Popen(program, stderr=subprocess.DEVNULL, env={**os.environ, "NOTIFY_SOCKET": address})
        try:
            while b"READY=1" not in told.recv(4096):
                continue
            return time.monotonic() - begun
        except TimeoutError:
            return None
        finally:
            running.terminate()
            running.wait(20)


def _figures(
    counters: Counters,
    samples: Samples,
    latencies: list[float],
    decoding: tuple[float, float],
    start: float | None,
    fast: bool,
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []

    def add(name: str, value: float, unit: str, n: int, goal: float | None = None) -> None:
        met = None if goal is None else value <= goal
        found.append({"name": name, "value": round(value, 4), "unit": unit, "goal": goal, "met": met, "n": n})

    add("frames", counters.frames_taken, "", counters.frames_taken)
    add("looked at", counters.frames_looked_at, "", counters.frames_taken)
    add("shots", counters.shots, "", counters.shots)
    if not fast:
        add("frames dropped", counters.frames_dropped, "", counters.frames_taken, 0)
        add("frames a second of the clip", decoding[1], "/s", counters.frames_taken)
        add("decoding alone, share of one core", decoding[0], "", counters.frames_taken)
        for phase, goal in ((Phase.SHOT, 0.60), (Phase.PEOPLE, None), (Phase.REST, 0.15)):
            share = samples.share(phase) - decoding[0]
            add(f"CPU {phase.value} beside decoding, of one core", share, "", round(samples.wall[phase]), goal)
        for share, value in quantiles(counters.looks, (0.5, 0.95, 0.99)):
            add(f"arrival to end of look, {100 * share:g} %", value, "s", len(counters.looks))
        for share, value in quantiles(latencies, (0.5, 0.95)):
            goal = 0.25 if share == 0.95 else None
            add(f"deciding frame to webhook, {100 * share:g} %", value, "s", len(latencies), goal)
    if samples.memory:
        add("memory, most", max(samples.memory) / 1e6, "MB", len(samples.memory), 350)
        add("memory growth, last against first quarter", _growth(samples.memory), "", len(samples.memory), 0.01)
    if start is not None:
        add("start to first frame", start, "s", 1, 5)
    return found


def _growth(memory: list[int]) -> float:
    quarter = max(1, len(memory) // 4)
    first, last = sorted(memory[:quarter])[quarter // 2], sorted(memory[-quarter:])[quarter // 2]
    return last / first - 1


def _conditions(clip: Path, times: int, fast: bool) -> dict[str, Any]:
    return {"clip": clip.name, "times": times, "fast": fast, "processors": os.cpu_count()}
