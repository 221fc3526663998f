"""Tables that an option holds: mappings that cannot be changed, or files of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, ClassVar, Self, TypeVar

from fastmatch.errors import OptionError, ReadError, shortened
from fastmatch.graphs.sources import lines_of
from fastmatch.runtime.files import version

Value = TypeVar("Value")


class OptionTable(Mapping[str, Value]):
    """A mapping by ids, which cannot be changed; equal ones have equal hashes.

    A subclass checks what it is given, calls this ``__init__``, and says what a file holds (:meth:`parsed`).

    Attributes
    ----------
    option, entries : str
        The option that holds it, and what its ids are those of, for messages.
    holds : str
        What the option may be besides the name of a file.
    digest : str
        16 hexadecimal digits that depend on what the table holds and nothing else.
    """

    __slots__ = ("_table", "digest")
    option: ClassVar[str]
    entries: ClassVar[str]
    holds: ClassVar[str]

    def __init__(self, table: dict[str, Value], rows: str) -> None:
        self._table = table
        self.digest = sha256(rows.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @classmethod
    def of(cls, given: str | Mapping[str, Any]) -> Self:
        """The table that an option holds: a mapping, or one read from the file of that name, once for each state of it.

        Raises
        ------
        OptionError
            If the file cannot be read, or the mapping holds something else.
        ReadError
            If the file is not in UTF-8, or a line is wrong.
        """
        if isinstance(given, cls):
            return given
        if not isinstance(given, str):
            return cls(given)  # type: ignore[call-arg,arg-type]
        return _read(cls, *version(given, cls.option, quoted=True))  # type: ignore[return-value]

    @classmethod
    def checked(cls, given: object) -> str | Self | None:
        """What an option keeps: the name of a file, which is read here and may be again, a table, or None.

        Raises
        ------
        OptionError
            If it is something else; and as :meth:`of` does.
        """
        if isinstance(given, os.PathLike):
            given = os.fspath(given)
        if isinstance(given, Mapping):
            return cls.of(given)
        if isinstance(given, str):
            cls.of(given)
        elif given is not None:
            raise OptionError(f"{cls.option}={given!r}: expected the name of a file, or {cls.holds}")
        return given

    @classmethod
    def parsed(cls, path: str, lines: Iterable[tuple[int, str]]) -> Mapping[str, Any]:
        """What the lines of a file say that are not empty, each with its number."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> Value:
        return self._table[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._table == other._table

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self):,} {self.entries}, {self.digest}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._table,))


def wrong_line(expected: str, path: str, number: int, line: str) -> ReadError:
    """The error of a line that does not hold what is expected."""
    return ReadError(f"expected {expected}, found {shortened(line.strip(), 60)!r}", source=path, line=number, column=1)


@lru_cache(maxsize=8)
def _read(table: type[OptionTable[Any]], path: str, *state: int) -> OptionTable[Any]:
    """The table of a file, read once for each state of it."""
    try:
        lines = enumerate(lines_of(path), 1)
    except OSError as error:
        raise OptionError(f"{table.option}: cannot read {path!r}: {error.strerror or error}") from None
    return table(table.parsed(path, ((number, line) for number, line in lines if line.strip())))  # type: ignore[call-arg,arg-type]


#: A sentence of more words is a mistake; the kernels count in 31 bits.
_MOST = 10**9


class SentenceLengths(OptionTable[int]):
    """How many words each sentence has, for graphs whose ids of nodes are numbers of words.

    A file has a line for each sentence: its id, a tab, the number of its words. Empty lines are passed over, and so is
    a byte-order mark. An id that stands there twice is an error, as is a number with anything but the digits 0 to 9.

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
