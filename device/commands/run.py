"""`headstring run`: watch a table until told to stop."""

from __future__ import annotations

import logging
import secrets
import signal
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer

from device import terminal
from device.alerts.alert import SinkError
from device.alerts.dispatch import Dispatcher
from device.alerts.setup import sinks_of
from device.health import board, logs
from device.health.metrics import MetricsServer, text_of
from device.health.pulse import Pulse
from device.health.systemd import Notifier
from device.live.claim import Claim
from device.live.config import Config, ConfigError, read_config
from device.live.counters import Counters, Progress
from device.live.loop import Live, Surroundings

ConfigOption = Annotated[Path, typer.Option("--config", help="a TOML file; deploy/headstring.toml explains every key")]


def command(config: ConfigOption) -> None:
    """Watch a table live: rulings, alerts and records, until stopped by Ctrl-C or SIGTERM."""
    wanted = configured(config)
    with Claim(wanted.data.folder):
        watch(wanted)


def watch(wanted: Config) -> None:
    """Watch as configured, with everything round it that a service has."""
    logger = _logger(wanted)
    counters, progress = Counters(), Progress(at=time.monotonic())
    try:
        sinks = sinks_of(wanted.alerts, wanted.table.name)
    except SinkError as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None
    dispatcher = Dispatcher(sinks, time.monotonic, logger.warning)
    live = Live(wanted, surroundings(logger), dispatcher, counters, progress)
    metrics = _metrics(wanted, counters, dispatcher)
    notifier = Notifier()
    pulse = Pulse(notifier, counters, progress, time.monotonic)
    beating = threading.Event()
    threading.Thread(target=pulse.run, args=(beating,), name="pulse", daemon=True).start()
    _stop_on_signals(live)
    logger.info("starting", extra={"facts": {"camera": wanted.camera.kind, "rules": wanted.rules.league}})
    try:
        live.run(lambda: notifier.send(READY=1))
    except Exception as error:
        logger.error("stopped by an error: %s", error)
        raise
    finally:
        notifier.send(STOPPING=1)
        beating.set()
        if metrics is not None:
            metrics.close()
        logger.info("ended", extra={"facts": summary(counters)})


def configured(path: Path) -> Config:
    """Read a configuration, its errors as the command line tells them."""
    try:
        return read_config(path)
    except ConfigError as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None


def surroundings(logger: logging.Logger) -> Surroundings:
    """The real clock, wall clock and chance."""
    # An event that never comes rather than time.sleep: some libraries that shift the clock break the latter.
    never = threading.Event()
    return Surroundings(
        time.monotonic,
        never.wait,
        lambda: datetime.now(UTC),
        lambda: secrets.token_hex(3),
        logger.warning,
        board.clock_synchronised,
    )


def summary(counters: Counters) -> dict[str, object]:
    """What a run came to."""
    return {
        "frames": counters.frames_taken,
        "looked_at": counters.frames_looked_at,
        "dropped": counters.frames_dropped,
        "shots": counters.shots,
        "racks": counters.racks,
        "alerts": counters.alerts,
        "not_recorded": counters.entries_waiting + counters.entries_lost,
    }


def _logger(config: Config) -> logging.Logger:
    try:
        return logs.set_up(config.health.log_file, config.health.log_bytes)
    except OSError as error:
        raise terminal.CommandError(
            f"cannot write the log {config.health.log_file}: {error.strerror}", terminal.Exit.CANNOT_WRITE
        ) from None


def _metrics(config: Config, counters: Counters, dispatcher: Dispatcher) -> MetricsServer | None:
    if config.health.metrics_port is None:
        return None
    host, port = config.health.metrics_host, config.health.metrics_port
    try:
        return MetricsServer(host, port, lambda: text_of(counters, dispatcher.states))
    except OSError as error:
        raise terminal.CommandError(
            f"cannot serve metrics on {host}:{port} ({error.strerror}): set another health.metrics_port",
            terminal.Exit.USAGE,
        ) from None


def _stop_on_signals(live: Live) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        live.stop.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
