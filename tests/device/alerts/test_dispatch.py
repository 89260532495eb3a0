"""Every way out has its own queue: none holds another up, final alerts wait in order, memory stays bounded."""

from __future__ import annotations

import pytest

from device.alerts import dispatch
from device.alerts.alert import Alert, Kind, RefusedError
from device.alerts.dispatch import Dispatcher
from device.cameras.backoff import Backoff
from tests.device.alerts.values import Recorded, alert
from tests.device.cameras.scripted import Clock

SOON = Backoff(0.001, 0.002)


def test_a_slow_way_out_blocks_nothing() -> None:
    slow, quick = Recorded("slow"), Recorded("quick")
    slow.gate.clear()
    to_all = Dispatcher([slow, quick], Clock())
    for k in range(5):
        to_all.send(alert(k))
    assert to_all._ways[1].wait_empty(5)
    assert [one.shot for one in quick.got] == [0, 1, 2, 3, 4]
    assert slow.got == []
    slow.gate.set()
    assert to_all.flush(5)
    to_all.close()
    assert slow.closed


def test_while_nobody_answers_finals_wait_in_order_and_stale_provisionals_go() -> None:
    dead = Recorded()
    said: list[str] = []
    dead.broken = True
    to_all = Dispatcher([dead], Clock(), said.append, SOON)
    to_all.send(alert(0))
    assert dead.tried.wait(5)
    for shot in range(1, 600):
        to_all.send(alert(2 * shot, Kind.PROVISIONAL, shot))
        to_all.send(alert(2 * shot + 1, Kind.FINAL, shot))
    assert to_all.states["recorded"].waiting == 600
    assert len(said) == 1
    dead.broken = False
    assert to_all.flush(10)
    assert [one.shot for one in dead.got] == list(range(600))
    assert all(one.kind is Kind.FINAL for one in dead.got)
    to_all.close()


def test_memory_stays_bounded_and_what_is_lost_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "_MOST_WAITING", 50)
    dead = Recorded()
    dead.broken = True
    to_all = Dispatcher([dead], Clock(), backoff=SOON)
    for k in range(200):
        to_all.send(alert(k))
    assert to_all.states["recorded"].waiting == 50
    assert to_all.states["recorded"].dropped == 150
    dead.broken = False
    assert to_all.flush(10)
    assert [one.shot for one in dead.got][-1] == 199
    to_all.close()


def test_an_alert_that_is_refused_does_not_hold_up_the_next() -> None:
    class Picky(Recorded):
        def deliver(self, alert: Alert) -> None:
            if alert.shot == 1:
                raise RefusedError("it answers 422")
            super().deliver(alert)

    picky = Picky()
    said: list[str] = []
    to_all = Dispatcher([picky], Clock(), said.append)
    for k in range(3):
        to_all.send(alert(k))
    assert to_all.flush(5)
    assert [one.shot for one in picky.got] == [0, 2]
    assert "422" in said[0]
    to_all.close()


def test_a_sink_that_breaks_is_tried_again() -> None:
    class Breaks(Recorded):
        def deliver(self, alert: Alert) -> None:
            super().deliver(alert)
            if self.tries == 1:
                self.got.clear()
                raise ZeroDivisionError

    breaks = Breaks()
    to_all = Dispatcher([breaks], Clock(), backoff=SOON)
    to_all.send(alert(0))
    assert to_all.flush(5)
    assert len(breaks.got) == 1
    to_all.close()


def test_latency_counts_from_the_deciding_frame() -> None:
    clock = Clock(100.25)
    to_all = Dispatcher([Recorded()], clock)
    to_all.send(Alert("x", "r", 0, Kind.FINAL, "foul", "", 0.0, "", decided=100.0))
    assert to_all.flush(5)
    assert list(to_all.states["recorded"].latencies) == [0.25]
    to_all.close()
