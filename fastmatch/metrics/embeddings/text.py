"""Text files of word vectors, parsed piece by piece: memory besides the result is a few megabytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.reading.vectors import VectorParser
from fastmatch.errors import ReadError

# Bytes of text that are read and parsed in one go.
_PIECE = 1 << 20
# Bytes behind the text that the parser may look at.
_PADDING = 16


def parse_vectors(file: IO[bytes], path: str, keep: Callable[[NDArray[np.float32]], object]) -> VectorParser:
    """Parse a whole file, from its beginning.

    Parameters
    ----------
    file : binary file
        Plain or gzipped text.
    path : str
        Its name, for messages.
    keep : callable
        Gets the rows piece by piece, float32[n, dimension], and must copy them: the memory is used again.

    Returns
    -------
    VectorParser
        Has the words.

    Raises
    ------
    ReadError
        If the text holds no vectors, a line is not a word and as many finite numbers as the other lines have, or these
        are too many.
    OSError
        If the file cannot be read.
    """
    import gzip
    import zlib

    parser = VectorParser()
    source: Any = file
    file.seek(0)
    if file.read(2) == b"\x1f\x8b":
        source = gzip.GzipFile(fileobj=file)
    file.seek(0)
    data = bytearray(_PIECE + _PADDING)
    filled = 0
    mark = 3  # a byte-order mark is no part of the first word
    while True:
        try:
            n = source.readinto(memoryview(data)[filled : len(data) - _PADDING])
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ReadError(f"damaged gzip file: {error}", source=path) from None
        filled += n
        if mark and (filled >= mark or n == 0):
            if data[:mark] == b"\xef\xbb\xbf":
                filled -= mark
                data[:filled] = data[mark : mark + filled]
            mark = 0
        used = parser.feed(data, filled, n == 0)
        if used < 0:
            assert parser.fault is not None
            message, line, column = parser.fault
            raise ReadError(message, source=path, line=line, column=column)
        keep(parser.take())
        if n == 0:
            break
        filled -= used
        data[:filled] = data[used : used + filled]
        if filled == len(data) - _PADDING:  # a line longer than the piece
            data.extend(bytes(len(data)))
    if parser.n_rows == 0:
        raise ReadError("expected a word and its numbers on each line, found no line", source=path)
    if parser.announced not in (-1, parser.n_rows):
        raise ReadError(f"the first line says {parser.announced} words, found {parser.n_rows}", source=path)
    return parser
