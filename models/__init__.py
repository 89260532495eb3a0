"""The trained networks: how their pictures are cut, how they are loaded, and (in `synthesis`, `training`) how they came to be."""
