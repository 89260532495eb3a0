"""A desk over a temporary folder, with some racks, people of every role, and clients for them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path

from argon2 import PasswordHasher
from starlette.testclient import TestClient

from adjudication.judge import adjudicate
from device.keys import KeyStore
from device.live.window import Window
from device.store.library import Library
from device.store.sealing import resealing
from device.web.application import create_app
from device.web.desk import Desk
from device.web.doors.audit import AuditLog
from device.web.doors.book import BookFile
from device.web.doors.doorkeeper import Doorkeeper
from device.web.doors.roles import Role
from device.web.settings import WebSettings
from record.rack import Player, RackRecord
from tests.adjudication.racks import layout, rack, says, shot

PASSWORD = "correct horse"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
BREAK = shot(0, "A", "cue>1 2|left 5|foot 7|right", layout())
BEFORE = layout(cue=(-0.3, 0.11))
BAD = shot(1, "B", "cue>3 ~0.0005 +-0.07 cue>1 ~0.0005 3|foot", BEFORE)
DOUBTFUL = shot(2, "A", "cue>1 1|foot %0.5", BEFORE)


@dataclass
class Clock:
    """A clock that stands still until it is moved on."""

    t: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.t


@dataclass
class Words:
    """Fresh words, one after the other."""

    numbers: itertools.count[int] = field(default_factory=itertools.count)

    def __call__(self) -> str:
        return f"word-{next(self.numbers):04}"


def record(name: str = "one", *, players: tuple[str, str] = ("Ann", "Bob")) -> RackRecord:
    judged = adjudicate(rack("upa-9ball", BREAK, BAD, DOUBTFUL, says(55.0, "B", "protest")))
    people = [Player(id="A", name=players[0]), Player(id="B", name=players[1])]
    return judged.model_copy(update={"rack_id": name, "players": people})


def quiet(text: str) -> None:
    raise AssertionError(text)


def desk_in(folder: Path, *, window: Window | None = None, settings: WebSettings | None = None) -> Desk:
    """A desk with one sealed rack and an account of each role, named by it."""
    clock = Clock()
    keys = KeyStore(folder / "keys")
    keys.create("table 1")
    library = Library(folder, quiet, resealing(keys, clock))
    library.put(library.resealed(record()))
    keeper = Doorkeeper(BookFile(folder / "accounts.json"), clock, Words(), QUICK)
    for role in Role:
        keeper.add(role.words, PASSWORD, role)
    audit = AuditLog(folder / "audit.log")
    return Desk(library, keeper, audit, settings or WebSettings(), clock, clock, window, None, keys)


def client_of(desk: Desk, name: str | None = None) -> TestClient:
    """A browser, signed in as somebody."""
    client = TestClient(create_app(desk), base_url="http://localhost")
    if name is not None:
        done = client.post("/api/v1/sessions", json={"name": name, "password": PASSWORD})
        assert done.status_code == 200, done.text
        client.headers["x-csrf-token"] = done.json()["csrf"]
    return client
