"""`headstring import` and `headstring store`: records into a data folder, its index checked or made again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from device import terminal
from device.keys import KeyStore
from device.records import read_record

if TYPE_CHECKING:
    from device.store.library import Library

app = typer.Typer(help="The index of a data folder's racks.", no_args_is_help=True)

Data = Annotated[Path, typer.Option("--data", help="the data folder", envvar="HEADSTRING_DATA")]


def open_library(folder: Path) -> Library:
    """The racks of a data folder; what is wrong is said in one line."""
    from device.store.library import Library
    from device.store.opening import StoreError

    try:
        return Library(folder, lambda text: terminal.notes.print(text, style="yellow", markup=False))
    except StoreError as error:
        raise terminal.CommandError(str(error), terminal.Exit.CANNOT_WRITE) from None


def import_records(
    records: Annotated[list[Path], typer.Argument(help="rack records")],
    data: Data,
) -> None:
    """Put records into a data folder; of one that is there already the copy that holds more is kept."""
    from device.store.arriving import RefusedRecordError
    from device.store.library import UnknownRackError

    library = open_library(data)
    for path in records:
        record, damage = read_record(path)
        if damage is not None:
            raise terminal.CommandError(damage, terminal.Exit.BAD_RECORD)
        try:
            row = library.put(record)
        except UnknownRackError as error:
            raise terminal.CommandError(f"{path}: {error.args[0]}", terminal.Exit.BAD_RECORD) from None
        except RefusedRecordError as error:
            raise terminal.CommandError(f"{path}: {error}", terminal.Exit.USAGE) from None
        terminal.out.print(f"{row.id}: {row.shots} shots, {row.fouls} fouls", highlight=False, markup=False)


@app.command("check")
@terminal.plain_errors
def check(data: Data) -> None:
    """Check the index; a damaged one is set aside and made again."""
    from device.store import questions

    library = open_library(data)
    told = questions.statistics(library.engine, questions.Filter())
    terminal.out.print(f"the index is sound: {told.racks} racks, {told.shots} shots", highlight=False)


@app.command("erase-player")
@terminal.plain_errors
def erase_player(name: Annotated[str, typer.Argument(help="the player's name as in the records")], data: Data) -> None:
    """Take a player's name out of all records; they are sealed anew with the folder's key."""
    from device.store.arriving import RackInPlayError
    from device.store.sealing import resealing

    library = open_library(data)
    library.resealed = resealing(KeyStore(data / "keys"), time.time)
    try:
        count = library.erase_player(name)
    except RackInPlayError as error:
        raise terminal.CommandError(str(error), terminal.Exit.USAGE) from None
    terminal.out.print(f"taken out of {count} racks", highlight=False)


@app.command("rebuild")
@terminal.plain_errors
def rebuild(data: Data) -> None:
    """Make the index again from the records."""
    filled = open_library(data).rebuild()
    terminal.out.print(f"{filled.racks} racks", highlight=False)
    for name in filled.unread:
        terminal.notes.print(f"cannot be read: {name}", style="yellow", markup=False)
