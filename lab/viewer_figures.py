"""Times the live page's stream: `python -m lab.viewer_figures [--viewers 50] [--seconds 20] [--json]`.

A server in a process of its own serves a table that shows a new moment ten times a second; so many clients follow it.
Measured are the server's processor time and how long a moment takes from being shown to being read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import resource
import statistics
import sys
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import uvicorn

from adjudication.judge import Judge
from adjudication.possible import sayable
from device.keys import KeyStore
from device.live.window import Window
from device.store.library import Library
from device.web.application import create_app
from device.web.serving import desk_over
from device.web.settings import WebSettings
from record.rack import Player, RackRecord, TableSize

CPU_GOAL: Final = 0.10
LATENCY_GOAL: Final = 300.0
_NAME, _PASSWORD = "viewer", "a long enough one"


def _moment(shown: float) -> dict[str, Any]:
    """A moment as large as a real one; `shown` is when, on the machine's monotonic clock."""
    record = RackRecord(
        rack_id="r",
        table_id="t",
        started="2026-01-01T19:00:00Z",
        rules="upa-9ball",
        table=TableSize(length=2.54, width=1.27, ball_diameter=0.05715),
        players=[Player(id="A", name="A"), Player(id="B", name="B")],
        breaker="A",
    )
    judge = Judge.of(record)
    offered = sayable(judge.league, judge.state)
    buttons = [{"what": one.what, "label": one.label, "fields": one.fields} for one in offered]
    balls = [{"name": str(k), "x": 0.1 * k, "y": 0.0, "moving": False} for k in range(10)]
    return {"t": 0.0, "shown": shown, "balls": balls, "sayable": buttons}


def _serve(port: int, seconds: float, said: Connection) -> None:
    """The server's process: shows moments, then says how much processor time it has used."""
    with tempfile.TemporaryDirectory() as folder:
        window = Window()
        library, keys = Library(Path(folder), lambda text: None), KeyStore(Path(folder) / "keys")
        desk = desk_over(library, WebSettings(), keys, time.time, time.monotonic, window)
        desk.doorkeeper.found(desk.doorkeeper.invite(), _NAME, _PASSWORD)
        server = uvicorn.Server(uvicorn.Config(create_app(desk), port=port, log_level="error"))
        threading.Thread(target=server.run, daemon=True).start()
        template = _moment(0.0)
        said.send("ready")
        said.recv()
        before, start = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
        while time.monotonic() - start < seconds:
            window.show({**template, "shown": time.monotonic()})
            time.sleep(0.1)
        after = resource.getrusage(resource.RUSAGE_SELF)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        said.send(used / (time.monotonic() - start))
        server.should_exit = True


async def _follow(port: int, cookie: str, latencies: list[float], end: float) -> None:
    """One page: reads events and notes how old each moment is."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /api/v1/table/events HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
    await writer.drain()
    while time.monotonic() < end:
        try:
            line = await asyncio.wait_for(reader.readline(), max(0.1, end - time.monotonic()))
        except TimeoutError:
            break
        if line.startswith(b"data: "):
            latencies.append(1000 * (time.monotonic() - json.loads(line[6:])["shown"]))
    writer.close()


async def _sign_in(port: int) -> str:
    body = json.dumps({"name": _NAME, "password": _PASSWORD})
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        "POST /api/v1/sessions HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    writer.write("\r\n".join((*head, "", body)).encode())
    answer = (await reader.read()).decode()
    writer.close()
    line = next(line for line in answer.splitlines() if line.lower().startswith("set-cookie:"))
    return line.split(":", 1)[1].split(";")[0].strip()


async def _watch(port: int, viewers: int, seconds: float, told: Connection) -> list[float]:
    cookie = await _sign_in(port)
    latencies: list[float] = []
    told.send("go")
    end = time.monotonic() + seconds
    await asyncio.gather(*(_follow(port, cookie, latencies, end) for _ in range(viewers)))
    return latencies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--port", type=int, default=8199)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(wanted.port, wanted.seconds, there))
    server.start()
    here.recv()
    time.sleep(1.0)
    latencies = sorted(asyncio.run(_watch(wanted.port, wanted.viewers, wanted.seconds, here)))
    share = float(here.recv())
    server.join(10)
    late = latencies[int(0.95 * (len(latencies) - 1))]
    figures = [
        _figure(f"{wanted.viewers} viewers: processor", share, "share of a core", CPU_GOAL, 1),
        _figure("a moment to the page, median", statistics.median(latencies), "ms", LATENCY_GOAL, len(latencies)),
        _figure("a moment to the page, 95 %", late, "ms", LATENCY_GOAL, len(latencies)),
    ]
    if wanted.json:
        sys.stdout.write(json.dumps({"figures": figures, "conditions": {"seconds": wanted.seconds}}) + "\n")
        return
    for one in figures:
        sys.stdout.write(f"{one['name']}: {one['value']} {one['unit']} (goal {one['goal']}, n {one['n']})\n")


def _figure(name: str, value: float, unit: str, goal: float, n: int) -> dict[str, Any]:
    return {"name": name, "value": round(value, 3), "unit": unit, "goal": goal, "met": value <= goal, "n": n}


if __name__ == "__main__":
    main()
