"""A file sent whole or one range of it: players of clips ask for pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fastapi import Response
from fastapi.responses import StreamingResponse

_RANGE: Final = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")
_MOST: Final = 8_000_000
_PIECE: Final = 65_536


def send_file(path: Path, media: str, asked: str | None) -> Response:
    """The file; with one well-formed range that piece (206, at most some megabytes), with a bad one 416.

    Many ranges at once are answered with the whole file: they have been used to wear servers out.
    """
    size = path.stat().st_size
    headers = {"accept-ranges": "bytes", "cache-control": "private, max-age=3600"}
    if asked is None or "," in asked:
        whole = {**headers, "content-length": str(size)}
        return StreamingResponse(_pieces(path), media_type=media, headers=whole)
    found = _RANGE.fullmatch(asked.strip())
    span = None if found is None else _span(found[1], found[2], size)
    if span is None:
        return Response(status_code=416, headers={"content-range": f"bytes */{size}"})
    start, end = span
    with path.open("rb") as file:
        file.seek(start)
        data = file.read(end - start + 1)
    headers["content-range"] = f"bytes {start}-{start + len(data) - 1}/{size}"
    return Response(data, status_code=206, media_type=media, headers=headers)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while data := file.read(_PIECE):
            yield data


def _span(first: str, last: str, size: int) -> tuple[int, int] | None:
    if first:
        start, end = int(first), int(last) if last else size - 1
    elif last:
        start, end = max(0, size - int(last)), size - 1
    else:
        return None
    end = min(end, size - 1, start + _MOST - 1)
    return (start, end) if start <= end else None
