"""The incremental loop: detections of one frame in, what happened out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.table import Table
from record.entries import Observation
from record.names import CUE, PocketName
from record.names import Ball as BallName
from tracking.arrivals import fleeting, lay_there, lies_steadily, placed, ran_already, sightings_of
from tracking.association import assign
from tracking.closed_set import Evidence, SetCheck, check
from tracking.early import EarlyLook
from tracking.episode import Episode, histories, lying
from tracking.exchange import exchanged
from tracking.happenings import Happening, NamesCorrected, Noticed, ShotEnded, ShotStarted, ShotWithdrawn
from tracking.identity import Names, nameable
from tracking.nudges import nudged, places_of
from tracking.opening import First
from tracking.pockets import by_pocket, sunk
from tracking.rails import lowest_clearance
from tracking.repeats import Repeats
from tracking.rest import WATCHED, resting_place
from tracking.reunion import lost_ball
from tracking.samples import Floats, Sighting
from tracking.shots import Reading, first_hit, read_episode
from tracking.strokes import struck_alone
from tracking.tracks import Ball, Phase, Track
from vision.detections import BALL_NAMES, Cover, Detections

CALM: Final = 0.3
"""Nothing has moved for so many seconds: the shot is over (each ball has lain still for a while by then)."""
LONGEST: Final = 60.0
"""A shot is cut after so many seconds: memory stays bounded whatever the camera shows."""
LOST: Final = 0.7
"""A moving ball that is not seen for so many seconds, in the open, is gone."""
TAKEN: Final = 1.0
"""The same for a resting ball."""
HELD: Final = 0.2
"""A resting ball over a pocket that is not seen for so many seconds is waited for before a shot is read."""
FLEETING: Final = 0.2
"""A new sighting that does not come again within so many seconds was none."""
MOST: Final = 30
BEYOND: Final = 0.09
"""Nothing so far beyond a rail's touch, metres, is a ball of this table."""
STIRRED: Final = 0.005
"""A ball so far from its place, twice in a row, has moved; metres (or four standard errors)."""
LEAP: Final = 0.02


class Watcher:
    """Follows the balls of one table.

    Args:
        table: the table's geometry.
        names: which names can be on the table (a 9-ball set: `cue`, `1` … `9`).
        first_index: the index of the next shot in its rack.
    """

    def __init__(self, table: Table, names: Collection[str] = BALL_NAMES, first_index: int = 0) -> None:
        self.table = table
        self.next_index = first_index
        self._names = Names(frozenset(names))
        self._tracks: list[Track] = []
        self._absent: list[Track] = []
        self._next_key = 0
        self._t = -np.inf
        self._opened = np.inf
        self._moved: dict[int, Floats | None] = {}
        self._lay: dict[int, Floats] = {}
        self._early = EarlyLook()
        self._evidence = Evidence()
        self._began: float | None = None
        self._last_motion = 0.0
        self._announced = False
        self._rebind_at: float | None = None
        self._repeats = Repeats()
        self._cut = False
        self._underway: bool | None = None
        self._ended: list[Happening] = []

    # -- live state

    @property
    def balls(self) -> list[Ball]:
        """All balls known to be on the table, by name."""
        known = [track for track in self._tracks if track.key in self._names.bound]
        found = [
            Ball(self._names.of(k), (float(k.now[0]), float(k.now[1])), k.phase is Phase.MOVING, k.t) for k in known
        ]
        return sorted(found, key=lambda ball: ball.name)

    @property
    def shot_running(self) -> bool:
        return self._announced

    @property
    def sunk(self) -> dict[BallName, PocketName]:
        """Balls of the running shot that were last seen by a pocket and are gone, in the open: as far as known now.

        The shot's events, read when all has come to rest, have the last word.
        """
        if self._began is None or self._underway:
            return {}
        return sunk(self.table, [k for k in self._absent if k.key in self._moved], self._names.bound)

    @property
    def set_check(self) -> SetCheck:
        """Whether the balls that rest now make a set, by how they look."""
        resting = [k for k in self._tracks if k.phase is Phase.RESTING and k.key in self._names.bound]
        given = {self._names.of(k) for k in resting} | self._names.fallen
        return check([(k.looked, k.looks) for k in resting], self._names.known, given)

    @property
    def first_hit(self) -> First | None:
        """The running shot's first contact, as soon as it is decided; its events have the last word."""
        return self._early.found

    # -- the loop

    def update(self, seen: Detections) -> list[Happening]:
        """Take in one frame; frames must come in time order, those that do not are ignored."""
        if seen.t <= self._t:
            return []
        if (self._repeats.again(seen.xy) or seen.repeated) and self._began is not None:
            return []
        self._t = seen.t
        self._opened = min(self._opened, seen.t)
        self._match(seen)
        happened, self._ended = self._ended, []
        happened += self._already_moving()
        happened += self._age(seen)
        happened += self._announce()
        self._early.look(self._t, lambda: first_hit(self.table, self._episode({})))
        happened += self._conclude()
        happened += self._reverify()
        return happened

    def finish(self) -> list[Happening]:
        """The source has ended: a shot still running is returned cut short, and says so in its notes."""
        if self._began is None:
            return []
        self._cut = True
        return self._close()

    # -- steps of a frame

    def _already_moving(self) -> list[Happening]:
        """Balls that ran when the source began: no shot can be told until they have come to rest."""
        if self._underway is not None or self._t > self._opened + 1.0:
            return []
        running = [k for k in self._tracks if ran_already(self.table, k, self._opened)]
        if not running:
            return []
        self._underway, self._began = True, self._opened
        for track in running:
            track.phase, track.moving_since = Phase.MOVING, self._t
        return [Noticed(Observation(t=round(self._t, 4), what="already_moving"))]

    def _match(self, seen: Detections) -> None:
        matches = assign(self.table, self._tracks, seen)
        sightings = sightings_of(seen, self.table.ball_diameter)
        for (row, column), jumped in zip(matches.pairs, matches.jumped, strict=True):
            track, sighting = self._tracks[row], sightings[column]
            self._take(track, replace(sighting, again=track.repeated(sighting)), bool(jumped))
        self._welcome(sightings, seen, {int(column) for column in matches.pairs[:, 1]})

    def _take(self, track: Track, sighting: Sighting, jumped: bool) -> None:
        if track.phase is Phase.RESTING:
            off = float(np.hypot(sighting.x - track.place[0], sighting.y - track.place[1]))
            if off < max(STIRRED, 4.0 * sighting.sigma):
                track.stay(sighting)
                track.notice(sighting)
            elif sighting.covered < 0.5:
                track.doubt += 1
                was_hidden = sighting.t - track.t > 0.25
                if track.doubt >= (3 if was_hidden else 2) or (off > LEAP and not was_hidden):
                    self._stir(track, sighting)
        else:
            track.follow(sighting, jumped)
            track.notice(sighting)
        track.remember(sighting, keep=self._began is not None)

    def _stir(self, track: Track, sighting: Sighting) -> None:
        """A resting ball has begun to move."""
        again = track.key in self._moved and self._names.bound.get(track.key) == CUE
        if again and self._rolling() and struck_alone(track, sighting, self._rolling()):
            self._turn_page()
        if track.key not in self._names.bound:
            self._names.bind([track], taken=set(self._names.bound.values()))
        self._moved.setdefault(track.key, track.place)
        if self._began is not None and track.key != self._names.struck:
            self._early.stirred(sighting.t)
        track.follow(sighting, jumped=True)
        track.phase, track.moving_since = Phase.MOVING, sighting.t
        self._evidence.keep(self._tracks)
        track.forget_looks()
        self._begin(sighting.t, track)

    def _rolling(self) -> list[Track]:
        return [k for k in self._tracks if k.phase is Phase.MOVING and k.key in self._moved]

    def _turn_page(self) -> None:
        """The cue ball was struck again although balls still roll: they roll on in the next episode."""
        rolling = self._rolling()
        self._ended = self._close()
        for track in rolling:
            track.phase, self._moved[track.key] = Phase.MOVING, None

    def _begin(self, t: float, track: Track) -> None:
        """Something moves: the first to move is taken for the cue ball if its looks leave that open."""
        if self._began is None:
            self._began, self._names.struck = t, track.key
            self._lay = places_of(self._tracks)

    def _welcome(self, sightings: Sequence[Sighting], seen: Detections, matched: set[int]) -> None:
        """Detections that belong to no known ball may be new ones."""
        for column, sighting in enumerate(sightings):
            here = seen.xy[column]
            strange = lowest_clearance(self.table, here) < -BEYOND or seen.names[column, -1] > 0.5
            if column in matched or strange or len(self._tracks) >= MOST:
                continue
            if any(np.hypot(*(k.predicted(seen.t) - here)) < 0.7 * self.table.ball_diameter for k in self._tracks):
                continue
            track = Track(self._next_key, seen.t, here, seen.t)
            self._next_key += 1
            track.remember(sighting)
            track.notice(sighting)
            self._tracks.append(track)

    def _age(self, seen: Detections) -> list[Happening]:
        """Each track's life: settled, lost, taken away, or never there."""
        happened: list[Happening] = []
        for track in list(self._tracks):
            unseen = seen.t - track.t
            if track.phase is Phase.RESTING:
                if unseen > TAKEN and self._open(seen.cover, track.place, len(seen)):
                    happened += self._remove(track)
            elif unseen > (FLEETING if track.phase is Phase.NEW else LOST):
                if track.phase is Phase.NEW or self._open(seen.cover, track.predicted(seen.t), 1) or unseen > 20.0:
                    happened += self._remove(track)
            elif unseen == 0.0:
                if track.phase is Phase.NEW and self._continues(track, seen.cover):
                    continue
                place = self._resting_place(track)
                if place is not None:
                    self._settle(track, place)
                elif track.phase is Phase.MOVING and track.speed > 0.02:
                    self._last_motion = seen.t
        return happened

    def _resting_place(self, track: Track) -> Floats | None:
        """Where a track has come to rest, or, if it is new, where it has turned out to be a ball that lies there."""
        if track.phase is Phase.MOVING:
            return None if self._t - track.moving_since < WATCHED else resting_place(track.sightings)
        place = lay_there(self.table, track, self._opened)
        if place is not None:
            self._rebind_at = None
            return place
        place = resting_place(track.sightings)
        return place if place is not None and lies_steadily(self.table, track, place) else None

    def _continues(self, track: Track, cover: Cover | None) -> bool:
        """A new path may be the continuation of one that was lost: then the two are one ball."""
        if track.seen < 4 or track.rested:
            return False
        named = {k: self._names.of(k) for k in [*self._tracks, *self._absent] if k.key in self._names.bound}
        bare = [k for k in named if k.phase is Phase.RESTING and self._open(cover, k.place, 1)]
        old = lost_ball(track, named, self._t, bare)
        if old is None:
            return False
        if old.phase is Phase.RESTING:
            self._moved.setdefault(old.key, old.place)
            self._begin(track.born, old)
        if old in self._absent:
            self._absent.remove(old)
            self._tracks.append(old)
        self._tracks.remove(track)
        old.continue_as(track)
        return True

    def _open(self, cover: Cover | None, place: Floats, detected: int) -> bool:
        """Nothing hides this place, and the camera sees balls at all."""
        return detected > 0 and (cover is None or float(cover.at(place)[0]) < 0.3)

    def _remove(self, track: Track) -> list[Happening]:
        self._tracks.remove(track)
        was, track.phase = track.phase, Phase.GONE
        if was is Phase.RESTING and self._began is not None and fleeting(track, self._opened):
            self._names.forget(track.key)
        if was is Phase.NEW or track.key not in self._names.bound:
            return []
        self._absent = [*self._absent[-MOST:], track]
        if was is Phase.RESTING and self._began is None:
            name = self._names.of(track)
            place = (round(float(track.place[0]), 4), round(float(track.place[1]), 4))
            dropped = by_pocket(self.table, track.place) is not None
            self._names.forget(track.key)
            what = "ball_dropped" if dropped else "ball_removed"
            return [Noticed(Observation(t=round(track.t, 4), what=what, ball=name, at=place))]
        if was is Phase.RESTING:
            self._moved.setdefault(track.key, track.place)
        return []

    def _settle(self, track: Track, place: Floats) -> None:
        fresh = track.phase is Phase.NEW
        track.settle(place, 6.0, self._t)
        if fresh:
            self._adopt(track)

    def _adopt(self, track: Track) -> None:
        """A ball that comes to rest during a shot without having been followed: one that had been lost on the way."""
        if self._began is None or track.looked < 1:
            return
        self._names.bind([track], taken={self._names.of(k) for k in self._tracks if k.key in self._names.bound})
        name = self._names.of(track)
        for old in self._absent:
            if old.key in self._moved and self._names.bound.get(old.key) == name:
                self._resume(old, track)
                return

    def _resume(self, old: Track, track: Track) -> None:
        """A ball lost during the shot has come back to rest: one ball, one history."""
        self._absent.remove(old)
        self._names.forget(track.key)
        old.resume(track, self._t)
        self._tracks[self._tracks.index(track)] = old

    def _announce(self) -> list[Happening]:
        """Say that a shot has begun as soon as the cue ball (or a ball that may be it) runs free."""
        if self._began is None or self._announced or self._underway:
            return []
        for track in self._tracks:
            running = track.phase is Phase.MOVING and track.key in self._moved and track.speed > 0.1
            if running and self._t - track.moving_since > 0.05 and self._may_be_struck(track):
                self._announced = True
                return [ShotStarted(round(track.moving_since, 4), self._names.of(track))]
        return []

    def _may_be_struck(self, track: Track) -> bool:
        name = self._names.bound.get(track.key, "?")
        return name == CUE or (CUE not in self._names.bound.values() and name.startswith("?"))

    def _conclude(self) -> list[Happening]:
        if self._began is None:
            return []
        moving = any(k.phase is Phase.MOVING for k in self._tracks)
        if self._t - self._began > LONGEST:
            self._cut = True
            return self._close()
        awaited = any(k.key in self._moved and self._t - k.t < LOST for k in self._absent)
        if moving or awaited or self._missed() or self._t - self._last_motion < CALM:
            return []
        return self._close()

    def _missed(self) -> bool:
        """A resting ball has not been seen for a while: it may have been struck into the pocket that it hung over."""
        resting = [k for k in self._tracks if k.phase is Phase.RESTING and k.rested]
        return any(HELD < self._t - k.t < TAKEN and by_pocket(self.table, k.place) is not None for k in resting)

    def _close(self) -> list[Happening]:
        """The episode is over: name the balls anew, read it, and start a new page."""
        assert self._began is not None
        self._moved |= nudged(self._tracks, self._lay, self._moved)
        renamed = self._correct_names()
        happened: list[Happening] = self._corrected(renamed)
        swapped = {was: now for was, now in renamed.items() if now in renamed}
        happened += self._report(self._reading(swapped), swapped)
        for track in self._absent:
            self._names.forget(track.key)
        self._absent.clear()
        self._moved.clear()
        self._early.clear()
        self._evidence = Evidence()
        self._began, self._announced, self._cut, self._underway = None, False, False, False
        self._rebind_at = self._t + 0.5
        for track in self._tracks:
            if track.phase is Phase.MOVING:
                track.phase = Phase.NEW
            track.trim()
        return happened

    def _reading(self, swapped: Mapping[BallName, BallName]) -> Reading:
        if self._underway:
            return Reading(None, "balls were moving when the source began")
        return read_episode(self.table, self._episode(swapped), self.next_index)

    def _report(self, reading: Reading, swapped: Mapping[BallName, BallName]) -> list[Happening]:
        noticed: list[Happening] = [Noticed(observation) for observation in reading.observations]
        if reading.shot is not None:
            self.next_index += 1
            fallen = {event.ball for event in reading.shot.events if event.type == "pocketed"}
            self._names.fall({swapped.get(ball, ball) for ball in fallen})
            identities = self._evidence.identities(self._names_before(swapped)) or None
            return [*noticed, ShotEnded(reading.shot.model_copy(update={"identities": identities}))]
        self._names.struck = None
        if self._announced:
            return [*noticed, ShotWithdrawn(round(self._t, 4), reading.reason)]
        return noticed

    def _correct_names(self) -> dict[BallName, BallName]:
        """Bind names anew; returns was → is, of names that rested on enough looks."""
        resting = [k for k in self._nameable if k.phase is Phase.RESTING]
        return self._names.corrected(resting, self._absent, self._elsewhere())

    def _elsewhere(self) -> set[BallName]:
        """Names borne by balls that are on the table but do not rest now."""
        others = [k for k in self._tracks if k.phase is not Phase.RESTING]
        return {self._names.bound[k.key] for k in others if k.key in self._names.bound}

    def _reverify(self) -> list[Happening]:
        """Names are bound at the start of a rest and looked at again twice a second while it lasts."""
        if self._began is not None or (self._rebind_at is not None and self._t < self._rebind_at):
            return []
        self._rebind_at = self._t + 0.5
        newcomers = [k for k in self._nameable if k.phase is Phase.RESTING and k.key not in self._names.bound]
        return self._corrected(self._correct_names()) + placed(newcomers, self._names.bound, self._opened, self._t)

    @property
    def _nameable(self) -> list[Track]:
        return nameable(self._tracks, self._names, self._t, self._opened)

    def _corrected(self, renamed: Mapping[BallName, BallName]) -> list[Happening]:
        return [NamesCorrected(round(self._t, 4), tuple(renamed.items()))] if renamed else []

    def _episode(self, swapped: Mapping[BallName, BallName]) -> Episode:
        """What moved and what did not, under the names of before the shot; swaps on the way are undone."""
        assert self._began is not None
        names = self._names_before(swapped)
        moved = histories([*self._tracks, *self._absent], self._moved, names, self._t - LOST)
        still = lying(self._tracks, self._moved, self._names.bound)
        return Episode(self._began, self._t, tuple(exchanged(moved, swapped).values()), still, self._cut)

    def _names_before(self, swapped: Mapping[BallName, BallName]) -> dict[int, BallName]:
        """Names by track key as they were before the shot."""
        earlier = {now: was for was, now in swapped.items()}
        return {key: earlier.get(name, name) for key, name in self._names.bound.items()}
