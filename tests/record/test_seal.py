"""Seals: an untouched record is intact, and of a changed one it is said which entry does not fit."""

from __future__ import annotations

import copy
import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from record.chain import chain
from record.document import from_json, to_json
from record.rack import RackRecord
from record.seal import Standing, Verdict, key_id, message, sealed, verify
from tests.adjudication.racks import layout, rack, says, shot

KEY = Ed25519PrivateKey.from_private_bytes(b"\x01" * 32)
PUBLIC = KEY.public_key().public_bytes_raw()
TRUSTED = {key_id(PUBLIC): PUBLIC}
AT = "2026-03-01T20:00:00Z"
PLAIN = rack(
    "upa-9ball",
    shot(0, "A", "cue>1 2|left 5|foot 7|right", layout()),
    says(16.0, "B", "push_out"),
    shot(1, "B", "cue>3", layout(cue=(-0.3, 0.1))),
)


def _document(record: RackRecord) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(to_json(record))
    return value


def _verdict(record: RackRecord) -> Verdict:
    return verify(_document(record), TRUSTED)


def test_a_sealed_record_is_intact_after_it_was_written_and_read() -> None:
    read = from_json(to_json(sealed(PLAIN, KEY, AT)))
    verdict = _verdict(read)
    assert (verdict.standing, verdict.key_id, verdict.sealed) == (Standing.INTACT, key_id(PUBLIC), 3)
    assert verdict.sound


def test_without_a_seal_nothing_is_said() -> None:
    assert _verdict(PLAIN).standing is Standing.UNSEALED
    assert not _verdict(PLAIN).sound


def test_another_devices_key_is_not_trusted() -> None:
    assert verify(_document(sealed(PLAIN, KEY, AT)), {}).standing is Standing.UNKNOWN_KEY


def _change_call(document: dict[str, Any]) -> None:
    document["entries"][2]["events"][1]["balls"] = ["cue", "1"]


def _take_out(document: dict[str, Any]) -> None:
    del document["entries"][1]


def _put_in(document: dict[str, Any]) -> None:
    document["entries"].insert(1, copy.deepcopy(document["entries"][1]))


def _swap(document: dict[str, Any]) -> None:
    document["entries"][1], document["entries"][2] = document["entries"][2], document["entries"][1]


def _cut(document: dict[str, Any]) -> None:
    document["entries"].pop()


def _cut_and_grow(document: dict[str, Any]) -> None:
    del document["entries"][0]
    document["entries"].append({"type": "observation", "t": 99.0, "what": "later"})


@pytest.mark.parametrize(
    ("change", "entry", "text"),
    [
        (_change_call, 2, "entry 2 was changed"),
        (_take_out, 1, "entry 1 was taken out"),
        (_put_in, 2, "entry 2 was put in"),
        (_swap, 1, "entry 2 was moved to 1"),
        (_cut, 2, "entry 2 was taken out"),
        (_cut_and_grow, 0, "entry 0 was taken out"),
    ],
)
def test_it_is_said_which_entry_was_changed(change: Callable[[dict[str, Any]], None], entry: int, text: str) -> None:
    document = _document(sealed(PLAIN, KEY, AT))
    change(document)
    verdict = verify(document, TRUSTED)
    assert (verdict.standing, verdict.entry, verdict.text) == (Standing.CHANGED, entry, text)


def test_a_file_larger_than_any_rack_is_told_from_where_it_differs() -> None:
    document = _document(sealed(PLAIN, KEY, AT))
    document["entries"][1:] = [{"type": "observation", "t": float(k), "what": "noise"} for k in range(5000)]
    verdict = verify(document, TRUSTED)
    assert (verdict.standing, verdict.entry, verdict.changes) == (Standing.CHANGED, 1, ())
    assert verdict.text == "from entry 1 on the entries are not those that were sealed"


def _not_a_number(document: dict[str, Any]) -> None:
    document["entries"][0]["t_rest"] = float("nan")


def _half_a_letter(document: dict[str, Any]) -> None:
    document["entries"][1]["by"] = "\ud800"


def _no_entries(document: dict[str, Any]) -> None:
    document["entries"] = None


@pytest.mark.parametrize("change", [_not_a_number, _half_a_letter, _no_entries])
def test_what_no_record_can_hold_is_a_change(change: Callable[[dict[str, Any]], None]) -> None:
    document = _document(sealed(PLAIN, KEY, AT))
    change(document)
    assert verify(document, TRUSTED).standing is Standing.CHANGED


def test_a_strangers_seal_does_not_hide_what_was_changed() -> None:
    """Somebody changes an entry and puts a seal of his own before the device's."""
    stranger = Ed25519PrivateKey.from_private_bytes(b"\x02" * 32)
    ours = _document(sealed(PLAIN, KEY, AT))
    _change_call(ours)
    theirs = _document(sealed(from_json(json.dumps({**ours, "seals": []})), stranger, AT))
    ours["seals"] = [*theirs["seals"], *ours["seals"]]
    verdict = verify(ours, TRUSTED)
    assert (verdict.standing, verdict.text) == (Standing.CHANGED, "entry 2 was changed")


def test_sealing_again_does_not_wash_a_change_away() -> None:
    changed = _document(sealed(PLAIN, KEY, AT))
    _change_call(changed)
    again = sealed(from_json(json.dumps(changed)), KEY, "2026-03-02T10:00:00Z")
    assert _verdict(again).standing is Standing.CHANGED


@pytest.mark.parametrize("key", ["rules", "breaker", "rack_id", "started"])
def test_a_changed_header_is_said(key: str) -> None:
    document = _document(sealed(PLAIN, KEY, AT))
    document[key] = "B" if key == "breaker" else "other"
    verdict = verify(document, TRUSTED)
    assert (verdict.standing, verdict.entry) == (Standing.CHANGED, None)
    assert "header" in verdict.text


@pytest.mark.parametrize("part", ["at", "signature", "public_key", "key_id", "chain"])
def test_a_changed_seal_is_said(part: str) -> None:
    document = _document(sealed(PLAIN, KEY, AT))
    seal = document["seals"][0]
    seal[part] = seal[part][:-1] if part == "chain" else "AAAA"
    assert verify(document, TRUSTED).standing is Standing.CHANGED


def test_what_is_declared_after_a_seal_does_not_break_it_and_a_second_seal_covers_it() -> None:
    first = sealed(PLAIN, KEY, AT)
    grown = first.model_copy(update={"entries": [*first.entries, says(60.0, "A", "protest")]})
    assert (_verdict(grown).standing, _verdict(grown).sealed) == (Standing.GREW, 3)
    again = sealed(grown, KEY, "2026-03-02T10:00:00Z")
    assert (_verdict(again).standing, _verdict(again).sealed) == (Standing.INTACT, 4)


def test_keys_that_a_later_version_adds_to_the_types_do_not_break_an_old_seal() -> None:
    document = _document(sealed(PLAIN, KEY, AT))
    del document["entries"][0]["settling"]
    resealed = {key: one for key, one in document.items() if key != "seals"}
    assert verify({**resealed, "seals": _seals_of(resealed)}, TRUSTED).standing is Standing.INTACT


def _seals_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """A seal over a document as an older version had written it."""
    links = chain(document)
    made = _document(sealed(PLAIN, KEY, AT))["seals"][0]
    return [{**made, "chain": links, "signature": b64encode(KEY.sign(message(links, AT))).decode()}]


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_no_changed_byte_of_the_file_passes(at: int, change: int) -> None:
    data = bytearray(to_json(sealed(PLAIN, KEY, AT)).encode())
    data[at % len(data)] ^= change
    try:
        document = json.loads(data.decode())
    except ValueError:
        return
    if isinstance(document, dict) and document != _document(sealed(PLAIN, KEY, AT)):
        assert not verify(document, TRUSTED).sound
