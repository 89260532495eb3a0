"""Rack records and matches read from files, with what is wrong with them said in one line."""

from __future__ import annotations

from pathlib import Path

from device import terminal
from record.document import DamagedRecordError, RecordError, from_json
from record.match import Match, MatchFileError, match_from_json
from record.rack import RackRecord


def read_record(path: Path) -> tuple[RackRecord, str | None]:
    """A record and what is wrong with its end, if anything."""
    try:
        return from_json(_text(path, "rack record")), None
    except DamagedRecordError as error:
        return error.beginning, f"{path}: {error}"
    except RecordError as error:
        raise terminal.CommandError(f"{path}: {error}", terminal.Exit.BAD_RECORD) from None


def sound_record(path: Path) -> RackRecord:
    """A record that is whole; a damaged one ends the command."""
    record, damage = read_record(path)
    if damage is not None:
        raise terminal.CommandError(damage, terminal.Exit.BAD_RECORD)
    return record


def read_match(path: Path) -> Match:
    """A match file."""
    try:
        return match_from_json(_text(path, "match file"))
    except MatchFileError as error:
        raise terminal.CommandError(f"{path}: {error}", terminal.Exit.BAD_RECORD) from None


def _text(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise terminal.CommandError(f"{path} is no {what}: it is not text", terminal.Exit.BAD_RECORD) from None
    except OSError as error:
        raise terminal.CommandError(f"cannot read {path}: {error.strerror}", terminal.Exit.UNREADABLE) from None
