"""IPL 8-ball: what was called, what counts as called without a word, and the part that the 8 played."""

from __future__ import annotations

from adjudication.certainty import NO, Finding
from adjudication.eight_ball import EIGHT, group_of, own_group
from adjudication.play import Play
from record.events import BallContact, RailContact
from record.names import CUE


def called_balls(play: Play) -> tuple[frozenset[str], str]:
    """Balls that fell as called and let the shooter go on, and else why not.

    Without a recorded call a ball of the own group counts as called where it fell.
    """
    group = own_group(play)
    own = frozenset(ball for ball in play.objects_down if group is None or group_of(ball) == group)
    call = play.state.call
    if call is None or call[0] is None:
        return own, "only the opponent's ball was pocketed"
    ball, pocket = call
    good = {fall.ball for fall in play.falls.counted if fall.ball == ball and pocket in (fall.pocket, None)}
    return frozenset(good) & own, f"the {ball} was not pocketed as called"


def must_be_asked(play: Play, good: frozenset[str]) -> Finding:
    """A bank or a combination without a call: the console asks what was called (IPL Call)."""
    for fall in play.falls.counted:
        if fall.ball not in good:
            continue
        banked = any(
            isinstance(e, RailContact) and e.ball == fall.ball and not e.jaw and not e.frozen and e.t < fall.t
            for e in play.facts.events
        )
        contacts = [e for e in play.facts.events if isinstance(e, BallContact) and fall.ball in e.balls]
        before = [e for e in contacts if e.t < fall.t]
        if banked or (before and CUE not in before[-1].balls):
            kind = "bank" if banked else "combination"
            return Finding(None, 0.5, f"the {fall.ball} fell by a {kind} and no call was recorded")
    return NO


def eight_touched(play: Play) -> bool:
    """The 8 met a numbered ball."""
    return any(EIGHT in e.balls and CUE not in e.balls for e in _sure_contacts(play))


def eight_used(play: Play) -> bool:
    """The 8 took part in a ball's way to its pocket: by a combination, a carom or a kiss before the fall."""
    contacts = _sure_contacts(play)
    for fall in play.falls.counted:
        if fall.ball in (CUE, EIGHT):
            continue
        chain = {fall.ball}
        for contact in reversed([e for e in contacts if e.t < fall.t]):
            if chain & set(contact.balls):
                chain |= set(contact.balls)
        if EIGHT in chain:
            return True
    return False


def _sure_contacts(play: Play) -> list[BallContact]:
    sure = play.thresholds.sure
    return [e for e in play.facts.events if isinstance(e, BallContact) and e.sure >= sure]
