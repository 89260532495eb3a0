"""Fouls that every league shares, each a named predicate over a shot's facts."""

from __future__ import annotations

from collections.abc import Collection

from adjudication.certainty import NO, Finding, Thresholds, told
from adjudication.facts import Contact, ShotFacts
from record.events import Pocketed, RailContact, Touched
from record.names import CUE
from record.ruling import Margin


def no_contact(facts: ShotFacts) -> Finding:
    """The cue ball met no ball at all."""
    missed = 1.0
    for contact in facts.cue_contacts:
        missed *= 1 - contact.sure
    return told(missed, facts.thresholds, "the cue ball hit no ball")


def bad_hit(facts: ShotFacts, legal: Collection[str], ball_on: str) -> Finding:
    """The first ball hit was none of the legal ones; `ball_on` names those to a player.

    A hit whose order cannot be told is the shooter's.
    The margin is the time between the wrong contact and the first legal one.
    """
    if not facts.first_contacts:
        return NO
    first = facts.first_contacts[0]
    margin = order_margin(facts, legal)
    if any(contact.ball in legal for contact in facts.first_contacts):
        return Finding(False, first.sure, f"the {_named(first, legal)} was hit first", margin)
    if first.ball.startswith("?"):
        return Finding(None, 0.5, "the ball hit first could not be named", margin)
    return told(first.sure, facts.thresholds, f"the {first.ball} was hit first, not {ball_on}", margin)


def split_hit(facts: ShotFacts, legal: Collection[str]) -> bool:
    """A legal and another ball were hit too close together to tell which came first."""
    hit = [contact.ball in legal for contact in facts.first_contacts]
    return any(hit) and not all(hit)


def order_margin(facts: ShotFacts, legal: Collection[str]) -> Margin | None:
    """Time between the first contact with a legal ball and that with another, whichever came first."""
    right = next((c for c in facts.cue_contacts if c.ball in legal), None)
    wrong = next((c for c in facts.cue_contacts if c.ball not in legal), None)
    if right is None or wrong is None:
        return None
    sigma = (right.sigma**2 + wrong.sigma**2) ** 0.5
    return Margin(what="first contact", value=round(abs(right.t - wrong.t), 6), unit="s", sigma=round(sigma, 6))


def no_rail(facts: ShotFacts, not_rail: str | None = None) -> Finding:
    """After the first contact no ball reached a rail and none was pocketed (one that left the table passed a rail).

    Touches of `not_rail` do not count.
    """
    if not facts.first_contacts:
        return NO
    start = facts.first_contacts[0]
    missed = 1.0
    for event in (*facts.rail_contacts, *facts.pocketed, *facts.off_table):
        if isinstance(event, RailContact):
            window = facts.thresholds.split_sigmas * (start.sigma**2 + event.sigma**2) ** 0.5
            counts = event.rail != not_rail and event.t >= start.t - window
        else:
            counts = True
        if counts:
            missed *= 1 - event.sure
    finding = told(missed, facts.thresholds, "no ball reached a rail after the contact")
    if finding.holds and facts.shot.notes:
        return Finding(None, 0.5, "no ball was seen to reach a rail, but not all was seen: " + facts.shot.notes[0])
    return finding


def scratch(facts: ShotFacts, falls: Collection[Pocketed]) -> Finding:
    """The cue ball went into a pocket."""
    fall = next((event for event in falls if event.ball == CUE), None)
    if fall is None:
        return NO
    return told(fall.sure, facts.thresholds, f"the cue ball went into the {fall.pocket.replace('_', ' ')} pocket")


def left_table(facts: ShotFacts, *, cue_ball: bool) -> Finding:
    """The cue ball, or an object ball, came to rest off the playing surface."""
    for event in facts.off_table:
        if (event.ball == CUE) != cue_ball or event.returned:
            continue
        where = "came to rest on a rail" if event.on_rail else "left the table"
        return told(event.sure, facts.thresholds, f"the {_ball(event.ball)} {where}")
    return NO


def came_back_touched(facts: ShotFacts) -> Finding:
    """A ball left the table and came back off a person or a thing: for a person to confirm."""
    for event in facts.off_table:
        if event.returned and event.touched is not None:
            return Finding(None, 0.5, f"the {_ball(event.ball)} left the table and came back off a {event.touched}")
    return NO


def balls_moving(facts: ShotFacts, *, settling: bool = True) -> Finding:
    """The stroke was played while a ball still moved; one that could not be named may be no ball at all.

    With `settling` false a ball that only settled into its place does not count as moving (UPA 9.7).
    """
    moving = sorted(set(facts.shot.moving_at_strike) - (set() if settling else set(facts.shot.settling)))
    named = [ball for ball in moving if not ball.startswith("?")]
    if named:
        return Finding(True, 1.0, f"the {_ball(named[0])} was still moving")
    return Finding(None, 0.5, "something that may be a ball was still moving") if moving else NO


def over_head_string(facts: ShotFacts, head_string: float, thresholds: Thresholds) -> Finding:
    """The cue ball's base was not behind the head string. The margin is its distance over the line."""
    place = facts.shot.layout_before.get(CUE)
    if place is None:
        return Finding(None, 0.5, "the cue ball was not seen before the break")
    over = place[0] - head_string
    margin = Margin(what="over the head string", value=round(over, 4), unit="m", sigma=thresholds.place_sigma)
    if abs(over) <= thresholds.split_sigmas * thresholds.place_sigma and over > 0:
        return Finding(None, 0.5, "the cue ball lay on the head string within what can be told", margin)
    return Finding(over > 0, 1.0, "the cue ball lay in front of the head string", margin)


def double_hit(facts: ShotFacts) -> Finding:
    """A double hit is suspected: only ever for review."""
    if not facts.double_hits:
        return NO
    gap = facts.double_hits[0].gap
    margin = None if gap is None else Margin(what="gap before the stroke", value=gap, unit="m")
    return Finding(None, facts.double_hits[0].sure, "a double hit is suspected", margin)


def touched(facts: ShotFacts, *, cue_ball: bool) -> Finding:
    """A hand, a cue or a bridge was seen to touch a ball: for a person to confirm."""
    for event in facts.events:
        if isinstance(event, Touched) and (event.ball == CUE) == cue_ball and event.sure > 1 - facts.thresholds.sure:
            by = "something" if event.by == "unknown" else f"the {event.by}"
            return Finding(None, event.sure, f"the {_ball(event.ball)} seems to have been touched by {by}")
    return NO


def jumped(facts: ShotFacts) -> Finding:
    """The cue ball passed over a ball that it would have hit."""
    jump = next((event for event in facts.jumps if event.ball == CUE), None)
    if jump is None:
        return NO
    return told(jump.sure, facts.thresholds, f"the cue ball jumped over the {jump.over}")


def overrun(facts: ShotFacts, rested: float | None, limit: float, *, confirm: bool = False) -> Finding:
    """The stroke came later than `limit` seconds after all balls lay still. The margin is the time over the limit.

    With `confirm` an overrun is only flagged: a time keeper says whether the shooter was stroking.
    """
    if rested is None or facts.shot.t_strike - rested <= limit:
        return NO
    used = facts.shot.t_strike - rested
    sigma = next((event.sigma for event in facts.events if event.type == "strike"), 0.0)
    margin = Margin(what="over the shot clock", value=round(used - limit, 3), unit="s", sigma=sigma)
    why = f"{used:.0f} s were taken on a {limit:.0f} s clock"
    if confirm or used - limit <= facts.thresholds.split_sigmas * sigma:
        return Finding(None, 0.5, why, margin)
    return Finding(True, 1.0, why, margin)


def count_to_rails(facts: ShotFacts) -> tuple[int, int]:
    """Object balls that surely, and that possibly, met a rail."""
    sure = facts.thresholds.sure
    chances = [facts.rail_probability(ball) for ball in {event.ball for event in facts.rail_contacts} - {CUE}]
    return sum(p >= sure for p in chances), sum(p > 1 - sure for p in chances)


def frozen_to_rail(facts: ShotFacts, ball: str) -> str | None:
    """The rail that a ball lay against before the stroke."""
    rails = ("head", "foot", "left", "right")
    return next((rail for one, rail in facts.shot.frozen if one == ball and rail in rails), None)


def rail_first(facts: ShotFacts) -> str | None:
    """The rail that the cue ball met before a ball that lay frozen against that same rail (IPL Legal shot)."""
    if not facts.first_contacts:
        return None
    start = facts.first_contacts[0]
    rail = frozen_to_rail(facts, start.ball)
    for event in facts.rail_contacts:
        window = facts.thresholds.split_sigmas * (start.sigma**2 + event.sigma**2) ** 0.5
        if event.ball == CUE and event.rail == rail and event.t < start.t - window:
            return rail
    return None


def _named(first: Contact, legal: Collection[str]) -> str:
    return first.ball if first.ball in legal else "ball on"


def _ball(name: str) -> str:
    return "cue ball" if name == CUE else name
