"""A lamp and a buzzer on a Raspberry Pi's pins."""

from __future__ import annotations

import importlib
from typing import Any

from device.alerts.alert import Alert, DeliveryError, SinkError
from device.alerts.settings import GpioSettings


class Gpio:
    """A foul lights the lamp and sounds the buzzer; an alert that is withdrawn puts them out."""

    name = "lamp and buzzer"

    def __init__(self, settings: GpioSettings) -> None:
        try:
            library = importlib.import_module("gpiozero")
        except ImportError:
            raise SinkError("gpiozero is missing: pip install 'headstring[live]' (or apt's python3-gpiozero)") from None
        self._settings = settings
        self._lamp: Any = None
        self._buzzer: Any = None
        try:
            if settings.lamp is not None:
                self._lamp = library.LED(settings.lamp)
            if settings.buzzer is not None:
                self._buzzer = library.Buzzer(settings.buzzer)
        except Exception as error:  # each pin library has its own errors
            raise SinkError(
                f"the pins cannot be used ({error}): on a Raspberry Pi install python3-lgpio, and put the user into "
                "the group gpio"
            ) from None

    def deliver(self, alert: Alert) -> None:
        try:
            if alert.withdraws is not None:
                self._off()
            elif alert.alarming:
                self._on()
        except Exception as error:  # as above
            raise DeliveryError(str(error)) from None

    def _on(self) -> None:
        if self._lamp is not None:
            self._lamp.blink(on_time=self._settings.lamp_for, off_time=0, n=1)
        if self._buzzer is not None:
            self._buzzer.beep(on_time=self._settings.buzzer_for, off_time=0, n=1)

    def _off(self) -> None:
        for part in (self._lamp, self._buzzer):
            if part is not None:
                part.off()

    def close(self) -> None:
        for part in (self._lamp, self._buzzer):
            if part is not None:
                part.close()
