"""How many words each sentence has: a table that comes with graphs whose ids of nodes are numbers of words.

A file has a line for each sentence: its id, a tab, the number of its words. Empty lines are passed over, and so is a
byte-order mark. An id that stands there twice is an error, as is a number with anything but the digits 0 to 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fastmatch.errors import OptionError, ReadError
from fastmatch.metrics.shared.option_tables import OptionTable, wrong_line

#: A sentence of more words is a mistake; the kernels count in 31 bits.
_MOST = 10**9


class SentenceLengths(OptionTable[int]):
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

    __slots__ = ()
    option = "lengths"
    entries = "sentences"
    holds = "numbers by ids of sentences"

    def __init__(self, lengths: Mapping[str, int]) -> None:
        for sentence, length in lengths.items():
            if not isinstance(sentence, str) or isinstance(length, bool) or not isinstance(length, int):
                raise OptionError(f"lengths: expected ids of sentences and numbers, found {sentence!r}: {length!r}")
            if not 0 <= length <= _MOST:
                raise OptionError(f"lengths: expected a number from 0 to {_MOST} for {sentence!r}, found {length}")
        rows = "".join(f"{sentence}\t{length}\n" for sentence, length in sorted(lengths.items()))
        super().__init__(dict(lengths), rows)

    @classmethod
    def parsed(cls, path: str, lines: Iterable[tuple[int, str]]) -> dict[str, int]:
        found: dict[str, int] = {}
        for number, line in lines:
            cells = [cell.strip() for cell in line.strip().split("\t")]
            if len(cells) != 2 or not (cells[1].isascii() and cells[1].isdigit()) or len(cells[1]) > 10:
                raise wrong_line("the id of a sentence, a tab and the number of its words", path, number, line)
            if cells[0] in found:
                raise ReadError(f"sentence {cells[0]!r} has a length already", source=path, line=number, column=1)
            found[cells[0]] = int(cells[1])
        return found
