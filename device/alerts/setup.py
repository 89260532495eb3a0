"""From the configuration to the ways out."""

from __future__ import annotations

from device.alerts.alert import AlertSink
from device.alerts.settings import AlertSettings


def sinks_of(settings: AlertSettings, table: str) -> list[AlertSink]:
    """The ways out that the configuration names; each one's library is imported only here.

    Raises:
        SinkError: a library is missing, or pins cannot be used.
    """
    sinks: list[AlertSink] = []
    if settings.mqtt is not None:
        from device.alerts.mqtt import Mqtt

        sinks.append(Mqtt(settings.mqtt, table))
    if settings.webhook is not None:
        from device.alerts.webhook import Webhook

        sinks.append(Webhook(settings.webhook))
    if settings.gpio is not None:
        from device.alerts.gpio import Gpio

        sinks.append(Gpio(settings.gpio))
    return sinks
