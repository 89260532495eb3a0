"""Questions to the index: racks and shots by filter, a page at a time, newest first; statistics of a league."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from sqlalchemy import ColumnElement, Engine, Select, and_, case, func, literal, or_, select, tuple_
from sqlalchemy.orm import Session, aliased

from device.store.tables import FoulRow, RackRow, ShotRow

LARGEST_PAGE = 200
Row = TypeVar("Row", RackRow, ShotRow)
ReviewState = Literal["open", "reviewed", "overridden", "flagged"]


class BadPageError(ValueError):
    """A page's mark that was never given out."""


@dataclass(frozen=True)
class Filter:
    """What to look for; None does not matter. `since` and `until` are ISO 8601 in UTC, `text` is searched for in the
    explanations, players and racks."""

    league: str | None = None
    table: str | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None
    foul: str | None = None
    review: ReviewState | None = None
    text: str | None = None


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows, newest first; `next` is the mark with which the next page is asked for."""

    rows: Sequence[Row]
    next: str | None


def racks(engine: Engine, wanted: Filter, size: int = 50, mark: str | None = None) -> Page[RackRow]:
    """Racks, newest first.

    Raises:
        BadPageError: the mark is none.
    """
    query = select(RackRow).where(*_rack_conditions(wanted)).order_by(RackRow.started.desc(), RackRow.id.desc())
    if mark is not None:
        query = query.where(tuple_(RackRow.started, RackRow.id) < tuple_(*_values(_read_mark(mark, 2))))
    found = _some(engine, query, size)
    return _page(found, size, lambda row: (row.started, row.id))


def shots(engine: Engine, wanted: Filter, size: int = 50, mark: str | None = None) -> Page[ShotRow]:
    """Shots, newest first.

    Raises:
        BadPageError: the mark is none.
    """
    order = (ShotRow.started, ShotRow.rack, ShotRow.number)
    query = select(ShotRow).where(*_shot_conditions(wanted)).order_by(*(column.desc() for column in order))
    if mark is not None:
        started, rack, number = _read_mark(mark, 3)
        if not number.isdigit():
            raise BadPageError("this is no page's mark")
        query = query.where(tuple_(*order) < tuple_(*_values([started, rack, int(number)])))
    found = _some(engine, query, size)
    return _page(found, size, lambda row: (row.started, row.rack, str(row.number)))


def rack(engine: Engine, rack_id: str) -> RackRow | None:
    with Session(engine, expire_on_commit=False) as session:
        return session.get(RackRow, rack_id)


def shots_of(engine: Engine, rack_id: str) -> list[ShotRow]:
    """All shots of a rack in order."""
    with Session(engine, expire_on_commit=False) as session:
        return list(session.scalars(select(ShotRow).where(ShotRow.rack == rack_id).order_by(ShotRow.number)))


def players(engine: Engine) -> list[str]:
    """Names of all players, in order."""
    with Session(engine) as session:
        names = session.scalars(select(RackRow.player_a).union(select(RackRow.player_b)))
        return sorted(set(names), key=str.casefold)


@dataclass(frozen=True)
class Statistics:
    """What a league asks of its racks and shots."""

    racks: int
    shots: int
    fouls: dict[str, int]
    shot_seconds: float | None
    breaks: int
    breaks_potting: int
    balls_per_inning: float | None
    reviews: int
    overrides: int
    agreed: int


def statistics(engine: Engine, wanted: Filter) -> Statistics:
    """Counts over all shots that fit the filter. `agreed` are rulings by a person that were the machine's."""
    here = _shot_conditions(wanted)
    one = func.sum(case((ShotRow.goes_on.is_(False), 1), else_=0))
    with Session(engine) as session:
        told = session.execute(
            select(
                func.count(),
                func.avg(ShotRow.taken),
                _count(ShotRow.on_break),
                _count(and_(ShotRow.on_break, ShotRow.potted > 0)),
                func.sum(ShotRow.potted),
                one,
                _count(ShotRow.needs_review),
                _count(ShotRow.overridden),
                _count(ShotRow.agreed.is_(True)),
                func.count(func.distinct(ShotRow.rack)),
            ).where(*here)
        ).one()
        codes = session.execute(
            select(FoulRow.code, func.count())
            .join(ShotRow, and_(ShotRow.rack == FoulRow.rack, ShotRow.number == FoulRow.number))
            .where(*here)
            .group_by(FoulRow.code)
            .order_by(func.count().desc(), FoulRow.code)
        ).all()
    innings = int(told[5] or 0)
    return Statistics(
        racks=told[9],
        shots=told[0],
        fouls={str(row[0]): int(row[1]) for row in codes},
        shot_seconds=None if told[1] is None else round(float(told[1]), 1),
        breaks=told[2],
        breaks_potting=told[3],
        balls_per_inning=round(int(told[4] or 0) / innings, 2) if innings else None,
        reviews=told[6],
        overrides=told[7],
        agreed=told[8],
    )


def _count(condition: Any) -> Any:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _rack_conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    found = _common(wanted, RackRow)
    if wanted.player is not None:
        found.append(or_(RackRow.player_a == wanted.player, RackRow.player_b == wanted.player))
    if wanted.foul is not None:
        found.append(RackRow.id.in_(select(FoulRow.rack).where(FoulRow.code == wanted.foul)))
    if wanted.review == "open":
        found.append(RackRow.open_reviews > 0)
    elif wanted.review == "overridden":
        found.append(RackRow.overrides > 0)
    elif wanted.review is not None:
        reviewed = ShotRow.reviewed if wanted.review == "reviewed" else or_(ShotRow.needs_review, ShotRow.protested)
        found.append(RackRow.id.in_(select(ShotRow.rack).where(reviewed)))
    if wanted.text:
        like = _like(wanted.text)
        columns = (RackRow.id, RackRow.player_a, RackRow.player_b, RackRow.table_id)
        found.append(or_(*(column.like(like, escape="\\") for column in columns)))
    return found


def _shot_conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    found = _common(wanted, ShotRow)
    if wanted.player is not None:
        found.append(ShotRow.player_name == wanted.player)
    if wanted.foul is not None:
        foul = aliased(FoulRow)
        asked = select(foul.number).where(
            foul.rack == ShotRow.rack, foul.number == ShotRow.number, foul.code == wanted.foul
        )
        found.append(asked.correlate(ShotRow).exists())
    flagged = or_(ShotRow.needs_review, ShotRow.protested)
    states: dict[str, ColumnElement[bool]] = {
        "open": and_(flagged, ShotRow.reviewed.is_(False)),
        "reviewed": ShotRow.reviewed.is_(True),
        "overridden": ShotRow.overridden.is_(True),
        "flagged": flagged,
    }
    if wanted.review is not None:
        found.append(states[wanted.review])
    if wanted.text:
        like = _like(wanted.text)
        columns = (ShotRow.explanation, ShotRow.player_name, ShotRow.rack)
        found.append(or_(*(column.like(like, escape="\\") for column in columns)))
    return found


def _common(wanted: Filter, row: type[RackRow] | type[ShotRow]) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.league is not None:
        found.append(row.league == wanted.league)
    if wanted.table is not None:
        found.append(row.table_id == wanted.table)
    if wanted.since is not None:
        found.append(row.started >= wanted.since)
    if wanted.until is not None:
        found.append(row.started < wanted.until)
    return found


def _like(words: str) -> str:
    """A pattern that finds the words as they are."""
    plain = words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{plain}%"


def _some(engine: Engine, query: Select[Any], size: int) -> list[Any]:
    """One row more than the page holds, so that it is known whether there are more."""
    with Session(engine, expire_on_commit=False) as session:
        return list(session.scalars(query.limit(min(max(size, 1), LARGEST_PAGE) + 1)))


def _page(found: list[Row], size: int, mark_of: Any) -> Page[Row]:
    size = min(max(size, 1), LARGEST_PAGE)
    more = len(found) > size
    rows = found[:size]
    return Page(rows, _mark(mark_of(rows[-1])) if more else None)


def _mark(values: Sequence[str]) -> str:
    return urlsafe_b64encode("\n".join(values).encode()).decode()


def _read_mark(mark: str, count: int) -> list[str]:
    try:
        values = urlsafe_b64decode(mark.encode()).decode().split("\n")
    except ValueError:
        values = []
    if len(values) != count:
        raise BadPageError("this is no page's mark")
    return values


def _values(values: Sequence[Any]) -> list[Any]:
    return [literal(value) for value in values]
