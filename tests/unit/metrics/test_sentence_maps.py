"""Maps of sentences: documents whose sentences are divided otherwise."""

import pickle
import warnings

import pytest

import fastmatch as fm
from fastmatch.metrics import from_signature, make
from fastmatch.metrics.docsmatch import SentenceMap

from support.refusal import fails

ONE, TWO, THREE = "(a / want-01 :ARG0 (b / boy))", "(d / see-01 :ARG0 (e / girl))", "(f / sleep-01 :ARG0 (g / cat))"
GOLD = f"# ::id doc\n(m / document :snt1 {ONE} :snt2 (x / and :op1 {TWO} :op2 {THREE}))"
PRED = f"# ::id doc\n(m / document :snt1 {ONE} :snt2 {TWO} :snt3 {THREE})"


def matched(known: object, pred: str = PRED, gold: str = GOLD, **options: object) -> int:
    result = fm.score([pred], [gold], metric="docsmatch", sentence_map=known, **options)
    assert result.certified
    return int(result.pairs.matched[0])


def test_sentences_that_belong_together():
    without = matched(None)
    free = int(fm.score([PRED], [GOLD]).pairs.matched[0])
    # the third predicted sentence finds its place: two concepts and a relation
    assert (without, matched({"doc": [(1, 1), (2, 2), (3, 2)]}), free) == (9, 12, 12)
    assert matched({"doc": [(1, 1), (2, 2)]}) == 9 and matched({"doc": [(1, 2), (2, 1)]}) < 9
    assert matched({"doc": []}) == 2  # the roots: their concept, and the triple of the root
    with pytest.warns(fm.FastmatchWarning, match="no effect"):
        assert matched({"another": [(1, 2)]}) == without
    # numbers that a document lacks match nothing
    assert matched({"doc": [(1, 1), (2, 2), (3, 2), (7, 9)]}) == 12


def test_a_map_has_a_prediction_and_a_gold_side():
    known = {"doc": [(1, 1), (2, 2), (3, 2)]}
    assert matched({"doc": [(two, one) for one, two in known["doc"]]}, GOLD, PRED) == 12
    assert not make("docsmatch", sentence_map=SentenceMap(known)).symmetric and make("docsmatch").symmetric


def test_every_solver_and_matrices():
    known = SentenceMap({"doc": [(1, 1), (2, 2), (3, 2)]})
    for solver in ("exact", "ilp"):
        assert matched(known, solver=solver) == 12
    assert fm.score([PRED], [GOLD], metric="docsmatch", sentence_map=known, solver="climb").pairs.matched[0] <= 12
    # a document with a map shares no sentence with one that has none
    preds, golds = ([text, text.replace("::id doc", "::id other")] for text in (PRED, GOLD))
    found = fm.cdist(preds, golds, metric="docsmatch", sentence_map=known)
    assert found[0, 0] > found[1, 1] > found[1, 0] == pytest.approx(found[0, 1])
    assert fm.aspects([PRED], [GOLD], kind="docsmatch", sentence_map=known)["DocSmatch"].pairs.matched.tolist() == [12]


def test_the_signature_names_the_map():
    known = SentenceMap({"doc": [(3, 2), (1, 1)]})
    metric = make("docsmatch", sentence_map=known)
    text = str(metric.signature("penman"))
    assert f"within:sentences|map:{known.digest}|" in text
    fails(fm.OptionError, f"{known.digest} is a digest of sentence_map; give", from_signature, text)
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric and hash(again) == hash(metric)
    assert SentenceMap({"doc": [(1, 1), (3, 2), (1, 1)]}) == known
    assert (len(known), list(known), known["doc"]) == (1, ["doc"], ((1, 1), (3, 2)))
    assert repr(known) == f"<SentenceMap: 1 documents, {known.digest}>"


def test_files(tmp_path):
    file = tmp_path / "map.tsv"
    file.write_bytes("\ufeff# id\tpred\tgold\r\ndoc\t1\t1\r\n\r\n doc \t 2, 3\t2\n".encode())
    assert SentenceMap.of(str(file)) == SentenceMap({"doc": [(1, 1), (2, 2), (3, 2)]})
    assert matched(file) == matched(str(file)) == 12


@pytest.mark.parametrize(
    "line",
    ["doc\t1", "doc\t1\t2\t3", "\t1\t1", "doc\t1;2\t1", "doc\t1,\t1", "doc\t-1\t1", "doc\t1\t9999999999", "doc 1 1"],
)
def test_lines_that_are_no_pairs(tmp_path, line):
    file = tmp_path / "map.tsv"
    file.write_text(f"doc\t1\t1\n{line}\n", encoding="utf-8")
    with pytest.raises(fm.ReadError, match=r"map\.tsv:2:1: expected the id of a document and two lists of sentences"):
        make("docsmatch", sentence_map=str(file))


def test_what_is_no_map(tmp_path):
    for wrong in ({"doc": [1]}, {"doc": [(1, -1)]}, {"doc": [(1, True)]}, {"doc": 3}, {3: []}, {"doc": "12"}):
        fails(fm.OptionError, "sentence_map: expected ids of documents and pairs of numbers", SentenceMap, wrong)
    (tmp_path / "bytes").write_bytes(b"doc\t1\t1\n\xff\n")
    for wrong, error, message in (
        (3, fm.OptionError, "sentence_map=3: expected the name of a file, or pairs"),
        (str(tmp_path / "none"), fm.OptionError, "sentence_map: cannot read"),
        (str(tmp_path), fm.OptionError, "sentence_map: cannot read"),
        (str(tmp_path / "bytes"), fm.ReadError, "bytes:2:1: byte 0xff is not UTF-8"),
    ):
        fails(error, message, make, "docsmatch", sentence_map=wrong)
    how = {"sentence_map": SentenceMap({}), "within": "document"}
    fails(fm.OptionError, "has no effect with within='document'", make, "docsmatch", **how)


NO_EFFECT = "the map has no effect, because no document has an ::id that it names"


@pytest.mark.parametrize(
    ("ids", "named", "text"),
    [
        (("doc", "two"), ("dok",), f"{NO_EFFECT} ('dok'); these have 'doc', 'two'"),
        ((None,), ("doc", "two"), f"{NO_EFFECT} ('doc', 'two'); these have none"),
        (("doc", "two"), ("doc", "tow", "three"), "no document has 'tow', 'three', 2 of the 3 ids of the map"),
        (("doc", "doc"), ("doc",), "several documents have the same ::id ('doc'); the map holds for each of them"),
    ],
)
def test_a_map_that_does_not_fit_is_warned_of(ids, named, text):
    texts = [GOLD.partition("\n")[2] if id is None else GOLD.replace("::id doc", f"::id {id}") for id in ids]
    with pytest.warns(fm.FastmatchWarning) as found:
        fm.score(texts, texts, metric="docsmatch", sentence_map={id: [(1, 1)] for id in named})
    assert {str(one.message) for one in found} == {f"sentence_map: {text}"}


@pytest.mark.parametrize("named", [("doc",), ("doc", "two"), ()])
def test_one_document_of_those_of_a_map(named):
    """A single pair may be one of many, and documents without an entry are matched by numbers: no warning."""
    with warnings.catch_warnings(action="error"):
        fm.score([GOLD], [GOLD], metric="docsmatch", sentence_map={id: [(1, 1)] for id in named})
        if named == ("doc",):
            texts = [GOLD, GOLD.replace("::id doc", "::id two")]
            fm.score(texts, texts, metric="docsmatch", sentence_map={"doc": [(1, 1)]})
