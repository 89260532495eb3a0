"""Keys and seals at the command line: made, rotated, backed up, restored; records sealed and verified."""

from __future__ import annotations

import json
import stat
from base64 import b64encode
from pathlib import Path

import pytest

from device.keys import KeyStore, KeyStoreError
from device.terminal import Exit
from record.document import to_json
from record.journal import Journal
from tests.adjudication.racks import layout, rack, says, shot
from tests.device.test_command_line import headstring, refused

RECORD = rack("upa-9ball", shot(0, "A", "cue>1 2|left 5|foot 7|right", layout()), says(16.0, "B", "push_out"))


@pytest.fixture
def store(tmp_path: Path) -> KeyStore:
    made = KeyStore(tmp_path / "keys")
    made.create("table 1")
    return made


def test_the_private_key_is_for_its_owner_only(store: KeyStore) -> None:
    assert stat.S_IMODE((store.folder / "device.key").stat().st_mode) == 0o600


def test_a_second_key_is_only_made_by_rotation_and_the_old_one_stays_trusted(store: KeyStore) -> None:
    first = store.current()
    with pytest.raises(KeyStoreError, match="rotate"):
        store.create("again")
    second = store.rotate("table 1")
    assert second.id != first.id
    assert {one.id for one in store.trusted()} == {first.id, second.id}


def test_a_backup_restores_all_keys_and_only_with_its_passphrase(store: KeyStore, tmp_path: Path) -> None:
    store.rotate("table 1")
    data = store.backup("correct horse")
    other = KeyStore(tmp_path / "other")
    with pytest.raises(KeyStoreError, match="passphrase is wrong"):
        other.restore(data, "wrong horse!")
    with pytest.raises(KeyStoreError, match="no backup"):
        other.restore(b"{}", "correct horse")
    assert other.restore(data, "correct horse") == store.current()
    assert other.trusted() == store.trusted()
    with pytest.raises(KeyStoreError, match="already"):
        other.restore(data, "correct horse")
    with pytest.raises(KeyStoreError, match="at least 8"):
        store.backup("short")


def test_a_restored_device_still_trusts_whom_it_trusted_before(store: KeyStore, tmp_path: Path) -> None:
    data, other = store.backup("correct horse"), KeyStore(tmp_path / "other")
    friend = KeyStore(tmp_path / "friend").create("table 2")
    other.trust(b64encode(friend.public).decode(), "table 2")
    other.restore(data, "correct horse")
    assert {one.id for one in other.trusted()} == {friend.id, store.current().id}


def test_a_backup_is_for_its_owner_only_and_restores_at_the_command_line(tmp_path: Path) -> None:
    keys, file = ("--keys", tmp_path / "keys"), tmp_path / "keys.backup"
    words = ("--passphrase", "correct horse")
    headstring("key", "create", *keys)
    assert headstring("key", "backup", file, *words, *keys).returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    restored = headstring("key", "restore", file, *words, "--keys", tmp_path / "again")
    assert (restored.returncode, restored.stdout.startswith("restored: ")) == (0, True)
    refused(
        Exit.USAGE, "passphrase is wrong", "key", "restore", file, "--passphrase", "wrong horse", *("--keys", tmp_path)
    )


def test_a_damaged_key_or_list_is_said(store: KeyStore) -> None:
    (store.folder / "device.key").write_bytes(b"rhubarb")
    with pytest.raises(KeyStoreError, match="cannot be read"):
        store.private()
    (store.folder / "trusted.json").write_text('[{"id": "x", "public": "AAAA", "name": "n"}]', encoding="utf-8")
    with pytest.raises(KeyStoreError, match="does not fit"):
        store.trusted()


def test_a_record_is_sealed_verified_changed_and_found_out(tmp_path: Path) -> None:
    keys, path = ("--keys", tmp_path / "keys"), tmp_path / "rack.json"
    path.write_text(to_json(RECORD), encoding="utf-8")
    refused(Exit.USAGE, "key create", "seal", path, *keys)
    assert headstring("key", "create", *keys, "--name", "table 1").returncode == 0
    assert headstring("verify", path, *keys).returncode == Exit.NOT_INTACT
    assert headstring("seal", path, *keys).returncode == 0
    done = headstring("verify", path, *keys)
    assert (done.returncode, done.stdout.startswith("intact")) == (0, True)
    path.write_text(path.read_text(encoding="utf-8").replace('"push_out"', '"concede"'), encoding="utf-8")
    done = headstring("verify", path, *keys, "--json")
    told = json.loads(done.stdout)[0]
    assert (done.returncode, told["standing"], told["entry"]) == (Exit.NOT_INTACT, "changed", 1)
    assert told["changes"] == [{"what": "changed", "entry": 1, "to": None}]


def test_a_verdict_is_one_line_whatever_the_file_is_called(tmp_path: Path) -> None:
    path = tmp_path / ("[red]" + "long " * 30 + "[bold].json")
    path.write_text(to_json(RECORD), encoding="utf-8")
    done = headstring("verify", path, "--keys", tmp_path)
    assert done.returncode == Exit.NOT_INTACT
    assert done.stdout.splitlines() == [f"unsealed  {path}: not sealed: nothing can be said of later changes"]


def test_another_device_trusts_the_key_that_show_prints(tmp_path: Path) -> None:
    ours, theirs, path = tmp_path / "ours", tmp_path / "theirs", tmp_path / "rack.json"
    path.write_text(to_json(RECORD), encoding="utf-8")
    headstring("key", "create", "--keys", ours)
    headstring("seal", path, "--keys", ours)
    assert "unknown key" in headstring("verify", path, "--keys", theirs).stdout
    public = json.loads(headstring("key", "show", "--keys", ours, "--json").stdout)["trusted"][0]["public"]
    headstring("key", "trust", public, "--name", "table 1", "--keys", theirs)
    assert headstring("verify", path, "--keys", theirs).returncode == 0
    refused(Exit.USAGE, "no public key", "key", "trust", "rhubarb", "--name", "x", "--keys", theirs)


def test_a_journal_is_checked_by_its_chain(tmp_path: Path) -> None:
    path = tmp_path / "rack.journal"
    with Journal.create(path, RECORD):
        pass
    assert "the chain of its 2 entries is whole" in headstring("verify", path, "--keys", tmp_path).stdout
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"A"', b'"B"', 1))
    assert headstring("verify", path, "--keys", tmp_path).returncode == Exit.NOT_INTACT
