"""The hash chain over a record's entries: each link covers the entry and the link before it.

The first link covers the header (the document without entries and seals). Links are made over plain JSON values as they
are written, not over types, so that a later version of the types reads an old chain unchanged. Canonical JSON: keys
sorted, no spaces, UTF-8.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from record.document import entry_value
from record.rack import RackRecord

_NOT_HEADER = ("entries", "seals")


def canonical(value: Any) -> bytes:
    """A value as bytes that depend on nothing but the value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def header_value(record: RackRecord) -> dict[str, Any]:
    """The record's header as plain values."""
    return record.model_dump(mode="json", exclude=set(_NOT_HEADER), exclude_none=True)


def document_value(record: RackRecord) -> dict[str, Any]:
    """The whole record as plain values, as it is written."""
    seals = [] if record.seals is None else [seal.model_dump(mode="json") for seal in record.seals]
    entries = [entry_value(entry) for entry in record.entries]
    return {**header_value(record), "entries": entries, **({"seals": seals} if seals else {})}


def first_link(header: Mapping[str, Any]) -> str:
    """The link of a header: where the chain starts."""
    return hashlib.sha256(canonical({key: one for key, one in header.items() if key not in _NOT_HEADER})).hexdigest()


def next_link(before: str, value: Any) -> str:
    """The link of an entry's value that follows the link `before`."""
    return link_after(before, canonical(value))


def link_after(before: str, written: bytes) -> str:
    """The same of a value that is canonical JSON already."""
    return hashlib.sha256(before.encode() + written).hexdigest()


def chain(document: Mapping[str, Any]) -> list[str]:
    """All links of a document: the header's first, then one an entry."""
    return links(first_link(document), document.get("entries", []))


def links(start: str, values: Iterable[Any]) -> list[str]:
    found = [start]
    for value in values:
        found.append(next_link(found[-1], value))
    return found
