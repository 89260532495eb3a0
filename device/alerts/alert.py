"""An alert, and what takes one."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from record.ruling import Ruling


class Kind(StrEnum):
    """`provisional`: seen while balls still roll; `final`: ruled; `withdrawn`: an earlier alert does not hold."""

    PROVISIONAL = "provisional"
    FINAL = "final"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True)
class Alert:
    """One thing that somebody at the table should know now.

    Attributes:
        id: unique and the same at every try, so that who takes it twice can tell; `withdraws` names another's.
        rack: the rack's id; `shot` the shot's index in it.
        call: the ruling's call, or `scratch_seen`, `bad_hit_seen` where there is no ruling yet.
        sentence: what a player understands.
        t: seconds since the rack's first frame, of the frame that decided.
        wall: the same by the wall clock, ISO 8601 in UTC.
        decided: when the deciding frame arrived, seconds on this process's monotonic clock: latencies count from it.
    """

    id: str
    rack: str
    shot: int
    kind: Kind
    call: str
    sentence: str
    t: float
    wall: str
    decided: float = 0.0
    ruling: Ruling | None = None
    withdraws: str | None = None
    fouls: tuple[str, ...] = field(default=())

    @property
    def alarming(self) -> bool:
        """A foul, or what looks like one: worth a lamp and a buzzer."""
        return self.kind is not Kind.WITHDRAWN and (bool(self.fouls) or self.call.endswith("_seen"))

    def as_json(self) -> dict[str, Any]:
        """What receivers get; without what only this process can read."""
        told: dict[str, Any] = {
            "id": self.id,
            "rack": self.rack,
            "shot": self.shot,
            "kind": self.kind.value,
            "call": self.call,
            "fouls": list(self.fouls),
            "sentence": self.sentence,
            "t": round(self.t, 4),
            "time": self.wall,
            "needs_review": bool(self.ruling and self.ruling.needs_review),
        }
        if self.withdraws is not None:
            told["withdraws"] = self.withdraws
        return told


class AlertSink(Protocol):
    """One way to somebody. Called from a thread of its own, one alert at a time, in order."""

    name: str

    def deliver(self, alert: Alert) -> None:
        """Hand one alert over.

        Raises:
            DeliveryError: it did not get through; it is tried again.
        """

    def close(self) -> None:
        """Give everything back."""


class DeliveryError(Exception):
    """An alert did not get through this time."""


class RefusedError(DeliveryError):
    """The receiver will not have this alert however often it is tried."""


class SinkError(Exception):
    """A way out that cannot be set up; the message is one sentence that says what to do."""
