"""Fouls in a player's words."""

from __future__ import annotations

from typing import Final

from record.names import FoulCode

FOUL_WORDS: Final[dict[FoulCode, str]] = {
    "bad_hit": "a wrong ball was hit first",
    "no_contact": "no ball was hit",
    "no_rail": "no ball reached a rail after the contact",
    "scratch": "the cue ball was pocketed",
    "cue_off_table": "the cue ball left the table",
    "ball_off_table": "a ball left the table",
    "head_string": "the stroke was not played from behind the head string",
    "balls_moving": "a ball was still moving at the stroke",
    "foot_off_floor": "no foot on the floor",
    "touched_cue_ball": "the cue ball was touched",
    "touched_moving_ball": "a moving ball was touched",
    "touched_ball": "a ball was touched",
    "double_hit": "the cue ball was hit twice",
    "push_shot": "the cue ball was pushed",
    "jump_shot": "the cue ball jumped over a ball",
    "jump_miscue": "the cue ball was scooped or miscued over a ball",
    "placement_touch": "a ball was touched while the cue ball was placed",
    "marking": "the table was marked",
    "equipment": "equipment was misused",
    "out_of_turn": "played out of turn",
    "time_violation": "the shot clock ran out",
    "coaching": "advice was given when none is allowed",
    "protest_ignored": "the shooter was asked to wait and played on",
    "not_spotted": "a ball that had to be spotted was not back",
    "left_area": "the player left the playing area",
    "deliberate": "the foul was deliberate",
    "sportsmanship": "unsportsmanlike conduct",
    "eight_early": "the 8 was pocketed before it was on",
    "eight_wrong_pocket": "the 8 was not pocketed as called",
    "eight_on_foul": "the 8 was pocketed on a foul",
    "eight_off_table": "the 8 left the table",
    "eight_with_last": "the 8 fell with the last ball of the group",
}
