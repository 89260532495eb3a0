"""What holds for every rack of every league, over generated racks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudication.judge import Judge, adjudicate
from adjudication.leagues import BOOKS
from record.document import to_json
from record.entries import Entry
from record.rack import RackRecord
from record.shot import Shot
from tests.adjudication.racks import layout, rack, ruling_of

POCKETS = ("head_left", "head_right", "side_left", "side_right", "foot_left", "foot_right")
RAILS = ("head", "foot", "left", "right")
SWAP = {"A": "B", "B": "A"}


@dataclass(frozen=True)
class Stroke:
    """What happens in one shot, as far as it does not depend on the game."""

    hit: tuple[int, ...]
    falls: tuple[tuple[int, int], ...]
    rails: tuple[tuple[int, int], ...]
    crossings: int
    scratch: bool
    out: int | None
    sure: float


STROKES = st.builds(
    Stroke,
    hit=st.lists(st.integers(0, 15), max_size=3).map(tuple),
    falls=st.lists(st.tuples(st.integers(0, 15), st.integers(0, 5)), max_size=3).map(tuple),
    rails=st.lists(st.tuples(st.integers(0, 15), st.integers(0, 3)), max_size=6).map(tuple),
    crossings=st.integers(0, 4),
    scratch=st.sampled_from([False, False, False, True]),
    out=st.sampled_from([None, None, None, None, 3]),
    sure=st.sampled_from([1.0, 1.0, 0.97, 0.6]),
)
RACKS = st.lists(STROKES, min_size=1, max_size=12)


def _played(league: str, strokes: list[Stroke]) -> RackRecord:
    """A rack in which each stroke is played in the game that the rulings so far have made."""
    record = rack(league)
    judge = Judge.of(record)
    entries: list[Entry] = []
    for index, stroke in enumerate(strokes):
        if judge.state.phase == "over":
            break
        entries.append(_shot(index, stroke, judge))
        judge.add(entries[-1])
    return record.model_copy(update={"entries": entries})


def _shot(index: int, stroke: Stroke, judge: Judge) -> Shot:
    state = judge.state
    balls = sorted(state.balls, key=int)
    cue = (-0.8, 0.05) if state.phase == "break" or "head" in state.cue_ball else (-0.3, 0.11)
    before = layout(("cue", *balls), cue=cue)
    t = 10.0 + 20 * index
    events: list[dict[str, Any]] = [{"type": "strike", "ball": "cue", "t": t}]
    names = [balls[k % len(balls)] for k in stroke.hit] if balls else []
    for k, ball in enumerate(dict.fromkeys(names)):
        event = {"type": "ball_contact", "balls": ["cue", ball], "t": t + 0.1 + 0.05 * k}
        events.append({**event, "t_sigma": 0.001, "confidence": stroke.sure})
    for k, (ball_at, rail) in enumerate(stroke.rails):
        ball = balls[ball_at % len(balls)]
        events.append({"type": "rail_contact", "ball": ball, "rail": RAILS[rail], "t": t + 0.6 + 0.05 * k})
    for k, ball in enumerate(balls[: stroke.crossings]):
        events.append({"type": "side_crossing", "ball": ball, "t": t + 0.9 + 0.05 * k})
    down = {balls[ball_at % len(balls)]: POCKETS[pocket] for ball_at, pocket in stroke.falls}
    if stroke.scratch:
        down["cue"] = "side_left"
    for k, (ball, pocket) in enumerate(down.items()):
        events.append({"type": "pocketed", "ball": ball, "pocket": pocket, "t": t + 1.2 + 0.05 * k})
    if stroke.out is not None and balls[stroke.out % len(balls)] not in down:
        events.append({"type": "off_table", "ball": balls[stroke.out % len(balls)], "t": t + 1.6})
    gone = {event["ball"] for event in events if event["type"] in ("pocketed", "off_table")}
    return Shot.model_validate(
        {
            "index": index,
            "player": state.turn,
            "t_strike": t,
            "t_rest": t + 4.0,
            "layout_before": before,
            "layout_after": {ball: at for ball, at in before.items() if ball not in gone},
            "events": events,
        }
    )


leagues = pytest.mark.parametrize("league", sorted(BOOKS))
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@leagues
@quick
@given(RACKS)
def test_exactly_one_player_is_at_the_table_or_the_rack_is_over(league: str, strokes: list[Stroke]) -> None:
    judged = adjudicate(_played(league, strokes))
    for entry in judged.entries:
        ruling = ruling_of(entry)
        assert (ruling.next.player is None) == (ruling.call == "rack_over") == (ruling.winner is not None)
        assert ruling.fouls == [] or ruling.call in ("foul", "rack_over", "illegal_break")
        assert ruling.call != "foul" or ruling.fouls
        assert sum(bool(foul.counts) for foul in ruling.fouls) == (1 if ruling.fouls else 0)
        assert ruling.clauses
        assert ruling.explanation.endswith(".")


@leagues
@quick
@given(RACKS)
def test_balls_on_the_table_and_pocketed_make_the_set(league: str, strokes: list[Stroke]) -> None:
    record = _played(league, strokes)
    judge = Judge.of(record)
    for entry in record.entries:
        judge.add(entry)
        on, off = judge.state.balls, judge.memory.pocketed
        assert on | off == BOOKS[league].balls
        assert not on & off


@leagues
@quick
@given(RACKS)
def test_replaying_a_record_gives_the_same_bytes(league: str, strokes: list[Stroke]) -> None:
    once = adjudicate(_played(league, strokes))
    assert to_json(adjudicate(once)) == to_json(once)


@leagues
@quick
@given(RACKS, st.randoms(use_true_random=False))
def test_the_order_of_simultaneous_events_does_not_matter(league: str, strokes: list[Stroke], random: Any) -> None:
    record = _played(league, strokes)
    coarse = [_with_events(entry, _coarse(entry)) for entry in record.entries]
    shuffled = [_with_events(entry, _shuffled(_coarse(entry), random)) for entry in record.entries]
    assert _rulings(record, coarse) == _rulings(record, shuffled)


def _coarse(entry: Entry) -> list[Any]:
    """Events on a clock of half seconds, so that many fall together."""
    assert isinstance(entry, Shot)
    return [event.model_copy(update={"t": round(event.t * 2) / 2}) for event in entry.events]


def _shuffled(events: list[Any], random: Any) -> list[Any]:
    mixed = list(events)
    random.shuffle(mixed)
    return sorted(mixed, key=lambda event: event.t)


def _with_events(entry: Entry, events: list[Any]) -> Entry:
    return entry.model_copy(update={"events": events})


def _rulings(record: RackRecord, entries: list[Entry]) -> list[Any]:
    judge = Judge.of(record)
    found = []
    for entry in entries:
        if judge.state.phase == "over":
            break
        found.append(ruling_of(judge.add(entry).entry))
    return found


@leagues
@quick
@given(RACKS)
def test_swapping_the_players_swaps_the_rulings(league: str, strokes: list[Stroke]) -> None:
    record = adjudicate(_played(league, strokes))
    swapped = record.model_copy(
        update={
            "breaker": "B",
            "entries": [entry.model_copy(update={"player": SWAP[str(entry.player)]}) for entry in _shots(record)],
        }
    )
    for one, two in zip(_shots(record), _shots(adjudicate(swapped)), strict=True):
        twice = _swapped(_swapped(ruling_of(two).model_dump()))
        assert _swapped(ruling_of(one).model_dump()) == twice


def _shots(record: RackRecord) -> list[Shot]:
    return [entry for entry in record.entries if isinstance(entry, Shot)]


def _swapped(value: Any) -> Any:
    """A ruling with the players swapped; sentences are left out."""
    if isinstance(value, dict):
        return {SWAP.get(key, key): "" if key in ("explanation", "if") else _swapped(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_swapped(one) for one in value]
    return SWAP.get(value, value) if isinstance(value, str) else value


@leagues
@quick
@given(RACKS, st.data())
def test_a_record_cut_anywhere_gives_the_same_rulings_up_to_the_cut(
    league: str, strokes: list[Stroke], data: Any
) -> None:
    record = _played(league, strokes)
    cut = data.draw(st.integers(0, len(record.entries)))
    part = adjudicate(record.model_copy(update={"entries": record.entries[:cut]}))
    assert part.entries == adjudicate(record).entries[:cut]


@leagues
@quick
@given(RACKS)
def test_an_uncertain_first_contact_is_never_a_foul_by_itself(league: str, strokes: list[Stroke]) -> None:
    for entry in adjudicate(_played(league, strokes)).entries:
        ruling = ruling_of(entry)
        for foul in ruling.fouls:
            assert foul.confidence >= 0.9
