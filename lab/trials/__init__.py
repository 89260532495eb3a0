"""Trials of event inference: shots of every kind with exact truth, seen as a camera would see them, told and scored.

In order: `world` plays a stroke, `setups` and `aims` prepare one, `flights` has balls in the air, `kinds` says which
shots are wanted, `camera` turns a played shot into what a camera sees of it, `telling` has it watched (`rendered`: from
a whole video), `truth`, `rulings` and `scoring` compare, `running` runs many, `figures` and `report` write it up.
"""
