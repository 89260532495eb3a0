"""A record that comes into a folder which may hold that rack already: what is kept, and what is refused."""

from __future__ import annotations

import json
from base64 import b64decode

from record.document import to_json
from record.entries import Entry
from record.rack import RackRecord
from record.seal import Standing, verify


class RefusedRecordError(Exception):
    """A record that may not take the place of what is here; the message says why in one sentence."""


class RackInPlayError(RefusedRecordError):
    """The rack is being played: its journal is held by another process."""


def kept(stored: RackRecord | None, arriving: RackRecord) -> RackRecord:
    """Which of two copies of a rack is kept: the one that holds all that the other does.

    Raises:
        RefusedRecordError: each holds something that the other does not, or the one that comes was changed after it
            was sealed while the one that is here is sound.
    """
    if stored is None:
        return arriving
    if _standing(arriving) is Standing.CHANGED and _standing(stored) is not Standing.CHANGED:
        raise RefusedRecordError(
            f"the rack {stored.rack_id} is here already, and the one that comes was changed after it was sealed"
        )
    mine, theirs = [_bare(e) for e in stored.entries], [_bare(e) for e in arriving.entries]
    if theirs == mine[: len(theirs)] and (len(theirs) < len(mine) or not _adds(stored, arriving)):
        return stored
    if mine == theirs[: len(mine)]:
        return arriving
    raise RefusedRecordError(
        f"the rack {stored.rack_id} is here already with other entries; erase it first, or give the other another id"
    )


def _bare(entry: Entry) -> Entry:
    """An entry without the machine's ruling: judging anew makes no other rack."""
    if entry.type in ("override", "lag") or getattr(entry, "ruling", None) is None:
        return entry
    return entry.model_copy(update={"ruling": None})


def _adds(stored: RackRecord, arriving: RackRecord) -> bool:
    """A copy with the same entries that differs and does not lose the seals."""
    return arriving != stored and not (stored.seals and not arriving.seals)


def _standing(record: RackRecord) -> Standing:
    """How a record stands to its own seals, whoever's key made them."""
    keys = {seal.key_id: b64decode(seal.public_key) for seal in record.seals or ()}
    return verify(json.loads(to_json(record)), keys).standing
