"""Pictures of pool tables that never were, with exact truth: what the networks are trained on and clips are made of."""
