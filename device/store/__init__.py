"""The index of racks and shots: an SQLite file made from the records beside it, for lists, search and statistics."""
