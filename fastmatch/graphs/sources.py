"""Which files a source of graphs stands for, and files that hold something else than Penman notation.

A *source* is the name of a file, a folder, a pattern such as ``gold/*.amr``, or a list of these.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from fastmatch.errors import OptionError, ReadError

#: How names of RDF files end: N-Triples, N-Quads, Turtle, TriG, RDF/XML.
RDF = (".nt", ".nq", ".ttl", ".trig", ".rdf")

_PATTERN = re.compile(r"[*?\[]")

#: How much of a file is looked at to see what it is.
_LOOKED_AT = 20_000

_UMR = re.compile(
    rb"^#\s*sentence level graph\s*:.*^#\s*(?:alignment|document level annotation)\s*:", re.MULTILINE | re.DOTALL
)
# a row of a CAMRP table, or its heading; a line with the words of a sentence, and a role with brackets right behind it
_CAMR_ROW = re.compile(
    rb"(?:sid|\xe5\x8f\xa5\xe5\xad\x90\xe7\xbc\x96\xe5\x8f\xb7|[^\t\r\n]+\tx[0-9][^\t\r\n]*)(?:\t[^\t\r\n]*){6,9}(?=[\r\n])"
)
_CAMR_WORDS = re.compile(rb"^#.*::wid\s+x[0-9]+_", re.MULTILINE)
_CAMR_ROLE = re.compile(rb":[^\s():]+\((?:\)|x[0-9])")
# the first line of box notation that is no comment, with or without something before a tab. Lines before it are taken
# for good (*+): trying them in other ways takes twice as long for each line, a lifetime for a hundred.
_SBN = re.compile(
    rb"(?:[ \t]*(?:[%#][^\r\n]*)?[\r\n]+)*+(?:[^\r\n(]*\t)?[ ]*(?:[^\s(]+\.[nvarx]\.\d+|[A-Z]{6,12} [-<]\d)(?=\s|$)"
)
# the first line that is no comment, if a graph in Penman notation begins there
_PENMAN = re.compile(rb"(?:[ \t]*(?:[%#][^\r\n]*)?[\r\n]+)*+[ \t]*\([ \t]*[^\s()/:\"]+\s*/")
# first bytes of a file that is packed → the program
_PACKED = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf": "7-Zip",
}
# fields that a graph in MRP JSON has, and other graphs in JSON have not
_MRP = re.compile(rb'"(?:flavor|framework|tops)"\s*:')

# columns of a table of triples
_HEADERS = (("source", "role", "target"), ("subject", "predicate", "object"), ("head", "relation", "tail"))


class Kept:
    """What an open file held: a file that can be read again and again, as metrics may read it differently."""

    __slots__ = ("_data", "name")

    def __init__(self, name: str | None, data: str | bytes) -> None:
        self.name, self._data = name, data

    def read(self) -> str | bytes:
        """All of it, each time."""
        return self._data


def kept(source: Any) -> Any:
    """The source itself; of an open file what it holds, to be read again and again."""
    if isinstance(source, Kept) or not hasattr(source, "read"):
        return source
    return Kept(getattr(source, "name", None), source.read())


def expanded(source: str | Iterable[str | os.PathLike[str]]) -> list[str] | None:
    """The files that a source stands for, in order; None if it is the name of one file, which need not exist.

    A folder stands for its files, but for hidden ones and those of folders in it, in the order of their names; so does
    a pattern that is no file itself, in which ``**`` stands for any folders.

    Raises
    ------
    OptionError
        If a folder holds no files, or a pattern fits none.
    """
    if not isinstance(source, str):
        files: list[str] = []
        for name in source:
            files += expanded(os.fspath(name)) or [os.fspath(name)]
        return files
    if os.path.isdir(source):
        found = sorted(
            entry.path for entry in os.scandir(source) if entry.is_file() and not entry.name.startswith((".", "_"))
        )
        if not found:
            raise OptionError(f"{source}: the folder holds no files")
        return found
    if _PATTERN.search(source) and not os.path.exists(source):
        from glob import glob

        found = sorted(name for name in glob(source, recursive=True) if os.path.isfile(name))
        if not found:
            raise OptionError(f"{source}: no file fits this pattern")
        return found
    return None


def other_format(data: str | bytes | bytearray | memoryview, dialect: str) -> str | None:
    """What to say of a file that is surely no Penman notation and would be misread; None for any other.

    Some dialects read any text without an error, as what they follow does.
    """
    head = _head(data)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if dialect.startswith("mrp"):
        return None
    if is_mrp(data):
        return "this is MRP JSON: --dialect mrp (dialect='mrp') reads it, and `fastmatch score --aspects mrp`"
    if start.startswith((b'{"', b"{'", b"[{", b"PAR1")):
        kind = "a Parquet file" if start.startswith(b"PAR1") else "JSON"
        return f"this is {kind}: name the field that holds the graphs (--pred-field, --gold-field, field=…)"
    if dialect.startswith(("sbn", "tsv")) and _PENMAN.match(head.removeprefix(b"\xef\xbb\xbf")):
        other = "box notation" if dialect.startswith("sbn") else "tables of triples"
        return f"this is Penman notation, and dialect={dialect!r} reads {other}"
    if dialect != "tsv" and not dialect.startswith(("sbn", "camr")) and _SBN.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "this is box notation (SBN): --dialect sbn (dialect='sbn') reads it, --preset pmb5 as PMB 5's scripts"
    if dialect != "ancast-umr" and _UMR.search(head):
        return "this is a UMR document: --metric ancast or jumatch compares documents in files, fastmatch.umr any"
    row = _CAMR_ROW.match(start) if dialect != "camr-tuples" else None
    if row is not None and row[0].count(b"\t") in (7, 9):
        how = "--metric align-smatch --lengths FILE (dialect='camr-tuples')"
        return f"this is a table of Chinese AMR (CAMR): read it with {how}"
    if dialect != "camr" and _CAMR_WORDS.search(head) and _CAMR_ROLE.search(head):
        how = "--metric align-smatch --dialect camr (dialect='camr')"
        return f"this is a text of Chinese AMR (CAMR): read it with {how}"
    return None


def is_mrp(data: str | bytes | bytearray | memoryview) -> bool:
    """Whether a file holds graphs in MRP JSON, by its beginning."""
    start = _head(data).lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b'{"') and _MRP.search(start) is not None


def is_umr(name: str) -> bool:
    """Whether a file, gzipped or not, is a UMR document, by its beginning; of a folder one of its first three files.

    What can be read only once, such as a pipe, is left alone: it is none.
    """
    if os.path.isdir(name):
        return any(is_umr(entry) for entry in sorted(entry.path for entry in os.scandir(name) if entry.is_file())[:3])
    if not os.path.isfile(name):
        return False
    import zlib

    try:
        with open(name, "rb") as file:
            head = file.read(_LOOKED_AT)
        if head.startswith(b"\x1f\x8b"):
            head = zlib.decompressobj(wbits=31).decompress(head, _LOOKED_AT)
    except (OSError, zlib.error):
        return False  # reading it says what is wrong
    return _UMR.search(head) is not None


def decoded(source: str, data: bytes, breaks: str = r"\r\n|\r|\n", errors: str = "strict") -> str:
    """The text of a file, its byte-order mark included.

    Parameters
    ----------
    source : str
        Name of the file, for the error.
    data : bytes
    breaks : str
        Regular expression of what ends a line.
    errors : str
        What :meth:`bytes.decode` does with bytes that are no text.

    Raises
    ------
    ReadError
        If it is no text in UTF-8: with line and column of the first byte that is none, each counted from 1.
    """
    try:
        return data.decode("utf-8", errors)
    except UnicodeDecodeError as error:
        before = re.split(breaks, data[: error.start].decode("utf-8", errors).removeprefix("\ufeff"))
        message = f"byte 0x{data[error.start]:02x} is not UTF-8; expected a text file in UTF-8"
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            message = "the text looks like UTF-16; expected UTF-8"
        line, column = len(before), len(before[-1]) + 1
        raise ReadError(message, source=source, line=line, column=column, place=0) from None


def lines_of(path: str | os.PathLike[str], errors: str = "strict") -> list[str]:
    """The lines of a text file without their ends; errors as :func:`decoded` raises them, and ``OSError``."""
    with open(path, "rb") as file:
        text = decoded(os.fspath(path), file.read(), errors=errors)
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))


def packed_by(data: bytes | bytearray | memoryview) -> str | None:
    """The program that packed a file, if it is not gzip; None for any other file.

    Some dialects would read graphs into such bytes without an error.
    """
    start = bytes(data[:262])
    if start[257:] == b"ustar":
        return "tar"
    for magic, program in _PACKED.items():
        if start.startswith(magic) and (program != "bzip2" or start[4:10] == b"1AY&SY"):
            return program
    return None


def is_rdf(name: str, *, several: bool = False) -> bool:
    """Whether a file is RDF, by its name; with ``several`` only if its format can hold more than one graph."""
    return name.lower().removesuffix(".gz").endswith((".nq", ".trig") if several else RDF)


def hint(name: str, data: str | bytes | bytearray | memoryview) -> str:
    """What to add to the error of a file that could not be read, if it seems to be something else."""
    if name.lower().removesuffix(".gz").endswith((".csv", ".tsv", ".tab")):
        first = _head(data).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").lstrip().partition("\n")[0]
        cells = {cell.strip("\"' \t\r").lower() for cell in re.split(r"[,;|\t]", first)}
        for columns in _HEADERS:
            if cells.issuperset(columns):
                return (
                    f"; this would be a table of triples if its header had {', '.join(columns)} in lower case, with "
                    "commas (.csv) or tabs (.tsv) and no spaces between them"
                )
        return (
            "; in a table, name the field that holds the graphs (--pred-field, --gold-field, field=…), or head its "
            "columns source, role, target; subject, predicate, object; or head, relation, tail, if each row is a triple"
        )
    return ""


def _head(data: str | bytes | bytearray | memoryview) -> bytes:
    head = data[:_LOOKED_AT]
    return head.encode("utf-8", "replace") if isinstance(head, str) else bytes(head)


class Lacking(NamedTuple):
    """Stands for a text that is not there.

    Attributes
    ----------
    message : str
        What is wrong.
    """

    message: str


def no_text(item: object) -> str:
    """What is wrong with something that stands where a text should, as None and NaN do in columns of tables."""
    if isinstance(item, Lacking):
        return item.message
    known = item is None or (isinstance(item, float) and item != item)
    return f"expected a text, found {item if known else f'an object of type {type(item).__name__}'}"
