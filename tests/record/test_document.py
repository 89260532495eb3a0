"""A record is written byte for byte the same, and a damaged one keeps its valid beginning."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import record
from record.document import DamagedRecordError, RecordError, UnknownFormatError, from_json, to_json
from record.events import BallContact, Strike
from record.rack import Player, RackRecord, TableSize
from record.ruling import Next, Ruling
from record.schema import FILE, as_text, json_schema
from record.shot import Shot


def _shot(index: int) -> Shot:
    return Shot(
        index=index,
        player="A",
        t_strike=1.0 + index,
        t_rest=1.5 + index,
        layout_before={"cue": (0.1, -0.2), "?1": (0.3, 0.0)},
        layout_after={"cue": (0.1, -0.2)},
        events=[
            Strike(ball="cue", t=1.0 + index),
            BallContact(balls=("cue", "?1"), t=1.2, t_sigma=0.001, confidence=0.99),
        ],
        ruling=Ruling(call="legal", next=Next(player="A", cue_ball="in_position"), explanation="Fair."),
    )


def _record(shots: int) -> RackRecord:
    return RackRecord(
        rack_id="r1",
        table_id="t1",
        started="2026-11-30T19:04:11.512Z",
        rules="upa-9ball",
        table=TableSize(length=2.54, width=1.27, ball_diameter=0.05715),
        players=[Player(id="A", name="Zoë <b>"), Player(id="B", name="B")],
        breaker="A",
        entries=[_shot(index) for index in range(shots)],
    )


def test_writing_reading_and_writing_again_gives_the_same_bytes() -> None:
    text = to_json(_record(3))
    assert to_json(from_json(text)) == text


def test_an_empty_record_is_written_whole() -> None:
    assert from_json(to_json(_record(0))).entries == []


def test_a_ruling_keeps_the_nulls_that_mean_nobody() -> None:
    ruling = json.loads(to_json(_record(1)))["entries"][0]["ruling"]
    assert ruling["winner"] is None
    assert ruling["groups"] is None


def test_the_published_schema_is_that_of_the_types() -> None:
    published = Path(record.__file__).parent / FILE
    assert published.read_text(encoding="utf-8") == as_text()


def test_a_written_record_validates_against_the_schema() -> None:
    jsonschema.validate(json.loads(to_json(_record(2))), json_schema())


def test_a_record_cut_at_any_byte_gives_the_entries_before_the_cut() -> None:
    text = to_json(_record(3))
    ends = [text.index(f'"index": {index}') for index in range(3)]
    for cut in range(text.index('"entries"') + 12, len(text) - 2, 7):
        with pytest.raises(DamagedRecordError) as caught:
            from_json(text[:cut])
        sound = caught.value.beginning.entries
        assert [shot.index for shot in sound if isinstance(shot, Shot)] == list(range(len(sound)))
        assert len(sound) <= sum(end < cut for end in ends)
        assert len(sound) >= sum(end < cut for end in ends) - 1


def test_a_record_cut_in_its_header_is_refused_in_one_sentence() -> None:
    with pytest.raises(RecordError) as caught:
        from_json(to_json(_record(1))[:60])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"format": "rack-record/2"}', "rack-record/2"),
        ('{"format": 7}', "no rack record"),
        ("[1, 2]", "not a JSON object"),
        ("not json", "not JSON"),
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_record_is_refused(text: str, says: str) -> None:
    with pytest.raises(UnknownFormatError, match=says):
        from_json(text)


def test_an_unknown_ball_names_the_entry() -> None:
    value = json.loads(to_json(_record(2)))
    value["entries"][1]["events"][1]["balls"] = ["cue", "42"]
    with pytest.raises(DamagedRecordError, match="entry 1") as caught:
        from_json(json.dumps(value))
    assert len(caught.value.beginning.entries) == 1


def test_not_a_number_is_refused() -> None:
    text = to_json(_record(1)).replace('"t_rest": 1.5', '"t_rest": NaN')
    with pytest.raises(DamagedRecordError, match="entry 0"):
        from_json(text)
