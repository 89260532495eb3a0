"""What a referee reads out: the game before, the facts, the fouls tried, the margin, the clauses."""

from __future__ import annotations

import pytest

from adjudication.explaining import NoSuchShotError, explain, fact_lines
from record.entries import Override
from record.ruling import Next, Ruling
from record.shot import Identity
from tests.adjudication.racks import layout, rack, says, shot

BREAK = shot(0, "A", "cue>1 2|left 5|foot 7|right", layout())
BAD = shot(1, "B", "cue>3 ~0.0005 +-0.07 cue>1 ~0.0005 1|foot", layout(cue=(-0.3, 0.11)))


def test_a_bad_hit_is_explained_by_its_facts_and_margin() -> None:
    told = explain(rack("upa-9ball", BREAK, BAD), 1)
    assert told.before[0].startswith("B plays, the shot after the break")
    assert any("± 0.5 ms" in line and "the cue ball meets the 3" in line for line in told.facts)
    assert [one.code for one in told.tried if one.finding.holds] == ["bad_hit"]
    assert told.ruling.margin is not None
    assert told.ruling.margin.value == pytest.approx(0.03)
    assert [one.id for one in told.clauses] == ["UPA 7.3"]


def test_a_name_that_other_looks_speak_against_is_told_with_what_it_rested_on() -> None:
    played = shot(0, "A", "cue>3 3|foot", layout())
    seen = {"3": Identity(looks=12, chances={"7": 0.6, "3": 0.38}), "1": Identity(looks=30, chances={"1": 0.99})}
    lines = fact_lines(played.model_copy(update={"identities": seen}))
    assert "named the 3; its own looks (12) say: 7 60%, 3 38%" in lines
    assert not any("named the 1" in line for line in lines)


def test_what_people_said_of_the_shot_belongs_to_it_and_changes_the_ruling() -> None:
    fact = says(36.0, "referee", "fact", about="first_contact", ball="1")
    told = explain(rack("upa-9ball", BREAK, BAD, fact), 1)
    assert told.said == ("referee: fact first contact",)
    assert told.ruling.call == "legal"


def test_a_persons_ruling_is_read_out_beside_the_machines() -> None:
    ruling = Ruling(call="legal", next=Next(player="A", cue_ball="in_position"), explanation="The 1 was first.")
    over = Override(t=36.0, of_shot=1, by="referee", who="Kim", ruling=ruling, reason="side view")
    told = explain(rack("upa-9ball", BREAK, BAD, over), 1)
    assert told.ruling.call == "foul"
    assert told.said == ("Kim ruled: The 1 was first. (side view)",)


def test_a_shot_that_is_not_there() -> None:
    with pytest.raises(NoSuchShotError, match="no shot 7"):
        explain(rack("upa-9ball", BREAK), 7)
