"""Frames to detections: where each ball is, what it may be, and what covers the table."""
