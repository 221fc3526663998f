"""Word vectors that options of metrics name: loaded once for each state of a file, and named in signatures."""

from __future__ import annotations

import os
from functools import lru_cache

from fastmatch.metrics.embeddings.vectors import Embeddings
from fastmatch.runtime.files import version


def loaded_vectors(given: str | os.PathLike[str] | Embeddings | None) -> Embeddings | None:
    """The word vectors of an option ``embeddings``."""
    if given is None or isinstance(given, Embeddings):
        return given
    return _loaded(*version(given, "embeddings"))


@lru_cache(maxsize=4)
def _loaded(path: str, size: int, changed: int, inode: int) -> Embeddings:
    return Embeddings.load(path)


def digest_of(vectors: Embeddings) -> str:
    """What the signature says of the vectors: the same of equal vectors, whatever their file is called."""
    return vectors.fingerprint[:16]
