"""The pages in a real browser: a rack is followed live, reviewed by a referee, exported by an operator."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from device.live.window import Window
from device.web.application import create_app
from device.web.desk import Desk
from record.shot import Shot
from tests.device.test_command_line import headstring
from tests.device.test_overlaid import DEMO, demo_record
from tests.device.web.desks import PASSWORD, desk_in
from tests.device.web.moments import Table

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


@dataclass
class Served:
    """Pages on a port of this machine, with a table whose moments the test makes."""

    desk: Desk
    table: Table
    address: str
    contexts: list[BrowserContext] = field(default_factory=list)

    def page(self, browser: Browser, **more: Any) -> Page:
        """A page of a browser of its own."""
        self.contexts.append(browser.new_context(accept_downloads=True, **more))
        return self.contexts[-1].new_page()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    window = Window()
    desk = desk_in(tmp_path, window=window)
    table = Table(window)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(create_app(desk), port=port, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    table.open()
    made = Served(desk, table, f"http://127.0.0.1:{port}")
    yield made
    # Pages first: a server that ends under an open stream leaves its socket to the garbage collector.
    for context in made.contexts:
        context.close()
    table.close()
    server.should_exit = True
    thread.join(10)


def _page(browser: Browser, served: Served, name: str, **more: Any) -> Page:
    page = served.page(browser, **more)
    page.goto(f"{served.address}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/table")
    return page


def test_the_live_page_follows_a_rack_and_a_foul_takes_the_screen(browser: Browser, served: Served) -> None:
    page = _page(browser, served, "scorekeeper")
    expect(page.locator("#turn")).to_have_text("Ann shoots")
    expect(page.locator("#cloth")).to_have_attribute("aria-label", "On the table: cue, 1, 2, 3, 4, 5, 6, 7, 8, 9")
    served.table.play("cue>1 2|left 5|foot 7|right")
    expect(page.locator("#turn")).to_have_text("Bob shoots")
    expect(page.locator("#ruling")).to_contain_text("UPA 3.0")
    expect(page.locator("#alarm")).to_be_hidden()
    served.table.play("cue>3 3|foot")
    expect(page.locator("#alarm")).to_be_visible()
    expect(page.locator("#alarm")).to_contain_text("the 3 was hit first, not the 1")
    page.get_by_role("button", name="Seen").click()
    expect(page.locator("#alarm")).to_be_hidden()


def test_a_table_that_did_not_pass_its_check_says_so(browser: Browser, served: Served) -> None:
    page = _page(browser, served, "viewer")
    expect(page.locator("#health")).to_contain_text("All balls lie still")
    served.table.watching_only = "the cloth is too dark"
    expect(page.locator("#health")).to_contain_text("Watching only, every shot is for a person to decide")
    expect(page.locator("#health")).to_contain_text("the cloth is too dark")


def test_disturbed_balls_are_put_back_by_rings_over_the_camera_s_picture(browser: Browser, served: Served) -> None:
    page = _page(browser, served, "viewer")
    served.table.play("cue>1 2|left 5|foot 7|right")
    page.get_by_text("Camera picture").click()
    page.get_by_role("button", name="Take a picture now").click()
    expect(page.locator("#picture")).to_be_visible()
    expect(page.locator("#ghosts")).to_be_hidden()
    page.get_by_label("Balls drawn in").select_option("as before the last shot")
    expect(page.locator("#ghosts circle")).to_have_count(10)
    expect(page.locator("#ghosts")).to_be_visible()
    ring, picture = page.locator("#ghosts circle").first.bounding_box(), page.locator("#picture").bounding_box()
    assert ring is not None
    assert picture is not None
    assert picture["x"] < ring["x"] < picture["x"] + picture["width"]
    assert ring["width"] == pytest.approx(picture["width"] * 2 * 0.05715 / 2 / 2.54 * 1000 / 1280, rel=0.2)
    page.get_by_label("Balls drawn in").select_option("none")
    expect(page.locator("#ghosts")).to_be_hidden()


def test_what_a_person_says_at_the_console_is_judged(browser: Browser, served: Served) -> None:
    page = _page(browser, served, "scorekeeper")
    served.table.play("cue>1 2|left 5|foot 7|right")
    page.get_by_role("button", name="Bob: push-out").click()
    expect(page.locator("#said")).to_contain_text("Noted")
    assert served.table.record.entries[-1].what == "push_out"  # type: ignore[union-attr]
    served.table.play("cue>4 4|foot")
    expect(page.locator("#turn")).to_have_text("Ann chooses")
    page.get_by_role("button", name="Ann: pass back").click()
    expect(page.locator("#turn")).to_have_text("Bob shoots")


def test_viewers_have_no_console(browser: Browser, served: Served) -> None:
    page = _page(browser, served, "viewer")
    expect(page.locator("#turn")).to_have_text("Ann shoots")
    expect(page.locator(".console")).to_have_count(0)


def test_a_referee_overrules_a_foul_and_the_machines_ruling_stays_visible(browser: Browser, served: Served) -> None:
    page = _page(browser, served, "referee")
    page.goto(f"{served.address}/review")
    page.get_by_role("link", name="Bob, shot 2").or_(page.get_by_role("link", name="Ann, shot 3")).first.click()
    page.goto(f"{served.address}/racks/one/shots/1")
    expect(page.locator(".margin")).to_contain_text("3 before 1 by 30 ± 0.71 ms")
    page.get_by_label("No foul").check()
    page.get_by_label("Reason").fill("seen from the side")
    page.get_by_role("button", name="Set this ruling").click()
    expect(page.locator(".verdict")).to_contain_text("Ruled fair")
    expect(page.locator(".verdict")).to_contain_text("The machine had ruled: Foul, the 3 was hit first")
    assert served.desk.library.read("one").entries[-1].type == "override"


def test_a_fact_is_corrected_with_one_tap(browser: Browser, served: Served) -> None:
    page = _page(browser, served, "referee")
    page.goto(f"{served.address}/racks/one/shots/1")
    page.get_by_text("Correct a fact").click()
    page.get_by_role("button", name="First ball: the 1").click()
    expect(page.locator(".verdict h2")).to_contain_text("legal")


def _with_demo_clip(desk: Desk) -> None:
    """The demonstration rack with the clip of its first shot, cut as the recorder cuts it."""
    record = demo_record().model_copy(update={"rack_id": "demo"})
    desk.library.put(record)
    played = next(e for e in record.entries if isinstance(e, Shot))
    desk.clips.mkdir(exist_ok=True)
    with av.open(str(DEMO)) as source, av.open(str(desk.clips / "demo-000.mp4"), "w") as clip:
        stream = clip.add_stream("libx264", rate=30, options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
        for frame in source.decode(video=0):
            since = float(frame.time or 0.0) - (played.t_strike - 2.0)
            if 0.0 <= since < 5.0:
                small = frame.reformat(640, 360)
                small.pts, small.time_base = round(since * 30), Fraction(1, 30)
                clip.mux(stream.encode(small))
        clip.mux(stream.encode(None))


def test_the_clip_is_drawn_over_with_what_the_machine_saw(browser: Browser, served: Served) -> None:
    _with_demo_clip(served.desk)
    page = _page(browser, served, "referee")
    page.goto(f"{served.address}/racks/demo/shots/0")
    expect(page.locator("#over")).to_be_visible()
    page.evaluate("document.getElementById('clip').currentTime = 2.3")
    page.wait_for_function("Math.abs(Number(document.getElementById('over').dataset.t) - 0.3) < 0.05")
    drawn = (
        "(() => { const c = document.getElementById('over'); const d = c.getContext('2d')"
        ".getImageData(0, 0, c.width, c.height).data; let n = 0; for (let k = 3; k < d.length; k += 4) n += d[k] > 0;"
        " return n; })()"
    )
    assert page.evaluate(drawn) > 500
    page.get_by_role("button", name="Overlay").click()
    expect(page.locator("#over")).to_be_hidden()
    expect(page.get_by_role("button", name="Overlay")).to_have_attribute("aria-pressed", "false")


def test_an_operator_takes_the_bundle_away_and_it_verifies(browser: Browser, served: Served, tmp_path: Path) -> None:
    page = _page(browser, served, "operator")
    page.goto(f"{served.address}/racks/one")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Evidence bundle").click()
    folder = tmp_path / "bundle"
    shutil.unpack_archive(waiting.value.path(), folder, "zip")
    keys = served.desk.library.folder / "keys"
    assert headstring("verify", folder / "rack.json", "--keys", keys).returncode == 0


def test_by_keyboard_alone(browser: Browser, served: Served) -> None:
    page = served.page(browser)
    page.goto(f"{served.address}/sign-in")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    while page.evaluate("document.activeElement.name") != "name":
        page.keyboard.press("Tab")
    page.keyboard.type("referee")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/table")
    page.goto(f"{served.address}/racks/one/shots/2")
    while page.evaluate("document.activeElement.textContent") != "Confirm the ruling":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Said of this shot")).to_be_visible()


PAGES = ("/table", "/review", "/racks", "/racks/one", "/racks/one/shots/1", "/statistics", "/people", "/me")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_fault_of_access(browser: Browser, served: Served, scheme: Any) -> None:
    page = _page(browser, served, "operator", color_scheme=scheme, bypass_csp=True)
    for path in PAGES:
        page.goto(served.address + path)
        if path == "/table":
            expect(page.locator("#turn")).not_to_be_empty()
        found = Axe().run(page).response["violations"]
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        assert serious == [], (path, [(one["id"], one["nodes"][0]["html"]) for one in serious])


@pytest.mark.parametrize("size", [{"width": 360, "height": 740}, {"width": 1400, "height": 900}])
def test_nothing_runs_out_of_a_phone_or_a_desk(browser: Browser, served: Served, size: Any) -> None:
    page = _page(browser, served, "operator", viewport=size)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    for path in PAGES:
        page.goto(served.address + path)
        page.wait_for_load_state("load")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, (path, wide)
    assert errors == []


def test_a_hostile_name_is_shown_as_text(browser: Browser, served: Served) -> None:
    page = _page(browser, served, "scorekeeper")
    struck: list[str] = []
    page.on("dialog", lambda dialog: struck.append(dialog.message))
    page.get_by_text("New rack").click()
    page.get_by_label("Player A").fill("<img src=x onerror=alert(1)>")
    page.get_by_label("Player B").fill("Bob")
    page.get_by_role("button", name="Begin the rack").click()
    expect(page.locator("#turn")).to_have_text("<img src=x onerror=alert(1)> shoots")
    assert struck == []
