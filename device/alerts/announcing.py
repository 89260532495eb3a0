"""From what the record says to alerts: fouls, racks won and doubts are told, and taken back when they do not hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from device.alerts.alert import Alert, Kind
from record.entries import Declaration, Entry, Override
from record.names import CUE
from record.ruling import Foul, Ruling
from record.shot import Shot

_PLAIN: Final = frozenset({"legal"})


class Announcer:
    """Remembers what was announced of one rack's shots, so that it can be withdrawn in the open."""

    def __init__(self, rack: str, wall: Callable[[], str]) -> None:
        self._rack, self._wall = rack, wall
        self._standing: dict[int, Alert] = {}
        self._number = 0

    def seen(self, shot: int, sunk: Mapping[str, str], t: float, decided: float) -> list[Alert]:
        """While balls roll: the cue ball is seen to be in a pocket. Said once a shot."""
        if CUE not in sunk or shot in self._standing:
            return []
        where = sunk[CUE].replace("_", " ")
        sentence = f"The cue ball is in the {where} pocket: a scratch, it seems; the ruling follows."
        return [self._stand(self._alert(shot, Kind.PROVISIONAL, "scratch_seen", sentence, t, decided))]

    def foreseen(self, shot: int, foul: Foul | None, hit: str, t: float, decided: float) -> list[Alert]:
        """While balls roll: the wrong ball is seen to have been hit first. Said once a shot."""
        if foul is None or shot in self._standing:
            return []
        sentence = f"The {hit} was hit first: a bad hit, it seems ({foul.clause}); the ruling follows."
        return [self._stand(self._alert(shot, Kind.PROVISIONAL, "bad_hit_seen", sentence, t, decided))]

    def ruled(self, entry: Entry, last_shot: int, t: float, decided: float) -> list[Alert]:
        """An entry with a ruling: of a shot, or one that changes the ruling of the shot before."""
        if not isinstance(entry, Shot | Declaration | Override) or entry.ruling is None:
            return []
        shot = last_shot
        if isinstance(entry, Shot):
            shot = entry.index
        elif isinstance(entry, Override):
            shot = entry.of_shot
        return self._replace(shot, entry.ruling, t, decided)

    def _replace(self, shot: int, ruling: Ruling, t: float, decided: float) -> list[Alert]:
        standing = self._standing.pop(shot, None)
        same = standing is not None and standing.ruling is not None and _same(standing.ruling, ruling)
        if standing is not None and same:
            self._standing[shot] = standing
            return []
        said: list[Alert] = []
        holds = standing is not None and standing.kind is Kind.PROVISIONAL and _bears_out(ruling, standing.call)
        if standing is not None and not holds:
            said.append(self._withdrawal(standing, ruling, t, decided))
        if ruling.call not in _PLAIN or ruling.fouls or ruling.needs_review:
            said.append(self._stand(self._ruling_alert(shot, ruling, t, decided)))
        return said

    def called_off(self, shot: int, why: str, t: float, decided: float) -> list[Alert]:
        """What looked like a shot was none."""
        standing = self._standing.pop(shot, None)
        if standing is None:
            return []
        sentence = f"Not so: {why}"
        return [self._alert(shot, Kind.WITHDRAWN, standing.call, sentence, t, decided, withdraws=standing.id)]

    def _withdrawal(self, standing: Alert, ruling: Ruling, t: float, decided: float) -> Alert:
        sentence = f"Taken back: {ruling.explanation}"
        return self._alert(standing.shot, Kind.WITHDRAWN, standing.call, sentence, t, decided, withdraws=standing.id)

    def _ruling_alert(self, shot: int, ruling: Ruling, t: float, decided: float) -> Alert:
        fouls = tuple(foul.code for foul in ruling.fouls)
        return self._alert(shot, Kind.FINAL, ruling.call, ruling.explanation, t, decided, ruling, fouls)

    def _stand(self, alert: Alert) -> Alert:
        self._standing[alert.shot] = alert
        return alert

    def _alert(
        self,
        shot: int,
        kind: Kind,
        call: str,
        sentence: str,
        t: float,
        decided: float,
        ruling: Ruling | None = None,
        fouls: tuple[str, ...] = (),
        withdraws: str | None = None,
    ) -> Alert:
        self._number += 1
        name = f"{self._rack}/{shot}/{self._number}"
        return Alert(name, self._rack, shot, kind, call, sentence, t, self._wall(), decided, ruling, withdraws, fouls)


def _same(one: Ruling, other: Ruling) -> bool:
    def key(ruling: Ruling) -> tuple[object, ...]:
        return ruling.call, [foul.code for foul in ruling.fouls], ruling.needs_review, ruling.winner

    return key(one) == key(other)


def _bears_out(ruling: Ruling, seen: str) -> bool:
    """The ruling has the foul that was seen early."""
    return any(f"{foul.code}_seen" == seen for foul in ruling.fouls)
