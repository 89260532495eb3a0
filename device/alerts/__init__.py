"""Alerts: from a ruling to whoever must know of it within a quarter of a second."""
