"""Is the box well? Watchdog, metrics, logs, and the checks of `headstring doctor`."""
