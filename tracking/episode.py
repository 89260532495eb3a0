"""A stretch of time in which balls moved, as the watcher hands it over to be read."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
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


def histories(
    tracks: Iterable[Track], moved: Mapping[int, Floats | None], names: Mapping[int, Ball], since: float
) -> dict[Ball, History]:
    """What each named ball that moved did: `moved` says where it lay before; unseen are those not seen `since`."""
    mine = [track for track in tracks if track.key in moved and track.key in names]
    return {names[k.key]: history_of(k, names[k.key], moved[k.key], k.t < since) for k in mine}


def lying(tracks: Iterable[Track], moved: Container[int], names: Mapping[int, Ball]) -> Layout:
    """Where the named balls lie that have not moved."""
    still = [k for k in tracks if k.phase is Phase.RESTING and k.key not in moved and k.key in names]
    return {names[k.key]: (float(k.place[0]), float(k.place[1])) for k in still}


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
