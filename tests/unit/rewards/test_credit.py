"""Credit: which characters of an answer earned its score."""

import io
import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch._ext.graphs.placed import credited, placed_triples, tokens_of_text
from fastmatch._ext.reading.repair import ends_of_triples, mend_with_places, places_of_triples
from fastmatch.rewards import GraphReward

from support.refusal import fails
from support.strategies import Spec, pairs
from support.terminal import Terminal

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
PRED = '(w / want-01 :ARG0 (b / boy :name "New York") :ARG1-of (g / go-02 :quant 3 :ARG0 b))'
#: Stretches of which broken and odd graphs are made.
WORDS = [
    "(", ")", "(a / b", "(b", "/ c", ":ARG0", ":ARG1-of", ":instance", ":", "x", "a", "b", '"New York"', '"',
    "~e.1", "~3,4", "\n", "  ", "# note (\n", "é", "()", ":op1 7", "10:30", "\\", "<answer>", "\ufeff", "\x00", "\x1c",
]  # fmt: skip


def pieces(found, number):
    return [found.text[start:stop] for start, stop in found.triples[number].spans]


def totals(values: list[float]) -> float:
    """Added up from left to right, without the compensation that ``sum`` has from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total


def test_places_are_those_of_the_whole_answer() -> None:
    found = fm.credit(f"Sure! {PRED}", GOLD)
    assert [(entry.triple, pieces(found, k)) for k, entry in enumerate(found.triples)] == [
        (("w", ":TOP", "top"), ["w"]),
        (("w", ":instance", "want-01"), ["want-01"]),
        (("w", ":ARG0", "b"), [":ARG0", "b"]),
        (("b", ":instance", "boy"), ["boy"]),
        (("b", ":name", '"New York"'), [":name", '"New York"']),
        (("g", ":ARG1", "w"), [":ARG1-of", "g"]),
        (("g", ":instance", "go-02"), ["go-02"]),
        (("g", ":quant", "3"), [":quant", "3"]),
        (("g", ":ARG0", "b"), [":ARG0", "b"]),
    ]
    assert [entry.matched for entry in found.triples] == [True, True, True, True, False, False, True, False, True]


def test_missing_triples_have_the_node_where_they_belong() -> None:
    found = fm.credit("(x / want-01 :ARG0 (y / boy))", GOLD)
    assert [(gone.triple, gone.node) for gone in found.missing] == [
        (("w", ":ARG1", "g"), "x"),
        (("g", ":instance", "go-02"), None),
        (("g", ":ARG0", "b"), "y"),
    ]
    assert [gone.span for gone in found.missing] == [(1, 2), None, (20, 21)]


def test_a_repaired_answer_is_traced_to_what_was_written() -> None:
    found = fm.credit("Here: (w / want-01 :ARG0 (boy :name New York :ARG1 (g / go-02", GOLD, repair=True)
    assert found.repaired == 3
    shown = {entry.triple: pieces(found, k) for k, entry in enumerate(found.triples)}
    assert shown["boy", ":name", '"New York"'] == [":name", "New York"]
    assert shown["boy", ":instance", "amr-empty"] == []  # the repair made it
    assert shown["g", ":instance", "go-02"] == ["go-02"]


@pytest.mark.parametrize("preset", ["reify", "generic", "none"])
def test_what_standardisation_makes_has_the_characters_of_its_node(preset: str) -> None:
    answer = "(w / want-01 :poss (b / boy) :mod (g / big) :domain-of (c / cat))"
    found = fm.credit(answer, GOLD, "smatch++", preset=preset)
    assert all(entry.spans for entry in found.triples if entry.triple[0] in ("w", "b", "g", "c"))


@given(pair=pairs(missing_concepts=True))
def test_shares_sum_to_the_score(pair: tuple[Spec, Spec]) -> None:
    pred, gold = (spec.text() for spec in pair)
    found = fm.credit(pred, gold)
    expected = GraphReward().one(pred, gold)
    assert (found.score, found.valid, found.certified) == (expected.score, expected.valid, expected.certified)
    shares = [entry.share for entry in found.triples]
    assert totals([*shares, found.rest]) == math.fsum([*shares, found.rest]) == found.score
    assert all((share > 0) == entry.matched for share, entry in zip(shares, found.triples, strict=True))
    if found.triples:
        assert found.rest == 0
    if not found.valid:
        assert (found.triples, found.missing) == ((), ())  # (v0) in a text is no graph
        return
    aligned = fm.align(pred, gold)
    assert sorted((entry.triple, entry.gold) for entry in found.triples if entry.gold) == sorted(
        aligned.matched_triples
    )
    assert {gone.triple for gone in found.missing} == set(aligned.unmatched_gold)


@given(
    words=st.lists(st.sampled_from(WORDS), max_size=14), repair=st.booleans(), extract=st.sampled_from(["auto", "text"])
)
def test_the_scan_agrees_with_the_reader(words, repair, extract):
    text = "(a / b " + " ".join(words) + ")" if repair else "".join(words)
    found = fm.credit(text, GOLD, repair=repair, extract=extract)
    expected = GraphReward(repair=repair, extract=extract).one(text, GOLD)
    assert (found.score, found.valid, found.repaired) == (expected.score, expected.valid, expected.repaired)
    check_tokens(found, [(cut, cut + 7) for cut in range(0, 80, 9)])
    place = fm.extract(text, where=extract)
    graph = fm.repair(place.text).text if repair else place.text
    read = fm.parse([graph], on_error="empty")
    if read.problems:
        return
    spans, _ = places_of_triples(graph)
    assert len(spans) == len(read[0].triples)
    for triple, stretches in zip(read[0].triples, spans, strict=True):
        written = [graph[start:stop] for start, stop in stretches]
        source, role, target = triple
        if role == ":instance" and len(written) == 1 and not written[0].startswith(":"):
            assert written[0] == (target if target is not None else source or "(")
        else:
            assert written[0] in (role, f"{role}-of")
            assert len(written) == 1 or written[1] in (source, target, "(")
    ends = [max(stop for _, stop in stretches) for stretches in spans]
    assert np.frombuffer(ends_of_triples(graph), np.int64)[1:].tolist() == ends
    for entry in found.triples:
        assert all(0 <= start < stop <= len(text) for start, stop in entry.spans)


@given(words=st.lists(st.sampled_from(WORDS), max_size=14))
def test_pieces_of_a_repaired_text_say_where_they_come_from(words: list[str]) -> None:
    text = "(a / b " + " ".join(words)
    mended, repairs, pieces = mend_with_places(text)
    assert (mended, repairs) == fm.repair(text)
    behind = 0
    for place, start, stop, kept in pieces:
        assert 0 <= start <= stop <= len(text)
        assert place >= behind
        if kept:
            assert mended[place : place + stop - start] == text[start:stop]
            behind = place + stop - start


def check_tokens(found, offsets):
    values = found.to_tokens(offsets)
    assert abs(math.fsum(values) - found.score) < 1e-15 * len(offsets) and found.triples is found.triples
    assert found.to_tokens(offsets) == values  # the same from triples as from numbers, to the last bit
    return values


@given(pair=pairs(missing_concepts=True), cuts=st.lists(st.integers(0, 200), max_size=12))
def test_tokens_sum_to_the_score(pair: tuple[Spec, Spec], cuts: list[int]) -> None:
    found = fm.credit(pair[0].text(), pair[1].text())
    ends = sorted({cut for cut in cuts if cut < len(found.text)} | {len(found.text)})
    offsets = [(0, 0), *zip([0, *ends[:-1]], ends, strict=True), (0, 0)]
    values = check_tokens(found, offsets)
    assert len(values) == len(offsets) and values[0] == 0.0


def test_an_answer_keeps_what_it_needs() -> None:
    made, kept = (fm.credit_batch([PRED, GOLD, "(a"], [GOLD, PRED, GOLD]) for _ in range(2))
    assert [found.triples for found in made][2] == () and pickle.loads(pickle.dumps(kept)) == made == kept
    assert repr(made[1]) == "<Credit: score 0.7500: 6 of 7 triples match, 3 are missing>"


def test_threads_may_ask_for_triples_at_once() -> None:
    found = [fm.credit(PRED, GOLD) for _ in range(50)]
    with ThreadPoolExecutor(8) as pool:
        asked = [[pool.submit(lambda each=each: each.triples) for _ in range(8)] for each in found]
        assert {future.result() for futures in asked for future in futures} == {fm.credit(PRED, GOLD).triples}


def test_the_token_that_completes_a_triple_gets_its_share() -> None:
    found = fm.credit("(c / cat :mod (b / big))", "(c / cat)")
    third = 1 / 3
    assert found.to_tokens([(0, 1), (1, 2), (2, 4), (4, 8), (8, 24)]) == [0.0, third, 0.0, third, 0.0]
    assert found.to_tokens([]) == [] and found.to_tokens([(0, 0)]) == [found.score]
    assert found.to_tokens([(0, 1), (1, 5), (1, 5), (5, 24)])[1] == 0.0  # parts of one letter: the last one
    for bad in ([(3, 1)], [(-1, 2)], [("a", "b")], [5], [(1, 2, 3)], [(0.5, 2)], [(0, math.nan)]):
        fails(fm.OptionError, "offsets: expected pairs", found.to_tokens, bad)
    for none in (None, 5, "text"):
        fails(fm.OptionError, "offsets: expected a list of pairs", found.to_tokens, none)
    assert found.to_tokens(np.array([(0, 8), (8, 24)])) == [2 * third, 0.0]


@pytest.mark.parametrize(
    "answer", ["A cat.", "", "<think>(c / cat)", "(c / cat", "(c / cat :ARG0 /)", None, 7, "x" * 9000]
)
def test_an_answer_that_cannot_be_read(answer):
    found = fm.credit(answer, GOLD, on_invalid=-0.5)
    assert (found.score, found.valid, found.triples, found.missing, found.rest) == (-0.5, False, (), (), -0.5)
    assert found.to_tokens([(0, 3), (3, 7)]) == [0.0, -0.5] and "no graph" in str(found)


def test_a_gold_graph_that_cannot_be_read_has_no_score() -> None:
    for gold in ("(c / cat", "", None):
        found = fm.credit(PRED, gold)  # type: ignore[arg-type]
        assert (found.score, found.valid, found.triples) == (None, True, ()) and found.to_tokens([(0, 3)]) == [0.0]
        assert "gold graph cannot be read" in found.to_html()


def test_two_empty_graphs() -> None:
    found = fm.credit("()", "()", extract="text")
    assert (found.score, found.rest) == (1.0, 1.0) and found.to_tokens([(0, 2)]) == [1.0]


def test_scores_that_are_no_sums_are_refused() -> None:
    for options in ({"metric": "wlk"}, {"metric": "s2match"}, {"compress": True}, {"duplicates": "multiply"}):
        fails(fm.OptionError, r"^credit: ", fm.credit, PRED, GOLD, **options)
    fails(fm.OptionError, "extract='everywhere': expected one of", fm.credit, PRED, GOLD, extract="everywhere")


def test_pages_show_what_matched_and_escape_the_rest() -> None:
    found = fm.credit('<b>x</b> (w / want-01 :ARG0 (b / "<i>"))\x1b[31m', GOLD)
    page = found.to_html()
    assert "<b>" not in page and "<i>" not in page and "\x1b" not in page
    assert "underline dotted" in page and page == found._repr_html_()


def test_colours_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    found = fm.credit(f"\x1b[2J{PRED}", GOLD)
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain, terminal, without = io.StringIO(), Terminal(), Terminal()
    found.show(plain)
    found.show(terminal)
    assert "\x1b" not in plain.getvalue()
    assert "\x1b[32mwant-01\x1b[0m" in terminal.getvalue() and "\x1b[2J" not in terminal.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    found.show(without)
    assert without.getvalue() == plain.getvalue()
    assert pickle.loads(pickle.dumps(found)) == found


@given(pair=pairs(), preset=st.sampled_from(["reify", "generic", "none", None]))
def test_rewritten_graphs_sum_to_the_score_too(pair: tuple[Spec, Spec], preset: str | None) -> None:
    pred, gold = (spec.text() for spec in pair)
    found = fm.credit(pred, gold, "smatch++", preset=preset)
    assert found.score == GraphReward("smatch++", preset=preset).one(pred, gold).score
    check_tokens(found, [(cut, cut + 7) for cut in range(0, 80, 9)])
    assert totals([*(entry.share for entry in found.triples), found.rest]) == found.score
    if any(len(set(graph.triples)) < len(graph.triples) for graph in fm.parse([pred, gold])):
        return  # a repeated triple counts once here, but reification makes two nodes of it
    aligned = fm.align(pred, gold, metric="smatch++", preset=preset, duplicates="once", effort="minimal")
    partners = {gold: pred for pred, gold in aligned.mapping.items()}
    assert [gone.triple for gone in found.missing] == aligned.unmatched_gold
    for gone in found.missing:
        assert gone.node in (partners.get(gone.triple[0]), partners.get(gone.triple[2]))


@pytest.mark.parametrize("options", [{}, {"solver": "climb"}, {"metric": "smatch++", "preset": "reify"}])
def test_a_list_of_answers_gives_what_each_gives_alone(options):
    answers = [PRED, "no graph", "(a)", f"Sure! {PRED[:-1]}", None, GOLD, "(x / go-02 :ARG0 (y / boy)"]
    golds = [GOLD, GOLD, GOLD, GOLD, GOLD, "(broken", PRED]
    for repair in (False, True):
        found = fm.credit_batch(answers, golds, repair=repair, on_invalid=-0.5, **options)
        pairs = zip(answers, golds, strict=True)
        assert found == [fm.credit(*pair, repair=repair, on_invalid=-0.5, **options) for pair in pairs]  # type: ignore[arg-type]
    assert fm.credit_batch([], []) == []
    fails(fm.OptionError, "2 completions, but 1 gold graphs", fm.credit_batch, [PRED, PRED], [GOLD])


def test_hostile_texts_have_places_or_none() -> None:
    short = ('"\\', ":", "(", "(a /", ":a~", ":a ~e.", "\x00", "(\ud800", "(a :instance b)")
    for text in (")" * 1000, "(" * 200_000, "(a / b :x " * 20_000, *short):
        spans, variables = places_of_triples(text)
        assert all(0 <= start < stop <= len(text) for each in spans for start, stop in each)
        assert all(0 <= start < stop <= len(text) for start, stop in variables.values())


def test_kernels_refuse_what_does_not_fit() -> None:
    corpus = fm.parse([GOLD])
    columns, interner, fold = corpus.columns, corpus.vocabulary.interner, corpus.vocabulary.fold(1)
    labels, names = (0, 0, -1, -1, fold), [None] * len(interner)
    fails(ValueError, "graph 1 of 1", placed_triples, columns, interner, 1, labels, 1, 7)
    fails(ValueError, "labels is too short", placed_triples, columns, interner, 0, (*labels[:4], fold[:1].copy()), 1, 7)

    def credit(texts=names, gold: int = 0, n: int = 3, given=labels, kind=tuple):
        mapping = np.zeros(n, np.int32)
        return credited(columns, interner, texts, given, 1, 7, 0, gold, mapping, 2, [], {}, None, kind, kind)

    fails(ValueError, "graph 1 of 1", credit, gold=1)
    fails(ValueError, "labels is too short", credit, given=(*labels[:4], fold[:1].copy()))
    fails(ValueError, "0 texts", credit, [])
    fails(ValueError, "variables is too short", credit, n=2)
    fails(TypeError, "no kind of tuple", credit, kind=int)
    mapping = np.arange(3, dtype=np.int32)
    offsets = [(k, k + 1) for k in range(7)]

    def tokens(n: int = 7, start: int = 0, stop: int = 3):
        given = bytearray(np.arange(1, n + 1))
        return tokens_of_text(columns, interner, labels, 1, 7, 0, 0, mapping, start, stop, 14, given, offsets, 0.0)

    assert tokens() == [2 * k / 14 - 2 * (k - 1) / 14 for k in range(1, 8)] and tokens(6) is None
    fails(ValueError, "variables is too short", tokens, stop=2)
    fails(ValueError, "a map from 0 to 4 of 3", tokens, stop=4)
    fails(ValueError, "a map from -1 to 3", tokens, start=-1)
