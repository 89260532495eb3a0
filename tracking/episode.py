"""A stretch of time in which balls moved, as the watcher hands it over to be read."""

from __future__ import annotations

from dataclasses import dataclass, field

from record.names import Ball, Layout
from tracking.samples import Floats, Samples, gathered
from tracking.tracks import Phase, Track


@dataclass(frozen=True, eq=False)
class History:
    """One ball through an episode.

    Attributes:
        ball: its name.
        samples: its sightings, from a little before it moved.
        before: where it rested before it moved; None when it did not.
        after: where it rested at the end; None when it was gone or still moving.
        vanished: it was not seen any more at the end although nothing covered it.
        hidden: it was not seen at the end and something may have covered it.
    """

    ball: Ball
    samples: Samples
    before: Floats | None
    after: Floats | None
    vanished: bool = False
    hidden: bool = False


@dataclass(frozen=True, eq=False)
class Episode:
    """From the first movement (`start`) until all had been still for a while; `still`: balls that never moved."""

    start: float
    end: float
    moved: tuple[History, ...]
    still: Layout
    cut: bool = False
    notes: tuple[str, ...] = field(default=())


def history_of(track: Track, ball: Ball, before: Floats | None, unseen: bool) -> History:
    """A track's history under a name; `unseen`: it has not been seen of late."""
    at_rest, gone = track.phase is Phase.RESTING, track.phase is Phase.GONE
    return History(
        ball,
        gathered(track.sightings),
        before,
        track.place if at_rest else None,
        vanished=gone,
        hidden=unseen and not gone and not at_rest,
    )
