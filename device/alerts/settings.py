"""What the configuration says of alerts; each part that is there switches that way on."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from device.cameras.settings import Settings


class MqttSettings(Settings):
    """A broker. `discovery` is Home Assistant's prefix; an empty one announces nothing."""

    host: str
    port: int = Field(default=1883, ge=1, le=65535)
    user: str | None = None
    password: str | None = None
    topic: str = Field(default="headstring", pattern=r"^[^#+\s]+$")
    discovery: str = Field(default="homeassistant", pattern=r"^[^#+\s]*$")
    tls: bool = False


class WebhookSettings(Settings):
    """An address that takes each alert as a JSON POST."""

    url: str = Field(pattern=r"^https?://")
    token: str | None = None
    timeout: float = Field(default=5, gt=0, le=60)


class GpioSettings(Settings):
    """Pins by their BCM numbers. A foul lights the lamp and sounds the buzzer for so many seconds."""

    lamp: int | None = Field(default=None, ge=0, le=27)
    buzzer: int | None = Field(default=None, ge=0, le=27)
    lamp_for: Annotated[float, Field(gt=0, le=600)] = 8
    buzzer_for: Annotated[float, Field(gt=0, le=10)] = 0.6


class AlertSettings(Settings):
    mqtt: MqttSettings | None = None
    webhook: WebhookSettings | None = None
    gpio: GpioSettings | None = None
