"""How the networks are trained and measured; needs PyTorch, which nothing else here does."""
