"""Alerts by MQTT, announced to Home Assistant.

Topics under `<topic>/<table>/`: `alert` gets every alert once (QoS 1), `last` keeps the last one (retained),
`availability` is `online` or, by the broker itself when this box is gone, `offline`.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import re
import ssl
import threading
from collections.abc import Coroutine
from importlib.metadata import version
from typing import Any, Final

from device.alerts.alert import Alert, DeliveryError, SinkError
from device.alerts.settings import MqttSettings

_TIMEOUT: Final = 5.0
_KEEPALIVE: Final = 30


class Mqtt:
    """One broker. The connection lives on an event loop in a thread, so that it is kept alive between alerts."""

    name = "MQTT"

    def __init__(self, settings: MqttSettings, table: str) -> None:
        try:
            self._library: Any = importlib.import_module("aiomqtt")
        except ImportError:
            raise SinkError("aiomqtt is missing: pip install 'headstring[live]'") from None
        self._settings = settings
        self._table = _plain(table)
        self._client: Any = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="mqtt", daemon=True)
        self._thread.start()

    @property
    def _base(self) -> str:
        return f"{self._settings.topic}/{self._table}"

    def deliver(self, alert: Alert) -> None:
        try:
            self._wait(self._publish(alert), 3 * _TIMEOUT)
        except (self._library.MqttError, OSError, TimeoutError) as error:
            self._wait(self._disconnect(), _TIMEOUT)
            raise DeliveryError(str(error) or "the broker does not answer") from None

    def _wait(self, work: Coroutine[Any, Any, None], timeout: float) -> None:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            future.result(timeout)
        except TimeoutError:
            future.cancel()
            raise

    async def _publish(self, alert: Alert) -> None:
        if self._client is None:
            await self._connect()
        text = json.dumps(alert.as_json(), ensure_ascii=False)
        # One after the other, each acknowledged by the broker: that keeps their order.
        await self._client.publish(f"{self._base}/alert", text, qos=1, timeout=_TIMEOUT)
        await self._client.publish(f"{self._base}/last", text, qos=1, retain=True, timeout=_TIMEOUT)

    async def _connect(self) -> None:
        wanted = self._settings
        client = self._library.Client(
            wanted.host,
            wanted.port,
            username=wanted.user,
            password=wanted.password,
            identifier=f"headstring-{self._table}",
            will=self._library.Will(f"{self._base}/availability", "offline", qos=1, retain=True),
            keepalive=_KEEPALIVE,
            timeout=_TIMEOUT,
            tls_context=ssl.create_default_context() if wanted.tls else None,
        )
        await client.__aenter__()
        self._client = client
        for topic, payload in self._announcements().items():
            await client.publish(topic, json.dumps(payload), qos=1, retain=True, timeout=_TIMEOUT)
        await client.publish(f"{self._base}/availability", "online", qos=1, retain=True, timeout=_TIMEOUT)

    def _announcements(self) -> dict[str, dict[str, Any]]:
        """Home Assistant's discovery: what it should show, and where it hears of it."""
        if not self._settings.discovery:
            return {}
        shared = {
            "availability_topic": f"{self._base}/availability",
            "device": {
                "identifiers": [f"headstring_{self._table}"],
                "name": f"Headstring {self._table}",
                "manufacturer": "Headstring",
                "sw_version": version("headstring"),
            },
        }
        ruling = {
            "name": "Last ruling",
            "unique_id": f"headstring_{self._table}_ruling",
            "icon": "mdi:billiards",
            "state_topic": f"{self._base}/last",
            "value_template": "{{ value_json.sentence[:250] }}",
            "json_attributes_topic": f"{self._base}/last",
        }
        foul = {
            "name": "Foul",
            "unique_id": f"headstring_{self._table}_foul",
            "state_topic": f"{self._base}/alert",
            "value_template": "{{ 'ON' if value_json.fouls else 'OFF' }}",
            "off_delay": 10,
        }
        prefix = self._settings.discovery
        return {
            f"{prefix}/sensor/headstring_{self._table}/ruling/config": ruling | shared,
            f"{prefix}/binary_sensor/headstring_{self._table}/foul/config": foul | shared,
        }

    async def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            try:
                await client.__aexit__(None, None, None)
            except self._library.MqttError:
                return

    async def _leave(self) -> None:
        if self._client is not None:
            await self._client.publish(f"{self._base}/availability", "offline", qos=1, retain=True, timeout=1.0)
        await self._disconnect()

    def close(self) -> None:
        with contextlib.suppress(self._library.MqttError, OSError, TimeoutError):
            self._wait(self._leave(), 2.0)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(1.0)
        if not self._thread.is_alive():
            self._loop.close()


def _plain(table: str) -> str:
    """A table's name as topics and Home Assistant's ids allow it."""
    return re.sub(r"[^a-zA-Z0-9_-]+", "_", table) or "table"
