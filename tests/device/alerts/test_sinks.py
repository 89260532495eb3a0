"""The ways out themselves: a real broker, a real HTTP server, mock pins, pages that never read."""

from __future__ import annotations

import asyncio
import http.server
import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from device.alerts.alert import DeliveryError, Kind, RefusedError, SinkError
from device.alerts.dispatch import Dispatcher
from device.alerts.events import EventHub, TooManyClientsError
from device.alerts.gpio import Gpio
from device.alerts.mqtt import Mqtt
from device.alerts.settings import GpioSettings, MqttSettings, WebhookSettings
from device.alerts.webhook import Webhook
from device.cameras.backoff import Backoff
from tests.device.alerts.values import alert


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Broker:
    """A real mosquitto that can go away and come back."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n"
            f"persistence true\npersistence_location {folder}/\nmax_queued_messages 1000\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self._process = subprocess.Popen([program, "-c", str(self._config)], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                threading.Event().wait(0.02)
            else:
                return
        raise AssertionError("mosquitto did not start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    one = Broker(tmp_path)
    one.start()
    yield one
    one.stop()


class Subscriber:
    """Hears everything from a broker, in a thread of its own."""

    def __init__(self, port: int, topic: str = "#") -> None:
        self.heard: list[tuple[str, str, bool]] = []
        self._port, self._topic = port, topic
        self._ready = threading.Event()
        self.changed = threading.Condition()
        threading.Thread(target=lambda: asyncio.run(self._listen()), daemon=True).start()
        assert self._ready.wait(5)

    async def _listen(self) -> None:
        try:
            async with aiomqtt.Client("127.0.0.1", self._port) as client:
                await client.subscribe(self._topic, qos=1)
                self._ready.set()
                async for message in client.messages:
                    with self.changed:
                        payload = bytes(message.payload) if isinstance(message.payload, bytes | bytearray) else b""
                        self.heard.append((str(message.topic), payload.decode(), message.retain))
                        self.changed.notify_all()
        except aiomqtt.MqttError:
            return

    def wait_for(self, topic: str, count: int) -> list[str]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self._of(topic)) >= count, 10), self.heard
            return self._of(topic)

    def _of(self, topic: str) -> list[str]:
        return [payload for name, payload, _ in self.heard if name == topic]


def mqtt(broker: Broker) -> Mqtt:
    return Mqtt(MqttSettings(host="127.0.0.1", port=broker.port), "Table 1")


def test_an_alert_reaches_a_real_broker_and_home_assistant_is_told_of_it(broker: Broker) -> None:
    listener = Subscriber(broker.port)
    sink = mqtt(broker)
    sink.deliver(alert(1))
    told = json.loads(listener.wait_for("headstring/Table_1/alert", 1)[0])
    assert told["fouls"] == ["scratch"]
    assert told["kind"] == "final"
    (config,) = listener.wait_for("homeassistant/sensor/headstring_Table_1/ruling/config", 1)
    announced = json.loads(config)
    assert announced["state_topic"] == "headstring/Table_1/last"
    assert announced["device"]["identifiers"] == ["headstring_Table_1"]
    assert listener.wait_for("headstring/Table_1/availability", 1) == ["online"]
    sink.close()
    assert listener.wait_for("headstring/Table_1/availability", 2)[-1] == "offline"


def test_a_broker_that_is_gone_loses_no_final_alert_and_their_order_stays(broker: Broker) -> None:
    asyncio.run(lasting_subscription(broker.port, 0))
    sink = mqtt(broker)
    to_all = Dispatcher([sink], time.monotonic, backoff=Backoff(0.01, 0.05))
    to_all.send(alert(0))
    assert to_all.flush(10)
    broker.stop()
    for k in range(1, 200):
        to_all.send(alert(k, Kind.FINAL))
    broker.start()
    assert to_all.flush(30)
    heard = asyncio.run(lasting_subscription(broker.port, 200))
    assert list(dict.fromkeys(heard)) == list(range(200))
    assert to_all.states["MQTT"].delivered == 200
    to_all.close()


async def lasting_subscription(port: int, count: int) -> list[int]:
    """The shots of so many different alerts that the broker kept for a subscriber who was away."""
    heard: list[int] = []
    async with aiomqtt.Client("127.0.0.1", port, identifier="away", clean_session=False) as client:
        await client.subscribe("headstring/Table_1/alert", qos=1)
        while len(set(heard)) < count:
            message = await asyncio.wait_for(anext(client.messages), 10)
            assert isinstance(message.payload, bytes | bytearray)
            heard.append(json.loads(message.payload)["shot"])
    return heard


def test_a_broker_that_was_never_there(tmp_path: Path) -> None:
    sink = mqtt(Broker(tmp_path))
    with pytest.raises(DeliveryError):
        sink.deliver(alert(1))
    sink.close()


class Receiver(http.server.ThreadingHTTPServer):
    """An HTTP server that answers as told and keeps what it got."""

    def __init__(self, answers: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers, self.got = answers, []  # type: ignore[var-annotated]
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), json.loads(body)))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("Location", "http://127.0.0.1:9/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None: ...


@pytest.fixture
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def test_a_webhook_is_tried_until_it_is_taken_with_the_same_key(no_proxy: None) -> None:
    with Receiver([500, 503, 429]) as receiver:
        to_all = Dispatcher(
            [Webhook(WebhookSettings(url=receiver.url, token="t0ken"))], time.monotonic, backoff=Backoff(0.01, 0.02)
        )
        to_all.send(alert(7))
        assert to_all.flush(10)
        to_all.close()
        receiver.shutdown()
        assert len(receiver.got) == 4
        assert {headers["Idempotency-Key"] for headers, _ in receiver.got} == {"r/7/7"}
        assert receiver.got[0][0]["Authorization"] == "Bearer t0ken"
        assert receiver.got[0][1]["sentence"] == "Foul 7"


def test_a_webhook_that_refuses_or_redirects_is_not_tried_for_ever(no_proxy: None) -> None:
    with Receiver([422, 302]) as receiver:
        hook = Webhook(WebhookSettings(url=receiver.url))
        with pytest.raises(RefusedError, match="422"):
            hook.deliver(alert(1))
        with pytest.raises(RefusedError, match="302"):
            hook.deliver(alert(1))
        receiver.shutdown()


def test_a_webhook_without_anybody_there(no_proxy: None) -> None:
    hook = Webhook(WebhookSettings(url=f"http://127.0.0.1:{free_port()}/"))
    with pytest.raises(DeliveryError, match="refused"):
        hook.deliver(alert(1))


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not holds():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    Device.pin_factory = factory = MockFactory()
    yield factory
    factory.reset()
    Device.pin_factory = None


def test_a_foul_lights_the_lamp_and_a_withdrawal_puts_it_out(pins: MockFactory) -> None:
    sink = Gpio(GpioSettings(lamp=17, buzzer=27, lamp_for=60, buzzer_for=0.01))
    lamp, buzzer = pins.pin(17), pins.pin(27)
    sink.deliver(alert(1, fouls=()))
    assert lamp.state == 0
    sink.deliver(alert(2))
    until(lambda: lamp.state == 1)
    until(lambda: buzzer.state == 0)
    back = alert(3, Kind.WITHDRAWN)
    sink.deliver(type(back)(**{**back.__dict__, "withdraws": "r/2/2"}))
    assert lamp.state == 0
    sink.close()


def test_pins_that_are_not_there_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoPins:
        def pin(self, *args: Any, **named: Any) -> None:
            raise OSError("no chip")

    monkeypatch.setattr(Device, "pin_factory", NoPins())
    with pytest.raises(SinkError, match="group gpio"):
        Gpio(GpioSettings(lamp=17))


def test_a_missing_library_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aiomqtt", None)
    with pytest.raises(SinkError, match=r"pip install 'headstring\[live\]'"):
        Mqtt(MqttSettings(host="x"), "t")


def test_pages_get_each_alert_and_one_that_slept_goes_on_from_the_history() -> None:
    hub = EventHub(kept=10)
    awake, asleep = hub.listen(), hub.listen()
    for k in range(25):
        hub.deliver(alert(k))
        event = awake.next(0.0)
        assert event is not None
        assert event.number == k + 1
    late = asleep.next(0.0)
    assert late is not None
    assert late.number == 16
    assert late.text().startswith('id: 16\nevent: alert\ndata: {"id"')
    again = hub.listen(after=24)
    last = again.next(0.0)
    assert last is not None
    assert last.number == 25
    assert again.next(0.0) is None


def test_pages_that_never_read_are_capped_and_cost_nothing() -> None:
    hub = EventHub(most_clients=3)
    dead = [hub.listen() for _ in range(3)]
    with pytest.raises(TooManyClientsError):
        hub.listen()
    for k in range(10_000):
        hub.publish("state", str(k))
    assert len(hub._events) == 200
    dead[0].close()
    dead[0].close()
    hub.listen()
    hub.close()
    assert dead[1].next(60.0) is not None
