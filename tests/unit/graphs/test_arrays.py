"""The check of arrays that come from elsewhere finds what could lead a kernel out of its arrays."""

import io

import numpy as np
import pytest

import fastmatch as fm

from support.refusal import fails

DAMAGE = [
    ("root", (0,), 3, "root"),
    ("root", (0,), -2, "root"),
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
    fails(fm.ReadError, message, damaged.validate)
    damaged.save(tmp_path / "x")
    fails(fm.ReadError, message, fm.Corpus.load, tmp_path / "x")


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
    caught = fails(fm.ReadError, message, corpus.with_columns(**changed).validate, "the source")
    assert str(caught).startswith("the source: damaged corpus: ")


def test_validate_returns_the_corpus(corpus):
    assert corpus.validate() is corpus


SNT = "# ::snt \u00c9t\u00e9"


@pytest.mark.parametrize("mmap", [True, False])
def test_comment_lines_that_are_no_text(tmp_path, mmap):
    """Found at load: the file and the graph are named, and nothing is left to fail in use."""
    corpus = fm.parse(f"{SNT}\n(a / x)\n\n{SNT}\n(b / y)")
    corpus.comments[len(SNT.encode()) + 3] = 0xFF
    corpus.save(tmp_path / "gold.corpus")
    with pytest.raises(fm.ReadError, match=r"gold\.corpus: .* the comment lines of graph 1 are no UTF-8 text"):
        fm.Corpus.load(tmp_path / "gold.corpus", mmap=mmap)


def test_a_character_divided_between_the_comment_lines_of_two_graphs():
    corpus = fm.parse(f"{SNT}\n(a / x)\n\n{SNT}\n(b / y)")
    offsets = corpus.comment_offsets.copy()
    offsets[1] -= 1
    fails(fm.ReadError, "comment lines of graph 0", corpus.with_columns(comment_offsets=offsets).validate)
    assert offsets[1] == len(SNT.encode()) - 1


def test_half_of_a_surrogate_pair_is_text():
    graph = fm.Graph.from_triples([("a", ":instance", "x")], metadata={"snt": "\ud800"})
    assert fm.Corpus.from_graphs([graph]).validate()[0].metadata == {"snt": "\ufffd" * 3}


def test_comment_lines_of_a_graph_that_could_not_be_read(tmp_path):
    """They may be the very reason: such a graph keeps them, and its corpus may be saved, loaded and scored."""
    corpus = fm.read(io.BytesIO(b"# ::snt a \xff\n(a / x)\n\n# ::snt \xc3\x89\n(b / y)"), on_error="empty")
    assert b"\xff" in corpus.comments.tobytes()
    corpus.save(tmp_path / "corpus")
    again = fm.Corpus.load(tmp_path / "corpus")
    assert again == corpus and again[0].metadata == {"snt": "a \ufffd"}
    assert fm.score(again, ["(a / x)", "(b / y)"], metric="ancast", on_error="empty").macro.lr_f == 0.5
    fails(fm.ReadError, "comment lines of graph 0", again.with_columns(problems=()).validate)
