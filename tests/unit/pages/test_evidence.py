"""What a why-page knows of a pair: graphs and matches by number, held to what ``align`` and the kernels say."""

from collections import Counter

import pytest
from hypothesis import given

import fastmatch as fm
from fastmatch.graphs.notation import RELATION
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.pages.evidence import NOT_COUNTED, UNMATCHED, alignment_evidence, evidence, graph_record

from support.strategies import pairs as spec_pairs

BOY = "(w / want-01 :ARG0 (b / boy :quant 2) :ARG1 (g / go-02 :ARG0 b))"
GIRL = "(w / want-01 :ARG1 (g / go-02 :ARG0 b) :ARG0 (b / girl :quant 2) :polarity -)"


def shown(pred: str, gold: str, metric: str = "smatch", **options):
    """Both graphs, and what matches, as the metric compares them."""
    chosen = chosen_metric(metric, None, options)
    corpora = fm.Corpus.together([fm.parse([text], dialect=chosen.dialect) for text in (pred, gold)])
    found = fm.score(*corpora, metric=chosen, mapping=chosen.aligns == "map").pairs
    corpora = [chosen.standardized(corpus) for corpus in corpora]
    records = tuple(graph_record(corpus, 0) for corpus in corpora)
    return records, evidence(chosen, found, *corpora, 0, records)


def triples(record) -> list[tuple[str | None, str, str | None]]:
    names = record["v"]
    return [(names[s], role, names[end] if kind >= RELATION else end) for kind, s, role, end in record["t"]]


@given(spec_pairs())
def test_a_record_has_the_triples_of_the_graph(pair):
    corpus = fm.parse([pair[0].text()])
    record, graph = graph_record(corpus, 0), corpus[0]
    assert triples(record) == graph.triples and record["v"] == list(graph.variables)
    assert record["v"][record["r"]] == graph.top


def test_matches_by_hand():
    (pred, gold), found = shown(BOY, GIRL)
    assert [pred["v"][v] for v in range(3)] == ["w", "b", "g"]
    assert [gold["v"][w] for w in found["m"]] == ["w", "b", "g"]
    of = dict(zip(triples(pred), found["p"], strict=True))
    assert triples(gold)[of["w", ":ARG1", "g"]] == ("w", ":ARG1", "g")
    assert triples(gold)[of["b", ":quant", "2"]] == ("b", ":quant", "2") and of["b", ":instance", "boy"] == UNMATCHED
    back = dict(zip(triples(gold), found["g"], strict=True))
    alone = {triple for triple, partner in back.items() if partner == UNMATCHED}
    assert alone == {("b", ":instance", "girl"), ("w", ":polarity", "-")}
    assert min(found["top"]) >= 0  # the roots match


def test_a_root_without_partner():
    _, found = shown("(b / boy :ARG0-of (g / go-02))", "(g / go-02 :ARG0 (b / boy))")
    assert found["top"] == [UNMATCHED, UNMATCHED]


def test_triples_that_do_not_count_are_told_from_those_that_do_not_match():
    _, found = shown(BOY, GIRL, triples="instance")
    assert Counter(found["p"])[NOT_COUNTED] == 4  # three relations and :quant
    assert found["top"] == [NOT_COUNTED, NOT_COUNTED]
    (pred, _), found = shown("(c / cat :mod (b / black) :mod b)", "(c / cat :mod (b / black))")
    copies = [k for k, triple in enumerate(triples(pred)) if triple[1] == ":mod"]
    assert [found["p"][k] for k in copies][1] == NOT_COUNTED  # counts once


@given(spec_pairs())
def test_as_many_triples_match_as_the_score_says(pair):
    texts = [spec.text() for spec in pair]
    records, found = shown(*texts)
    assert sum(partner >= 0 for partner in [*found["p"], found["top"][0]]) == fm.score(*texts).matched
    for here, there in enumerate(found["p"]):
        # the place behind all triples is that of the root, which an attribute `:TOP top` may match
        assert there < 0 or [*found["g"], found["top"][1]][there] == here
    # the same from an alignment
    assert alignment_evidence(fm.align(*texts), chosen_metric("smatch", None, {}), *records) == found


def test_anchors_are_named():
    text = "# ::snt A boy wants to go.\n"
    (pred, gold), found = shown(text + BOY, text + GIRL, "ancast")
    assert [(pred["v"][v], gold["v"][w]) for v, w in found["a"]] == [("w", "w"), ("g", "g")]
    assert "a" not in shown(BOY, GIRL)[1]


@pytest.mark.parametrize("metric", ["wwlk", "softoverlap"])
def test_flows_are_parts_of_their_node(metric):
    """Also where nodes have different masses."""
    _, found = shown(BOY, GIRL, metric)
    for node in range(len(found["p"])):
        assert sum(part for pred, _, part, _ in found["f"] if pred == node) <= 1.001


def test_nodes_of_flows_have_triples():
    (pred, _), found = shown(BOY, GIRL, "wwlk")
    assert sum(part for _, _, part, _ in found["f"]) == pytest.approx(len(found["p"]), abs=1e-3)
    concepts = (("w", "want-01"), ("b", "boy"), ("g", "go-02"))
    nodes = {(name, ":instance", concept) for name, concept in concepts} | {("b", ":quant", "2")}
    assert {triples(pred)[k] for k in found["p"]} == nodes and -1 not in found["g"] and len(found["g"]) == 5


@pytest.mark.parametrize("metric", ["sembleu", "rematch", "sema", "wlk"])
def test_features_by_hand(metric):
    (pred, _), found = shown(BOY, GIRL, metric)
    shared = {text: places for _, text, both, places, _ in found["s"] if both}
    if metric == "sembleu":
        assert "want-01 :arg1 go-02" in shared and "want-01 :arg0 boy" not in shared
        walk = [triples(pred)[k] for k in shared["want-01 :arg1 go-02"][0]]
        assert walk == [("w", ":instance", "want-01"), ("w", ":ARG1", "g"), ("g", ":instance", "go-02")]
    elif metric == "rematch":
        assert set(shared) == {":quant 2", "go-02"}
    elif metric == "sema":
        assert set(shared) == {"want-01 :arg1 go-02", "want-01", "go-02"}
    else:
        assert {"want-01", "go-02", "2"} <= set(shared)


def test_roles_that_sembleus_program_turns_around():
    """It turns every role in -of, and writes roles as the text does."""
    made = chosen_metric("sembleu", "tool", {})
    graph = fm.parse(["(c / cat :ARG0-of (p / purr-01 :Mod (l / loud)))"], dialect=made.dialect)
    texts = [row.text for row in made.named_features(graph, graph, 0, 0)]
    assert "purr-01 :ARG0 cat" in texts and "purr-01 :Mod loud" in texts


def test_motifs_with_frames(tmp_path):
    (tmp_path / "frames.txt").write_text("want-01 DESIRE\nwish-01 DESIRE\n", encoding="utf-8")
    made = chosen_metric("rematch", None, {"frames": str(tmp_path / "frames.txt")})
    pred, gold = fm.Corpus.together([fm.parse([f"(w / {verb} :ARG0 (b / boy))"]) for verb in ("want-01", "wish-01")])
    rows = made.named_features(pred, gold, 0, 0)
    assert sorted(row.text for row in rows) == ["DESIRE", "DESIRE | :arg0 | boy", "boy"]
    assert all(row.shared == 1 for row in rows)
