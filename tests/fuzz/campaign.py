"""Damaged input by the million: each reader, loader and cache, and arbitrary corpora through everything.

    python tests/fuzz/campaign.py readers corpora vectors caches documents --count 1000000
    python tests/fuzz/campaign.py reader/penman --count 1000 --seed 7
    python tests/fuzz/campaign.py arbitrary --count 500

Every input ends in a result that holds together or in a FastmatchError that names a place; anything else is a find. A
find is printed with its traceback, its input is written to ``--keep``, and the exit status is 1. A find belongs into
``KEPT`` below, which ``test_campaign.py`` replays. The table at the end gives the inputs, how many of them were read
and how many refused, and microseconds of processor time an input. ``docs/reliability.md`` has the figures of a run.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

import fastmatch as fm
from fastmatch import Corpus, ReadError, umr
from fastmatch.embeddings import Embeddings
from fastmatch.errors import FastmatchError
from fastmatch.graphs.dialects import DIALECTS

from support import arbitrary, exercise
from support.mutation import SEEDS, mutated

#: Takes an input; True if it was read, False if it was refused.
Target = Callable[[bytes], bool]
#: Of so many inputs one is put through what costs more than reading it.
_SELDOM = 64


def placed(error: ReadError, data: bytes) -> None:
    """The error is one line that says what is wrong, and names a place that the text has."""
    assert error.message and "\n" not in error.message, error
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert 1 <= error.line <= len(lines), error
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1, error
    assert 0 <= error.place <= len(error.text), error


def named(error: ReadError, path: Path) -> None:
    """The error is one line, and of this file."""
    assert error.source == str(path) and error.message and "\n" not in error.message, error


def used(corpus: Corpus) -> None:
    """Look at all of a corpus, write its graphs, and score it against itself by metrics of three kinds."""
    corpus.validate()
    for graph in corpus:
        repr(graph), graph.metadata
        with contextlib.suppress(FastmatchError):
            graph.encode()
    for metric in ("smatch", "ancast", "wlk") if len(corpus) else ():
        scores = fm.score(corpus.with_columns(dialect="penman"), corpus.with_columns(dialect="penman"), metric=metric)
        assert all(0 <= value <= 1 for value in scores.pairs.score)


def reader(dialect: str) -> Target:
    """Texts of graphs, read with this dialect."""
    count = 0

    def run(data: bytes) -> bool:
        nonlocal count
        count += 1
        if data[:2] == b"\x1f\x8b":  # a damaged archive is refused whatever on_error says
            with contextlib.suppress(FastmatchError):
                fm.read(io.BytesIO(data), dialect=dialect)
            return False
        corpus = fm.read(io.BytesIO(data), dialect=dialect, on_error="empty")
        corpus.columns  # noqa: B018 - checks the arrays
        corpus.vocabulary.export()[0].tobytes().decode("utf-8", "surrogatepass")
        if corpus.problems:
            try:
                fm.read(io.BytesIO(data), dialect=dialect)
            except ReadError as error:
                placed(error, data)
            else:
                raise AssertionError(f"problems under 'empty', no error under 'raise': {corpus.problems}")
        if count % _SELDOM == 0:
            used(corpus)
            skipped = fm.read(io.BytesIO(data), dialect=dialect, on_error="skip")
            assert len(skipped) == len(corpus) - len({g for g, _ in corpus.problems})
        return not corpus.problems

    return run


def documents() -> Target:
    """UMR documents; one that is read is scored."""
    good = umr.parse(SEEDS["documents"][0].decode())

    def run(data: bytes) -> bool:
        text = data.decode("utf-8", "replace")
        try:
            document = umr.parse(text)
        except ReadError as error:
            placed(error, text.encode())
            return False
        with contextlib.suppress(FastmatchError):
            assert all(0 <= value <= 1 for value in umr.score(document, good).scores.values())
        return True

    return run


def _folder() -> Path:
    """A new folder, in memory where there is such a place: the disk is not what is tested."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="fastmatch-", dir=memory if os.access(memory, os.W_OK) else None))


def corpora() -> Target:
    """Files of ``Corpus.save``: what loads is valid, and can be used."""
    path = _folder() / "corpus"
    count = 0

    def run(data: bytes) -> bool:
        nonlocal count
        count += 1
        path.write_bytes(data)
        try:
            corpus = Corpus.load(path, mmap=count % 2 == 0)
        except ReadError as error:
            named(error, path)
            return False
        repr(corpus), corpus.ids
        if count % _SELDOM == 0:
            used(corpus)
        return True

    return run


def saved_corpora() -> list[bytes]:
    """Small files: of graphs, of graphs that could not be read, and of arbitrary arrays."""
    path = _folder() / "corpus"
    made = []
    random = Random(0)
    for corpus in (
        fm.read(io.BytesIO(SEEDS["graphs"][0]), on_error="empty"),
        fm.parse(["(a / cat)", "(", "# ::snt \u00c9t\u00e9\n(b / y :ARG0 b)"], on_error="empty"),
        *(arbitrary.corpus(random, vocabulary=arbitrary.odd_vocabulary(random, 20)) for _ in range(3)),
    ):
        corpus.save(path)
        made.append(path.read_bytes())
    return made


def vectors() -> Target:
    """Text files of word vectors."""
    path = _folder() / "vectors.txt"

    def run(data: bytes) -> bool:
        path.write_bytes(data)
        try:
            found = Embeddings.load(path, cache=False)
        except ReadError as error:
            named(error, path)
            return False
        assert found.vectors.shape == (len(found), found.dimension) and np.isfinite(found.vectors).all()
        assert all(found.lookup(word) >= 0 for word in found.words[:3])
        return True

    return run


class Caches:
    """Cache files of word vectors: damage is seen, and the text is read again, so that the vectors are the same.

    "Read" counts the damage in bytes that mean nothing, and "refused" the rest.
    """

    def __init__(self) -> None:
        folder = _folder()
        self.text, self.folder = folder / "vectors.txt", folder / "cache"
        self.text.write_bytes(SEEDS["vectors"][0])
        os.utime(self.text, (1_000_000_000, 1_000_000_000))  # of this moment it would not be cached
        Embeddings.load(self.text, cache=self.folder)
        self.expected = Embeddings.load(self.text, cache=False)
        (self.place,) = self.folder.iterdir()
        self.good = self.place.read_bytes()

    def __call__(self, data: bytes) -> bool:
        self.place.unlink(missing_ok=True)  # a file that may be mapped is never written to
        self.place.write_bytes(data)
        before = self.place.stat().st_ino
        found = Embeddings.load(self.text, cache=self.folder)
        assert found == self.expected and found.words == self.expected.words
        return self.place.stat().st_ino == before


def targets(random: Random) -> Iterator[tuple[str, Target, list[bytes]]]:
    """(name, target, input that the damage starts from)."""
    for dialect in DIALECTS:
        yield f"reader/{dialect}", reader(dialect), list(SEEDS["graphs"])
    yield "documents", documents(), list(SEEDS["documents"])
    yield "corpora", corpora(), saved_corpora()
    yield "vectors", vectors(), list(SEEDS["vectors"])
    caches = Caches()
    yield "caches", caches, [caches.good]


#: Finds of earlier runs: target and input. They are replayed with the tests.
KEPT: list[tuple[str, bytes]] = [
    # bytes of a broken graph stood in the vocabulary, which could not be folded or saved and loaded any more
    ("reader/penman", b"(a / x)\n\n(b / y\xc9 :ARG0 c)"),
    ("reader/penman", b"# ::snt \xff\n(b / y :\xe9 c)"),
]


def run(name: str, target: Target, good: list[bytes], *, count: int, seed: int, keep: Path | None) -> tuple[int, int]:
    """Try ``count`` inputs; prints each find. Returns how many inputs were read, and the number of finds."""
    random = Random(f"{name} {seed}")
    read = finds = 0
    for number in range(count):
        data = mutated(random, good[number % len(good)])
        try:
            read += target(data)
        except Exception:
            finds += 1
            print(f"{name}, seed {seed}, input {number}: {data[:500]!r}", file=sys.stderr)
            traceback.print_exc(limit=-4)
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{name.replace('/', '-')}-{seed}-{number}").write_bytes(data)
            if finds == 5:
                print(f"{name}: stops after 5 finds", file=sys.stderr)
                break
    return read, finds


def run_arbitrary(count: int, seed: int) -> tuple[int, int]:
    """Arbitrary corpora through everything. Returns how many actions ran, and the number of finds."""
    actions = finds = 0
    for number in range(seed, seed + count):
        try:
            actions += exercise.run(number)
        except Exception:
            finds += 1
            traceback.print_exc()
    return actions, finds


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    known = [name for name, *_ in targets(Random(0))]
    parser.add_argument(
        "target",
        nargs="+",
        choices=["readers", *known, "arbitrary"],
        metavar="TARGET",
        help=f"readers (all of them), {', '.join(known)}, arbitrary",
    )
    parser.add_argument("--count", type=int, default=100_000, help="inputs a target (default 100,000)")
    parser.add_argument("--seed", type=int, default=0, help="other inputs for another number (default 0)")
    parser.add_argument("--keep", type=Path, help="folder for inputs that are finds")
    arguments = parser.parse_args()
    finds = 0
    print(f"{'target':26}{'inputs':>10}{'read':>10}{'refused':>10}{'finds':>7}{'µs each':>9}")
    for name, target, good in targets(Random(0)):
        if name in arguments.target or ("readers" in arguments.target and name.startswith("reader/")):
            start = time.process_time()
            read, found = run(name, target, good, count=arguments.count, seed=arguments.seed, keep=arguments.keep)
            each = (time.process_time() - start) / max(arguments.count, 1) * 1e6
            print(
                f"{name:26}{arguments.count:10,}{read:10,}{arguments.count - read:10,}{found:7}{each:9.1f}", flush=True
            )
            finds += found
    if "arbitrary" in arguments.target:
        start = time.process_time()
        actions, found = run_arbitrary(arguments.count, arguments.seed)
        each = (time.process_time() - start) / max(actions, 1) * 1e6
        print(f"{'arbitrary (actions)':26}{actions:10,}{'':20}{found:7}{each:9.1f}", flush=True)
        finds += found
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
