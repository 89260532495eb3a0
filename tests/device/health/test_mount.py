"""What a mount gives is plain optics; hopeless mounts are refused with what would do."""

from __future__ import annotations

import json

import pytest

from calibration.table import table_named
from device.cameras.sensors import SENSORS
from device.health.mount import Optics, plan
from device.terminal import Exit
from tests.device.test_command_line import headstring, refused

NINE_FOOT = table_named("9ft")


def optics(name: str, focal: float | None = None) -> Optics:
    mode = SENSORS[name]
    length = focal if focal is not None else mode.focal
    assert length is not None
    return Optics(mode.size, length / mode.pitch, mode.rate, mode.line_time)


@pytest.mark.parametrize(("height", "angle"), [(1.65, 81), (1.9, 74), (2.2, 66)])
def test_a_nine_foot_table_with_margin_needs_the_known_angles(height: float, angle: float) -> None:
    found = plan(NINE_FOOT, height, optics("imx708-wide"), 0.001, 8.0)
    assert round(found.angle_needed) == angle
    assert found.refusals == ()


@pytest.mark.parametrize(("name", "angle"), [("imx708", 66), ("imx708-wide", 102), ("imx219", 62), ("imx708-fast", 47)])
def test_the_modules_have_their_makers_fields_of_view(name: str, angle: float) -> None:
    assert optics(name).angles[0] == pytest.approx(angle, abs=0.6)


def test_blur_is_speed_times_exposure() -> None:
    slow = plan(NINE_FOOT, 2.3, optics("imx296", 0.0036), 0.001, 2.0)
    fast = plan(NINE_FOOT, 2.3, optics("imx296", 0.0036), 0.00025, 8.0)
    assert slow.blur == pytest.approx(0.002)
    assert fast.blur == pytest.approx(0.002)
    assert fast.skew == 0.0


def test_pixels_per_ball_agree_with_the_built_in_clips_camera() -> None:
    clip = plan(NINE_FOOT, 2.55, Optics((1280, 720), 1075.0, 30, 0.0), 0.004, 3.0)
    assert clip.ball == pytest.approx(24.4, abs=0.2)
    assert clip.error == pytest.approx(0.00077, abs=0.0001)


def test_hopeless_mounts_are_refused_and_say_what_would_do() -> None:
    narrow = plan(NINE_FOOT, 2.3, optics("imx296", 0.006), 0.001, 8.0)
    assert "does not fit" in narrow.refusals[0]
    assert "3.39 m" in narrow.refusals[0]
    assert plan(NINE_FOOT, 3.40, optics("imx296", 0.006), 0.001, 8.0).refusals == ()
    far = plan(NINE_FOOT, 5.0, Optics((1280, 720), 800.0, 30, 0.0), 0.001, 8.0)
    assert "pixels wide" in far.refusals[0]
    dim = plan(NINE_FOOT, 2.3, optics("imx296", 0.0036), 0.03, 8.0)
    assert "longer than a frame" in dim.refusals[0]
    assert plan(NINE_FOOT, 0.9, optics("imx296", 0.0012), 0.001, 8.0).refusals


def test_the_command() -> None:
    mount = ("plan-mount", "--table", "9ft", "--height", "2.3")
    good = headstring(*mount, "--camera", "imx296", "--lens", "3.6mm", "--json")
    assert good.returncode == 0, good.stderr
    assert json.loads(good.stdout)["ball"] == pytest.approx(26.3, abs=0.1)
    refused(Exit.UNFIT, "does not fit", *mount, "--camera", "imx296", "--lens", "6mm")
    refused(Exit.USAGE, "comes without a lens", *mount, "--camera", "imx296")
    refused(Exit.USAGE, "field of view", *mount, "--camera", "1920x1080@30", "--lens", "6mm")
