"""Telling systemd how the service does: sd_notify(3), a datagram to a socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping


class Notifier:
    """Sends to `NOTIFY_SOCKET`; without one it does nothing."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        microseconds = environment.get("WATCHDOG_USEC", "")
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog = int(microseconds) / 1e6 if microseconds.isdigit() and mine else None
        """Seconds within which the watchdog wants to be fed, None where there is none."""

    def send(self, **what: str | int) -> None:
        """As `send(READY=1, STATUS="watching")`; a systemd that does not listen is no error."""
        if not self._address:
            return
        text = "\n".join(f"{key}={str(value).replace(chr(10), ' ')}" for key, value in what.items())
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            try:
                out.connect(self._address)
                out.send(text.encode())
            except OSError:
                return
