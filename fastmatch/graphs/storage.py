"""Corpora in files: the arrays one after the other, so that a file can be mapped into memory and shared by processes.

A file begins with the eight bytes :data:`MAGIC`, then the length of the header as a little-endian uint64, then the
header: JSON with ``dialect``, ``source``, ``problems`` and ``arrays``, which has ``dtype``, ``shape`` and ``offset`` of
each array by name. The offsets count from the first multiple of 64 after the header; there the arrays stand,
little-endian, each at a multiple of 64. The vocabulary is the arrays ``vocabulary_text`` and ``vocabulary_offsets``.
"""

from __future__ import annotations

import json
import mmap
import os
from operator import index as as_index
from typing import Any

import numpy as np

from fastmatch.errors import ReadError
from fastmatch.graphs.arrays import ARRAYS, MAGIC, Content, Repair, check, divides
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.runtime.files import new_bytes
from fastmatch.types import ByteArray, Int64Array

__all__ = ["MAGIC", "load", "save"]

_ALIGNMENT = 64


def save(path: str | os.PathLike[str], content: Content) -> None:
    """Write a corpus, with its whole vocabulary, to one file. The file is there whole or not at all.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    text, offsets = content.vocabulary.export()
    arrays = {name: content.arrays[name] for name in ARRAYS} | {"vocabulary_text": text, "vocabulary_offsets": offsets}
    place, described = 0, {}
    for name, array in arrays.items():
        arrays[name] = array = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        described[name] = {"dtype": array.dtype.str, "shape": array.shape, "offset": place}
        place += _padded(array.nbytes)
    described_by: dict[str, Any] = {"dialect": content.dialect, "source": content.source, "problems": content.problems}
    if content.repairs:
        described_by["repairs"] = content.repairs
    header = json.dumps({**described_by, "arrays": described}).encode()
    with new_bytes(path) as file:
        file.write(MAGIC + len(header).to_bytes(8, "little") + header)
        file.write(bytes(-file.tell() % _ALIGNMENT))
        for array in arrays.values():
            file.write(array.data if array.size else b"")
            file.write(bytes(-array.nbytes % _ALIGNMENT))


def load(path: str | os.PathLike[str], *, map_file: bool) -> Content:
    """Read a file that :func:`save` wrote, or map it into memory.

    Raises
    ------
    ReadError
        If it is no such file, or damaged: lengths, offsets and every index are checked.
    OSError
        If it cannot be opened or read.
    """
    path = os.fspath(path)
    data: Any
    with open(path, "rb") as file:
        if file.read(8) != MAGIC:
            raise ReadError("not a corpus saved by this version of fastmatch", source=path)
        if map_file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        else:
            file.seek(0)
            data = file.read()
    try:
        content = _parsed(data, path)
        check(content, path)
    except ReadError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError, RecursionError) as error:
        raise ReadError(f"damaged corpus file ({type(error).__name__}: {error})", source=path) from error
    return content


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _parsed(data: Any, path: str) -> Content:
    """The content of a file's bytes; a damaged file may raise any of the errors that :func:`load` knows."""
    size = int.from_bytes(data[8:16], "little")
    if 16 + size > len(data):
        raise ReadError("damaged corpus file: it ends within its header", source=path)
    header = json.loads(data[16 : 16 + size])
    base = _padded(16 + size)
    arrays: dict[str, Any] = {}
    expected = ARRAYS | {"vocabulary_text": (0, "uint8"), "vocabulary_offsets": (0, "int64")}
    for name, (rows, dtype_name) in expected.items():
        entry, dtype = header["arrays"][name], np.dtype(dtype_name).newbyteorder("<")
        shape = [as_index(length) for length in entry["shape"]]
        fitting = len(shape) == 1 if rows == 0 else len(shape) == 2 and shape[0] == rows
        if entry["dtype"] != dtype.str or not fitting or min(shape) < 0:
            raise ReadError(f"damaged corpus file: {name} has the wrong type or shape", source=path)
        count = shape[-1] * max(rows, 1)
        start = base + as_index(entry["offset"])
        if start < base or start + count * dtype.itemsize > len(data) or start % _ALIGNMENT:
            raise ReadError(f"damaged corpus file: {name} lies outside it", source=path)
        array = np.frombuffer(data, dtype, count, start).reshape(shape)
        arrays[name] = array.astype(dtype.newbyteorder("="), copy=False)
    vocabulary = _vocabulary(arrays.pop("vocabulary_text"), arrays.pop("vocabulary_offsets"), path)
    problems = tuple((as_index(g), str(message)) for g, message in header["problems"])
    repairs = tuple(Repair(as_index(g), str(rule), str(place)) for g, rule, place in header.get("repairs", ()))
    return Content(vocabulary, arrays, header["dialect"], str(header["source"]), problems, repairs)


def _vocabulary(text: ByteArray, offsets: Int64Array, path: str) -> Vocabulary:
    if not divides(offsets, len(text)):
        raise ReadError("damaged corpus file: the vocabulary's offsets do not fit its text", source=path)
    starts = offsets[offsets < len(text)]
    str(text.data, "utf-8", "surrogatepass")  # a UnicodeDecodeError is a ValueError
    if np.any(text[starts] & 0xC0 == 0x80):
        raise ReadError("damaged corpus file: a string begins within a character", source=path)
    vocabulary = Vocabulary.from_export(text, offsets)
    if len(vocabulary) != len(offsets) - 1:
        raise ReadError("damaged corpus file: a string stands twice in the vocabulary", source=path)
    return vocabulary
