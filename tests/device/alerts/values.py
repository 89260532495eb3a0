"""Alerts and sinks for tests."""

from __future__ import annotations

import threading

from device.alerts.alert import Alert, DeliveryError, Kind
from record.ruling import Foul, Next, Ruling


def ruling(call: str = "foul", code: str | None = "scratch", review: bool = False) -> Ruling:
    fouls = [Foul.model_validate({"code": code, "clause": "UPA 7.2", "player": "A"})] if code else []
    follows = Next(player="B", cue_ball="in_hand")
    return Ruling.model_validate(
        {
            "call": call,
            "fouls": fouls,
            "next": follows,
            "explanation": f"It was a {code or call}.",
            "needs_review": review,
        }
    )


def alert(
    number: int, kind: Kind = Kind.FINAL, shot: int | None = None, fouls: tuple[str, ...] = ("scratch",)
) -> Alert:
    index = number if shot is None else shot
    return Alert(f"r/{index}/{number}", "r", index, kind, "foul", f"Foul {number}", 1.0 * number, "now", fouls=fouls)


class Recorded:
    """A sink that keeps what it gets; `broken` makes it fail, `gate` makes it wait."""

    def __init__(self, name: str = "recorded") -> None:
        self.name = name
        self.got: list[Alert] = []
        self.broken = False
        self.gate = threading.Event()
        self.gate.set()
        self.tries = 0
        self.closed = False
        self.tried = threading.Event()

    def deliver(self, alert: Alert) -> None:
        self.gate.wait(10)
        self.tries += 1
        self.tried.set()
        if self.broken:
            raise DeliveryError("not there")
        self.got.append(alert)

    def close(self) -> None:
        self.closed = True
