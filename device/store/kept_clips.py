"""The clips in the index: found again on the disk, and flagged by what is known of their shots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from device.store.tables import ClipRow, ShotRow

CLIPS: Final = "clips"
_NAME: Final = re.compile(r"(?P<rack>.+)-(?P<number>[0-9]{3,})\.mp4")


def flag(session: Session, shots: Sequence[ShotRow]) -> None:
    """Clips of shots that somebody may still ask for are kept as long as flagged ones are."""
    for shot in shots:
        if _disputed(shot):
            of_shot = (ClipRow.rack == shot.rack, ClipRow.number == shot.number)
            session.execute(update(ClipRow).where(*of_shot).values(flagged=True))


def note(session: Session, clip: ClipRow) -> None:
    """Put a clip in the index, flagged if it was so already or its shot asks for it."""
    known, shot = session.get(ClipRow, clip.file), session.get(ShotRow, (clip.rack, clip.number))
    clip.flagged = clip.flagged or (known is not None and known.flagged) or (shot is not None and _disputed(shot))
    session.merge(clip)


def catch_up(session: Session, folder: Path) -> None:
    """Bring the index up to the clips on the disk, which are never out of reach of their budgets."""
    known = set(session.scalars(select(ClipRow.file)))
    there = {path.name: path for path in folder.glob("*.mp4")}
    for name in known - there.keys():
        session.execute(delete(ClipRow).where(ClipRow.file == name))
    for name in there.keys() - known:
        told = _NAME.fullmatch(name)
        if told is not None:
            state = there[name].stat()
            rack, number = told["rack"], int(told["number"])
            row = ClipRow(file=name, rack=rack, number=number, made=state.st_mtime, size=state.st_size, flagged=False)
            note(session, row)


def _disputed(shot: ShotRow) -> bool:
    return bool(shot.fouls) or shot.needs_review or shot.protested or shot.overridden
