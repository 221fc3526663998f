"""How many words each sentence has: a table that comes with graphs whose ids of nodes are numbers of words.

A file has a line for each sentence: its id, a tab, the number of its words. Empty lines are passed over, and so is a
byte-order mark. An id that stands there twice is an error, as is a number with anything but the digits 0 to 9.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from fastmatch.errors import OptionError, ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SentenceLengths", "sentence_lengths"]

#: A sentence of more words is a mistake; the kernels count in 31 bits.
_MOST = 10**9


class SentenceLengths(Mapping[str, int]):
    """Words of each sentence by its id; it cannot be changed, and equal ones have equal hashes.

    Parameters
    ----------
    lengths : mapping of str to int
        Numbers from 0 to 10⁹.

    Attributes
    ----------
    digest : str
        16 hexadecimal digits that depend on the ids and numbers and nothing else.

    Raises
    ------
    OptionError
        If an id is no string, or a number is none of these.
    """

    __slots__ = ("_lengths", "digest")

    def __init__(self, lengths: Mapping[str, int]) -> None:
        for sentence, length in lengths.items():
            if not isinstance(sentence, str) or isinstance(length, bool) or not isinstance(length, int):
                raise OptionError(f"lengths: expected ids of sentences and numbers, found {sentence!r}: {length!r}")
            if not 0 <= length <= _MOST:
                raise OptionError(f"lengths: expected a number from 0 to {_MOST} for {sentence!r}, found {length}")
        self._lengths = dict(lengths)
        text = "".join(f"{sentence}\t{length}\n" for sentence, length in sorted(self._lengths.items()))
        self.digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def __getitem__(self, sentence: str) -> int:
        return self._lengths[sentence]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lengths)

    def __len__(self) -> int:
        return len(self._lengths)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SentenceLengths) and self._lengths == other._lengths

    def __repr__(self) -> str:
        return f"<SentenceLengths: {len(self):,}, {self.digest}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (SentenceLengths, (self._lengths,))


def sentence_lengths(given: str | Mapping[str, int]) -> SentenceLengths:
    """The table that an option holds: a mapping, or one read from the file of that name.

    Raises
    ------
    OptionError
        If the file cannot be read, or the mapping holds something else.
    ReadError
        If a line of the file is not an id, a tab and a number, or an id stands there twice.
    """
    if isinstance(given, SentenceLengths):
        return given
    if not isinstance(given, str):
        return SentenceLengths(given)
    try:
        state = os.stat(given)
    except (OSError, ValueError) as error:
        raise OptionError(f"lengths: cannot read {given!r}: {getattr(error, 'strerror', None) or error}") from None
    return _read(given, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _read(path: str, modified: int, size: int) -> SentenceLengths:
    """The table of a file, read once for each state of it."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8-sig")
    except OSError as error:
        raise OptionError(f"lengths: cannot read {path!r}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line = before.count(b"\n") + 1
        raise ReadError("expected a text file in UTF-8", source=path, line=line, column=1) from None
    found: dict[str, int] = {}
    for number, line_text in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if not line_text.strip():
            continue
        cells = [cell.strip() for cell in line_text.strip().split("\t")]
        if len(cells) != 2 or not (cells[1].isascii() and cells[1].isdigit()) or len(cells[1]) > 10:
            shown = line_text.strip()
            shown = shown if len(shown) <= 60 else f"{shown[:60]}…"
            expected = "expected the id of a sentence, a tab and the number of its words"
            raise ReadError(f"{expected}, found {shown!r}", source=path, line=number, column=1)
        if cells[0] in found:
            raise ReadError(f"sentence {cells[0]!r} has a length already", source=path, line=number, column=1)
        found[cells[0]] = int(cells[1])
    return SentenceLengths(found)
