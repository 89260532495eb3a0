"""Shots that never were played: simulated with exact events, rendered as clips, for tests and the demonstration."""
