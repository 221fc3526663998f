"""Corpus: selecting, joining, files, pickling, comments, and what validate finds."""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import subprocess
import sys

import numpy as np
import penman
import pytest
from penman.models.amr import model

from fastmatch.errors import OptionError, ReadError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.reading import parse, read
from fastmatch.graphs.storage import MAGIC
from fastmatch.graphs.vocabulary import Vocabulary

TEXTS = (
    "# ::id a.1 ::date today\n# ::snt The boy wants to go.\n"
    "(w / want-01 :ARG0 (b / boy~e.1) :ARG1~e.3 (g / go-02 :ARG0 b :polarity -))",
    '(n / name :op1 "New" :op2 "York" :ARG0-of (c / call-01))',
    "# ::snt no id here\n(a :quant 5)",
    "# ::id d\n(d / dog :mod (b / big) :mod (b2 / big) :ARG0 :ARG1 d)",
)


def make(texts=TEXTS, vocabulary=None) -> Corpus:
    return Corpus.from_penman((penman.decode(text, model=model) for text in texts), vocabulary=vocabulary)


@pytest.fixture
def corpus() -> Corpus:
    return make()


def test_layout():
    """The arrays of one small corpus, written out."""
    vocabulary = Vocabulary(
        ["w", "b", "g", "want-01", "boy", "go-02", ":ARG0", ":ARG1", ":polarity", "-", "~e.1", "~e.3"]
    )
    corpus = make([TEXTS[0], "()", "(b / boy :ARG0-of (g / go-02 :ARG1))"], vocabulary).validate()
    assert len(vocabulary) == 12
    assert corpus.root.tolist() == [0, 0, 0]
    assert corpus.variable_offsets.tolist() == [0, 3, 4, 6]
    assert corpus.variable_names.tolist() == [0, 1, 2, -1, 1, 2]
    assert corpus.instance_offsets.tolist() == [0, 3, 4, 6]
    assert corpus.instances.tolist() == [[0, 1, 2, 0, 0, 1], [3, 4, 5, -1, 4, 5], [0, 2, 4, 0, 0, 2]]
    assert corpus.attribute_offsets.tolist() == [0, 1, 1, 2]
    assert corpus.attributes.tolist() == [[2, 1], [8, 7], [9, -1], [6, 3]]
    assert corpus.relation_offsets.tolist() == [0, 3, 3, 4]
    assert corpus.relations.tolist() == [[0, 0, 2, 1], [6, 7, 6, 6], [1, 2, 1, 0], [1, 3, 5, 1], [0, 0, 0, 1]]
    assert corpus.surface_offsets.tolist() == [0, 2, 2, 2]
    assert corpus.surface.tolist() == [[2, 3], [0, 1], [10, 11]]
    assert corpus.comment_offsets.tolist()[0] == 0
    assert corpus.comment_offsets[1] == corpus.comment_offsets[3]
    assert corpus.dialect == "penman"
    assert corpus.problems == ()
    assert corpus.lines.tolist() == [0, 0, 0]
    for array in (corpus.instances, corpus.attributes, corpus.relations, corpus.surface):
        assert array.flags.c_contiguous
        assert array.dtype == np.int32


def test_indexing(corpus):
    assert len(corpus) == 4
    assert corpus[-1] == corpus[3] == corpus[np.int64(3)] == list(corpus)[3]
    assert corpus[0].metadata == corpus.metadata(0) == corpus.metadata(-4)
    assert list(corpus[1:3]) == [corpus[1], corpus[2]]
    assert list(corpus[::-2]) == [corpus[3], corpus[1]]
    assert list(corpus[[3, -4, 3]]) == [corpus[3], corpus[0], corpus[3]]
    assert list(corpus[np.array([True, False, False, True])]) == [corpus[0], corpus[3]]
    assert list(corpus[[False] * 4]) == list(corpus[[]]) == list(corpus[3:1]) == []
    assert list(corpus[range(1, 3)]) == list(corpus[1:3])
    assert corpus[[3, -4, 3]].ids == ["d", "a.1", "d"]
    assert corpus[1:].vocabulary is corpus.vocabulary


@pytest.mark.parametrize("item", [4, -5, [0, 4], [-5], [True]])
def test_outside(corpus, item):
    with pytest.raises(IndexError, match=r"(of|for) a corpus of 4"):
        corpus[item]


@pytest.mark.parametrize("item", ["0", 1.0, [0.5], (0, 1), None])
def test_no_index(corpus, item):
    with pytest.raises(TypeError, match="a corpus is indexed by"):
        corpus[item]


def test_comments(corpus):
    assert corpus.ids == ["a.1", None, None, "d"]
    assert corpus.metadata(0) == {"id": "a.1", "date": "today", "snt": "The boy wants to go."}
    assert corpus.metadata(1) == {}
    with pytest.raises(IndexError):
        corpus.metadata(4)
    corpus.ids.clear()
    assert corpus.ids == ["a.1", None, None, "d"]


def test_ids_by_penmans_rules():
    comments = ["# ::identity 3", "# ::id 1 ::id 2", "# ::id 1\n# ::id 2", "# ::id", "# ::snt a ::id b c"]
    graphs = [Graph("a", ("a",), [("a", ":instance", "x")], [0], {}, comment) for comment in comments]
    assert Corpus.from_graphs(graphs).ids == [None, "1", "2", "", "b c"]


def test_repr(corpus):
    assert repr(corpus) == "<Corpus '<penman>': 4 graphs, 9 variables, 21 triples, penman>"
    marked = corpus.with_columns(problems=((1, "no graph"),))
    assert repr(marked).endswith("penman, 1 unreadable>")


def test_problems_go_with_their_graphs(corpus):
    marked = corpus.with_columns(problems=((1, "bad"), (3, "worse")))
    with pytest.raises(TypeError, match="a corpus has no rot"):
        corpus.with_columns(rot=corpus.root)
    assert marked[1:3].problems == ((0, "bad"),)
    assert marked[[3, 0, 1, 3]].problems == ((0, "worse"), (2, "bad"), (3, "worse"))
    assert (corpus + marked).problems == ((5, "bad"), (7, "worse"))


def test_equality(corpus):
    assert corpus == make()
    assert corpus == make(vocabulary=Vocabulary(["x", "boy"]))
    size = len(corpus.vocabulary)
    assert corpus != make(("(x / unheard-of)",) * 4)
    assert corpus != make(TEXTS[:3])
    assert corpus != list(corpus)
    assert len(corpus.vocabulary) == size, "comparing adds nothing"
    assert corpus != corpus[::-1]
    assert corpus != corpus.with_columns(dialect="smatch")
    assert corpus == corpus.with_columns(source="elsewhere", lines=np.arange(4, dtype=np.int32))
    with pytest.raises(TypeError):
        hash(corpus)


def test_joining(corpus):
    other = make(["(x / unheard-of)", *TEXTS])
    size = len(other.vocabulary)
    both = corpus + other
    assert list(both.validate()) == [*corpus, *other]
    assert both.vocabulary is corpus.vocabulary
    assert len(other.vocabulary) == size
    assert Corpus.concatenate([corpus]) == corpus
    assert len(Corpus.concatenate([]).validate()) == 0
    assert Corpus.concatenate([other, corpus, corpus, other])[5:9] == corpus
    assert (corpus + other.with_columns(source="b")).source == "<joined>"
    assert both.source == "<penman>"
    with pytest.raises(OptionError, match="'penman' and 'smatch' cannot be joined"):
        corpus + corpus.with_columns(dialect="smatch")
    with pytest.raises(TypeError):
        corpus + list(corpus)


def test_from_graphs_wants_one_dialect(corpus):
    other = corpus.with_columns(dialect="smatch")
    assert Corpus.from_graphs(other).dialect == "smatch"
    assert Corpus.from_graphs([], dialect="smatch").dialect == "smatch"
    with pytest.raises(OptionError, match="'penman' and 'smatch'"):
        Corpus.from_graphs([corpus[0], other[0]])


def test_remap(corpus):
    vocabulary = Vocabulary(["dog", "-"])
    moved = corpus.remap(vocabulary)
    assert moved == corpus
    assert moved.vocabulary is vocabulary
    assert len(vocabulary) > 2
    assert moved.remap(vocabulary) is moved


def test_pickle(corpus):
    one, part, vocabulary = pickle.loads(pickle.dumps((corpus, corpus[1:], corpus.vocabulary)))
    assert one == corpus
    assert part == corpus[1:]
    assert one.vocabulary is part.vocabulary is vocabulary
    assert one.source == corpus.source


def test_nbytes(corpus):
    assert corpus.nbytes == sum(
        a.nbytes
        for a in map(corpus.__getattribute__, corpus.__slots__[1:])
        if hasattr(a, "nbytes") and isinstance(a, np.ndarray)
    )


# -------------------------------------------------------------------- files


@pytest.mark.parametrize("mmap", [True, False])
def test_save_and_load(corpus, tmp_path, mmap):
    marked = corpus.with_columns(problems=((1, "bäd"),), source="é.amr", dialect="smatch")
    marked.save(tmp_path / "x.corpus")
    loaded = Corpus.load(str(tmp_path / "x.corpus"), mmap=mmap)
    assert loaded == marked
    assert loaded.problems == marked.problems
    assert loaded.source == "é.amr"
    assert list(loaded.vocabulary) == list(corpus.vocabulary)
    assert not loaded.instances.flags.writeable
    assert list(loaded[[1, 0]] + loaded) == list(marked[[1, 0]] + marked)
    assert pickle.loads(pickle.dumps(loaded)) == marked
    assert os.listdir(tmp_path) == ["x.corpus"]


def test_the_format_is_as_documented(corpus, tmp_path):
    import json

    corpus.save(tmp_path / "x")
    content = (tmp_path / "x").read_bytes()
    assert content[:8] == MAGIC
    size = int.from_bytes(content[8:16], "little")
    header = json.loads(content[16 : 16 + size])
    base = (16 + size + 63) // 64 * 64
    for name, entry in header["arrays"].items():
        assert entry["offset"] % 64 == 0
        array = np.frombuffer(content, entry["dtype"], int(np.prod(entry["shape"])), base + entry["offset"])
        if not name.startswith("vocabulary"):
            np.testing.assert_array_equal(array.reshape(entry["shape"]), getattr(corpus, name))


def test_the_format_of_files_does_not_change(corpus, tmp_path):
    """Byte for byte what version 0.1.0 wrote: a change would need another number in :data:`MAGIC`."""
    marked = corpus.with_columns(problems=((1, "bäd"),), source="é.amr")
    marked.save(tmp_path / "x")
    assert (
        hashlib.sha256((tmp_path / "x").read_bytes()).hexdigest()
        == "fe32e8145fefb0c592745a3c08dfa0f3312a2130b5de4282eb85019888a68853"
    )


def test_an_empty_corpus_has_a_file_too(tmp_path):
    Corpus.from_graphs([]).save(tmp_path / "x")
    assert len(Corpus.load(tmp_path / "x")) == 0


def test_saving_over_a_mapped_file_leaves_the_map_alone(corpus, tmp_path):
    corpus.save(tmp_path / "x")
    loaded = Corpus.load(tmp_path / "x")
    corpus[:1].save(tmp_path / "x")
    assert loaded == corpus
    assert len(Corpus.load(tmp_path / "x")) == 1


def test_a_failed_save_leaves_nothing(corpus, tmp_path):
    (tmp_path / "x").mkdir()
    with pytest.raises(IsADirectoryError if os.name != "nt" else PermissionError):
        corpus.save(tmp_path / "x")
    assert os.listdir(tmp_path) == ["x"]
    with pytest.raises(FileNotFoundError):
        corpus.save(tmp_path / "nowhere" / "x")


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_permissions_are_those_of_any_new_file(corpus, tmp_path):
    (tmp_path / "plain").touch()
    corpus.save(tmp_path / "x")
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a corpus"),
        (b"(a / b)\n", "not a corpus"),
        (MAGIC, "ends within its header"),
        (MAGIC + b"\xff" * 8, "ends within its header"),
        (MAGIC + (2).to_bytes(8, "little") + b"{}", "KeyError"),
        (MAGIC + (2).to_bytes(8, "little") + b"[]", "TypeError"),
        (MAGIC + (2).to_bytes(8, "little") + b"\xff{", "Error"),
        (MAGIC + (200_000).to_bytes(8, "little") + b"[" * 200_000, "Error"),
    ],
)
@pytest.mark.parametrize("mmap", [True, False])
def test_no_corpus(tmp_path, content, message, mmap):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(ReadError, match=message) as caught:
        Corpus.load(tmp_path / "x", mmap=mmap)
    assert str(caught.value).startswith(f"{tmp_path / 'x'}: ")


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        Corpus.load(tmp_path / "x")


DAMAGE = [
    ("root", (0,), 3, "root"),
    ("root", (0,), -2, "root"),
    ("root", (0,), -1, "no root"),
    ("lines", (0,), -1, "line"),
    ("variable_names", (0,), 10**6, "variable name"),
    ("variable_names", (0,), -2, "variable name"),
    ("variable_offsets", (0,), 1, "variable_offsets"),
    ("variable_offsets", (-1,), 10**6, "variable_offsets"),
    ("relation_offsets", (1,), 10**12, "relation_offsets"),
    ("comment_offsets", (1,), -5, "comment_offsets"),
    ("instances", (0, 0), 3, "row 0 of instances"),
    ("instances", (0, 3), 2, "row 0 of instances"),
    ("instances", (0, 0), -1, "row 0 of instances"),
    ("instances", (1, 0), -2, "row 1 of instances"),
    ("instances", (1, 0), 10**6, "row 1 of instances"),
    ("instances", (2, 0), -1, "position"),
    ("attributes", (0, 0), 3, "row 0 of attributes"),
    ("attributes", (1, 0), -1, "row 1 of attributes"),
    ("attributes", (2, 0), -2, "row 2 of attributes"),
    ("relations", (0, 0), 3, "row 0 of relations"),
    ("relations", (1, 0), -1, "row 1 of relations"),
    ("relations", (2, 0), 2**31 - 1, "row 2 of relations"),
    ("relations", (4, 0), 2, "flag"),
    ("surface", (0, 0), -1, "position"),
    ("surface", (1, 0), 5, "flag"),
    ("surface", (2, 0), -1, "row 2 of surface"),
]


@pytest.mark.parametrize(("name", "place", "value", "message"), DAMAGE)
def test_damage_is_found(corpus, tmp_path, name, place, value, message):
    array = getattr(corpus, name).copy()
    array[place] = value
    damaged = corpus.with_columns(**{name: array})
    with pytest.raises(ReadError, match=message):
        damaged.validate()
    damaged.save(tmp_path / "x")
    with pytest.raises(ReadError, match=message):
        Corpus.load(tmp_path / "x")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"root": np.zeros(4, np.int64)}, "root is not an array of int32"),
        ({"root": [0, 0, 0, 0]}, "root is not an array"),
        ({"root": np.zeros((4, 1), np.int32)}, "root has 2 dimensions"),
        ({"lines": np.zeros(3, np.int32)}, "lines and root"),
        ({"root": np.zeros(5, np.int32), "lines": np.zeros(5, np.int32)}, "does not divide"),
        ({"instances": np.zeros((4, 9), np.int32)}, "instances has not 3 rows"),
        ({"instances": np.zeros((9, 3), np.int32).T}, "instances is not contiguous"),
        ({"problems": ((4, "x"),)}, "problem"),
        ({"dialect": "klingon"}, "unknown dialect 'klingon'"),
        ({"vocabulary": None}, "no vocabulary"),
    ],
)
def test_wrong_arrays_are_found(corpus, changed, message):
    with pytest.raises(ReadError, match=message) as caught:
        corpus.with_columns(**changed).validate("the source")
    assert str(caught.value).startswith("the source: damaged corpus: ")


def test_validate_returns_the_corpus(corpus):
    assert corpus.validate() is corpus


def test_penman_is_imported_only_when_wanted():
    code = (
        "import sys; from fastmatch.graphs.corpus import Corpus; "
        "c = Corpus.from_triples([('a', [('a', ':instance', 'x')])]); str(c[0]); "
        "sys.exit(any(m in sys.modules for m in ('penman', 'scipy', 'numba', 'rich', 'json', 'mmap')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_little_prince_as_read(data_dir):
    """Reading the file and packing penman's graphs give the same arrays, however each relation was written."""
    path = data_dir / "data/lpp/lpp-v3.0.amr"
    corpus = read(path).validate()
    made = Corpus.from_penman(penman.load(path, model=model), vocabulary=corpus.vocabulary)
    for name in made.__slots__:
        if isinstance(getattr(made, name), np.ndarray) and name not in ("lines", "comments", "comment_offsets"):
            np.testing.assert_array_equal(getattr(made, name), getattr(corpus, name), err_msg=name)
    assert [made.metadata(g) for g in range(len(made))] == [corpus.metadata(g) for g in range(len(corpus))]
    assert made.ids == corpus.ids


@pytest.mark.parametrize("dialect", ["penman", "smatch"])
def test_little_prince_written_and_read_again(data_dir, dialect):
    corpus = read(data_dir / "data/lpp/lpp-v3.0.amr", dialect=dialect)
    again = parse([graph.encode() for graph in corpus], dialect=dialect)
    if dialect == "penman":
        assert again == corpus
        np.testing.assert_array_equal(again.relations[4], corpus.relations[4])
    else:  # smatch's order is not that of the text
        assert list(again) == list(corpus)
    packed = Corpus.from_graphs(corpus, vocabulary=corpus.vocabulary)
    assert packed == corpus
    np.testing.assert_array_equal(packed.relations[4], corpus.relations[4])


def test_little_prince(data_dir):
    judges = penman.load(data_dir / "data/lpp/lpp-v3.0.amr", model=model)
    corpus = Corpus.from_penman(judges).validate()
    assert [graph.triples for graph in corpus] == [judge.triples for judge in judges]
    assert corpus.ids == [judge.metadata.get("id") for judge in judges]
    assert [corpus.metadata(g) for g in range(len(corpus))] == [judge.metadata for judge in judges]
    again = Corpus.from_triples(
        ((judge.top, judge.triples) for judge in judges),
        metadata=(judge.metadata for judge in judges),
        vocabulary=corpus.vocabulary,
    )
    assert again == corpus
    # the order of triples leaves it open where some relations between two open nodes were written
    assert (again.relations[4] != corpus.relations[4]).sum() == 8
