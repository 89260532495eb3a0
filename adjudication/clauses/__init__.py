"""Every clause of the leagues' rules: its id, who can establish its facts, and what it says, in our own words."""
