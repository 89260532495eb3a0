"""A network that would take its weights from another file is told before anything runs it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from models.loading import FINDER_PATH, NAMER_PATH, ModelError, Namer
from models.onnx_file import FormatError, keeps_its_weights


def field(number: int, content: bytes) -> bytes:
    """One field of a protocol-buffer message that holds bytes or another message."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def flag(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def elsewhere(location: str) -> bytes:
    """A tensor whose data lie in another file: `external_data` says where, `data_location` is EXTERNAL."""
    entry = field(1, b"location") + field(2, location.encode())
    return field(8, b"stolen") + field(13, entry) + flag(14, 1)


HIDING_PLACES = {
    "a weight": field(7, field(5, elsewhere("weights.bin"))),
    "a node's constant": field(7, field(1, field(5, field(5, elsewhere("/etc/passwd"))))),
    "one of a node's constants": field(7, field(1, field(5, field(10, elsewhere("../secret"))))),
    "a branch": field(7, field(1, field(5, field(6, field(5, elsewhere("weights.bin")))))),
    "a sparse weight": field(7, field(15, field(1, elsewhere("weights.bin")))),
    "a function": field(25, field(7, field(5, field(5, elsewhere("weights.bin"))))),
}


def test_the_networks_that_ship_keep_their_weights() -> None:
    assert keeps_its_weights(FINDER_PATH.read_bytes())
    assert keeps_its_weights(NAMER_PATH.read_bytes())


@pytest.mark.parametrize("where", HIDING_PLACES)
def test_a_weight_in_another_file_is_found_wherever_it_hides(where: str) -> None:
    # Messages of one field that follow each other are merged: this is the namer with one tensor more.
    assert not keeps_its_weights(NAMER_PATH.read_bytes() + HIDING_PLACES[where])


@pytest.mark.parametrize("link", ["copy", "hard link", "symbolic link"])
def test_such_a_network_is_refused_whatever_the_other_file_is(tmp_path: Path, link: str) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(bytes(400))
    weights = tmp_path / "weights.bin"
    if link == "copy":
        weights.write_bytes(secret.read_bytes())
    elif link == "hard link":
        os.link(secret, weights)
    else:
        weights.symlink_to(secret)
    path = tmp_path / "namer.onnx"
    path.write_bytes(NAMER_PATH.read_bytes() + HIDING_PLACES["a weight"])
    with pytest.raises(ModelError, match="takes weights from another file"):
        Namer(path)


@pytest.mark.parametrize("content", [b"\x0f", b"\xff" * 12, b"\x3a\x7f\x01", b"\x08\x07" + b"\x80" * 4])
def test_what_is_no_message_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(FormatError):
        keeps_its_weights(content)


def test_graphs_nested_without_end_are_refused() -> None:
    graph = field(5, b"")
    for _ in range(40):
        graph = field(1, field(5, field(6, graph)))
    with pytest.raises(FormatError, match="nested"):
        keeps_its_weights(field(7, graph))
