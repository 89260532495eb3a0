"""Reading and writing a rack record as one JSON document, byte for byte the same each time.

The header comes first, then one entry a line, so that a record can be read by people, compared by line, and a damaged
one keeps its valid beginning.
"""

from __future__ import annotations

import json
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from record.entries import Entry
from record.rack import FORMAT, RackRecord

_ENTRY: Final[TypeAdapter[Entry]] = TypeAdapter(Entry)
_MOST_BYTES: Final = 200_000_000


class RecordError(ValueError):
    """A record that cannot be read; the message is one sentence."""


class UnknownFormatError(RecordError):
    """The document is no rack record, or of a version that this software does not know."""


class DamagedRecordError(RecordError):
    """A record that is sound up to some entry: `beginning` is the record up to there, `entry` the first bad one."""

    def __init__(self, message: str, beginning: RackRecord, entry: int) -> None:
        super().__init__(message)
        self.beginning = beginning
        self.entry = entry


def to_json(record: RackRecord) -> str:
    """The record as text. Absent facts are left out; a ruling keeps its nulls, since they mean "nobody", "none"."""
    header = record.model_dump(mode="json", exclude={"entries"}, exclude_none=True)
    lines = [f"{_text(key)}: {_text(value)}" for key, value in header.items()]
    entries = ",\n".join(f"  {_text(entry_value(entry))}" for entry in record.entries)
    lines.append('"entries": [\n' + entries + "\n]" if entries else '"entries": []')
    return "{" + ",\n ".join(lines) + "}\n"


def entry_value(entry: Entry) -> dict[str, Any]:
    """An entry as plain JSON values."""
    value = entry.model_dump(mode="json")
    return {key: _present(item, key == "ruling") for key, item in value.items() if item is not None}


def _present(value: Any, keep_nulls: bool) -> Any:
    if isinstance(value, dict):
        return {
            key: _present(item, keep_nulls or key == "ruling")
            for key, item in value.items()
            if item is not None or (keep_nulls and key in _NULLS_THAT_MEAN_SOMETHING)
        }
    if isinstance(value, list):
        return [_present(item, keep_nulls) for item in value]
    return value


_NULLS_THAT_MEAN_SOMETHING: Final = frozenset({"margin", "groups", "winner", "player", "cue_ball"})


def from_json(text: str) -> RackRecord:
    """Read a record.

    Raises:
        UnknownFormatError: not a rack record, or an unknown version of one.
        DamagedRecordError: the header is sound and some entry is not, or the text breaks off.
        RecordError: the header is unsound.
    """
    if len(text) > _MOST_BYTES:
        raise RecordError("the record is larger than any rack can be")
    header, entries, broken = _parse(text)
    _must_be_known(header)
    try:
        record = RackRecord.model_validate({**header, "entries": []})
    except ValidationError as error:
        raise RecordError(f"the record's header is unsound: {_first(error)}") from None
    sound: list[Entry] = []
    for number, value in enumerate(entries):
        try:
            sound.append(_ENTRY.validate_python(value))
        except ValidationError as error:
            beginning = record.model_copy(update={"entries": sound})
            raise DamagedRecordError(f"entry {number} is unsound: {_first(error)}", beginning, number) from None
    record = record.model_copy(update={"entries": sound})
    if broken is not None:
        raise DamagedRecordError(
            f"the record breaks off after {len(sound)} sound entries ({broken})", record, len(sound)
        )
    return record


def _must_be_known(header: dict[str, Any]) -> None:
    found = header.get("format")
    if found == FORMAT:
        return
    if isinstance(found, str) and found.startswith("rack-record/"):
        raise UnknownFormatError(f"this is a {found}; this version reads {FORMAT}: update headstring")
    raise UnknownFormatError(f'this is no rack record: it does not say "format": "{FORMAT}"')


def _parse(text: str) -> tuple[dict[str, Any], list[Any], str | None]:
    """Header, entries, and what is wrong with the rest of the text (None where it is whole)."""
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        return _salvage(text, str(error))
    if not isinstance(value, dict):
        raise UnknownFormatError("this is no rack record: it is not a JSON object")
    entries = value.pop("entries", [])
    if not isinstance(entries, list):
        raise RecordError("the record's header is unsound: entries: not a list")
    return value, entries, None


def _salvage(text: str, why: str) -> tuple[dict[str, Any], list[Any], str]:
    """The header and the whole entries of a text that breaks off."""
    decoder = json.JSONDecoder()
    head, found, rest = text.partition('"entries"')
    opening = rest.find("[")
    try:
        header = json.loads(head.rstrip().rstrip(",") + "}")
    except (json.JSONDecodeError, RecursionError):
        raise UnknownFormatError(f"this is no rack record: it is not JSON ({why})") from None
    if not isinstance(header, dict):
        raise UnknownFormatError("this is no rack record: it is not a JSON object")
    entries: list[Any] = []
    at = opening + 1 if found and opening >= 0 else len(rest)
    while at < len(rest):
        while at < len(rest) and rest[at] in " \t\r\n,":
            at += 1
        try:
            value, at = decoder.raw_decode(rest, at)
        except (json.JSONDecodeError, RecursionError):
            break
        entries.append(value)
    return header, entries, why


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
