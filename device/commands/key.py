"""`headstring key`: the keys that seal records, and the ones that are trusted."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Annotated

import typer

from device import terminal
from device.files import write_whole
from device.keys import KeyStore, TrustedKey

app = typer.Typer(help="Keys that seal records, and the ones that are trusted.", no_args_is_help=True)

Folder = Annotated[
    Path, typer.Option("--keys", help="the folder of the keys", envvar="HEADSTRING_KEYS", show_default=True)
]
DEFAULT = Path.home() / ".config" / "headstring" / "keys"
Passphrase = Annotated[
    str, typer.Option("--passphrase", prompt=True, hide_input=True, envvar="HEADSTRING_PASSPHRASE", show_envvar=True)
]
NewPassphrase = Annotated[
    str,
    typer.Option(
        "--passphrase",
        prompt=True,
        confirmation_prompt=True,
        hide_input=True,
        envvar="HEADSTRING_PASSPHRASE",
        show_envvar=True,
    ),
]


@app.command("create")
@terminal.plain_errors
def create(
    keys: Folder = DEFAULT, name: Annotated[str, typer.Option("--name", help="what others call it")] = "this device"
) -> None:
    """Make this device's key."""
    _say(KeyStore(keys).create(name), "made")


@app.command("show")
@terminal.plain_errors
def show(
    keys: Folder = DEFAULT, as_json: Annotated[bool, typer.Option("--json", help="print JSON for machines")] = False
) -> None:
    """Show this device's public key and the keys that are trusted."""
    store = KeyStore(keys)
    current, trusted = store.current(), store.trusted()
    if as_json:
        values = [{"id": one.id, "name": one.name, "public": _text(one)} for one in trusted]
        terminal.print_json({"current": current.id, "trusted": values})
        return
    terminal.out.print(f"this device: {current.id}  {_text(current)}", highlight=False, soft_wrap=True)
    for one in trusted:
        terminal.out.print(
            f"trusted: {one.id}  {_text(one)}  {one.name}", highlight=False, markup=False, soft_wrap=True
        )


@app.command("rotate")
@terminal.plain_errors
def rotate(keys: Folder = DEFAULT, name: Annotated[str, typer.Option("--name")] = "this device") -> None:
    """Make a new key; what the old one sealed stays trusted."""
    _say(KeyStore(keys).rotate(name), "made")


@app.command("backup")
@terminal.plain_errors
def backup(file: Annotated[Path, typer.Argument()], passphrase: NewPassphrase, keys: Folder = DEFAULT) -> None:
    """Write all keys into one file, encrypted with a passphrase."""
    write_whole(file, KeyStore(keys).backup(passphrase), 0o600)
    terminal.out.print(f"{file}: the keys, encrypted; without the passphrase nobody can read them")


@app.command("restore")
@terminal.plain_errors
def restore(file: Annotated[Path, typer.Argument()], passphrase: Passphrase, keys: Folder = DEFAULT) -> None:
    """Take the keys of a backup."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise terminal.CommandError(f"cannot read {file}: {error.strerror}", terminal.Exit.UNREADABLE) from None
    _say(KeyStore(keys).restore(data, passphrase), "restored")


@app.command("trust")
@terminal.plain_errors
def trust(
    public: Annotated[str, typer.Argument(help="the other device's public key")],
    name: Annotated[str, typer.Option("--name", help="whose it is")],
    keys: Folder = DEFAULT,
) -> None:
    """Trust another device's key."""
    _say(KeyStore(keys).trust(public, name), "trusted")


def _say(key: TrustedKey, what: str) -> None:
    terminal.out.print(f"{what}: {key.id}  {_text(key)}  {key.name}", highlight=False, markup=False, soft_wrap=True)


def _text(key: TrustedKey) -> str:
    return b64encode(key.public).decode()
