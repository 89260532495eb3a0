"""The watch as a service: what `headstring run` puts round the loop."""

from __future__ import annotations

import logging
import secrets
import signal
import threading
import time
from datetime import UTC, datetime
from types import FrameType
from typing import TYPE_CHECKING

from device import terminal
from device.alerts.alert import SinkError
from device.alerts.dispatch import Dispatcher
from device.alerts.setup import sinks_of
from device.health import board, logs
from device.health.metrics import MetricsServer, text_of
from device.health.pulse import Pulse
from device.health.systemd import Notifier
from device.keys import KeyStore
from device.live.beside import Beside
from device.live.config import Config
from device.live.counters import Counters, Progress
from device.live.furnishing import beside_of, index_of, keys_of
from device.live.loop import Live, Surroundings
from device.store.library import Library

if TYPE_CHECKING:
    from device.web.serving import BesideTheWatch


def watch(wanted: Config) -> None:
    """Watch as configured, with everything round it that a service has."""
    logger = _logger(wanted)
    logger.info("starting", extra={"facts": {"camera": wanted.camera.kind, "rules": wanted.rules.league}})
    counters, progress = Counters(), Progress(at=time.monotonic())
    try:
        sinks = sinks_of(wanted.alerts, wanted.table.name)
    except SinkError as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None
    dispatcher = Dispatcher(sinks, time.monotonic, logger.warning)
    index = index_of(wanted, time.monotonic, logger.warning)
    keys = keys_of(wanted, logger.warning)
    beside = beside_of(wanted, index.library, keys, time.time, logger.warning)
    pages = _pages(wanted, index.library(), keys, beside, logger)
    live = Live(wanted, surroundings(logger), dispatcher, counters, progress, beside)
    metrics = _metrics(wanted, counters, dispatcher)
    notifier = Notifier()
    pulse = Pulse(notifier, counters, progress, time.monotonic)
    beating = threading.Event()
    threading.Thread(target=pulse.run, args=(beating,), name="pulse", daemon=True).start()
    _stop_on_signals(live)
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
        if pages is not None:
            pages.close()
        logger.info("ended", extra={"facts": summary(counters)})


def _pages(
    config: Config, library: Library | None, keys: KeyStore, beside: Beside, logger: logging.Logger
) -> BesideTheWatch | None:
    """The pages, where the configuration asks for them; the first start says how the first operator comes in."""
    if config.web is None:
        return None
    if library is None:
        logger.error("the pages need the index: they come with the next start at which it can be opened")
        return None
    try:
        from device.web.serving import BesideTheWatch, ServingError, desk_over
    except ImportError as error:
        text = f"the pages need {error.name}: pip install 'headstring[web]', or take [web] out of the configuration"
        raise terminal.CommandError(text, terminal.Exit.USAGE) from None
    desk = desk_over(library, config.web, keys, time.time, time.monotonic, beside.window)
    if desk.doorkeeper.empty:
        code = desk.doorkeeper.invite()
        logger.warning("first operator: open /first on port %d with the code %s", config.web.port, code)
    try:
        return BesideTheWatch(desk)
    except ServingError as error:
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
