"""The commands about rules and matches: rules, explain, compare, adjudicate under another league, match, standings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from device.terminal import Exit
from record.document import to_json
from record.entries import Entry
from tests.adjudication.racks import layout, rack, says, shot
from tests.device.test_command_line import headstring, refused

BREAK = shot(0, "A", "cue>1 2|left 5|foot 7|right", layout())
BAD = shot(1, "B", "cue>3 ~0.0005 +-0.07 cue>1 ~0.0005 1|foot", layout(cue=(-0.3, 0.11)))
WIN = shot(2, "A", "cue>1 9@foot_left", layout(cue=(-0.3, 0.11)))


def _file(folder: Path, *entries: Entry, rules: str = "upa-9ball", name: str = "rack.json", **options: Any) -> Path:
    path = folder / name
    path.write_text(to_json(rack(rules, *entries, **options)), encoding="utf-8")
    return path


def test_rules_lists_the_leagues_and_prints_their_clauses() -> None:
    assert "napa-9ball" in headstring("rules").stdout
    told = json.loads(headstring("rules", "upl-8ball", "--json").stdout)
    assert {"id": "UPL Winning", "who": "camera"}.items() <= told["clauses"][13].items()
    assert told["options"]["break_point_once"]["default"] is False
    refused(Exit.USAGE, "unknown rules 'apa'", "rules", "apa")


def test_explain_reads_out_facts_fouls_margin_and_clauses(tmp_path: Path) -> None:
    path = _file(tmp_path, BREAK, BAD)
    said = headstring("explain", path, "--shot", "1").stdout
    for words in ("the cue ball meets the 3", "bad hit", "margin: first contact 0.03", "UPA 7.3"):
        assert words in said
    told = json.loads(headstring("explain", path, "--shot", "1", "--json").stdout)
    assert [one["foul"] for one in told["tried"] if one["holds"]] == ["bad_hit"]
    refused(Exit.USAGE, "no shot 9", "explain", path, "--shot", "9")


def test_compare_shows_where_two_leagues_part(tmp_path: Path) -> None:
    path = _file(tmp_path, BREAK, BAD)
    told = json.loads(headstring("compare", path, "--rules", "upa-9ball,napa-9ball", "--json").stdout)
    assert [one["of"] for one in told["partings"]] == ["shot 0"]
    assert "illegal break" in headstring("compare", path, "--rules", "upa-9ball,napa-9ball").stdout
    refused(Exit.USAGE, "another game", "compare", path, "--rules", "upa-9ball,ipl-8ball")
    refused(Exit.USAGE, "two different leagues", "compare", path, "--rules", "upa-9ball")


def test_adjudicate_under_another_league_of_the_same_game(tmp_path: Path) -> None:
    path = _file(tmp_path, BREAK, BAD)
    told = json.loads(headstring("adjudicate", path, "--rules", "napa-9ball").stdout)
    assert [entry["ruling"]["call"] for entry in told["entries"]] == ["illegal_break", "foul"]
    refused(Exit.USAGE, "another game", "adjudicate", path, "--rules", "upl-8ball")


@pytest.mark.parametrize(
    ("entries", "options", "code", "says_"),
    [
        ([BREAK, BAD, BAD], {}, Exit.BAD_RECORD, "entry 2 cannot be judged: shot 1 comes after shot 1"),
        ([BREAK, says(16.0, "B", "rhubarb")], {}, Exit.BAD_RECORD, "entry 1 cannot be judged: UPA 9-ball knows no"),
        ([BREAK, says(16.0, "B", "choice", option="leave")], {}, Exit.BAD_RECORD, "not open now"),
        ([BREAK], {"sure": 2}, Exit.USAGE, "the option 'sure' must be from 0.5 to 1"),
        ([BREAK], {"officiated": "no"}, Exit.USAGE, "must be true or false"),
    ],
)
def test_what_cannot_be_judged_is_one_clear_line(
    tmp_path: Path, entries: list[Entry], options: dict[str, Any], code: Exit, says_: str
) -> None:
    refused(code, says_, "adjudicate", _file(tmp_path, *entries, **options))


def _new(folder: Path, *more: str, league: str = "upa-9ball") -> Path:
    path = folder / "match.json"
    players = [f"{side}:{side[0]}{k}:{side.title()} {k}:{5 + k}" for side in ("home", "visitors") for k in (1, 2)]
    made = headstring(
        "match", "new", path, "--league", league, "--home", "Ants", "--visitors", "Bees", "--date", "2026-03-01",
        *(part for one in players for part in ("--player", one)), *more,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return path


def test_a_match_from_its_start_to_its_score_and_the_table(tmp_path: Path) -> None:
    path = _new(tmp_path, "--option", "race=2")
    won = _file(tmp_path, BREAK, shot(1, "B", "cue>1 1|foot", layout(cue=(-0.3, 0.11))), WIN)
    headstring("match", "pair", path, "--home", "h1", "--visitors", "v2")
    headstring("match", "rack", path, "--pairing", "1", "--record", won, "--at", "10")
    done = headstring("match", "rack", path, "--pairing", "1", "--winner", "home", "--at", "20")
    assert done.stdout.startswith("Ants 1 : 0 Bees")
    told = json.loads(headstring("match", "show", path, "--json").stdout)
    assert (told["points"], told["winner"], told["over"]) == ({"home": 1, "visitors": 0}, "home", True)
    assert "Ants 1 : 0 Bees" in headstring("match", "show", path).stdout
    table = json.loads(headstring("standings", path, "--json").stdout)
    assert [(one["team"], one["points"]) for one in table["standings"]] == [("Ants", 1), ("Bees", 0)]
    assert json.loads(headstring("match", "options", path, "--pairing", "1").stdout)["ratings"] == {"A": 6.0, "B": 7.0}


def test_what_a_match_does_not_allow_is_not_written(tmp_path: Path) -> None:
    path = _new(tmp_path)
    before = path.read_bytes()
    refused(Exit.USAGE, "pairing 4, which there is not", "match", "rack", path, "--pairing", "4", "--winner", "home")
    refused(Exit.USAGE, "'h9' is no player", "match", "pair", path, "--home", "h9", "--visitors", "v1")
    refused(Exit.USAGE, "say who won", "match", "rack", path, "--pairing", "1")
    unfinished = _file(tmp_path, BREAK)
    refused(Exit.BAD_RECORD, "not over", "match", "rack", path, "--pairing", "1", "--record", unfinished)
    again = ("--home", "A", "--visitors", "B", "--date", "2026-03-01", "--player", "home:h1:H")
    refused(Exit.USAGE, "there already", "match", "new", path, "--league", "upa-9ball", *again)
    assert path.read_bytes() == before
    refused(Exit.UNREADABLE, "cannot read", "match", "show", tmp_path / "none.json")
    (tmp_path / "broken.json").write_text("{}", encoding="utf-8")
    refused(Exit.BAD_RECORD, "match_id", "match", "show", tmp_path / "broken.json")
