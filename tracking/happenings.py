"""What the watcher reports, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

from record.entries import Observation
from record.names import Ball
from record.shot import Shot


@dataclass(frozen=True)
class ShotStarted:
    """A ball seems to have been struck at `t`; provisional until the shot has ended."""

    t: float
    ball: Ball


@dataclass(frozen=True)
class ShotWithdrawn:
    """What looked like a shot was none (`reason`: what it was instead)."""

    t: float
    reason: str


@dataclass(frozen=True)
class ShotEnded:
    """A whole shot, without a ruling."""

    shot: Shot


@dataclass(frozen=True)
class Noticed:
    """Something seen between shots."""

    observation: Observation


@dataclass(frozen=True)
class NamesCorrected:
    """At rest, balls turned out to bear other names than they were tracked under: pairs (was, is)."""

    t: float
    renamed: tuple[tuple[Ball, Ball], ...]


Happening = ShotStarted | ShotWithdrawn | ShotEnded | Noticed | NamesCorrected
