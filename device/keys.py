"""The device's keys: the private key that seals, and the public ones that are trusted.

A folder holds `device.key` (the private key in use, readable by its owner only) and `trusted.json` (public keys by id,
with a name each: the device's own, older ones of it, and those of other devices). A backup is one file, encrypted with
a passphrase.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from device.files import write_whole
from record.seal import key_id

PRIVATE: Final = "device.key"
TRUSTED: Final = "trusted.json"
BACKUP: Final = "headstring-keys/1"
_SHORTEST: Final = 8


class KeyStoreError(Exception):
    """Keys that are not there, cannot be read, or a wrong passphrase; the message says what to do."""


@dataclass(frozen=True)
class TrustedKey:
    """A public key that is trusted, by its id; `name` says whose it is."""

    id: str
    public: bytes
    name: str


class KeyStore:
    """The keys in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, name: str) -> TrustedKey:
        """Make the device's first key.

        Raises:
            KeyStoreError: there is one already.
        """
        if (self.folder / PRIVATE).exists():
            raise KeyStoreError(f"there is a key in {self.folder} already; `headstring key rotate` makes a new one")
        return self._keep(Ed25519PrivateKey.generate(), name)

    def rotate(self, name: str) -> TrustedKey:
        """Make a new key; what the old one sealed stays trusted."""
        self.private()
        return self._keep(Ed25519PrivateKey.generate(), name)

    def private(self) -> Ed25519PrivateKey:
        """The key that seals.

        Raises:
            KeyStoreError: there is none, or it cannot be read.
        """
        path = self.folder / PRIVATE
        try:
            return Ed25519PrivateKey.from_private_bytes(b64decode(path.read_bytes(), validate=True))
        except FileNotFoundError:
            raise KeyStoreError(f"there is no key in {self.folder}; `headstring key create` makes one") from None
        except (OSError, ValueError):
            raise KeyStoreError(f"the key {path} cannot be read; restore it from a backup") from None

    def current(self) -> TrustedKey:
        """The key in use, as others see it."""
        public = self.private().public_key().public_bytes_raw()
        found = next((one for one in self.trusted() if one.public == public), None)
        return found or TrustedKey(key_id(public), public, "this device")

    def trusted(self) -> list[TrustedKey]:
        """All keys whose seals count here; none where nothing was ever kept.

        Raises:
            KeyStoreError: the list is damaged.
        """
        path = self.folder / TRUSTED
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            found = [TrustedKey(one["id"], b64decode(one["public"], validate=True), one["name"]) for one in kept]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError, KeyError):
            raise KeyStoreError(f"the list of trusted keys {path} cannot be read; restore it from a backup") from None
        if any(key_id(one.public) != one.id for one in found):
            raise KeyStoreError(f"the list of trusted keys {path} was changed: an id does not fit its key")
        return found

    def by_id(self) -> dict[str, bytes]:
        return {one.id: one.public for one in self.trusted()}

    def trust(self, public: str, name: str) -> TrustedKey:
        """Trust another device's key, given as `headstring key show` prints it.

        Raises:
            KeyStoreError: it is no key.
        """
        try:
            value = b64decode(public, validate=True)
        except ValueError:
            value = b""
        if len(value) != 32:
            raise KeyStoreError("this is no public key; `headstring key show` on the other device prints it")
        key = TrustedKey(key_id(value), value, name)
        self._write_trusted([*(one for one in self.trusted() if one.id != key.id), key])
        return key

    def backup(self, passphrase: str) -> bytes:
        """The private key and the trusted ones, encrypted with a passphrase (scrypt, AES-256-GCM)."""
        _long_enough(passphrase)
        salt, nonce = os.urandom(16), os.urandom(12)
        kept = {
            "key": b64encode(self.private().private_bytes_raw()).decode(),
            "trusted": [_value(one) for one in self.trusted()],
        }
        sealed = AESGCM(_stretch(passphrase, salt)).encrypt(nonce, json.dumps(kept).encode(), BACKUP.encode())
        value = {"format": BACKUP, "salt": _text(salt), "nonce": _text(nonce), "data": _text(sealed)}
        return json.dumps(value, indent=1).encode()

    def restore(self, data: bytes, passphrase: str) -> TrustedKey:
        """Take the keys of a backup; the folder must hold no private key. Keys that it trusts already stay trusted.

        Raises:
            KeyStoreError: there are keys already, the passphrase is wrong, or this is no backup.
        """
        if (self.folder / PRIVATE).exists():
            raise KeyStoreError(f"there is a key in {self.folder} already; move it away first")
        try:
            value = json.loads(data)
            salt, nonce, sealed = (b64decode(value[part]) for part in ("salt", "nonce", "data"))
            kept = json.loads(AESGCM(_stretch(passphrase, salt)).decrypt(nonce, sealed, BACKUP.encode()))
        except InvalidTag:
            raise KeyStoreError("the passphrase is wrong, or the backup was changed") from None
        except (ValueError, KeyError, TypeError):
            raise KeyStoreError("this is no backup of keys") from None
        known = {one.id: one for one in self.trusted()}
        restored = [TrustedKey(one["id"], b64decode(one["public"]), one["name"]) for one in kept["trusted"]]
        self._write_trusted(list({**{one.id: one for one in restored}, **known}.values()))
        self._write_private(Ed25519PrivateKey.from_private_bytes(b64decode(kept["key"])))
        return self.current()

    def _keep(self, private: Ed25519PrivateKey, name: str) -> TrustedKey:
        public = private.public_key().public_bytes_raw()
        key = TrustedKey(key_id(public), public, name)
        self._write_trusted([*self.trusted(), key])
        self._write_private(private)
        return key

    def _write_private(self, private: Ed25519PrivateKey) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(self.folder / PRIVATE, b64encode(private.private_bytes_raw()), 0o600)

    def _write_trusted(self, keys: list[TrustedKey]) -> None:
        write_whole(self.folder / TRUSTED, json.dumps([_value(one) for one in keys], indent=1).encode())


def _value(key: TrustedKey) -> dict[str, str]:
    return {"id": key.id, "public": _text(key.public), "name": key.name}


def _text(value: bytes) -> str:
    return b64encode(value).decode()


def _stretch(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=2**15, r=8, p=1).derive(passphrase.encode())


def _long_enough(passphrase: str) -> None:
    if len(passphrase) < _SHORTEST:
        raise KeyStoreError(f"a passphrase has at least {_SHORTEST} characters")
