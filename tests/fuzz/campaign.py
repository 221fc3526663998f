"""Damaged input by the million: each reader, loader and cache, and arbitrary corpora through everything.

    python tests/fuzz/campaign.py readers fields documents documents-tool coreference --count 1000000
    python tests/fuzz/campaign.py corpora vectors caches tables weights certificates --count 1000000
    python tests/fuzz/campaign.py reader/penman --count 1000 --seed 7
    python tests/fuzz/campaign.py arbitrary --count 500

Every input ends in a result that holds together or in a FastmatchError that names a place; anything else is a find. A
find is printed with its traceback, its input is written to ``--keep``, and the exit status is 1. A find belongs into
``KEPT`` below, which ``test_campaign.py`` replays. The table at the end gives the inputs, how many of them were read
and how many refused, and microseconds of processor time an input. ``docs/reliability.md`` has the figures of a run.
"""

import argparse
import atexit
import contextlib
import csv
import io
import json
import os
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

import fastmatch as fm
from fastmatch._ext.reading.vectors import checksum
from fastmatch.documents import join, parse_annotations
from fastmatch.evaluation.certificates.check_certificates import MATCHED, Refused, problem_of
from fastmatch.evaluation.certificates.check_certificates import check as check_certificates
from fastmatch.evaluation.certificates.making import _fill as fill
from fastmatch.graphs.dialects import DIALECTS, make_reader
from fastmatch.graphs.fields import table
from fastmatch.graphs.reading import parse_texts
from fastmatch.graphs.sources import other_format
from fastmatch.metrics.embeddings import Embeddings
from fastmatch.metrics.embeddings.vectors import fingerprint_of, map_cache
from fastmatch.types import Dialect
from fastmatch.umr.columns import read_as_tool

from support import arbitrary, exercise
from support.mutation import SEEDS, SENTENCES, mutated, mutated_json
from twins.brute_force import best_map

#: Takes an input and its number; True if it was read, False if it was refused.
Target = Callable[[bytes, int], bool]
#: Of so many inputs one is read the way of a user; so many texts are a batch; of so many inputs one is put to use.
_WHOLLY, _BATCH, EVERYTHING = 32, 64, 256
#: Of so many documents one is scored.
_USED = 16


def placed(error: fm.ReadError, data: bytes) -> None:
    """The error is one line that says what is wrong, and names a place that the text has."""
    assert error.message and "\n" not in error.message, error
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert 1 <= error.line <= len(lines), error
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1, error
    assert 0 <= error.place <= len(error.text), error


def named(error: fm.ReadError, path: Path) -> None:
    """The error is one line, and of this file."""
    assert error.source == str(path) and error.message and "\n" not in error.message, error


def in_one_line(error: Exception, start: str) -> None:
    """The error is one line that begins so."""
    assert "\n" not in str(error) and str(error).startswith(start), error


def used(corpus: fm.Corpus) -> None:
    """Look at all of a corpus, write its graphs, and score it against itself by metrics of three kinds."""
    corpus.validate()
    for graph in corpus:
        repr(graph), graph.metadata
        with contextlib.suppress(fm.FastmatchError):
            graph.encode()
    for metric in ("smatch", "ancast", "wlk") if len(corpus) else ():
        scores = fm.score(corpus.with_columns(dialect="penman"), corpus.with_columns(dialect="penman"), metric=metric)
        assert all(0 <= value <= 1 for value in scores.pairs.score)
    kinds = {"mrp": ("mrp", "edm"), "sbn": ("pmb5",)}.get(corpus.dialect.partition("-")[0], ())
    for kind in kinds if len(corpus) else ():
        with contextlib.suppress(fm.FastmatchError):
            for result in fm.aspects(corpus, corpus, kind=kind).values():
                # PMB 5's script multiplies copies of a triple, as smatch does
                assert all(0 <= value <= 1 or (value > 1 and kind == "pmb5") for value in result.pairs.score)
    if corpus.dialect in ("camr", "camr-tuples") and len(corpus):
        lengths = None if corpus.dialect == "camr" else {name: 4 for name in corpus.ids if name}
        assert (fm.score(corpus, corpus, metric="align-smatch", lengths=lengths).pairs.score == 1).all()


class Reading:
    """Texts of graphs, read with one dialect.

    Most of them go straight to one compiled reader, a batch at a time, whose arrays are checked then; one in 32 goes
    the way of a user, so that errors and their places are checked as well.
    """

    def __init__(self, dialect: Dialect) -> None:
        self.dialect: Dialect = dialect
        self.renew()

    def renew(self) -> None:
        self.vocabulary = fm.Vocabulary()
        self.reader = make_reader(self.dialect, self.vocabulary.interner)
        self.batch: list[bytes] = []

    def __call__(self, data: bytes, number: int) -> bool:
        if number % _WHOLLY == 0 or data[:2] == b"\x1f\x8b":
            return self.wholly(data, number % EVERYTHING == 0)
        before = len(self.reader.problems)
        self.batch.append(data)
        self.reader.feed(data, 2)  # an empty graph for each that cannot be read
        good = len(self.reader.problems) == before
        if len(self.batch) == _BATCH:
            arrays, problems = self.reader.columns(), tuple((problem[0], "") for problem in self.reader.problems)
            batch = self.batch
            try:
                fm.Corpus(self.vocabulary, arrays, self.dialect, "<batch>", problems).validate()
                self.vocabulary.export()[0].tobytes().decode("utf-8", "surrogatepass")
            except Exception:
                for each in batch:  # by itself, the one that is to blame fails, and is named
                    self.wholly(each, True)
                raise
            finally:
                self.renew()
        return good

    def wholly(self, data: bytes, thoroughly: bool) -> bool:
        """One text as a user reads it; ``thoroughly``: what is read is used, too."""
        # a damaged archive, or a file of another format, is refused whatever on_error says
        if data[:2] == b"\x1f\x8b" or other_format(data, self.dialect) is not None:
            with contextlib.suppress(fm.FastmatchError):
                fm.read(io.BytesIO(data), dialect=self.dialect)
            return False
        corpus = fm.read(io.BytesIO(data), dialect=self.dialect, on_error="empty").validate()
        corpus.vocabulary.export()[0].tobytes().decode("utf-8", "surrogatepass")
        if corpus.problems:
            try:
                fm.read(io.BytesIO(data), dialect=self.dialect)
            except fm.ReadError as error:
                placed(error, data)
            else:
                raise AssertionError(f"problems under 'empty', no error under 'raise': {corpus.problems}")
        if thoroughly:
            used(corpus)
            skipped = fm.read(io.BytesIO(data), dialect=self.dialect, on_error="skip")
            assert len(skipped) == len(corpus) - len({g for g, _ in corpus.problems})
            mended = fm.read(io.BytesIO(data), dialect=self.dialect, on_error="repair")
            assert len(mended) == len(corpus) and mended.ids == corpus.ids
            used(mended)
        return not corpus.problems


def fields(kind: str) -> tuple[Target, Sequence[bytes]]:
    """Data files with a graph in a field of each row; those of Parquet need pyarrow."""
    rows = [{"n": 1, "amr": SEEDS["graphs"][0].decode()}, {"n": None, "amr": '(a / "b, c"\n\t:x "d \\" e")'}]
    if kind in ("csv", "tsv"):
        text = io.StringIO()
        writer = csv.DictWriter(text, ["n", "amr"], delimiter="," if kind == "csv" else "\t")
        writer.writeheader()
        writer.writerows(rows)
        good = text.getvalue()
    else:
        good = json.dumps(rows, indent=1) if kind == "json" else "".join(json.dumps(row) + "\n" for row in rows)

    def run(data: bytes, number: int) -> bool:
        try:
            texts = table(f"x.{kind}", data).texts("amr")
        except fm.FastmatchError as error:
            refused = error
        else:
            assert len(parse_texts(texts.extracted(), on_error="repair").validate()) == len(texts.texts)
            return True
        assert "\n" not in str(refused) and str(refused).startswith(f"x.{kind}:"), refused
        if isinstance(refused, fm.ReadError) and refused.line and kind != "parquet":
            # JSON's lines end in \n only
            placed(refused, data if kind in ("csv", "tsv") else data.replace(b"\r", b" "))
        return False

    return run, parquet_rows() if kind == "parquet" else [good.encode()]


def parquet_rows() -> list[bytes]:
    """Small Parquet files: of texts, of chats, and of what is no text, packed in several ways. Needs pyarrow."""
    import pyarrow
    import pyarrow.parquet

    graph = SEEDS["graphs"][0].decode()
    made = []
    for column, options in (
        ([graph, None, "("], {"compression": "none"}),
        ([graph, graph, None], {"compression": "snappy", "use_dictionary": False}),
        ([[{"role": "assistant", "content": graph}], None, []], {"compression": "gzip", "data_page_version": "2.0"}),
        (pyarrow.array([0, 2**50, None], pyarrow.timestamp("us")), {"compression": "zstd"}),
    ):
        file = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.table({"amr": column, "n": [1, 2, 3]}), file, **options)
        made.append(file.getvalue())
    return made


def tables() -> tuple[Target, Sequence[bytes]]:
    """Parquet files that ``cdist`` and ``top_k`` wrote: what is read from one holds together. Needs pyarrow."""
    from fastmatch.allpairs.parquet import read_pairs

    path = _folder() / "table"
    graphs = fm.parse(SENTENCES)
    made = []
    for write in (
        lambda: fm.cdist(graphs, metric="wlk", out=path, sparse=True),
        lambda: fm.cdist(graphs, graphs[:2], metric="wlk", out=path, sparse=True),
        lambda: fm.top_k(graphs, graphs, 2, metric="wlk", out=path),
    ):
        write()
        made.append(path.read_bytes())

    def run(data: bytes, number: int) -> bool:
        path.write_bytes(data)
        good = 0
        for read in (read_pairs, fm.TopK.read):
            try:
                found = read(path)
            except fm.FastmatchError as error:
                in_one_line(error, str(path))
                continue
            good += 1
            if isinstance(found, fm.TopK):
                repr(found), found.to_arrow(), found.to_dict()
                assert found.to_csr().shape == (len(found), len(found.ids))
            else:
                assert np.isfinite(found.data).all() and found.sum(axis=0).shape == found.shape[1:]
        return good > 0

    return run, made


def weights() -> tuple[Target, Sequence[bytes]]:
    """Files of role weights, by which two graphs are scored."""
    folder = _folder()
    graphs = fm.parse(["(t / tell-01 :ARG0 (p / person) :ARG1 (b / boy :mod p))", "(g / go-02 :ARG0 (h / he) :ARG1 g)"])

    def run(data: bytes, number: int) -> bool:
        path = folder / str(number)  # of another name: what was read from a file is kept until that is a later one
        path.write_bytes(data)
        try:
            scores = fm.score(graphs, graphs[::-1], metric="wwlk", weights=path).pairs.score
        except fm.ReadError as error:
            named(error, path)
            return False
        except fm.FastmatchError as error:
            in_one_line(error, "the embeddings of nodes overflow")
            return False
        finally:
            path.unlink()
        assert ((scores >= 0) & (scores <= 1)).all()
        return True

    return run, [b"# fastmatch role weights\n# signature: wwlk|k:2\n:arg0\t0.25\n:arg1\t-1e-3\n:mod-of\t7\n"]


class Certified:
    """Files of certificates, which are checked beside the graphs that they are of.

    A claim that holds on its own may only be true: what the checker says of a pair of which nothing is on trust is the
    optimum of its texts, whatever the file says.
    """

    texts = (
        '(a / n :r (b / n) :quant 5)\n\n(a / x :mod (b / y :mod a))\n\n(a / "X" :r (b / y :quant 5 :r a))\n',
        '(a / n :r (b / n) :quant 6)\n\n(a / x :domain (b / z))\n\n(c / x :r (d / y :quant "5" :r d :quant 1))\n',
    )
    options: tuple[dict[str, Any], ...] = (
        {},
        {"metric": "smatch/smatch"},
        {"metric": "s2match", "standard": "default"},
        {"metric": "softmatch", "weight": lambda role, a, b: 1 + a + b},
        {"metric": "docsmatch"},
    )

    def __init__(self) -> None:
        folder = _folder()
        self.paths = folder / "pred", folder / "gold"
        for path, text in zip(self.paths, self.texts, strict=True):
            path.write_text(text)
        self.out, packed = folder / "certificates", folder / "certificates.gz"
        self.good = []
        with warnings.catch_warnings(action="ignore"):  # of docsmatch: there are no sentences
            for options in self.options:
                fm.certificate(*self.paths, out=self.out, **options)
                self.good.append(self.out.read_bytes())
            fm.certificate(*self.paths, out=packed)
        self.good.append(packed.read_bytes())
        pairs = fm.score(*self.paths).pairs
        numbers = zip(pairs.matched, pairs.n_pred, pairs.n_gold, strict=True)
        self.true = [f"pair {k}: checked: {MATCHED.format(*of)}" for k, of in enumerate(numbers)]

    def __call__(self, data: bytes, number: int) -> bool:
        path = self.out.with_suffix(".gz") if data[:2] == b"\x1f\x8b" else self.out
        path.write_bytes(data)
        good = True
        for files in ((), self.paths):
            told = io.StringIO()
            with contextlib.redirect_stdout(told), contextlib.redirect_stderr(io.StringIO()):  # penman warns there
                try:
                    good = not check_certificates(path, files)
                except Refused as error:
                    in_one_line(error, "")
                    good = False
            said: list[str] = []
            for line in told.getvalue().splitlines():
                assert line.isascii() and len(line) < 300, line
                if line.startswith("pair "):
                    said.append(line)
                elif not line.endswith(":"):  # the end of a block
                    if line.endswith(", on trust: nothing"):
                        assert files and len(said) == len(self.true)
                        for line_of_pair, true in zip(said, self.true, strict=True):
                            assert line_of_pair == true or ": checked: " not in line_of_pair, line_of_pair
                    said = []
        return good


def forged(random: Random, data: bytes) -> bytes:
    """Lines of certificates after changes: of a pair, of the first line, or of their order.

    A pair that is still a problem mostly has the numbers, the best map and the proof of that.
    """
    lines = data.splitlines()
    kind, at = random.random(), 1 + int(random.random() * (len(lines) - 1))
    if kind < 0.1:
        other = int(random.random() * len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind < 0.2:
        lines[at:at] = [lines[int(random.random() * len(lines))]]
    if kind > 0.3:
        lines[0 if kind < 0.4 else at] = mutated_json(random, lines[0 if kind < 0.4 else at]).rstrip(b"\n")
    if random.random() < 0.2:
        lines[0] = mutated_json(random, lines[0]).rstrip(b"\n")
    if random.random() < 0.8:
        with contextlib.suppress(Exception):
            header, record = json.loads(lines[0]), json.loads(lines[at])
            w, g, _ = problem_of(record, header)
            n, m = (len(record[side]["variables"]) for side in ("pred", "gold"))
            if n <= 4 and m <= 4:
                fill(record, header, np.array(best_map(n, m, w, g)[1], np.int32), certified=True)
                lines[at] = json.dumps(record).encode()
    ends = b"\r\n" if random.random() < 0.1 else b"\n"
    return b"\xef\xbb\xbf" * (random.random() < 0.02) + ends.join(lines) + ends


def sound(result: fm.umr.JumatchScore) -> None:
    """The numbers of a comparison by jumatch hold together."""
    assert all(0 <= value <= 1 or value != value for value in result.scores.values())
    assert result.counts["matched"] <= min(result.counts["n_pred"], result.counts["n_gold"])


def documents() -> Target:
    """UMR documents; one in 16 that are read is scored, and of those that are refused what can be read of them."""
    good = fm.umr.parse(SEEDS["documents"][0].decode())

    def run(data: bytes, number: int) -> bool:
        text = data.decode("utf-8", "replace")
        read = True
        try:
            document = fm.umr.parse(text)
        except fm.ReadError as error:
            placed(error, text.encode())
            read = False
        if number % _USED == 0:
            with contextlib.suppress(fm.FastmatchError):
                document = fm.umr.parse(text, on_error="empty")
                assert read == (not document.problems)
                sound(fm.umr.score(document, document, metric="jumatch", on_error="empty"))
                sound(fm.umr.score(document, good, metric="jumatch", on_error="empty"))
                assert all(0 <= value <= 1 for value in fm.umr.score(document, good, on_error="empty").scores.values())
        return read

    return run


class ToolDocuments:
    """UMR documents as the compiled reader of jumatch's program reads them; one in 16 is scored.

    It reads something of every document, so "read" are those in which nothing was broken.
    """

    def __init__(self) -> None:
        self.vocabulary = fm.Vocabulary()

    def __call__(self, data: bytes, number: int) -> bool:
        if number % _BATCH == 0:
            self.vocabulary.export()[0].tobytes().decode("utf-8", "surrogatepass")
            self.vocabulary = fm.Vocabulary()
        text = data.decode("utf-8", "replace")
        sentences, lines, broken = read_as_tool(text, self.vocabulary, number % 2 == 0)
        assert len(sentences) == len(lines)
        rows = text.split("\n")
        assert all(1 <= line <= len(rows) for line in lines.tolist()), lines
        for k, message, line, column in broken:
            assert 0 <= k < len(sentences) and message and "\n" not in message, (k, message)
            assert 1 <= line <= len(rows) and 1 <= column <= len(rows[line - 1]) + 1, (message, line, column)
        if number % _USED == 0:  # what a document is compared with itself shows most of the reading
            with contextlib.suppress(fm.FastmatchError):
                sound(fm.umr.score(text, text, metric="jumatch", preset="tool"))
            with contextlib.suppress(fm.FastmatchError):
                fm.umr.score(text, text, preset="tool")
        return len(sentences) > 0 and not broken


def coreference() -> Target:
    """Coreference annotations; with one that is read documents are made, and merged."""
    sentences = fm.parse(SENTENCES)

    def run(data: bytes, number: int) -> bool:
        try:
            annotations = parse_annotations(data)
        except fm.ReadError as error:
            placed(error, data)
            return False
        for representation in ("unmerged", "merge-all"):
            with contextlib.suppress(fm.FastmatchError):
                for graph in join(sentences, annotations, representation):
                    assert fm.parse(graph.encode())[0] == graph
        return True

    return run


def _folder() -> Path:
    """A new folder, gone at the end; in memory where there is such a place, as the disk is not what is tested."""
    memory = Path("/dev/shm")
    name = tempfile.mkdtemp(prefix="fastmatch-", dir=memory if os.access(memory, os.W_OK) else None)
    atexit.register(shutil.rmtree, name, ignore_errors=True)
    return Path(name)


def corpora() -> Target:
    """Files of ``Corpus.save``: what loads is valid, and can be used."""
    path = _folder() / "corpus"

    def run(data: bytes, number: int) -> bool:
        path.write_bytes(data)
        try:
            corpus = fm.Corpus.load(path, mmap=number % 2 == 0)
        except fm.ReadError as error:
            named(error, path)
            return False
        repr(corpus), corpus.ids
        if number % EVERYTHING == 0:
            used(corpus)
        return True

    return run


def saved_corpora() -> list[bytes]:
    """Small files: of graphs, of graphs that could not be read, and of arbitrary arrays."""
    path = _folder() / "corpus"
    made = []
    random = Random(0)
    for corpus in (
        fm.read(io.BytesIO(SEEDS["graphs"][0] + b"(a / b"), on_error="repair"),
        fm.parse(["(a / cat)", "(", "# ::snt \u00c9t\u00e9\n(b / y :ARG0 b)"], on_error="empty"),
        *(arbitrary.corpus(random, vocabulary=arbitrary.odd_vocabulary(random, 20)) for _ in range(3)),
    ):
        corpus.save(path)
        made.append(path.read_bytes())
    return made


def vectors() -> Target:
    """Text files of word vectors."""
    path = _folder() / "vectors.txt"

    def run(data: bytes, number: int) -> bool:
        path.write_bytes(data)
        try:
            found = Embeddings.load(path, cache=False)
        except fm.ReadError as error:
            named(error, path)
            return False
        assert found.vectors.shape == (len(found), found.dimension) and np.isfinite(found.vectors).all()
        assert all(found.lookup(word) >= 0 for word in found.words[:3])
        return True

    return run


class Caches:
    """Cache files of word vectors: damage is seen, and the text is read again, so that the vectors are the same.

    Most files are only mapped; of one in 16 the vectors are loaded the way of a user, which makes a new file. Checksums
    see any damage, so half of the files get checksums that fit (:func:`sealed`): these may hold other vectors, but must
    be safe to use. "Read" are files that were mapped, and "refused" the rest.
    """

    def __init__(self) -> None:
        folder = _folder()
        self.text, self.folder = folder / "vectors.txt", folder / "cache"
        self.text.write_bytes(SEEDS["vectors"][0])
        os.utime(self.text, (1_000_000_000, 1_000_000_000))  # of this moment it would not be cached
        Embeddings.load(self.text, cache=self.folder)
        self.expected = Embeddings.load(self.text, cache=False)
        (self.place,) = self.folder.iterdir()
        self.good = [self.place.read_bytes()]
        self.header, self.arrays = _parts(self.good[0])
        self.origin = json.loads(self.header)["origin"]

    def __call__(self, data: bytes, number: int) -> bool:
        self.place.unlink(missing_ok=True)  # a file that may be mapped is never written to
        self.place.write_bytes(data)
        found = map_cache(str(self.place), self.origin, "v.txt")
        if found is not None:
            if _parts(data) == (self.header, self.arrays):
                assert found == self.expected and found.words == self.expected.words
            assert found.vectors.shape == (len(found), found.dimension) and len(found.fingerprint) == 16
            for word in (*found.words, *self.expected.words, "no such word"):
                assert -1 <= found.lookup(word) < len(found)
        if number % _USED == 0:
            before = self.place.stat().st_ino
            loaded = Embeddings.load(self.text, cache=self.folder)
            assert (self.place.stat().st_ino == before) == (found is not None)
            assert loaded.words == (self.expected if found is None else found).words
        return found is not None


def _parts(data: bytes) -> tuple[bytes, bytes]:
    """Header and arrays of a cache file."""
    size = int.from_bytes(data[8:16], "little")
    return data[16 : 16 + size], data[4096:]


def sealed(random: Random, data: bytes) -> bytes:
    """A cache file after damage to its header, its arrays or both, with checksums of what it holds now."""
    header, arrays = _parts(data)
    kind = random.random()
    if kind > 0.4:
        # no bytes more or less, so that lengths fit: a few numbers are others
        changed = bytearray(arrays)
        for _ in range(1 + int(4 * random.random())):
            at = int(random.random() * len(changed))
            changed[at] = random.choice((0, 1, 127, 128, 255, changed[at] ^ 1 << int(8 * random.random())))
        arrays = bytes(changed)
    if kind < 0.6:
        header = mutated_json(random, header)
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        fields = json.loads(header)
        if all(isinstance(fields[name], int) for name in ("rows", "dimension", "bytes")):
            numbers = 4 * fields["rows"] * fields["dimension"]
            words = arrays[-(-numbers // 64) * 64 :]
            fields["vectors"], fields["words"] = checksum(arrays[:numbers]), checksum(words)
            if random.random() < 0.9:  # these bytes begin where the cache file as it was has them
                start = len(data) - 4096 - 64 * -(-fields["bytes"] // 64)
                fields["fingerprint"] = fingerprint_of(fields["vectors"], arrays[start : start + fields["bytes"]])
            header = json.dumps(fields).encode()
    size = len(header).to_bytes(8, "little")
    return (data[:8] + size + header + checksum(header).to_bytes(8, "little")).ljust(4096, b"\0") + arrays


def with_own_seeds(target: Certified | Caches) -> tuple[Target, Sequence[bytes]]:
    return target, target.good


def seeds(dialect: str) -> Sequence[bytes]:
    """Good texts of a dialect."""
    return SEEDS.get({"sbn": "boxes", "mrp": "mrp"}.get(dialect.partition("-")[0], dialect), SEEDS["graphs"])


#: Target → makes it, and the input that the damage starts from.
TARGETS: dict[str, Callable[[], tuple[Target, Sequence[bytes]]]] = {
    **{f"reader/{dialect}": partial(lambda name: (Reading(name), seeds(name)), dialect) for dialect in DIALECTS},
    **{f"fields/{kind}": partial(fields, kind) for kind in ("jsonl", "json", "csv", "tsv", "parquet")},
    "documents": lambda: (documents(), SEEDS["documents"]),
    "documents-tool": lambda: (ToolDocuments(), SEEDS["documents"]),
    "coreference": lambda: (coreference(), SEEDS["coreference"]),
    "corpora": lambda: (corpora(), saved_corpora()),
    "vectors": lambda: (vectors(), SEEDS["vectors"]),
    "caches": lambda: with_own_seeds(Caches()),
    "tables": tables,
    "weights": weights,
    "certificates": lambda: with_own_seeds(Certified()),
    #: Arbitrary corpora through everything, made from the number of the input alone.
    "arbitrary": lambda: (lambda _, number: exercise.run(number) > 0, [b""]),
}

#: Finds of earlier runs: target and input. They are replayed with the tests.
KEPT: list[tuple[str, bytes]] = [
    # bytes of a broken graph stood in the vocabulary, which could not be folded or saved and loaded any more
    ("reader/penman", b"(a / x)\n\n(b / y\xc9 :ARG0 c)"),
    ("reader/penman", b"# ::snt \xff\n(b / y :\xe9 c)"),
    # a graph was mended, although its comment was no text
    ("reader/penman", b"# ::snt \xff\n(b / y"),
    # tables and texts of CAMR were taken for box notation
    ("reader/camr-tuples", b"1\tx0\tr/-odog.n.01\t-\t:top\t-\t-\tx1\ta\t-\n"),
    ("reader/camr", b"#dog.n.01\tdog.n.01 x\n(x1 / a)"),
    # a token written twice: a row of PMB 5's script is above 1
    ("reader/sbn-pmb5-tolerant", b"dog.n.01\nbark.v.01 Agent -1 TOP best TOP best\n"),
]


#: Name of several targets → what their names begin with.
_GROUPS = {"readers": "reader/", "fields": "fields/"}


def damaged(name: str, random: Random, data: bytes) -> bytes:
    """An input for a target: damaged bytes; where nearly all of these are refused, others besides.

    Readers of JSON get damaged values, readers of caches files whose checksums fit, and the checker of certificates
    proofs of other claims.
    """
    if name.startswith("reader/mrp") and random.random() < 0.75:
        return mutated_json(random, data)
    if name == "certificates" and data[:1] == b"{" and random.random() < 0.8:
        return forged(random, data)
    if name == "caches" and random.random() < 0.5:
        return sealed(random, data)
    return mutated(random, data)


def run(name: str, *, count: int, seed: int, keep: Path | None = None) -> tuple[int, int]:
    """Try ``count`` inputs; prints each find. Returns how many inputs were read, and the number of finds."""
    target, good = TARGETS[name]()
    random = Random(f"{name} {seed}")
    read = finds = 0
    for number in range(seed * count, (seed + 1) * count):
        data = damaged(name, random, good[number % len(good)])
        try:
            read += target(data, number)
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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    known = f"readers and fields (all of them), {', '.join(TARGETS)}"
    parser.add_argument("target", nargs="+", choices=[*_GROUPS, *TARGETS], metavar="TARGET", help=known)
    parser.add_argument("--count", type=int, default=100_000, help="inputs a target (default 100,000)")
    parser.add_argument("--seed", type=int, default=0, help="other inputs for another number (default 0)")
    parser.add_argument("--keep", type=Path, help="folder for inputs that are finds")
    arguments = parser.parse_args()
    finds = 0
    chosen = {_GROUPS.get(each, each) for each in arguments.target}
    print(f"{'target':26}{'inputs':>10}{'read':>10}{'refused':>10}{'finds':>7}{'µs each':>9}")
    for name in TARGETS:
        if {name, f"{name.partition('/')[0]}/"} & chosen:
            start = time.process_time()
            read, found = run(name, count=arguments.count, seed=arguments.seed, keep=arguments.keep)
            each = (time.process_time() - start) / max(arguments.count, 1) * 1e6
            print(
                f"{name:26}{arguments.count:10,}{read:10,}{arguments.count - read:10,}{found:7}{each:9.1f}", flush=True
            )
            finds += found
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
