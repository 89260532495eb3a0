"""The rack record: the one contract between the camera side, the rules, the pages and outside tools."""
