"""Who may come in: accounts, sessions, tokens, lock-out, and the log of who did what."""
