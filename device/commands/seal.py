"""`headstring seal` and `headstring verify`: vouch for records, and say whether one was changed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from device import terminal
from device.commands.key import DEFAULT, Folder
from device.files import write_text
from device.keys import KeyStore
from device.records import sound_record
from record.document import to_json
from record.journal import SUFFIX, DamagedJournalError, JournalError, read_journal
from record.seal import Standing, Verdict, sealed
from record.seal import verify as verify_document


def seal(
    records: Annotated[list[Path], typer.Argument(help="rack records; each is written back with a seal more")],
    keys: Folder = DEFAULT,
) -> None:
    """Seal records with this device's key, so that later changes show."""
    key = KeyStore(keys).private()
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    for path in records:
        write_text(path, to_json(sealed(sound_record(path), key, now)))
        terminal.out.print(f"{path}: sealed", highlight=False, markup=False, soft_wrap=True)


def verify(
    records: Annotated[list[Path], typer.Argument(help="rack records or journals")],
    keys: Folder = DEFAULT,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON for machines")] = False,
) -> None:
    """Say of each record whether it is as it was sealed, and else which entry was changed. Needs no network."""
    trusted = KeyStore(keys).by_id()
    found = [(path, _verdict(path, trusted)) for path in records]
    if as_json:
        terminal.print_json([_as_value(path, verdict) for path, verdict in found])
    else:
        for path, verdict in found:
            colour = "green" if verdict.sound else "red"
            line = Text.assemble((verdict.standing.value, colour), f"  {path}: {verdict.text}")
            terminal.out.print(line, soft_wrap=True)
    if not all(verdict.sound for _, verdict in found):
        raise typer.Exit(terminal.Exit.NOT_INTACT)


def _as_value(path: Path, verdict: Verdict) -> dict[str, Any]:
    return {
        "record": str(path),
        "standing": verdict.standing.value,
        "text": verdict.text,
        "key": verdict.key_id,
        "sealed_entries": verdict.sealed,
        "entry": verdict.entry,
        "changes": [{"what": one.kind.value, "entry": one.entry, "to": one.to} for one in verdict.changes],
    }


def _verdict(path: Path, trusted: dict[str, bytes]) -> Verdict:
    if path.suffix == SUFFIX:
        return _of_journal(path)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise terminal.CommandError(f"cannot read {path}: {error.strerror}", terminal.Exit.UNREADABLE) from None
    except (ValueError, RecursionError):
        return Verdict(Standing.CHANGED, "it is no whole JSON document (broken off, or changed)")
    if not isinstance(document, dict) or not isinstance(document.get("entries"), list):
        raise terminal.CommandError(f"{path} is no rack record", terminal.Exit.BAD_RECORD)
    return verify_document(document, trusted)


def _of_journal(path: Path) -> Verdict:
    """A journal is not signed: its chain tells damage and single changes, but not a file that was written anew."""
    try:
        record = read_journal(path)
    except DamagedJournalError as error:
        return Verdict(Standing.CHANGED, str(error), entry=error.entry)
    except JournalError as error:
        raise terminal.CommandError(str(error), terminal.Exit.UNREADABLE) from None
    return Verdict(
        Standing.UNSEALED, f"the chain of its {len(record.entries)} entries is whole; a journal is not signed"
    )
