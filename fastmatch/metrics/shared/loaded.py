"""Word vectors that options of metrics name: loaded once for each state of a file, and named in signatures."""

from __future__ import annotations

import os
from functools import lru_cache

from fastmatch.errors import OptionError
from fastmatch.metrics.embeddings.vectors import Embeddings


def version(path: str | os.PathLike[str], option: str) -> tuple[str, int, int, int]:
    """By what a file that an option names is known if it was loaded before: name, size, time of change and inode.

    Raises
    ------
    OptionError
        If there is no such file, or it cannot be looked at.
    """
    name = os.fspath(path)
    try:
        status = os.stat(name)
    except (OSError, ValueError) as error:  # the latter for a name with a NUL
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"{option}: cannot read {name or repr(name)}: {reason}") from None
    return name, status.st_size, status.st_mtime_ns, status.st_ino


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
