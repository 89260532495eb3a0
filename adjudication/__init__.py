"""Shot facts and declarations to rulings: one module a league over shared predicates. No pixels, no clock, no I/O."""
