"""The trained networks: what pictures they look at, how they are loaded and how they came to be."""
