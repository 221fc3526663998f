"""Word vectors: read from text files once, then mapped from a cache."""

from __future__ import annotations

from fastmatch.metrics.embeddings.vectors import Embeddings

__all__ = ["Embeddings"]
