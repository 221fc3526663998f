"""The arrays of a corpus as kernels take them: what is checked once, and that what breaks a rule is refused."""

import pickle

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.features.concept_triples import concept_triples
from fastmatch._ext.features.keys import label_keys
from fastmatch._ext.features.motifs import motif_sets
from fastmatch._ext.features.ngrams import ngram_bags
from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.graphs.labelled import node_graphs
from fastmatch._ext.graphs.labelled_program import program_graphs
from fastmatch._ext.matching.triples import triple_features
from fastmatch.graphs.arrays import ARRAYS

from support.refusal import fails

TEXTS = ["(w / want-01~e.3 :ARG0 (b / boy) :polarity -)", "(a / and :op1 (x / x) :op2 x :op3 5)"]


def test_a_corpus_makes_its_columns_once():
    corpus = fm.parse(TEXTS)
    columns = corpus.columns
    assert corpus.columns is columns and (len(columns), columns.n_graphs) == (2, 2)
    labels = [corpus.instances[1], *corpus.attributes[1:3], corpus.relations[1]]
    assert columns.n_labels == max(row.max() for row in labels) + 1
    assert columns.n_names == corpus.variable_names.max() + 1
    assert corpus.with_columns(relations=corpus.relations[:, ::-1].copy()).columns is not columns


def test_columns_do_not_travel_with_a_pickle():
    corpus = fm.parse(TEXTS)
    size = len(pickle.dumps(corpus))
    assert corpus.columns.n_graphs == 2 and len(pickle.dumps(corpus)) == size
    assert pickle.loads(pickle.dumps(corpus)) == corpus
    fails(TypeError, None, pickle.dumps, corpus.columns)


def test_no_graphs():
    columns = fm.parse([]).columns
    assert (columns.n_graphs, columns.n_labels, columns.n_names) == (0, 0, 0)


@pytest.mark.parametrize("metric", ["smatch", "wsmatch", "sembleu", "rematch", "sema", "wlk", "ancast"])
def test_corpora_that_are_mapped_read_only(tmp_path, metric):
    corpus = fm.parse(TEXTS)
    corpus.save(tmp_path / "corpus")
    mapped = fm.Corpus.load(tmp_path / "corpus", mmap=True)
    assert not mapped.instances.flags.writeable
    expected = fm.score(corpus, corpus[::-1], metric=metric)
    assert fm.score(mapped, mapped[::-1], metric=metric).pairs.to_dict() == expected.pairs.to_dict()


BROKEN = [
    ("root", 0, 2, "graph 0: its root is none of its variables"),
    ("root", 0, -2, "graph 0: its root is none of its variables"),
    ("variable_names", 1, -2, "graph 0: a variable with a name that does not exist"),
    ("instances", (0, 0), 2, "graph 0: an instance of a variable or label that does not exist"),
    ("instances", (0, 0), -1, "graph 0: an instance of a variable or label that does not exist"),
    ("instances", (1, 3), -2, "graph 1: an instance of a variable or label that does not exist"),
    ("attributes", (0, 0), 2, "graph 0: an attribute of a variable or label that does not exist"),
    ("attributes", (0, 1), -1, "graph 1: an attribute of a variable or label that does not exist"),
    ("attributes", (1, 0), -1, "graph 0: an attribute of a variable or label that does not exist"),
    ("attributes", (2, 0), -2, "graph 0: an attribute of a variable or label that does not exist"),
    ("relations", (0, 0), -1, "graph 0: a relation of a variable or label that does not exist"),
    ("relations", (0, 0), 2, "graph 0: a relation of a variable or label that does not exist"),
    ("relations", (1, 0), -1, "graph 0: a relation of a variable or label that does not exist"),
    ("relations", (2, 1), -1, "graph 1: a relation of a variable or label that does not exist"),
    ("relations", (2, 1), 2, "graph 1: a relation of a variable or label that does not exist"),
    ("variable_offsets", 2, 9, "variables: the offsets do not divide 4 columns among 2 graphs"),
    ("instance_offsets", 0, 1, "instances: the offsets do not divide 4 columns among 2 graphs"),
    ("attribute_offsets", 1, 3, "attributes: offsets of graph 1 decrease"),
    ("relation_offsets", 1, -1, "relations: offsets of graph 0 decrease"),
    ("surface_offsets", 2, 9, "surface: the offsets do not divide 1 columns among 2 graphs"),
    ("comment_offsets", 1, 9, "comments: offsets of graph 1 decrease"),
]


@pytest.mark.parametrize(("name", "place", "value", "message"), BROKEN)
def test_what_leads_outside_is_refused(name: str, place: int | tuple[int, int], value: int, message: str):
    corpus = fm.parse(TEXTS)
    broken = getattr(corpus, name).copy()
    broken[place] = value
    with pytest.raises(ValueError, match=message):
        corpus.with_columns(**{name: broken}).columns  # noqa: B018 - asking is what checks
    for metric in ("smatch", "wsmatch", "sembleu", "rematch", "sema", "wlk"):
        fails(ValueError, message, fm.score, corpus.with_columns(**{name: broken}), corpus, metric=metric)


@pytest.mark.parametrize(("name", "rows"), [("instances", 3), ("attributes", 4), ("relations", 5), ("surface", 3)])
def test_tables_have_their_number_of_rows(name: str, rows: int):
    corpus = fm.parse(TEXTS)
    table = np.ascontiguousarray(getattr(corpus, name)[:-1])
    with pytest.raises(ValueError, match=f"{name}: expected {rows} rows, found {rows - 1}"):
        corpus.with_columns(**{name: table}).columns  # noqa: B018


@pytest.mark.parametrize("name", ["root", "variable_names", "instances", "surface_offsets", "comments"])
def test_arrays_have_their_type(name: str):
    corpus = fm.parse(TEXTS)
    given = {array: getattr(corpus, array) for array in ARRAYS if array != "lines"}
    Columns(**given)
    fails(ValueError, "Buffer dtype mismatch", Columns, **given | {name: given[name].astype(np.float64)})
    fails(TypeError, None, Columns, **given | {name: None})


def test_tables_by_label_are_long_enough():
    """A kernel that looks labels up compares the length of its table with the corpus's greatest label."""
    corpus = fm.parse(TEXTS)
    n = corpus.columns.n_labels
    fold = corpus.vocabulary.fold(1)
    rows = (corpus.instances[1], *corpus.attributes[1:3], corpus.relations[1])
    keys = label_keys(corpus.vocabulary.interner, fold, rows, False)
    options = {"top": 0, "top_role": -1, "top_value": -1}
    assert len(triple_features(corpus.columns, fold[:n], **options)) == 2
    short, few, none = fold[: n - 1], keys[: n - 1], np.zeros(n - 1, np.uint8)
    message = f"a table of {n - 1} labels is too short: a triple has the label {n - 1}"
    fails(ValueError, message, triple_features, corpus.columns, short, **options)
    fails(ValueError, message, motif_sets, corpus.columns, few, few, few)
    fails(ValueError, message, ngram_bags, corpus.columns, few, few, none, order=2)
    fails(ValueError, message, concept_triples, corpus.columns, few)
    fails(IndexError, "a label of the corpus is out of range", node_graphs, corpus.columns, short, short)
    with pytest.raises(IndexError, match="a label of the corpus is out of range"):
        program_graphs(corpus.columns, corpus.vocabulary.interner, short, short, short, none)
