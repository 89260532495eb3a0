"""A look into an ONNX file before anything runs it: does it keep all its weights itself?

ONNX lets a tensor live in another file, named by a path; ONNX Runtime follows such paths. A network that comes from
elsewhere could so make the program read (and, by its answers, give away) any file. Only the few fields of the format
that matter are read here, so that the device needs no ONNX library: a message is a list of (field number, value).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_GRAPH: Final = 7
"""ModelProto.graph"""
_FUNCTIONS: Final = 25
"""ModelProto.functions"""
_NODES, _INITIALIZERS, _SPARSE = 1, 5, 15
"""GraphProto.node, initializer, sparse_initializer"""
_FUNCTION_NODES: Final = 7
_ATTRIBUTES: Final = 5
"""NodeProto.attribute"""
_TENSOR, _SUBGRAPH, _TENSORS, _SUBGRAPHS, _SPARSE_TENSOR, _SPARSE_TENSORS = 5, 6, 10, 11, 22, 23
"""AttributeProto.t, g, tensors, graphs, sparse_tensor, sparse_tensors"""
_EXTERNAL_DATA, _LOCATION = 13, 14
"""TensorProto.external_data, data_location"""
_DEEPEST: Final = 16


class FormatError(ValueError):
    """Bytes that are no protocol-buffer message, or one nested too deep."""


def keeps_its_weights(blob: bytes) -> bool:
    """Whether no tensor of the network in `blob` lives in another file.

    Raises:
        FormatError: the bytes are no ONNX model.
    """
    for number, value in _fields(memoryview(blob)):
        if number == _GRAPH and not _graph(value, 0):
            return False
        if number == _FUNCTIONS and not all(_node(v, 0) for n, v in _fields(value) if n == _FUNCTION_NODES):
            return False
    return True


def _graph(message: memoryview, depth: int) -> bool:
    if depth > _DEEPEST:
        raise FormatError("graphs nested too deep")
    for number, value in _fields(message):
        if number == _INITIALIZERS and not _tensor(value):
            return False
        if number == _SPARSE and not _sparse(value):
            return False
        if number == _NODES and not _node(value, depth):
            return False
    return True


def _node(message: memoryview, depth: int) -> bool:
    return all(_attribute(value, depth) for number, value in _fields(message) if number == _ATTRIBUTES)


def _attribute(message: memoryview, depth: int) -> bool:
    for number, value in _fields(message):
        if number in (_TENSOR, _TENSORS) and not _tensor(value):
            return False
        if number in (_SPARSE_TENSOR, _SPARSE_TENSORS) and not _sparse(value):
            return False
        if number in (_SUBGRAPH, _SUBGRAPHS) and not _graph(value, depth + 1):
            return False
    return True


def _sparse(message: memoryview) -> bool:
    return all(_tensor(value) for number, value in _fields(message) if number in (1, 2))


def _tensor(message: memoryview) -> bool:
    return not any(number in (_EXTERNAL_DATA, _LOCATION) and len(value) for number, value in _fields(message))


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Number and content of each field; a number's content is empty where it is 0, else one byte."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        match key & 7:
            case 0:
                value, at = _varint(message, at)
                yield key >> 3, memoryview(b"\x01" if value else b"")
                continue
            case 1:
                size = 8
            case 2:
                size, at = _varint(message, at)
            case 5:
                size = 4
            case _:
                raise FormatError("an unknown kind of field")
        if at + size > len(message):
            raise FormatError("a field that ends after the file")
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(message) or shift > 63:
            raise FormatError("a number that does not end")
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
