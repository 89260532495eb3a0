"""The box beside the table: sources, the loop, what it writes and shows, and the command line."""
