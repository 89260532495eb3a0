"""The API as a whole: described as it is, and sound under requests that nobody would make."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings

from device.web.openapi import FILE, as_text
from tests.device.web.desks import client_of, desk_in


def test_the_committed_description_is_that_of_the_code() -> None:
    assert FILE.read_text(encoding="utf-8") == as_text(), "python -m device.web.openapi > device/web/openapi.json"


def test_everything_that_is_described_has_words() -> None:
    told = json.loads(FILE.read_text(encoding="utf-8"))
    for path, methods in told["paths"].items():
        for method, one in methods.items():
            assert one.get("description"), (method, path)


def test_no_request_breaks_the_server(tmp_path: Path) -> None:
    """Requests made from the description, sound and unsound, for every route, as an operator."""
    client = client_of(desk_in(tmp_path), "operator")
    schema = schemathesis.openapi.from_dict(json.loads(FILE.read_text(encoding="utf-8")))
    spared = {("/api/v1/sessions", "DELETE"), ("/api/v1/accounts/{name}", "DELETE"), ("/api/v1/me/password", "POST")}
    calm = settings(max_examples=8, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    tried = 0
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]
        if (operation.path, operation.method.upper()) in spared or operation.path.endswith("/events"):
            continue
        tried += 1

        def ask(case: Any) -> None:
            client.app.state.desk.clock.t += 60  # type: ignore[attr-defined]
            kwargs = case.as_transport_kwargs()
            told = {key: kwargs[key] for key in ("params", "json", "data", "headers", "cookies") if kwargs.get(key)}
            told.pop("cookies", None)
            told["headers"] = {k: v for k, v in dict(told.get("headers") or {}).items() if k.lower() != "cookie"}
            done = client.request(case.method, case.formatted_path, **told)
            assert done.status_code < 500 or done.status_code == 507, (case.method, case.formatted_path, done.text)

        calm(given(case=operation.as_strategy())(ask))()
    assert tried > 25
