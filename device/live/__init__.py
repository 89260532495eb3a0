"""The loop that watches a table day and night: capture, detection and recording as workers with bounded queues."""
