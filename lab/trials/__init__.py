"""Trials of event inference: shots of every kind with exact truth, seen as a camera would see them, told and scored.

In order: `world` plays a stroke, `layouts` and `aims` set one up, `kinds` says which shots are wanted, `camera` turns
a played shot into what a camera sees of it, `telling` has it watched, `scoring` compares, `report` writes it up.
"""
