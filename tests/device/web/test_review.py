"""Review and audit over the API: confirm, overrule, correct; lists, seals, comparison, exports, import, erasure."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjudication.judge import adjudicate
from device.clips.ring import Ring
from device.clips.writing import write_clip
from device.web.desk import Desk
from record.document import to_json
from tests.adjudication.racks import layout, rack, shot
from tests.device.test_command_line import headstring
from tests.device.web.desks import client_of, desk_in, record

SHOT = "/api/v1/racks/one/shots/1"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return desk_in(tmp_path)


def test_a_shot_is_shown_with_its_reasons(desk: Desk) -> None:
    told = client_of(desk, "viewer").get(SHOT).json()
    assert told["machine"]["call"] == told["last_word"]["call"] == "foul"
    assert told["machine"]["margin"]["value"] == pytest.approx(0.03)
    assert any("the cue ball meets the 3" in line for line in told["facts_seen"])
    assert [one["id"] for one in told["clauses"]] == ["UPA 7.3"]
    assert [one["label"] for one in told["facts"]][:3] == [
        "First ball: the 3",
        "First ball: the 1",
        "First ball: cannot tell",
    ]


def test_a_referee_confirms(desk: Desk) -> None:
    told = client_of(desk, "referee").post(f"{SHOT}/confirm").json()
    assert told["said"][-1]["what"] == "confirm"
    row = client_of(desk, "viewer").get("/api/v1/racks/one/shots").json()[1]
    assert (row["reviewed"], row["overridden"]) == (True, False)


def test_a_referee_overrules_and_the_machines_ruling_stays_beside_it(desk: Desk) -> None:
    client = client_of(desk, "referee")
    told = client.post(f"{SHOT}/override", json={"reason": "the 1 was first", "choice": 0}).json()
    assert (told["machine"]["call"], told["last_word"]["call"]) == ("foul", "legal")
    assert told["said"][-1]["who"] == "referee"
    statistics = client.get("/api/v1/statistics").json()
    assert (statistics["overrides"], statistics["agreed"]) == (1, 0)


def test_a_referee_calls_a_foul_that_the_camera_did_not_see(desk: Desk) -> None:
    client = client_of(desk, "referee")
    address = "/api/v1/racks/one/shots/2/override"
    told = client.post(address, json={"reason": "double hit", "foul": "double_hit"}).json()
    assert told["last_word"]["call"] == "foul"
    assert told["last_word"]["fouls"][0]["clause"] == "UPA 7.9"
    for body in (
        {"reason": "x" * 3},
        {"reason": "abc", "choice": 0, "foul": "scratch"},
        {"reason": "abc", "choice": 77},
    ):
        assert client.post(address, json=body).status_code == 422
    assert client.post(address, json={"reason": "", "choice": 0}).status_code == 422


def test_a_corrected_fact_judges_the_shot_and_what_followed_again(desk: Desk) -> None:
    client = client_of(desk, "referee")
    told = client.post(f"{SHOT}/fact", json={"about": "first_contact", "ball": "1"}).json()
    assert told["said"][-1]["ruling"]["call"] == "legal"
    assert told["shot"]["ruling"]["call"] == "foul"
    assert told["last_word"]["call"] == "legal"
    assert client.post(f"{SHOT}/fact", json={"about": "rhubarb"}).status_code == 409


def test_what_was_added_is_sealed_again_and_verifies(desk: Desk) -> None:
    client = client_of(desk, "referee")
    assert client.get("/api/v1/racks/one/seal").json()["standing"] == "intact"
    client.post(f"{SHOT}/confirm")
    assert client.get("/api/v1/racks/one/seal").json()["standing"] == "intact"
    path = desk.library.path_of("one")
    path.write_text(path.read_text(encoding="utf-8").replace('"bad_hit"', '"scratch"'), encoding="utf-8")
    told = client.get("/api/v1/racks/one/seal").json()
    assert (told["standing"], told["entry"]) == ("changed", 1)


def test_lists_are_filtered_and_paged(desk: Desk) -> None:
    for k in range(5):
        desk.library.put(record(f"more-{k}", players=("Cat", "Dan")))
    client = client_of(desk, "viewer")
    first = client.get("/api/v1/shots?size=4").json()
    second = client.get("/api/v1/shots", params={"size": 4, "mark": first["next"]}).json()
    keys = [(one["rack"], one["number"]) for one in first["shots"] + second["shots"]]
    assert len(set(keys)) == 8
    assert {one["player_a"] for one in client.get("/api/v1/racks?player=Ann").json()["racks"]} == {"Ann"}
    assert len(client.get("/api/v1/shots?review=open&size=200").json()["shots"]) == 6
    assert client.get("/api/v1/players").json() == ["Ann", "Bob", "Cat", "Dan"]
    for wrong in ("mark=rhubarb", "size=0", "size=9999", "since=yesterday", "review=maybe"):
        assert client.get(f"/api/v1/shots?{wrong}").status_code == 422


def test_compare_shows_where_another_league_parts(desk: Desk) -> None:
    client = client_of(desk, "viewer")
    told = client.get("/api/v1/racks/one/compare?rules=napa-9ball").json()
    assert [(one["entry"], one["second"]["call"]) for one in told] == [(0, "illegal_break")]
    assert client.get("/api/v1/racks/one/compare?rules=upl-8ball").status_code == 422


@pytest.mark.parametrize("name", ["none", "..%2f..%2faccounts", "%2e%2e", "one.json", "%00", "x" * 300])
def test_racks_are_found_by_id_only(desk: Desk, name: str) -> None:
    client = client_of(desk, "operator")
    for end in ("", "/record", "/shots", "/seal", "/bundle.zip", "/sheet.pdf", "/shots/0", "/shots/0/clip.mp4"):
        assert client.get(f"/api/v1/racks/{name}{end}").status_code in (404, 422)


def test_csv_has_units_and_no_cell_that_a_spreadsheet_would_run(desk: Desk) -> None:
    desk.library.put(record("two", players=("=HYPERLINK(1)", "+1")))
    text = client_of(desk, "viewer").get("/api/v1/shots.csv").text
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0][6:9] == ["stroke (s)", "taken (s)", "duration (s)"]
    assert len(rows) == 7
    assert {row[5] for row in rows[1:]} == {"Ann", "Bob", "'=HYPERLINK(1)", "'+1"}


def test_the_score_sheet_is_a_pdf_and_the_same_each_time(desk: Desk) -> None:
    client = client_of(desk, "viewer")
    one, two = (client.get("/api/v1/racks/one/sheet.pdf").content for _ in range(2))
    assert one.startswith(b"%PDF-")
    assert len(one) > 10_000
    assert one == two


def test_the_bundle_verifies_offline(desk: Desk, tmp_path: Path) -> None:
    data = client_of(desk, "viewer").get("/api/v1/racks/one/bundle.zip").content
    folder = tmp_path / "bundle"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
        names = archive.namelist()
    assert {"rack.json", "keys.json", "VERIFY.txt", "pictures/001.png"} <= set(names)
    public = json.loads((folder / "keys.json").read_text(encoding="utf-8"))[0]["public"]
    assert headstring("key", "trust", public, "--name", "venue", "--keys", folder / "keys").returncode == 0
    done = headstring("verify", folder / "rack.json", "--keys", folder / "keys")
    assert (done.returncode, done.stdout.split()[0]) == (0, "intact")


def _clip(desk: Desk) -> bytes:
    ring = Ring(10.0, 10**7)
    for k in range(30):
        ring.add(k / 30, np.full((180, 320, 3), 8 * k, np.uint8))
    path = desk.clips / "one-001.mp4"
    write_clip(path, ring.cut(0.0, 1.0))
    return path.read_bytes()


@pytest.mark.parametrize(
    ("asked", "status", "part"),
    [
        (None, 200, slice(None)),
        ("bytes=0-99", 206, slice(0, 100)),
        ("bytes=100-", 206, slice(100, None)),
        ("bytes=-50", 206, slice(-50, None)),
        ("bytes=0-0,2-3,5-6", 200, slice(None)),
        ("bytes=99999999-", 416, slice(0, 0)),
        ("bytes=9-3", 416, slice(0, 0)),
        ("bytes=" + "9" * 4000 + "-", 416, slice(0, 0)),
        ("rhubarb", 416, slice(0, 0)),
    ],
)
def test_clips_come_whole_or_by_one_range(desk: Desk, asked: str | None, status: int, part: slice) -> None:
    whole = _clip(desk)
    headers = {} if asked is None else {"range": asked}
    done = client_of(desk, "viewer").get(f"{SHOT}/clip.mp4", headers=headers)
    assert done.status_code == status
    assert done.content == whole[part]


def test_a_record_is_checked_and_judged_when_it_comes_in(desk: Desk) -> None:
    client = client_of(desk, "operator")
    headers = {"content-type": "application/json"}
    fresh = record("new")
    bare = fresh.model_copy(update={"entries": [e.model_copy(update={"ruling": None}) for e in fresh.entries]})
    done = client.post("/api/v1/racks", content=to_json(bare), headers=headers)
    assert (done.status_code, done.json()["fouls"]) == (201, 1)
    hostile = to_json(fresh).replace('"new"', '"../../evil"')
    for text in ("[]", "{}", "rhubarb", to_json(fresh)[:-400], "[" * 100_000, hostile):
        refused = client.post("/api/v1/racks", content=text, headers=headers)
        assert refused.status_code == 422, text[:40]
        assert "Traceback" not in refused.text
    assert sorted(path.name for path in (desk.library.folder / "racks").iterdir()) == ["new.json", "one.json"]


def test_names_are_text_and_never_markup(desk: Desk) -> None:
    hostile = "<script>alert(1)</script>"
    desk.library.put(record("two", players=(hostile, "Bob")))
    client = client_of(desk, "operator")
    for page in ("/racks", "/racks/two", "/racks/two/shots/0", "/statistics", "/review"):
        text = client.get(page).text
        assert hostile not in text
    assert "&lt;script&gt;" in client.get("/racks/two").text


def test_a_player_is_erased_from_all_records(desk: Desk) -> None:
    desk.library.put(record("two", players=("Cat", "Ann")))
    client = client_of(desk, "operator")
    assert client.post("/api/v1/players/erase", json={"name": "Ann"}).json() == {"racks": 2}
    assert client.get("/api/v1/players").json() == ["Bob", "Cat", "erased"]
    kept = [path.read_bytes() for path in desk.library.folder.rglob("*") if path.is_file() and path.suffix != ".db"]
    assert not any(b'"Ann"' in data for data in kept)
    assert client.get("/api/v1/racks/one/seal").json()["standing"] == "intact"


def test_a_rack_is_erased_with_its_file(desk: Desk) -> None:
    client = client_of(desk, "operator")
    assert client.delete("/api/v1/racks/one").status_code == 204
    assert client.get("/api/v1/racks/one").status_code == 404
    assert list((desk.library.folder / "racks").iterdir()) == []
    assert client.delete("/api/v1/racks/one").status_code == 404


def test_every_page_is_small(desk: Desk) -> None:
    client = client_of(desk, "operator")
    static = sum(len(client.get(f"/static/{name}").content) for name in ("app.css", "app.js", "shot.js", "icon.svg"))
    for page in ("/racks", "/racks/one", "/racks/one/shots/1", "/review", "/statistics", "/people", "/me"):
        done = client.get(page)
        assert done.status_code == 200, page
        assert len(done.content) + static < 200_000


def test_errors_are_pages_for_people_and_json_for_machines(desk: Desk) -> None:
    client = client_of(desk, "viewer")
    page: Any = client.get("/racks/none")
    assert (page.status_code, "there is no such rack" in page.text.lower()) == (404, True)
    assert client.get("/api/v1/racks/none").json() == {"detail": "there is no such rack"}
    assert client.get("/people").status_code == 403


def test_a_shot_whose_player_is_not_known_has_a_page(desk: Desk) -> None:
    played = shot(0, None, "cue>1 2|left 5|foot 7|right", layout()).model_copy(update={"player": None})
    desk.library.put(adjudicate(rack("upa-9ball", played)).model_copy(update={"rack_id": "nobody"}))
    page = client_of(desk, "viewer").get("/racks/nobody/shots/0")
    assert page.status_code == 200
    assert "player not known" in page.text


def test_lists_show_small_pictures_so_that_a_page_stays_light(desk: Desk) -> None:
    client = client_of(desk, "viewer")
    small, whole = (client.get(f"{SHOT}/{name}.png").content for name in ("thumbnail", "diagram"))
    assert small.startswith(b"\x89PNG")
    assert len(small) < 9_000 < len(whole)
    assert "thumbnail.png" in client.get("/racks/one").text
