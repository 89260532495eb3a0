"""Clips of shots: a ring of compressed frames, cut around a shot and written as MP4, within budgets."""
