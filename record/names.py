"""Names that every part of a record shares: balls, rails, pockets, players, leagues, calls and codes."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

RailName = Literal["head", "foot", "left", "right"]
PocketName = Literal["head_left", "head_right", "side_left", "side_right", "foot_left", "foot_right"]
PlayerId = Literal["A", "B"]
CUE: Final = "cue"

Ball = Annotated[str, Field(pattern=r"^(cue|[1-9]|1[0-5]|\?[1-9][0-9]*)$")]
"""`cue`, `1` … `15`, or an anonymous ball `?1`, `?2` … that could not be named."""

Place = tuple[float, float]
"""x, y of a ball's centre in the table frame, metres."""

Layout = dict[Ball, Place]

RuleSet = Literal["upa-9ball", "upl-8ball", "napa-9ball", "ipl-8ball"]

Call = Literal["legal", "foul", "loss_of_turn", "illegal_break", "rack_over"]

FoulCode = Literal[
    "bad_hit",
    "no_contact",
    "no_rail",
    "scratch",
    "cue_off_table",
    "ball_off_table",
    "head_string",
    "balls_moving",
    "touched_cue_ball",
    "touched_moving_ball",
    "touched_ball",
    "double_hit",
    "push_shot",
    "jump_shot",
    "jump_miscue",
    "foot_off_floor",
    "placement_touch",
    "interference",
    "marking",
    "equipment",
    "out_of_turn",
    "time_violation",
    "coaching",
    "protest_ignored",
    "not_spotted",
    "left_area",
    "deliberate",
    "three_fouls",
    "eight_early",
    "eight_wrong_pocket",
    "eight_on_foul",
    "eight_off_table",
    "eight_with_last",
    "sportsmanship",
    "conceded",
]

Option = Literal[
    "shoot",
    "pass_back",
    "break",
    "make_opponent_break",
    "accept",
    "rerack_and_break",
    "rerack_and_opponent_breaks",
    "in_hand_behind_head_string",
    "restore",
    "leave",
    "restore_nine",
    "spot_nine",
]

Group = Literal["solids", "stripes"]

CueBallPlace = Literal["in_position", "in_hand", "in_hand_behind_head_string", "rack"]
