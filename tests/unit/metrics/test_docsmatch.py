"""DocSmatch: what it adds to Smatch."""

import warnings

import pytest

import fastmatch as fm
from fastmatch.metrics import make
from fastmatch.rewards import GraphReward

from support.refusal import fails

ONE = "(a / want-01 :ARG0 (b / boy))"
TWO = "(d / see-01 :ARG0 (e / girl))"


def score(pred: str, gold: str, **options) -> fm.CorpusScore:
    return fm.score([pred], [gold], metric="docsmatch", **options)


def test_equal_sentences_at_other_places_do_not_match() -> None:
    pred, gold = f"(m / document :snt1 {ONE} :snt2 {TWO})", f"(m / document :snt1 {TWO} :snt2 {ONE})"
    assert score(pred, gold).pairs.matched.tolist() == [6]  # the root, its two relations, and ARG0 twice
    assert score(pred, gold, within="document").pairs.matched.tolist() == [8]
    assert fm.score([pred], [gold]).pairs.matched.tolist() == [8] and score(pred, pred).f1 == 1


def test_the_number_counts_not_the_order() -> None:
    assert score(f"(m / document :snt2 {ONE} :snt1 {TWO})", f"(m / document :snt1 {TWO} :snt2 {ONE})").f1 == 1
    assert score(f"(m / document :snt02 {ONE})", f"(m / document :SNT2 {ONE})").pairs.matched.tolist() == [5]


@pytest.mark.parametrize("numbers", [(1, 3), (0, 7), (2, 10**30), (10**30, 10**31)])
def test_gaps_and_large_numbers(numbers: tuple[int, int]) -> None:
    first, second = numbers
    text = f"(m / document :snt{first} {ONE} :snt{second} {TWO})"
    assert score(text, text).f1 == 1
    assert score(text, f"(m / document :snt{first} {TWO} :snt{second} {ONE})").pairs.matched.tolist() == [6]


def test_unequal_numbers_of_sentences() -> None:
    result = score(f"(m / document :snt1 {ONE})", f"(m / document :snt1 {ONE} :snt2 {TWO})")
    assert (result.pairs.matched[0], result.pairs.n_pred[0], result.pairs.n_gold[0]) == (6, 6, 10)


def test_a_multi_sentence_is_a_document_and_one_inside_a_sentence_is_not() -> None:
    pred, gold = f"(m / multi-sentence :snt1 {ONE} :snt2 {TWO})", f"(m / multi-sentence :snt1 {TWO} :snt2 {ONE})"
    assert score(pred, gold).pairs.matched.tolist() == [6]
    inner = "(x / say-01 :ARG1 {})"
    pred, gold = (f"(d / document :snt1 {inner.format(text)})" for text in (pred, gold))
    assert score(pred, gold).pairs.matched.tolist() == fm.score([pred], [gold]).pairs.matched.tolist()


def test_a_graph_without_sentences_matches_anything() -> None:
    text = f"(m / document :snt1 {ONE} :snt2 {TWO})"
    plain = text.replace(":snt", ":op")
    assert score(text, plain).pairs.matched.tolist() == fm.score([text], [plain]).pairs.matched.tolist()
    assert score(plain, plain.replace(":op1", ":op3")).pairs.matched.tolist() == [9]
    # in the program such a graph is all bucket 0, as is the other's root
    assert score(text, plain, preset="tool").pairs.matched.tolist() == [2]


@pytest.mark.parametrize("metric", ["docsmatch", "smatch", "wsmatch", "align-smatch"])
def test_a_corpus_without_sentences_is_warned_of(metric: str) -> None:
    """The score would be Smatch's in silence, for instance where a file of sentences is taken for one of documents."""
    document = f"(m / document :snt1 {ONE})"
    for pred, gold, where in (
        ([ONE, TWO], [ONE, TWO], "no graph has"),
        ([document, ONE], [ONE, f"(t / talk :ARG0 {document})"], "no graph of gold has"),
        ([ONE, ONE], [document, TWO], "no graph of pred has"),
    ):
        with pytest.warns(fm.FastmatchWarning) as found:
            fm.score(pred, gold, metric=metric, within="sentences")
        [message] = [str(each.message) for each in found]
        assert message.startswith(f"within='sentences' has no effect: {where} a sentence (:snt1, :snt2, …")
    with warnings.catch_warnings(action="error"):
        fm.score([document, ONE], [ONE, document], metric=metric, within="sentences")
        fm.score([ONE], [ONE], metric=metric, within="document")


def test_all_that_compares_files_warns_and_a_reward_does_not() -> None:
    for compares in (
        lambda: fm.cdist([ONE], metric="docsmatch"),
        lambda: fm.aspects([ONE], [ONE], kind="docsmatch"),
        lambda: fm.compare([ONE], [TWO], [ONE], metric="docsmatch"),
        lambda: fm.score([ONE], [ONE], metric="docsmatch", preset="tool"),
    ):
        with pytest.warns(fm.FastmatchWarning, match="no graph has a sentence"):
            compares()
    with warnings.catch_warnings(action="error"):
        assert fm.cdist([], [ONE], metric="docsmatch").shape == (0, 1)
        assert GraphReward("docsmatch")(completions=[ONE], amr=[ONE]) == [1.0]
        # of the program, a graph without sentences matches none: that is an effect
        fm.score([ONE], [f"(m / document :snt1 {ONE})"], metric="docsmatch", preset="tool")


def test_a_chain_belongs_to_the_sentences_of_its_mentions() -> None:
    """It may match in any of them, but its mentions in other sentences are not in them."""
    chain = "(c / coref-entity)"
    text = "(d / document :snt1 (a / say-01 :ARG0 (b / boy {})) :snt2 (e / go-02 :ARG0 (h / {} {})))"
    both = text.format(f":coref-of {chain}", "he", ":coref-of c")
    assert score(both, both).pairs.matched.tolist() == [13]
    assert score(text.format(f":coref-of {chain}", "he", ""), both).pairs.matched.tolist() == [12]
    assert score(text.format("", "he", f":coref-of {chain}"), both).pairs.matched.tolist() == [12]
    # the boy of the second sentence is not the one of the first
    other = text.replace("boy", "man").format(f":coref-of {chain}", "boy", ":coref-of c")
    assert score(other, both).pairs.matched.tolist() == [11]


def test_compression_is_refused() -> None:
    fails(fm.OptionError, "keeps to sentences", make, "docsmatch", compress=True)
    fails(fm.OptionError, "within='x'", make, "docsmatch", within="x")
