"""Word vectors that options of metrics name: loaded once for each state of a file, and named in signatures."""

from __future__ import annotations

import os
from functools import lru_cache

from fastmatch.embeddings.vectors import Embeddings
from fastmatch.errors import OptionError

__all__ = ["loaded_vectors", "name_of", "version"]


def version(path: str | os.PathLike[str]) -> tuple[str, int, int]:
    """A file's name, size and time of change, by which a file is known that was loaded before.

    Raises
    ------
    OptionError
        If there is no such file, or it cannot be looked at.
    """
    name = os.fspath(path)
    try:
        status = os.stat(name)
    except OSError as error:
        raise OptionError(f"cannot read {name}: {error.strerror or error}") from None
    return name, status.st_size, status.st_mtime_ns


def loaded_vectors(given: str | os.PathLike[str] | Embeddings | None) -> Embeddings | None:
    """The word vectors of an option ``embeddings``."""
    if given is None or isinstance(given, Embeddings):
        return given
    return _loaded(*version(given))


@lru_cache(maxsize=4)
def _loaded(path: str, size: int, changed: int) -> Embeddings:
    return Embeddings.load(path)


def name_of(vectors: Embeddings) -> str:
    """For the signature: name of the file, and the beginning of the fingerprint of the vectors in it."""
    name = "vectors" if vectors.path is None else os.path.basename(vectors.path).replace("|", "_").replace("\n", "_")
    return f"{name}#{vectors.fingerprint[:8]}"
