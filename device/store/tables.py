"""The index's tables. Records and journals are the truth; all of this can be made from them again."""

from __future__ import annotations

from sqlalchemy import ForeignKeyConstraint, Index, MetaData, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
}


def _rare(name: str, condition: str) -> Index:
    """An index over the few shots that fit a condition, in the order of lists. SQLite takes it for questions that hold
    the condition in these very words."""
    return Index(f"ix_shots_{name}", "started", "rack", "number", sqlite_where=text(condition))


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)


class RackRow(Base):
    """One rack. `started` is ISO 8601 in UTC; `file` is the record's file, relative to the data folder; `stamp` says in
    which state of it it was read."""

    __tablename__ = "racks"

    id: Mapped[str] = mapped_column(primary_key=True)
    table_id: Mapped[str]
    started: Mapped[str]
    league: Mapped[str]
    player_a: Mapped[str]
    player_b: Mapped[str]
    breaker: Mapped[str]
    winner: Mapped[str | None]
    over: Mapped[bool]
    shots: Mapped[int]
    fouls: Mapped[int]
    open_reviews: Mapped[int]
    overrides: Mapped[int]
    sealed: Mapped[bool]
    file: Mapped[str]
    stamp: Mapped[str] = mapped_column(default="", server_default="")

    __table_args__ = (
        Index("ix_racks_order", "started", "id"),
        Index("ix_racks_league", "league", "started"),
        Index("ix_racks_table", "table_id", "started"),
    )


class ShotRow(Base):
    """One shot, with its rack's header beside it so that a list needs one table only."""

    __tablename__ = "shots"

    rack: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    started: Mapped[str]
    table_id: Mapped[str]
    league: Mapped[str]
    player: Mapped[str]
    player_name: Mapped[str]
    on_break: Mapped[bool]
    t_strike: Mapped[float]
    duration: Mapped[float]
    taken: Mapped[float | None]
    call: Mapped[str]
    fouls: Mapped[str]
    clauses: Mapped[str]
    potted: Mapped[int]
    goes_on: Mapped[bool]
    needs_review: Mapped[bool]
    reviewed: Mapped[bool]
    overridden: Mapped[bool]
    agreed: Mapped[bool | None]
    protested: Mapped[bool]
    explanation: Mapped[str]

    __table_args__ = (
        ForeignKeyConstraint(["rack"], ["racks.id"], ondelete="CASCADE"),
        Index("ix_shots_order", "started", "rack", "number"),
        Index("ix_shots_player", "player_name", "started"),
        Index("ix_shots_league", "league", "started"),
        Index("ix_shots_table", "table_id", "started"),
        _rare("flagged", "needs_review = 1 OR protested = 1"),
        _rare("reviewed", "reviewed IS 1"),
        _rare("overridden", "overridden IS 1"),
        Index("ix_shots_call", "call", "started"),
    )


class FoulRow(Base):
    """One foul of a shot, to ask for shots by it."""

    __tablename__ = "fouls"

    rack: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(primary_key=True)
    started: Mapped[str]

    __table_args__ = (
        ForeignKeyConstraint(["rack"], ["racks.id"], ondelete="CASCADE"),
        Index("ix_fouls_code", "code", "started"),
    )


class ClipRow(Base):
    """One clip file. `flagged` ones (a foul, a review, a protest) are kept longest."""

    __tablename__ = "clips"

    file: Mapped[str] = mapped_column(primary_key=True)
    rack: Mapped[str]
    number: Mapped[int]
    made: Mapped[float]
    size: Mapped[int]
    flagged: Mapped[bool]

    __table_args__ = (Index("ix_clips_shot", "rack", "number"), Index("ix_clips_made", "made"))
