"""The commands of `headstring`, one a module."""
