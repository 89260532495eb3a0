"""The JSON Schema of `rack-record/1`, published beside this module: `python -m record.schema` prints it."""

from __future__ import annotations

import json
from typing import Any, Final

from record.rack import FORMAT, RackRecord

FILE: Final = "rack-record-1.schema.json"


def json_schema() -> dict[str, Any]:
    """The schema (JSON Schema 2020-12), made from the types."""
    schema = RackRecord.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": FORMAT, **schema}


def as_text() -> str:
    return json.dumps(json_schema(), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    print(as_text(), end="")
