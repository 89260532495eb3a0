"""Matches and seasons: the leagues' formats, scores, line-ups, lateness and tables."""
