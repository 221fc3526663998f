"""Documents in any form, and which of them make a pair."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from os import PathLike, fspath
from typing import IO, Any, TypeAlias, TypeGuard

from fastmatch.errors import OptionError, PairingError, ReadError
from fastmatch.umr.documents import Document, read_text

#: From a text and its name to a document.
Reading: TypeAlias = Callable[[str, str], Document]
One: TypeAlias = Document | str | PathLike[str] | IO[str] | IO[bytes]
Documents: TypeAlias = One | Iterable[One]

_EXPECTED = "a Document, the text of one or a path object or open file"


def document_pairs(
    pred: Documents, gold: Documents, reading: Reading, *, mark: bool = False
) -> list[tuple[Document, Document]]:
    """Each predicted document with its gold document, read; ``mark``: with the byte-order marks of the files.

    Raises
    ------
    PairingError
        If the numbers of documents differ, or two folders hold files of different names.
    """
    if _is_folder(pred) and _is_folder(gold):
        names = [set(_files(folder)) for folder in (pred, gold)]
        odd = sorted(names[0] ^ names[1])
        if odd:
            there, missing = (pred, gold) if odd[0] in names[0] else (gold, pred)
            raise PairingError(
                f"umr: {fspath(there)} has {odd[0]!r}, {fspath(missing)} has not; folders are paired by names of files"
            )
    pred_documents, gold_documents = _documents("pred", pred, reading, mark), _documents("gold", gold, reading, mark)
    if len(pred_documents) != len(gold_documents):
        raise PairingError(f"umr: {len(pred_documents)} predicted documents but {len(gold_documents)} gold ones")
    return list(zip(pred_documents, gold_documents, strict=True))


def _documents(name: str, given: Any, reading: Reading, mark: bool) -> list[Document]:
    """The documents of one argument; ``name`` is what errors call it."""
    if isinstance(given, Document | str | PathLike) or hasattr(given, "read"):
        return _read_any(name, given, reading, mark)
    if isinstance(given, (bytes, set, frozenset, Mapping)) or not hasattr(given, "__iter__"):
        raise TypeError(f"{name}: expected {_EXPECTED}, or a sequence of these, not {type(given).__name__}")
    documents: list[Document] = []
    for number, one in enumerate(given):
        if not isinstance(one, Document | str | PathLike) and not hasattr(one, "read"):
            raise TypeError(f"{name}[{number}]: expected {_EXPECTED}, not {type(one).__name__}")
        documents += _read_any(f"{name}[{number}]", one, reading, mark)
    return documents


def _read_any(name: str, given: One, reading: Reading, mark: bool) -> list[Document]:
    if isinstance(given, Document):
        return [given]
    if isinstance(given, str):
        if given.strip() and "\n" not in given:
            raise ReadError("no UMR document; the name of a file goes into a path object", source=name)
        return [reading(given, name)]
    paths: list[Any] = [os.path.join(given, file) for file in _files(given)] if _is_folder(given) else [given]
    texts = (read_text(path, mark=mark) for path in paths)
    return [reading(text, source) for source, text in texts]


def _is_folder(given: Any) -> TypeGuard[PathLike[str]]:
    return isinstance(given, PathLike) and os.path.isdir(given)


def _files(folder: PathLike[str]) -> list[str]:
    """Names of the files of a folder, in order.

    Raises
    ------
    OptionError
        If there are none.
    """
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if entry.is_file() and not entry.name.startswith("."))
    if not names:
        raise OptionError(f"{fspath(folder)}: no files in this folder, expected UMR documents")
    return names
