"""Files of RARE's pairs: written all or none, and read again, those of the published program as well."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from math import isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastmatch.benchmarks.rare_pairs import PRESETS, SPLITS, Preset, RarePairs, RareSet, Split
from fastmatch.errors import OptionError, ReadError
from fastmatch.graphs.reading import contents
from fastmatch.metrics.options import choice
from fastmatch.runtime.files import new_bytes
from fastmatch.types import FloatArray


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise OSError, before any work is done, if :func:`write` could not write there."""
    path = os.fspath(folder)
    if not os.path.isdir(path):
        if os.path.lexists(path):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        path = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if not os.access(path, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def write(pairs: RareSet, folder: str | os.PathLike[str]) -> None:
    """Write pairs as files; all of them or, if something goes wrong, none.

    ``<split>.original.amr`` and ``<split>.rewired.amr`` hold the two graphs of each pair, ``<split>.tsv`` its label and
    score. Under the preset ``tool`` the names are the published program's, and labels and scores are two ``.npy``
    files, so that its evaluation can read them. Files of these names are replaced.

    Raises
    ------
    OSError
        If the folder cannot be made or written.
    """
    path = os.fspath(folder)
    check_folder(path)
    fresh = not os.path.isdir(path)
    if fresh:
        os.mkdir(path)
    try:
        with ExitStack() as whole:  # if one cannot be written, none takes its place
            for split in pairs.splits:
                for name, content in _files(split, pairs.preset):
                    file = whole.enter_context(new_bytes(os.path.join(path, name)))
                    if isinstance(content, str):
                        file.write(content.encode())
                    else:
                        np.save(file, content)
                    file.flush()  # the disk may be full: found before the first one takes its place
    except BaseException:
        if fresh:
            with suppress(OSError):  # another program has put something there
                os.rmdir(path)
        raise


def _files(split: RarePairs, preset: Preset) -> Iterator[tuple[str, str | NDArray[Any]]]:
    """Names and contents of the files of a split."""
    names = _names(split.split, preset)
    yield names[0], _blocks(split.originals[index] for index in split.index.tolist())
    yield names[1], _blocks(split.rewired)
    if preset == "tool":
        yield names[2], np.array(split.labels, np.str_)
        yield names[3], split.scores
        return
    rows = zip(split.labels, split.scores.tolist(), strict=True)
    yield names[2], "label\tscore\n" + "".join(f"{label}\t{score!r}\n" for label, score in rows)


def _names(split: Split, preset: Preset) -> list[str]:
    """Names of a split's files: originals, rewired graphs, labels and scores (the program has a file for either)."""
    if preset == "tool":
        graphs = [f"{split}_unwiki_{which}_rewire.txt" for which in ("unoisy", "noisy")]
        return [*graphs, *(f"{split}_noisy_{what}_rewire.npy" for what in ("labels", "scores"))]
    return [f"{split}.{what}" for what in ("original.amr", "rewired.amr", "tsv")]


def _blocks(texts: Iterable[str]) -> str:
    """Graphs with empty lines between them."""
    joined = "\n\n".join(texts)
    return f"{joined}\n" if joined else ""


def load(folder: str | os.PathLike[str], splits: Sequence[Split] = SPLITS) -> RareSet:
    """Read pairs that :func:`write`, or the published program, has written.

    Parameters
    ----------
    folder : path
    splits : sequence of str
        Which of train, dev and test; what is not there is left out.

    Returns
    -------
    RareSet

    Raises
    ------
    OptionError
        If there is none of the splits, or there is no such split.
    ReadError
        If a file is not what it should be, or files of a split differ in the number of pairs.
    OSError
        If a file cannot be read.
    """
    path = os.fspath(folder)
    for split in splits:
        choice("split", split, SPLITS)
    for preset in PRESETS:
        present = [split for split in splits if os.path.exists(os.path.join(path, _names(split, preset)[0]))]
        if present:
            return RareSet(tuple(_loaded(path, split, preset) for split in present), path, preset, None)
    wanted = " or ".join(_names(splits[0] if len(splits) == 1 else "test", preset)[0] for preset in PRESETS)
    raise OptionError(f"{path}: no pairs of RARE for {', '.join(splits)}; expected files such as {wanted}")


def _loaded(folder: str, split: Split, preset: Preset) -> RarePairs:
    names = [os.path.join(folder, name) for name in _names(split, preset)]
    first, second = (_texts(name) for name in names[:2])
    labels, scores = _table(names[2]) if preset == "default" else _arrays(names[2], names[3])
    if not len(first) == len(second) == len(scores) == len(labels):
        raise ReadError(
            f"{len(second)} graphs, but {len(first)} originals and {len(scores)} scores; expected a line for each pair",
            source=names[1],
        )
    originals = dict.fromkeys(first)
    places = {text: place for place, text in enumerate(originals)}
    index = np.array([places[text] for text in first], np.int32)
    return RarePairs(split, len(originals), tuple(originals), tuple(second), index, tuple(labels), scores)


def _texts(name: str) -> list[str]:
    """The blocks of a file that hold a graph; blocks are what stands between empty lines."""
    _, data = contents(name)
    try:
        text = data if isinstance(data, str) else bytes(data).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ReadError("not UTF-8; expected graphs", source=name) from None
    blocks = re.split(r"\n(?:[^\S\n]*\n)+", text.replace("\r\n", "\n"))
    return [block.strip("\n") for block in blocks if re.search(r"^\s*[^#\s]", block, re.MULTILINE)]


def _table(name: str) -> tuple[list[str], FloatArray]:
    """Labels and scores, from a table with two columns and a header."""
    _, data = contents(name)
    lines = (data if isinstance(data, str) else bytes(data).decode("utf-8-sig", "replace")).splitlines()
    labels: list[str] = []
    scores: list[float] = []
    for number, line in enumerate(lines):
        label, _, score = line.partition("\t")
        if not number and (label, score) == ("label", "score"):
            continue
        try:
            scores.append(float(score) if number else nan)
        except ValueError:
            scores.append(nan)
        if not isfinite(scores[-1]):
            expected = "label, a tab and a finite score" if number else "the header 'label', a tab, 'score'"
            raise ReadError(f"expected {expected}, found {line[:40]!r}", source=name, line=number + 1, column=1)
        labels.append(label)
    return labels, np.array(scores, np.float64)


def _arrays(labels_name: str, scores_name: str) -> tuple[list[str], FloatArray]:
    """Labels and scores, from the program's two files."""
    found = []
    for name in (labels_name, scores_name):
        try:
            found.append(np.load(name, allow_pickle=False))
        except (ValueError, EOFError) as error:
            raise ReadError(f"no .npy file: {error}", source=name) from None
        if not isinstance(found[-1], np.ndarray):
            raise ReadError("an archive of arrays (.npz); expected one array", source=name)
    labels, scores = found
    if labels.ndim != 1 or scores.ndim != 1 or scores.dtype.kind not in "fiu" or not np.isfinite(scores).all():
        raise ReadError("expected a list of finite numbers, and of labels beside it", source=scores_name)
    return list(map(str, labels)), scores.astype(np.float64)
