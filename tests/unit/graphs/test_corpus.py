"""Corpus: selecting, joining, pickling, comments."""

import pickle

import numpy as np
import pytest

import fastmatch as fm

from support.refusal import fails
from support.small_corpus import TEXTS, make


def test_indexing(corpus):
    """Slices, lists and masks: tests/properties/test_corpus.py."""
    assert len(corpus) == 4 and corpus[-1] == corpus[3] == corpus[np.int64(3)] == list(corpus)[3]
    assert corpus[0].metadata == corpus.metadata(0) == corpus.metadata(-4)
    assert list(corpus[range(1, 3)]) == list(corpus[1:3]) and list(corpus[[False] * 4]) == []
    assert corpus[[3, -4, 3]].ids == ["d", "a.1", "d"] and corpus[1:].vocabulary is corpus.vocabulary


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
    fails(IndexError, None, corpus.metadata, 4)
    corpus.ids.clear()
    assert corpus.ids == ["a.1", None, None, "d"]


def test_ids_by_penmans_rules():
    comments = ["# ::identity 3", "# ::id 1 ::id 2", "# ::id 1\n# ::id 2", "# ::id", "# ::snt a ::id b c"]
    graphs = [fm.Graph("a", ("a",), [("a", ":instance", "x")], [0], {}, comment) for comment in comments]
    assert fm.Corpus.from_graphs(graphs).ids == [None, "1", "2", "", "b c"]


def test_repr(corpus):
    assert 0 < corpus[:1].nbytes < corpus.nbytes == corpus[::-1].nbytes
    assert repr(corpus) == "<Corpus '<penman>': 4 graphs, 9 variables, 21 triples, penman>"
    assert repr(corpus.with_columns(problems=((1, "no graph"),))).endswith("penman, 1 unreadable>")


def test_problems_go_with_their_graphs(corpus):
    marked = corpus.with_columns(problems=((1, "bad"), (3, "worse")))
    fails(TypeError, "a corpus has no rot", corpus.with_columns, rot=corpus.root)
    assert marked[1:3].problems == ((0, "bad"),)
    assert marked[[3, 0, 1, 3]].problems == ((0, "worse"), (2, "bad"), (3, "worse"))
    assert (corpus + marked).problems == ((5, "bad"), (7, "worse"))


def test_equality(corpus):
    assert corpus == make() and corpus == make(vocabulary=fm.Vocabulary(["x", "boy"]))
    size = len(corpus.vocabulary)
    assert corpus != make(("(x / unheard-of)",) * 4) and corpus != make(TEXTS[:3]) and corpus != list(corpus)
    assert len(corpus.vocabulary) == size, "comparing adds nothing"
    assert corpus != corpus[::-1] and corpus != corpus.with_columns(dialect="smatch")
    assert corpus == corpus.with_columns(source="elsewhere", lines=np.arange(4, dtype=np.int32))
    fails(TypeError, None, hash, corpus)


def test_joining(corpus):
    other = make(["(x / unheard-of)", *TEXTS])
    size = len(other.vocabulary)
    assert (corpus + other).source == "<penman>" and len(other.vocabulary) == size
    assert len(fm.Corpus.concatenate([]).validate()) == 0
    assert fm.Corpus.concatenate([other, corpus, corpus, other])[5:9] == corpus == fm.Corpus.concatenate([corpus])
    assert (corpus + other.with_columns(source="b")).source == "<joined>"
    with pytest.raises(fm.OptionError, match="'penman' and 'smatch' cannot be joined"):
        corpus + corpus.with_columns(dialect="smatch")
    with pytest.raises(TypeError):
        corpus + list(corpus)


def test_from_graphs_where_several_variables_have_one_name():
    """Some dialects have such graphs. The triples of a graph go by names; the corpus knows which variable they mean."""
    corpus = fm.parse("(a / x :ARG0 (b / y :mod (c / z)) :ARG1 (b / y :quant 5 :ARG1 (a / w)))", dialect="ancast")
    assert len(corpus[0].variables) > len(set(corpus[0].variables)) and fm.Corpus.from_graphs(corpus) == corpus
    assert fm.Corpus.from_graphs([corpus[0], *corpus])[1:] == corpus
    nameless = corpus.with_columns(variable_names=np.full_like(corpus.variable_names, -1)).validate()
    assert fm.Corpus.from_graphs(nameless, vocabulary=corpus.vocabulary) == nameless


def test_from_graphs_wants_one_dialect(corpus):
    other = corpus.with_columns(dialect="smatch")
    assert fm.Corpus.from_graphs(other).dialect == "smatch"
    assert fm.Corpus.from_graphs([], dialect="smatch").dialect == "smatch"
    fails(fm.OptionError, "'penman' and 'smatch'", fm.Corpus.from_graphs, [corpus[0], other[0]])


def test_pickle(corpus):
    one, part, vocabulary = pickle.loads(pickle.dumps((corpus, corpus[1:], corpus.vocabulary)))
    assert one == corpus and part == corpus[1:]
    assert one.vocabulary is part.vocabulary is vocabulary and one.source == corpus.source


def test_what_a_graph_has_and_a_corpus_has_not():
    with pytest.raises(AttributeError, match=r"^a Corpus has no 'triples', but its graph has: corpus\[0\].triples$"):
        fm.parse("(a / b)").triples  # noqa: B018
    with pytest.raises(AttributeError, match=r"^a Corpus has no 'encode', but its graphs have: corpus\[0\].encode$"):
        fm.parse(["(a / b)", "(c / d)"]).encode()
    with pytest.raises(AttributeError, match=r"^a Corpus has no 'tripels'$"):
        fm.parse("(a / b)").tripels  # noqa: B018
    public = {name for name in dir(fm.Graph) if not name.startswith("_")} - set(dir(fm.Corpus))
    assert {"top", "triples", "variables", "alignments", "to_penman"} <= public
    for name in public:
        assert not hasattr(fm.parse("(a / b)"), name)


def test_what_is_no_graph_or_corpus_is_named():
    corpus = fm.parse("(a / cat)")
    with pytest.raises(TypeError, match="expected graphs, found str in place 1; texts go to parse"):
        fm.Corpus.from_graphs([corpus[0], "(a / cat)"])
    fails(TypeError, "expected graphs, found Corpus in place 0", fm.Corpus.from_graphs, [corpus])
    fails(TypeError, "concatenate: expected corpora, found Graph in place 0", fm.Corpus.concatenate, corpus)
