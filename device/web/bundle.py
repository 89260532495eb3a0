"""The evidence bundle: what somebody needs to check a rack without this device and without the network."""

from __future__ import annotations

import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from device.keys import KeyStore
from record.document import to_json
from record.journal import SUFFIX
from record.rack import RackRecord
from record.shot import Shot

_DATE: Final = (2026, 1, 1, 0, 0, 0)
_HOW: Final = """How to verify this rack
=======================

rack.json is the record with its seals, clips/ and pictures/ show its shots, keys.json holds the public keys that the
device trusted when the bundle was made.

1. Install headstring (no network is needed afterwards).
2. Compare the key's id in keys.json with the one that the venue has published, then trust it:
       headstring key trust PUBLIC_KEY --name VENUE --keys ./keys
3. headstring verify rack.json --keys ./keys
   says whether anything was changed since it was sealed, and which entry.
4. headstring adjudicate rack.json --summary
   judges the recorded facts again; headstring explain rack.json --shot N reads out why.
"""


def bundle(
    record: RackRecord,
    path: Path,
    clips: Mapping[int, Path],
    drawn: Callable[[RackRecord, int], bytes],
    keys: KeyStore | None,
) -> bytes:
    """The bundle as a zip. The record goes in byte for byte as it lies in its file, if it is one."""
    data = to_json(record).encode() if path.suffix == SUFFIX else path.read_bytes()
    trusted = [] if keys is None else keys.trusted()
    public = [{"id": one.id, "public": b64encode(one.public).decode(), "name": one.name} for one in trusted]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "rack.json", data)
        _add(archive, "keys.json", json.dumps(public, indent=1).encode())
        _add(archive, "VERIFY.txt", _HOW.encode())
        for shot in (entry for entry in record.entries if isinstance(entry, Shot)):
            _add(archive, f"pictures/{shot.index:03}.png", drawn(record, shot.index))
            clip = clips.get(shot.index)
            if clip is not None:
                _add(archive, f"clips/{shot.index:03}.mp4", clip.read_bytes())
    return made.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """A file with a fixed date: the same rack makes the same bytes."""
    archive.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)
