"""A whole record judged: entry after entry, state before × entry → ruling and state after."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from adjudication.corrections import corrected, fallen
from adjudication.errors import IllegalEntryError
from adjudication.leagues import BOOKS
from adjudication.reports import is_late, late_note
from adjudication.rulebook import RuleBook
from adjudication.state import GameState
from adjudication.verdict import Tried, Verdict
from record.entries import Declaration, Entry, Observation, Override
from record.lag import Lag
from record.rack import RackRecord
from record.ruling import Ruling
from record.shot import Shot

_AFTER_THE_END = frozenset({"protest", "confirm"})
"""What may be declared when the rack is over, besides facts and fouls of the last shot."""


class UnknownLeagueError(ValueError):
    """No league of this name can be judged."""


class UnjudgeableError(ValueError):
    """A record that cannot be judged past some entry; `judged` holds the rulings up to it."""

    def __init__(self, message: str, judged: RackRecord, entry: int) -> None:
        super().__init__(message)
        self.judged = judged
        self.entry = entry


@dataclass(frozen=True)
class Judged:
    """An entry with its ruling, the game after it, and the fouls that were tried."""

    entry: Entry
    state: GameState
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True)
class Memory:
    """What the next entry is judged on: the game, and the last shot with what people said of it."""

    state: GameState
    before: GameState | None = None
    shot: Shot | None = None
    called: tuple[Declaration, ...] = ()
    pocketed: frozenset[str] = frozenset()

    def accept(self, state: GameState) -> Memory:
        gone = self.state.balls - state.balls
        return replace(self, state=state, pocketed=(self.pocketed | gone) - state.balls)


@dataclass
class Judge:
    """Judges a rack as it grows: `add` one entry at a time and read its ruling.

    A foul that a person reports before the next stroke, or a fact that a person corrects, re-judges the shot it is
    about from the state before it. A person's ruling or fact about an earlier shot has what followed judged on from
    there; rulings already given stay in the record as they were.
    """

    league: RuleBook
    memory: Memory
    history: list[tuple[Memory, Entry]] = field(default_factory=list)

    @staticmethod
    def of(record: RackRecord) -> Judge:
        """A judge for a record's rules and opening.

        Raises:
            UnknownLeagueError: its `rules` name no league known here.
            BadOptionError: one of its options has a value that it cannot have.
        """
        league = league_of(record)
        return Judge(league, Memory(league.opening(record)))

    @property
    def state(self) -> GameState:
        return self.memory.state

    def add(self, entry: Entry) -> Judged:
        """Judge one more entry.

        Raises:
            IllegalEntryError: the entry is out of order, contradicts the record, or is unknown to the league.
        """
        memory, judged = self._step(self.memory, entry)
        self.history.append((self.memory, entry))
        self.memory = memory
        return judged

    def _step(self, memory: Memory, entry: Entry) -> tuple[Memory, Judged]:
        match entry:
            case Shot():
                return self._shot(memory, entry)
            case Declaration():
                return self._declaration(memory, entry)
            case Observation():
                return self._observation(memory, entry)
            case Lag():
                return _judged(memory, entry, self.league.judge_lag(memory.state, entry))
            case Override():
                return self._override(memory, entry)

    def _shot(self, memory: Memory, shot: Shot) -> tuple[Memory, Judged]:
        state = memory.state
        if state.phase == "over":
            raise IllegalEntryError("a shot after the rack was over")
        if memory.shot is not None and shot.index <= memory.shot.index:
            raise IllegalEntryError(f"shot {shot.index} comes after shot {memory.shot.index}")
        if memory.shot is not None and shot.t_strike < memory.shot.t_strike:
            raise IllegalEntryError(f"shot {shot.index} was struck before shot {memory.shot.index}")
        self._must_be_possible(memory, shot)
        verdict = _left_to_a_person(self.league.judge_shot(state, shot, ()), state.watching_only)
        return _judged(replace(memory, before=state, shot=shot, called=()), shot, verdict)

    def _must_be_possible(self, memory: Memory, shot: Shot) -> None:
        for ball in shot.layout_before:
            if ball.isdigit() and ball not in self.league.balls:
                raise IllegalEntryError(f"ball {ball!r} is not played in {self.league.title}")
        seen: set[str] = set()
        for event in shot.events:
            if event.type != "pocketed" or event.ball == "cue":
                continue
            if event.ball in memory.pocketed and event.ball not in shot.layout_before:
                raise IllegalEntryError(f"the {event.ball} is pocketed again, though it was no longer on the table")
            if event.ball in seen and event.ball not in shot.layout_after and not event.ball.startswith("?"):
                raise IllegalEntryError(f"the {event.ball} is pocketed twice in one shot")
            seen.add(event.ball)

    def _observation(self, memory: Memory, seen: Observation) -> tuple[Memory, Judged]:
        """What was seen between shots; a ball that fell soon after rest is still the last shot's."""
        shot = memory.shot
        if seen.what == "ball_dropped" and shot is not None and self.league.still_of_shot(seen.t - shot.t_rest):
            return self._again(memory, fallen(shot, seen, self.league.table), seen)
        return _judged(memory, seen, self.league.observe(memory.state, seen))

    def _declaration(self, memory: Memory, declaration: Declaration) -> tuple[Memory, Judged]:
        if declaration.what == "fact":
            return self._fact(memory, declaration)
        if declaration.what == "foul" and memory.before is not None and memory.shot is not None:
            shooter = memory.shot.player or memory.before.turn
            if is_late(declaration, memory.shot, shooter):
                note = Verdict(late_note(memory.state, self.league.late_clause), memory.state)
                return _judged(memory, declaration, note)
            of_stroke = declaration.code not in self.league.between_shots
            if of_stroke and declaration.player == shooter:
                return self._again(memory, memory.shot, declaration)
        if memory.shot is not None and _answers(declaration, memory.shot):
            return self._again(memory, memory.shot, declaration)
        if memory.state.phase == "over" and declaration.what not in _AFTER_THE_END:
            raise IllegalEntryError(f"a declaration ({declaration.what}) after the rack was over")
        return _judged(memory, declaration, self.league.judge_declaration(memory.state, declaration))

    def _again(self, memory: Memory, shot: Shot, said: Declaration | Observation) -> tuple[Memory, Judged]:
        """The last shot judged again with what was said of it, or seen after it."""
        assert memory.before is not None
        called = (*memory.called, said) if isinstance(said, Declaration) and said.what != "fact" else memory.called
        verdict = self.league.judge_shot(memory.before, shot, called)
        again = replace(memory, state=memory.before, shot=shot, called=called)
        return _judged(replace(again, pocketed=memory.pocketed - memory.before.balls), said, verdict)

    def _fact(self, memory: Memory, fact: Declaration) -> tuple[Memory, Judged]:
        """A shot judged again with a fact as a person says it was, and what followed judged on from it."""
        of_shot = (fact.model_extra or {}).get("of_shot", None if memory.shot is None else memory.shot.index)
        if memory.shot is not None and of_shot == memory.shot.index:
            return self._again(memory, corrected(memory.shot, fact), fact)
        if fact.by != "referee":
            raise IllegalEntryError("after the next stroke only a referee may correct a fact")
        position = self._position(of_shot)
        start, entry = self.history[position]
        assert isinstance(entry, Shot)
        memory, judged = self._shot(start, corrected(entry, fact))
        assert isinstance(judged.entry, Shot)
        ruling = judged.entry.ruling
        memory = self._go_on(memory, position)
        return memory, Judged(fact.model_copy(update={"ruling": ruling}), memory.state, judged.tried)

    def _override(self, memory: Memory, override: Override) -> tuple[Memory, Judged]:
        """Play goes on from what a person ruled, also where it is about an earlier shot."""
        if memory.shot is not None and override.of_shot < memory.shot.index:
            position = self._position(override.of_shot)
            start, entry = self.history[position]
            memory = self._step(start, entry)[0]
            memory = self._go_on(replace(memory, state=as_ruled(memory.state, override.ruling)), position)
        else:
            memory = replace(memory, state=as_ruled(memory.state, override.ruling))
        return memory, Judged(override, memory.state)

    def _position(self, of_shot: object) -> int:
        found = (k for k, (_, entry) in enumerate(self.history) if isinstance(entry, Shot) and entry.index == of_shot)
        position = next(found, None)
        if position is None:
            raise IllegalEntryError(f"there is no shot {of_shot} to say this of")
        return position

    def _go_on(self, memory: Memory, position: int) -> Memory:
        """What came after an entry, judged on from a changed game."""
        for _, entry in self.history[position + 1 :]:
            memory = self._step(memory, entry)[0]
        return memory


def _judged(memory: Memory, entry: Entry, verdict: Verdict) -> tuple[Memory, Judged]:
    memory = memory.accept(verdict.state)
    if verdict.ruling is None and isinstance(entry, Observation):
        return memory, Judged(entry, memory.state)
    return memory, Judged(entry.model_copy(update={"ruling": verdict.ruling}), memory.state, verdict.tried)


def _left_to_a_person(verdict: Verdict, why: str | None) -> Verdict:
    """The same verdict, but for a person to decide: the machine only watches for now."""
    if why is None or verdict.ruling is None:
        return verdict
    reasons = [why, *verdict.ruling.review_reasons]
    return replace(verdict, ruling=verdict.ruling.model_copy(update={"needs_review": True, "review_reasons": reasons}))


def _answers(declaration: Declaration, shot: Shot) -> bool:
    """A call recorded afterwards for the last shot, or a protest that no group was declared for it."""
    if declaration.what == "call":
        return (declaration.model_extra or {}).get("of_shot") == shot.index
    return declaration.what == "protest" and declaration.about == "intended_group"


def as_ruled(state: GameState, ruling: Ruling) -> GameState:
    """The game after a person's ruling: who plays, how, and whether the rack is over."""
    follows = ruling.next
    over = ruling.call == "rack_over"
    phase = "over" if over else ("play" if state.phase == "over" else state.phase)
    return state.but(
        phase=phase,
        turn=follows.player or state.turn,
        cue_ball=follows.cue_ball or state.cue_ball,
        options=tuple(follows.options),
        winner=ruling.winner,
        groups=ruling.groups or state.groups,
        balls=state.balls | set(ruling.spot) | set(ruling.restore),
    )


def league_of(record: RackRecord) -> RuleBook:
    found = BOOKS.get(record.rules)
    if found is None:
        raise UnknownLeagueError(f"unknown rules {record.rules!r}: known are {', '.join(sorted(BOOKS))}")
    return found.of(record)


def adjudicate(record: RackRecord) -> RackRecord:
    """The record with every ruling made anew under its own rules.

    Raises:
        UnknownLeagueError: no such league.
        BadOptionError: an option has a value that it cannot have.
        UnjudgeableError: some entry cannot be judged; the error names it and holds the rulings up to it.
    """
    judge = Judge.of(record)
    done: list[Entry] = []
    for number, entry in enumerate(record.entries):
        try:
            done.append(judge.add(entry).entry)
        except IllegalEntryError as error:
            judged = record.model_copy(update={"entries": done})
            raise UnjudgeableError(f"entry {number} cannot be judged: {error}", judged, number) from None
    return record.model_copy(update={"entries": done})
