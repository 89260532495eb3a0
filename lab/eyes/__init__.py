"""How well the eyes see: labelled pictures, what was seen in them, and what else a user could pick."""
