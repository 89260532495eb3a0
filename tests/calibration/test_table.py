"""The table's geometry is that of the conventions: origin in the middle, +x to the foot, +y to the left."""

from __future__ import annotations

import pytest

from calibration.table import POCKETS, RAILS, SIZES, Table, UnknownTableError, table_named


@pytest.mark.parametrize("name", SIZES)
def test_every_named_table_is_twice_as_long_as_wide(name: str) -> None:
    table = table_named(name)
    assert table.length == pytest.approx(2 * table.width)
    assert 0.625 <= table.nose_height / table.ball_diameter <= 0.645


def test_a_size_in_metres_is_a_table() -> None:
    table = table_named("1.881x0.943", 0.0523)
    assert (table.length, table.width, table.ball_radius) == (1.881, 0.943, 0.0523 / 2)


@pytest.mark.parametrize("name", ["10ft", "", "2x", "0.9x1.8", "nan x 1", "99x50", "x"])
def test_what_is_no_table_is_refused(name: str) -> None:
    with pytest.raises(UnknownTableError):
        table_named(name)


def test_a_ball_of_no_size_is_refused() -> None:
    with pytest.raises(UnknownTableError, match="ball"):
        Table(2.54, 1.27, 57.15)


def test_rails_and_pockets_lie_where_their_names_say() -> None:
    table = table_named("9ft")
    assert table.rail_distance("foot", 1.27, 0.0) == pytest.approx(0)
    assert table.rail_distance("head", -1.27, 0.0) == pytest.approx(0)
    assert table.rail_distance("left", 0.0, 0.635) == pytest.approx(0)
    assert table.rail_distance("right", 0.0, -0.635) == pytest.approx(0)
    assert all(table.rail_distance(rail, 0.0, 0.0) > 0 for rail in RAILS)
    assert set(table.pockets) == set(POCKETS)
    assert table.pockets["foot_left"].centre > (1.2, 0.6)
    assert table.pockets["side_right"].centre[1] < -0.635


def test_there_are_eighteen_diamonds_on_the_nose_lines() -> None:
    table = table_named("9ft")
    assert len(set(table.diamonds)) == 18
    for x, y in table.diamonds:
        assert min(abs(table.rail_distance(rail, x, y)) for rail in RAILS) == pytest.approx(0)
