"""Word vectors: read from text files once, then mapped from a cache."""

from __future__ import annotations

from fastmatch.embeddings.vectors import Embeddings

__all__ = ["Embeddings"]
