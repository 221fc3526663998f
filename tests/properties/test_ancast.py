"""AnCast on generated graphs: against its slow twin, and what must hold of every pair."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics.base import make

from support import strategies
from twins import ancast as twin

#: Pairs of graphs, some of whose nodes have no concept.
RELATED = strategies.pairs(max_size=7, missing_concepts=True)
SENTENCES = st.sampled_from(("", "# ::snt \n", "# ::snt The cat wants a dog.\n", "# ::id 1 ::snt want\n"))


def score(pred: str, gold: str, **options: object) -> fm.CorpusScore:
    return fm.score([pred], [gold], metric="ancast", **options)


def order(text: str) -> list[int]:
    """The variables in the order of AnCast's nodes; what it must be is tested by what must not change a score."""
    return make("ancast").prepare(fm.parse(text)).arrays[2][0].tolist()


@given(RELATED, SENTENCES, SENTENCES, st.fixed_dictionaries({}, optional={
    "alpha": st.sampled_from((0.0, 0.5)),
    "beta": st.sampled_from((0.0, 0.001)),
    "sense": st.sampled_from((0.0, 0.5, 1.0)),
    "neighbours": st.sampled_from((0.0, 0.5, 3.0)),
    "hops": st.just("apart"),
    "anchors": st.just("alignment"),
    "ops": st.just("name"),
    "similarity": st.just("names"),
    "weight": st.just("outer"),
    "ties": st.just("jaccard"),
}), st.data())  # fmt: skip
def test_as_its_twin(specs, pred_sentence, gold_sentence, options, data):
    pred, gold = pred_sentence + specs[0].text(), gold_sentence + specs[1].text()
    if "anchors" in options:
        tokens = data.draw(st.lists(st.integers(0, 4), min_size=8, max_size=8))
        spans = {v: k for text in (gold, pred) for v, k in zip(fm.parse(text)[0].variables, tokens, strict=False)}
        comment = f"# ::alignment {' '.join(f'{name}: {token}-{token}' for name, token in spans.items())}\n"
        pred, gold = comment + pred, comment + gold
    found = score(pred, gold, **options).pairs.statistics[:, 0]
    expected = twin.statistics(fm.parse(pred)[0], fm.parse(gold)[0], **options, orders=(order(pred), order(gold)))
    assert dict(zip(make("ancast").statistics, found.tolist(), strict=True)) == pytest.approx(
        dict(zip(make("ancast").statistics, expected.tolist(), strict=True)), abs=1e-9
    )


@given(strategies.tangles(max_size=7))
def test_as_its_twin_where_only_structure_tells_nodes_apart(specs):
    pred, gold = specs[0].text(), specs[1].text()
    found = score(pred, gold).pairs.statistics[:, 0]
    expected = twin.statistics(fm.parse(pred)[0], fm.parse(gold)[0], orders=(order(pred), order(gold)))
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("preset", [None, "tool"])
@given(specs=RELATED, sentence=SENTENCES)
def test_range(specs, sentence, preset):
    """What the package could not read is an empty graph here."""
    texts = [sentence + spec.text() for spec in specs]
    result = fm.score(texts[:1], texts[1:], metric="ancast", preset=preset, on_error="empty")
    for column in result.pairs.scores.values():
        assert 0 <= column[0] <= 1 + 1e-12
    for side in result.pairs.statistics[:, 0].reshape(2, 9):
        for matched, total in ((0, 1), (2, 4), (3, 4), (5, 6), (7, 8)):
            assert 0 <= side[matched] <= side[total] + 1e-9


@given(RELATED, SENTENCES)
def test_the_alignment_is_one_to_one_and_explains_the_imitation_of_smatch(specs, sentence):
    pred, gold = sentence + specs[0].text(), sentence + specs[1].text()
    assume(":TOP" not in pred + gold)  # Smatch takes an attribute (v, :TOP, top) for the triple of the root
    corpora = fm.parse([pred]), fm.parse([gold])
    aligned = fm.align(*corpora, metric="ancast")
    assert len(set(aligned.mapping.values())) == len(aligned.mapping) == min(specs[0].n, specs[1].n)
    result = fm.score(*corpora, metric="ancast")
    assert aligned.matched == result.pairs.triples_pred[0] == result.pairs.triples_gold[0]
    assert len(aligned.matched_triples) == aligned.matched
    assert aligned.n_pred == len(aligned.matched_triples) + len(aligned.unmatched_pred)
    assert aligned.f1 == pytest.approx(result.scores.mock_smatch_f, abs=1e-12)


@given(RELATED | strategies.tangles(max_size=9), st.data(), st.fixed_dictionaries({}, optional={
    "neighbours": st.sampled_from((0.0, 3.0)),
    "hops": st.just("apart"),
    "ops": st.just("name"),
    "ties": st.just("jaccard"),
}))  # fmt: skip
def test_the_order_of_the_text_changes_nothing(specs, data, options):
    pred, gold = specs
    again = data.draw(strategies.rewritten(pred))
    same = score(pred.text(), again, **options)
    assert [same.scores[name] for name in ("lr_f", "concept_f", "ulr_f", "wlr_f", "mock_smatch_f")] == [1.0] * 5
    plain = score(pred.text(), gold.text(), **options).pairs.statistics
    other = score(again, data.draw(strategies.rewritten(gold)), **options).pairs.statistics
    assert other == pytest.approx(plain, abs=1e-12)
