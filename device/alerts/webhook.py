"""Alerts as JSON POSTs to an address."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from typing import Final

from device.alerts.alert import Alert, DeliveryError, RefusedError
from device.alerts.settings import WebhookSettings

_TRY_AGAIN: Final = frozenset({408, 425, 429})


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An alert goes where the configuration says, and nowhere else."""

    def redirect_request(self, *args: object, **named: object) -> None:
        return None


class Webhook:
    """Posts each alert until it is taken; `Idempotency-Key` is the alert's id, the same at each try."""

    name = "webhook"

    def __init__(self, settings: WebhookSettings) -> None:
        self._settings = settings
        self._opener = urllib.request.build_opener(_NoRedirect)

    def deliver(self, alert: Alert) -> None:
        headers = {"Content-Type": "application/json", "Idempotency-Key": alert.id, "User-Agent": "headstring"}
        if self._settings.token is not None:
            headers["Authorization"] = f"Bearer {self._settings.token}"
        body = json.dumps(alert.as_json(), ensure_ascii=False).encode()
        request = urllib.request.Request(self._settings.url, body, headers, method="POST")
        try:
            with self._opener.open(request, timeout=self._settings.timeout) as answer:
                answer.read(1024)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code < 500 and error.code not in _TRY_AGAIN:
                raise RefusedError(f"it answers {error.code}") from None
            raise DeliveryError(f"it answers {error.code}") from None
        except (OSError, http.client.HTTPException) as error:
            raise DeliveryError(str(getattr(error, "reason", None) or error)) from None

    def close(self) -> None:
        """There is nothing open between two alerts."""
