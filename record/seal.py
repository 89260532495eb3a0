"""Seals: who vouches for a record as it stood at some length, so that any later change shows.

A seal holds the hash chain's link after each entry (so that it can be said which entry was changed, put in or taken
out) and an Ed25519 signature over all of them. What is declared or ruled after a seal does not break it: it covers the
entries up to its length, and a later seal covers those too. All seals stay in the record; the longest sound one says
how much is vouched for. A seal does not say that nothing came after it: who holds the file can take the latest entries
and the seals over them away together, and the record stands as it did before.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import ValidationError

from record.chain import canonical, chain, document_value
from record.difference import Change, differences
from record.rack import RackRecord, Seal

ALGORITHM: Final = "sha256-chain/ed25519"
_TOLD: Final = 4
_COMPARED: Final = 2000


class Standing(StrEnum):
    """How a record stands to its seals."""

    INTACT = "intact"
    GREW = "grew"
    """Sound as far as it is sealed; entries came after the last seal."""
    UNSEALED = "unsealed"
    UNKNOWN_KEY = "unknown key"
    CHANGED = "changed"


@dataclass(frozen=True)
class Verdict:
    """What can be said of a record. `entry` is the first entry that does not fit (from 0), None for the header;
    `changes` says what was done to each."""

    standing: Standing
    text: str
    key_id: str | None = None
    sealed: int = 0
    entry: int | None = None
    changes: tuple[Change, ...] = ()

    @property
    def sound(self) -> bool:
        return self.standing in (Standing.INTACT, Standing.GREW)


def key_id(public: bytes) -> str:
    """A short name for a public key: the first 16 hex digits of its SHA-256."""
    return hashlib.sha256(public).hexdigest()[:16]


def sealed(record: RackRecord, key: Ed25519PrivateKey, at: str) -> RackRecord:
    """The record with one more seal over all its entries; `at` is the time, ISO 8601 in UTC."""
    links = chain(document_value(record))
    public = key.public_key().public_bytes_raw()
    signature = key.sign(message(links, at))
    seal = Seal(
        algorithm=ALGORITHM,
        at=at,
        chain=links,
        key_id=key_id(public),
        public_key=b64encode(public).decode(),
        signature=b64encode(signature).decode(),
    )
    return record.model_copy(update={"seals": [*(record.seals or []), seal]})


def sealed_by(key: Callable[[], Ed25519PrivateKey], now: Callable[[], float]) -> Callable[[RackRecord], RackRecord]:
    """A function that seals a record with the key in use, at the wall clock's time (seconds since 1970)."""

    def seal(record: RackRecord) -> RackRecord:
        at = datetime.fromtimestamp(now(), UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return sealed(record, key(), at)

    return seal


def verify(document: Mapping[str, Any], trusted: Mapping[str, bytes]) -> Verdict:
    """Compare a record's document (plain JSON values as they lie in its file) with its seals.

    `trusted` are public keys by their id.
    """
    try:
        seals = [Seal.model_validate(one) for one in document.get("seals") or []]
    except ValidationError:
        return Verdict(Standing.CHANGED, "the seal itself was changed: it is no seal any more")
    if not seals:
        return Verdict(Standing.UNSEALED, "not sealed: nothing can be said of later changes")
    try:
        links = chain(document)
    except (ValueError, TypeError, RecursionError):
        return Verdict(Standing.CHANGED, "it was changed after sealing: it holds what no record can hold")
    found = [_broken(seal, links, document["entries"], trusted) for seal in seals]
    wrong = sorted((one for one in found if one is not None), key=lambda one: one.standing is not Standing.CHANGED)
    if wrong:
        return wrong[0]
    last = max(seals, key=lambda seal: len(seal.chain))
    count, there = len(last.chain) - 1, len(links) - 1
    if there > count:
        text = f"as it was sealed by {last.key_id} up to entry {count - 1}; {there - count} entries came later"
        return Verdict(Standing.GREW, text, last.key_id, count)
    return Verdict(Standing.INTACT, f"as it was sealed by {last.key_id} at {last.at}", last.key_id, count)


def _broken(seal: Seal, links: list[str], values: Sequence[Any], trusted: Mapping[str, bytes]) -> Verdict | None:
    """What is wrong with the record under one seal. Under a key that is not trusted, that is all that is said."""
    if not _signed(seal):
        return Verdict(Standing.CHANGED, "the seal itself was changed: its signature does not fit", seal.key_id)
    if trusted.get(seal.key_id) != b64decode(seal.public_key):
        text = f"sealed by the key {seal.key_id}, which is not trusted here"
        return Verdict(Standing.UNKNOWN_KEY, text, seal.key_id)
    if links[0] != seal.chain[0]:
        return Verdict(Standing.CHANGED, "the header was changed after sealing", seal.key_id)
    if links[: len(seal.chain)] == seal.chain:
        return None
    pairs = zip(seal.chain[1:], links[1:], strict=False)
    count = min(len(seal.chain), len(links)) - 1
    first = next((number for number, (was, now) in enumerate(pairs) if was != now), count)
    changes = tuple(differences(seal.chain, values)) if len(values) <= _COMPARED else ()
    return Verdict(Standing.CHANGED, _told(changes, first), seal.key_id, entry=first, changes=changes)


def _told(changes: Sequence[Change], first: int) -> str:
    if not changes:
        return f"from entry {first} on the entries are not those that were sealed"
    more = len(changes) - _TOLD
    return "; ".join(str(change) for change in changes[:_TOLD]) + (f"; and {more} more" if more > 0 else "")


def _signed(seal: Seal) -> bool:
    try:
        public, signature = _bytes(seal.public_key), _bytes(seal.signature)
        if key_id(public) != seal.key_id or seal.algorithm != ALGORITHM:
            return False
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message(seal.chain, seal.at))
    except (ValueError, InvalidSignature):
        return False
    return True


def _bytes(text: str) -> bytes:
    """Bytes from base64 written in the one way that there is: spare bits must not carry a change."""
    value = b64decode(text, validate=True)
    if b64encode(value).decode() != text:
        raise ValueError("not canonical base64")
    return value


def message(links: list[str], at: str) -> bytes:
    """The bytes that are signed."""
    return canonical({"algorithm": ALGORITHM, "at": at, "chain": links})
