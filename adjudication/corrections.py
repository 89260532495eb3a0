"""Facts of a shot as a person corrects them: the declaration `fact`, and the shot as it then was.

`about` says which fact: `first_contact` (`ball`, or `none`, or `undecided`), `pocketed` and `suspended` (`ball`,
`pocket`; a ball held up by others in a pocket counts as pocketed, UPA 9.6), `not_pocketed` (`ball`), `rail` (`ball`,
`rail`: it reached the rail after the contact), `no_rail` (none did), `no_double_hit`, `no_touch`, `no_jump`,
`settling` (`ball`: it only settled and was not moving, UPA 9.7).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, get_args

from adjudication.errors import IllegalEntryError
from record.entries import Declaration, Observation
from record.events import BallContact, CameToRest, Event, Pocketed, RailContact
from record.names import CUE, Place, PocketName, RailName
from record.rack import TableSize
from record.shot import Shot

_APART: Final = 0.001


def corrected(shot: Shot, fact: Declaration) -> Shot:
    """The shot with one fact as the person says it was.

    Raises:
        IllegalEntryError: no such fact, or it does not say which ball, pocket or rail.
    """
    correct = _CORRECTIONS.get(fact.about or "")
    if correct is None:
        raise IllegalEntryError(f"no fact {fact.about!r} can be corrected (known: {', '.join(sorted(_CORRECTIONS))})")
    return correct(shot, fact)


def _first_contact(shot: Shot, fact: Declaration) -> Shot:
    ball = _ball(fact)
    contacts = [e for e in shot.events if isinstance(e, BallContact) and CUE in e.balls]
    rest = [e for e in shot.events if e not in contacts]
    if ball == "none":
        return _with(shot, rest)
    start = min((e.t for e in contacts), default=shot.t_strike)
    if ball == "undecided":
        return _with(shot, [*rest, *(_moved(e, start) for e in contacts)])
    others = [e if e.t > start + _APART else _moved(e, start + _APART) for e in contacts if ball not in e.balls]
    return _with(shot, [*rest, BallContact(t=start, balls=(CUE, ball)), *others])


def _moved(event: BallContact, t: float) -> BallContact:
    return event.model_copy(update={"t": t, "t_sigma": 0.0})


def _pocketed(shot: Shot, fact: Declaration) -> Shot:
    ball = _ball(fact)
    pocket: PocketName | None = next((name for name in get_args(PocketName) if name == fact.pocket), None)
    if pocket is None:
        raise IllegalEntryError(f"the fact {fact.about!r} must say which pocket")
    kept = [e for e in shot.events if not (isinstance(e, Pocketed) and e.ball == ball)]
    after = {name: at for name, at in shot.layout_after.items() if name != ball}
    fallen = Pocketed(t=shot.t_rest, ball=ball, pocket=pocket, suspended=fact.about == "suspended" or None)
    return _with(shot, [*kept, fallen]).model_copy(update={"layout_after": after})


def fallen(shot: Shot, seen: Observation, table: TableSize) -> Shot:
    """The shot with a ball that fell by itself after all balls had come to rest.

    Raises:
        IllegalEntryError: the observation does not say which ball, or that ball was not on the table.
    """
    ball = seen.ball
    if ball is None or ball not in shot.layout_after:
        raise IllegalEntryError(f"the ball that fell ({ball}) was not on the table")
    place = shot.layout_after[ball]
    told = (seen.model_extra or {}).get("pocket")
    named: PocketName | None = next((name for name in get_args(PocketName) if name == told), None)
    pocket = named or _nearest_pocket(place, table)
    rest = CameToRest(t=shot.t_rest, ball=ball)
    after = {name: at for name, at in shot.layout_after.items() if name != ball}
    events = [*shot.events, rest, Pocketed(t=seen.t, ball=ball, pocket=pocket)]
    return _with(shot, events).model_copy(update={"layout_after": after})


def _nearest_pocket(at: Place, table: TableSize) -> PocketName:
    x, y = table.length / 2, table.width / 2
    pockets: dict[PocketName, Place] = {
        "head_left": (-x, y),
        "head_right": (-x, -y),
        "side_left": (0.0, y),
        "side_right": (0.0, -y),
        "foot_left": (x, y),
        "foot_right": (x, -y),
    }
    return min(pockets, key=lambda name: math.dist(pockets[name], at))


def _not_pocketed(shot: Shot, fact: Declaration) -> Shot:
    ball = _ball(fact)
    return _with(shot, [e for e in shot.events if not (isinstance(e, Pocketed) and e.ball == ball)])


def _rail(shot: Shot, fact: Declaration) -> Shot:
    name = (fact.model_extra or {}).get("rail")
    rail: RailName | None = next((known for known in get_args(RailName) if known == name), None)
    if rail is None:
        raise IllegalEntryError("the fact 'rail' must say which rail")
    return _with(shot, [*shot.events, RailContact(t=shot.t_rest, ball=_ball(fact), rail=rail)])


def _no_rail(shot: Shot, fact: Declaration) -> Shot:
    del fact
    start = min((e.t for e in shot.events if isinstance(e, BallContact) and CUE in e.balls), default=shot.t_strike)
    kept = [e for e in shot.events if not (isinstance(e, RailContact) and e.t >= start)]
    return _with(shot, kept).model_copy(update={"notes": []})


def _without(kind: str) -> Callable[[Shot, Declaration], Shot]:
    def correct(shot: Shot, fact: Declaration) -> Shot:
        del fact
        return _with(shot, [e for e in shot.events if e.type != kind])

    return correct


def _settling(shot: Shot, fact: Declaration) -> Shot:
    return shot.model_copy(update={"settling": sorted({*shot.settling, _ball(fact)})})


def _with(shot: Shot, events: list[Event]) -> Shot:
    return shot.model_copy(update={"events": sorted(events, key=lambda event: event.t)})


def _ball(fact: Declaration) -> str:
    if fact.ball is None:
        raise IllegalEntryError(f"the fact {fact.about!r} must say which ball")
    return fact.ball


_CORRECTIONS: Final[dict[str, Callable[[Shot, Declaration], Shot]]] = {
    "first_contact": _first_contact,
    "pocketed": _pocketed,
    "suspended": _pocketed,
    "not_pocketed": _not_pocketed,
    "rail": _rail,
    "no_rail": _no_rail,
    "no_double_hit": _without("double_hit"),
    "no_touch": _without("touched"),
    "no_jump": _without("jump"),
    "settling": _settling,
}
