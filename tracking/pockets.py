"""What became of a ball that is not seen any more: pocketed, off the table, or unknown.

Pocketed is never nearness alone: the path leads into the pocket, the ball disappears there, nothing covers the place,
and it stays gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from calibration.table import RAILS, PocketGeometry, PocketName, Table
from record.names import Ball
from tracking.episode import History
from tracking.motions import Motion
from tracking.rails import clearance, lowest_clearance, mouth
from tracking.samples import Floats
from tracking.tracks import Track

COAST: Final = 0.3
"""A path is prolonged for at most so many seconds beyond the last sighting."""
DROP: Final = 0.82
"""The drop edge, as a share of the hole's radius: where the centre is when the ball tips over."""

OVER: Final = 0.97
"""Probability that a ball last seen beyond a nose line, away from the pockets, left the table."""
OUT: Final = 0.8
"""The same for one that vanished on its way to a rail."""
PASSED: Final = 0.6
"""A ball that a cushion stops comes no farther beyond touching it than this share of its radius."""
CLEAR_OF: Final = 1.35
"""Farther from a hole's centre than this share of its radius, and beyond the nose lines, no ball falls into it."""
FLYING: Final = 1.0
"""A ball that runs on faster than this, m/s, has not been caught by a pocket."""
SUNK: Final = 0.6
"""Nearer to the hole's centre than this share of its radius, a ball has sunk visibly."""
CLEAR: Final = 1.25
"""Distance from the hole's centre, in radii, beyond which a ball is clear of the edge: falling, it seems to stray."""


@dataclass(frozen=True)
class Fall:
    """Into which pocket, when, how sure (0 to 1)."""

    pocket: PocketName
    t: float
    sigma: float
    confidence: float


def without_fall(table: Table, history: History) -> History:
    """A vanished ball's history up to its fall: past the drop edge it sinks, and where it seems to be is not its path.

    A ball whose centre has passed the edge does not come back; one that is seen clear of it later had not passed it.
    """
    if not history.vanished or len(history.samples) < 3:
        return history
    samples, end = history.samples, len(history.samples)
    for pocket in table.pockets.values():
        away = np.hypot(*(samples.xy - np.array(pocket.centre)).T)
        out = np.flatnonzero(away >= CLEAR * pocket.radius)
        over = np.flatnonzero(away < DROP * pocket.radius)
        over = over[over > (out[-1] if len(out) else 2)]
        if len(over):
            shallow = away[over[0]] > SUNK * pocket.radius
            return replace(history, samples=samples.where(np.arange(end) < over[0] + shallow))
    return history


def fall(table: Table, motion: Motion) -> Fall | None:
    """The pocket that a vanished ball went into, if one explains where it vanished."""
    if not motion.vanished or over_rail(table, motion):
        return None
    path, last = motion.path, motion.last_seen
    ahead = last + np.linspace(-motion.frame, COAST, 161)
    places = path.at(ahead)
    found: list[tuple[float, Fall]] = []
    for name, pocket in table.pockets.items():
        centre = np.array(pocket.centre)
        away = np.hypot(*(places - centre).T)
        edge = DROP * pocket.radius
        near = float(np.hypot(*(path.place(last) - centre))) < pocket.radius + table.ball_radius
        inside = np.flatnonzero((away < edge) | _through(pocket, places))
        if not len(inside) and not near:
            continue
        t = float(ahead[inside[0]]) if len(inside) else last + 0.5 * motion.frame
        late = max(t - last, 0.0)
        sure = 0.995 if late < 0.12 else 0.95 if near else float(np.clip(0.95 - 2.0 * (late - 0.12), 0.3, 0.95))
        found.append((float(np.min(away)), Fall(name, t, max(0.3 * motion.frame, 0.1 * late), sure)))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def beyond_mouth(pocket: PocketGeometry, place: Floats) -> bool:
    """A centre is past the line between a pocket's jaws, and between them."""
    return bool(_through(pocket, place[None])[0])


def _through(pocket: PocketGeometry, places: Floats) -> npt.NDArray[np.bool_]:
    """(N,) places beyond a pocket's mouth: past the line between its jaws, and between them."""
    a, b = (np.array(jaw) for jaw in pocket.jaws)
    middle, along = (a + b) / 2, (b - a) / max(float(np.hypot(*(b - a))), 1e-9)
    out = np.array(pocket.centre) - middle
    out = out - (out @ along) * along
    out = out / max(float(np.hypot(*out)), 1e-9)
    off = places - middle
    half = 0.5 * float(np.hypot(*(b - a)))
    return np.asarray((off @ out > 0.0) & (np.abs(off @ along) < half))


def leaves_table(table: Table, motion: Motion) -> float:
    """Probability that a vanished ball left the table: it was last seen beyond a rail, or fast on its way out."""
    path = motion.path
    place, velocity = path.place(motion.last_seen), path.speed_on(len(path.still) - 1, motion.last_seen)
    half = np.array([table.length, table.width]) / 2
    if over_rail(table, motion):
        return OVER
    soon = place + velocity * 0.1
    return OUT if np.any(np.abs(soon) > half) and float(np.hypot(*velocity)) > 1.0 else 0.0


def over_rail(table: Table, motion: Motion) -> bool:
    """A ball was last seen beyond a nose line that it passed away from every pocket's mouth, or running on beyond a
    pocket's hole: it flew over the rail."""
    last, path = motion.last_seen, motion.path
    if (
        motion.samples.t[0] > last - 0.02
        or lowest_clearance(table, motion.samples.xy[-1]) > -PASSED * table.ball_radius
    ):
        return False
    holes = np.array([pocket.centre for pocket in table.pockets.values()])
    away = float(np.min(np.hypot(*(motion.samples.xy[-1] - holes).T)))
    if away > CLEAR_OF * max(p.radius for p in table.pockets.values()) and _still_fast(motion):
        return True
    times = np.arange(max(last - 0.3, float(motion.samples.t[0])), last, 0.002)
    places = path.at(times)
    for rail in RAILS:
        gaps = np.array([clearance(table, rail, place) for place in places])
        beyond = np.flatnonzero(gaps < -PASSED * table.ball_radius)
        if len(beyond) and gaps[-1] < -PASSED * table.ball_radius:
            return mouth(table, rail, places[beyond[0]]) is None
    return False


def _still_fast(motion: Motion) -> bool:
    """The last two sightings lie as far apart as those of a ball that nothing holds."""
    t, xy = motion.samples.t[-2:], motion.samples.xy[-2:]
    return float(np.hypot(*(xy[1] - xy[0]))) > FLYING * float(t[1] - t[0])


def by_pocket(table: Table, place: Floats) -> PocketName | None:
    """The pocket that a resting ball hangs over, if any."""
    for name, pocket in table.pockets.items():
        if float(np.hypot(*(place - np.array(pocket.centre)))) < pocket.radius + table.ball_radius:
            return name
    return None


def sunk(table: Table, gone: Iterable[Track], names: Mapping[int, Ball]) -> dict[Ball, PocketName]:
    """Named balls that were last seen by a pocket, of those that are gone."""
    last = {names[track.key]: by_pocket(table, track.now) for track in gone if track.key in names}
    return {ball: pocket for ball, pocket in last.items() if pocket is not None}
