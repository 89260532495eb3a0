"""The API's description, as committed beside this file: `python -m device.web.openapi > device/web/openapi.json`."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from device.keys import KeyStore
from device.store.library import Library
from device.web.application import create_app
from device.web.serving import desk_over
from device.web.settings import WebSettings

FILE: Final = Path(__file__).parent / "openapi.json"


def description() -> dict[str, Any]:
    """The OpenAPI document of the API, without what depends on the installed version."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        desk = desk_over(Library(place, lambda text: None), WebSettings(), KeyStore(place), lambda: 0.0, lambda: 0.0)
        told = create_app(desk).openapi()
    told["info"]["version"] = "1"
    return told


def as_text() -> str:
    return json.dumps(description(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(as_text())
