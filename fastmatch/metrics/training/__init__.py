"""Metrics learn from pairs that people have scored: ``train_wwlk``, ``train_softoverlap``."""
