"""A table that is seen well has fouls called on it; one that is not is watched and recorded, and that is said."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from typer.testing import CliRunner

from adjudication.judge import Judge, adjudicate
from calibration.calibration import Calibration, calibrate
from calibration.table import table_named
from device.cli import app
from device.commands.analyze import analyze
from device.commissioning import LEAST, Score, VenueCheck, judged
from device.source import VideoFile
from lab.eyes.costs import film
from models.loading import Finder, Namer
from record.entries import Observation
from record.rack import Player, RackRecord, TableSize
from record.shot import Shot
from tracking.closed_set import SetCheck
from vision.detections import Detections
from vision.eye import Eye
from vision.frame import Frame

GOOD_SET = SetCheck(1.0, 6)
RUN = CliRunner()


@pytest.fixture(scope="module")
def known(demo_look: Frame) -> Calibration:
    return calibrate(demo_look.pixels, table_named("9ft"), "left")


def looked(frame: Frame, known: Calibration) -> Detections:
    return Eye(known, Finder(), Namer()).look(frame)


def score(frame: Frame, known: Calibration, balls: SetCheck = GOOD_SET) -> Score:
    return judged(frame, looked(frame, known), balls, known, Namer())


def shown(pixels: np.ndarray) -> Frame:
    return Frame(0.0, np.ascontiguousarray(pixels), 0)


def test_a_table_seen_well_passes(demo_look: Frame, known: Calibration) -> None:
    assert score(demo_look, known).value > 0.8


def test_red_and_blue_exchanged_is_a_fault_of_the_camera_and_no_other_ball() -> None:
    table = film(count=1)
    pixels = table.frames[0].pixels
    assert score(shown(pixels), table.calibration).parts["colours"] == 1.0
    found = score(shown(pixels[..., ::-1]), table.calibration)
    assert found.value < LEAST
    assert found.weakest == "colours"
    assert "red and blue" in found.why


@pytest.mark.parametrize(
    ("gain", "weakest", "said"), [(0.03, "light", "too dark"), (6.0, "light", "burnt out")], ids=["dark", "glaring"]
)
def test_light_that_hides_the_table_is_said(
    demo_look: Frame, known: Calibration, gain: float, weakest: str, said: str
) -> None:
    pixels = np.clip(demo_look.pixels.astype(np.float32) * gain, 0, 255).astype(np.uint8)
    found = judged(shown(pixels), looked(demo_look, known), GOOD_SET, known, Namer())
    assert found.parts["light"] < LEAST
    assert said in found.said[weakest]


@pytest.mark.parametrize(
    ("balls", "part", "said"),
    [
        (SetCheck(1.0, 6, twice=("cue",)), "set", "two balls look like cue ball"),
        (SetCheck(1.0, 6, foreign=2), "set", "2 balls do not look like any of the set"),
        (SetCheck(0.2, 6), "names", "only 20% of 6 balls"),
    ],
)
def test_balls_that_are_no_set_are_said(
    demo_look: Frame, known: Calibration, balls: SetCheck, part: str, said: str
) -> None:
    found = score(demo_look, known, balls)
    assert found.parts[part] < LEAST
    assert said in found.said[part]


def test_a_calibration_that_does_not_fit_is_said(demo_look: Frame, known: Calibration) -> None:
    poor = replace(known, residuals=replace(known.residuals, diamonds=0.013))
    assert "calibrate again" in judged(demo_look, looked(demo_look, known), GOOD_SET, poor, Namer()).said["calibration"]


def test_each_rest_is_judged_once_and_only_after_a_while(demo_look: Frame, known: Calibration) -> None:
    check, seen = VenueCheck(Namer()), looked(demo_look, known)
    assert check.rest(demo_look.at(10.0, 0), seen, GOOD_SET, known) is None
    assert check.rest(demo_look.at(11.6, 1), seen, GOOD_SET, known) is not None
    assert check.rest(demo_look.at(12.6, 2), seen, GOOD_SET, known) is None
    check.stirred()
    assert check.rest(demo_look.at(13.0, 3), seen, GOOD_SET, known) is None
    assert check.rest(demo_look.at(15.0, 4), seen, GOOD_SET, known) is not None


def test_nothing_is_judged_while_a_few_balls_were_hardly_looked_at(demo_look: Frame, known: Calibration) -> None:
    check, seen = VenueCheck(Namer()), looked(demo_look, known)
    for t in (0.0, 2.0, 4.0):
        assert check.rest(demo_look.at(t, 0), seen, SetCheck(1.0, 2), known) is None
    assert check.standing is None


def test_the_middle_one_of_the_last_rests_counts() -> None:
    check = VenueCheck(Namer())
    for value in (0.9, 0.1, 0.8, 0.2):
        check.rests.append(Score({"light": value}))
    assert check.standing is not None
    assert check.standing.value == 0.2
    check.rests.append(Score({"light": 0.7}))
    assert check.standing.value == 0.7


def record(*entries: Observation | Shot) -> RackRecord:
    return RackRecord(
        rack_id="r",
        table_id="t",
        started="2026-01-01T00:00:00.000Z",
        rules="upa-9ball",
        rules_options={"opening": "in_play"},
        table=TableSize(length=2.54, width=1.27, ball_diameter=0.05715),
        players=[Player(id="A", name="Ann"), Player(id="B", name="Bo")],
        breaker="A",
        entries=list(entries),
    )


def check_of(calls: bool, t: float = 0.5) -> Observation:
    told = {"t": t, "what": "commissioning", "score": 0.2, "least": LEAST, "calls": calls, "why": "it is too dark"}
    return Observation.model_validate(told)


def foul(index: int, t: float) -> Shot:
    lying = {"cue": (0.0, 0.0), "1": (0.5, 0.0), "2": (0.6, 0.3)}
    contact = {"type": "ball_contact", "t": t + 0.1, "balls": ["cue", "2"]}
    return Shot.model_validate(
        {
            "index": index,
            "t_strike": t,
            "t_rest": t + 3,
            "layout_before": lying,
            "layout_after": lying,
            "events": [{"type": "strike", "t": t, "ball": "cue"}, contact],
        }
    )


def test_below_the_score_every_shot_is_left_to_a_person() -> None:
    """And again called by the machine once the table passes; a replay says the same."""
    judged_record = adjudicate(record(check_of(False), foul(0, 1.0), check_of(True, 5.0), foul(1, 6.0)))
    first, second = (entry.ruling for entry in judged_record.entries if isinstance(entry, Shot))
    assert first is not None
    assert second is not None
    assert first.needs_review
    assert first.review_reasons[0] == "this table has not passed its check: it is too dark"
    assert [f.code for f in first.fouls] == [f.code for f in second.fouls] == ["bad_hit"]
    assert not second.needs_review
    assert adjudicate(judged_record) == judged_record


def test_a_table_that_was_never_judged_is_called_as_before() -> None:
    ruling = Judge.of(record()).add(foul(0, 1.0)).entry
    assert isinstance(ruling, Shot)
    assert ruling.ruling is not None
    assert not ruling.ruling.needs_review


def test_a_recording_of_a_table_with_exchanged_colours_is_watched_but_not_called(
    tmp_path: Path, demo_clip: Path, known: Calibration
) -> None:
    path = tmp_path / "exchanged.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=60)
        stream.width, stream.height = 1280, 720
        stream.pix_fmt, stream.options = "yuv420p", {"preset": "ultrafast"}
        for frame in VideoFile(demo_clip):
            image = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame.pixels[..., ::-1]), format="bgr24")
            image.pts, image.time_base = round(frame.t * 60), Fraction(1, 60)
            out.mux(stream.encode(image))
        out.mux(stream.encode(None))
    done = analyze(path, known, "upa-9ball", ("A", "B")).record
    notes = [e for e in done.entries if isinstance(e, Observation) and e.what == "commissioning"]
    assert notes
    assert not (notes[0].model_extra or {})["calls"]
    after = [e for e in done.entries if isinstance(e, Shot) and e.t_strike > notes[0].t]
    assert all(shot.ruling is None or shot.ruling.needs_review for shot in after)


def test_the_command_tells_the_parts(demo_clip: Path) -> None:
    told = RUN.invoke(app, ["commission", str(demo_clip), "--table", "9ft", "--rules", "upa-9ball", "--json"])
    said = json.loads(told.stdout)
    assert told.exit_code == 0
    assert said["fit"]
    assert set(said["rests"][0]["parts"]) == {"calibration", "light", "places", "names", "set", "colours"}


def test_the_command_says_no_where_the_set_is_another(demo_clip: Path, tmp_path: Path) -> None:
    told = RUN.invoke(app, ["commission", str(tmp_path / "none.mp4"), "--table", "9ft"])
    assert told.exit_code == 3
    told = RUN.invoke(app, ["commission", str(demo_clip), "--table", "9ft", "--rules", "whist"])
    assert told.exit_code == 2
