"""Graphs that stand in another order than their partners, and have neither ids nor sentences to say so."""

import random
import re
import warnings
from itertools import combinations

import numpy as np
import pytest

import fastmatch as fm
from fastmatch._ext.graphs.likeness import likeness
from fastmatch.benchmarks import rare
from fastmatch.evaluation.order import likely_gaps, other_order

from support.places import SAMPLE
from support.refusal import fails, warned

N = 40  # graphs of the sample corpus


def texts(name, folder=None):
    """The graphs of a file, one text each, without their comment lines."""
    path = (folder or SAMPLE) / name
    return [re.sub(r"(?m)^#.*\n?", "", graph.encode()) for graph in fm.read(path, on_error="empty")]


GOLD, PRED = texts("sample-gold.amr"), texts("sample-pred.amr")


def taken(graphs, order):
    return [graphs[k] for k in order]


OTHERS = [re.sub(r"(?<=/ )", "other-", graph) for graph in GOLD]  # no concept is the same


def verdict(pred, gold):
    return other_order(*fm.Corpus.together((fm.parse(pred), fm.parse(gold))), ("pred", "gold"))


# ---------------------------------------------------------------- as many graphs


def test_reversed_and_shuffled():
    assert warned(PRED, GOLD) is None
    message = warned(PRED[::-1], GOLD)
    assert message == (
        "pred and gold seem to be in different orders: of 40 graphs of pred that were looked at, 40 look like a graph "
        "of gold in another place, and not like their own (0 like 39, 1 like 38, 2 like 37, 3 like 36, 4 like 35, …)"
    )
    order = random.Random(1).sample(range(N), N)
    found = re.findall(r"(\d+) like (\d+)", warned(taken(PRED, order), GOLD))
    assert len(found) == 5 and all(order[int(k)] == int(place) for k, place in found)


@pytest.mark.parametrize("k", [0, 1, 7, 20, 29])
def test_one_lost_and_one_twice(k):
    lost = [i for i in range(N) if i != k] + [0]
    listed = ", ".join(f"{i} like {i + 1}" for i in range(k, k + 5))
    assert warned(taken(PRED, lost), GOLD) == (
        f"from graph {k} on, each graph of pred looks like the graph of gold behind its own ({listed}, …): "
        "is there a graph too many in gold, or missing in pred?"
    )
    twice = sorted([*range(N - 1), k])
    listed = ", ".join(f"{i + 1} like {i}" for i in range(k, k + 5))
    assert warned(taken(PRED, twice), GOLD) == (
        f"from graph {k + 1} on, each graph of pred looks like the graph of gold before its own ({listed}, …): "
        "is there a graph too many in pred, or missing in gold?"
    )


def test_lost_in_one_place_and_twice_in_another():
    order = [k for k in range(N) if k != 10]
    order.insert(25, 25)
    message = warned(taken(PRED, order), GOLD)
    assert message.startswith("from graph 10 to 24, each graph of pred looks like the graph of gold behind its own (10")


def test_constant_distances():
    assert "each graph of pred looks like the graph of gold 3 places before its own (3 like 0, 4 like 1" in warned(
        [*PRED[-3:], *PRED[:-3]], GOLD
    )
    message = warned([*PRED[10:], *PRED[:10]], GOLD)
    assert message.startswith("from graph 0 on, each graph of pred looks like the graph of gold 10 places behind its")
    assert message.endswith("4 like 14, …)")
    assert "are there 2 graphs too many in pred, or missing in gold?" in warned([*PRED[:9], *PRED[7:-2]], GOLD)


def test_other_texts():
    assert warned(OTHERS, GOLD) == (
        "graphs of pred and gold share hardly a concept (0% on average of 40 pairs that were looked at): do these "
        "graphs belong together?"
    )


def test_names_and_once():
    """What other callers call the files; ids or sentences that differ say the same, and once is enough."""
    with pytest.warns(fm.PairingWarning, match=r"^from graph 20 on, each graph of B looks like the graph of gold"):
        fm.compare(PRED, [*PRED[:20], *PRED[21:], PRED[0]], GOLD, metric="rematch")
    given = [[f"# ::snt {k * k} words\n{text}" for k, text in enumerate(graphs)] for graphs in (PRED, GOLD)]
    assert warned(given[0][::-1], given[1]).startswith("::snt differs") and warned(given[0], given[1]) is None
    # ids that were copied beside the wrong graphs
    ids = [[f"# ::id {k}\n{text}" for k, text in enumerate(graphs)] for graphs in (PRED[::-1], GOLD)]
    assert "different orders" in warned(*ids) and "different orders" in warned(*ids, pair_by="id")


def test_few_graphs():
    for n in range(1, 6):
        assert warned(PRED[:n][::-1], GOLD[:n]) is None and warned(OTHERS[:n], GOLD[:n]) is None
    assert warned(PRED[:6][::-1], GOLD[:6]).startswith("pred and gold seem to be in different orders: of 6 graphs")


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        (["(a / cat)"] * 50, ["(b / cat)"] * 50),  # identical graphs
        ([f"(a / see-01 :ARG0 (b / cat) :ARG1 (c / thing{k % 4}))" for k in range(50)],) * 2,  # near-duplicates
        (
            [f"(a / see-01 :ARG0 (b / cat) :ARG1 (c / thing{k % 4}))" for k in range(50)],
            [f"(a / see-01 :ARG0 (b / cat) :ARG1 (c / thing{(k + 1) % 4}))" for k in range(50)],
        ),
        (["()"] * 50, GOLD + GOLD[:10]),  # nothing was answered
        ([*GOLD[:20], *["(x / thing)"] * 20], GOLD),  # a parser that gave up
    ],
)
def test_no_false_alarm(pred, gold):
    assert verdict(pred, gold) == "" and verdict(gold, pred) == ""


def test_pairs_of_rare():
    for split in rare.generate(fm.parse("\n\n".join(GOLD)), seed=1).splits:
        assert verdict([split.originals[k] for k in split.index], list(split.rewired)) == ""


def test_rewards_and_neighbours_are_silent():
    from fastmatch.rewards import GraphReward

    with warnings.catch_warnings(action="error"):
        GraphReward()(completions=PRED[::-1], amr=GOLD)
        fm.top_k(PRED[::-1], GOLD, 2, metric="rematch")


def test_real_parsers_and_paraphrases(data_dir):
    """The pairs of two data sets of paraphrases, with all of their variants, and two parsers."""
    pairs = [("lpp/parsers.amr", "lpp/parsers-gold.amr")]
    for name in ("sts", "sick"):
        for split in ("dev", "test"):
            for variant in ("main", "reify", "role_confusion", "syno"):
                sides = [f"bamboo/{name}/{variant}/{side}.{split}.amr" for side in ("src", "tgt")]
                pairs += [(sides[0], sides[1])]
                if variant != "role_confusion":
                    pairs += [(f"bamboo/{name}/main/src.{split}.amr", side) for side in sides]
    read = {name: fm.read(data_dir / "data" / name) for pair in pairs for name in pair}
    for pred, gold in pairs:
        both = fm.Corpus.together((read[pred], read[gold]))
        assert other_order(*both, ("pred", "gold")) == "", (pred, gold)
    pred, gold = fm.Corpus.together([read[name] for name in pairs[0]])
    for both in ((pred[::2], gold[::2]), (pred[1::2], gold[1::2]), (pred[::2], pred[1::2])):
        assert other_order(*both, ("pred", "gold")) == ""
    assert "different orders" in other_order(pred[::-1], gold, ("pred", "gold"))
    lost = [k for k in range(400) if k != 57] + [0]
    assert other_order(pred[lost], gold, ("pred", "gold")).startswith("from graph 57 on, each graph of pred looks like")


# ---------------------------------------------------------------- unequal numbers


@pytest.mark.parametrize("lost", [[0], [13], [39], [3, 20], [1, 10, 20, 38], [5, 6, 7, 8, 9]])
def test_which_graphs_are_missing(lost):
    kept = [k for k in range(N) if k not in lost]
    listed = ", ".join(map(str, lost))
    words = f"graph {listed} of {{}} seems" if len(lost) == 1 else f"graphs {listed} of {{}} seem"
    message = f" gold graphs; by their concepts {words.format('gold')} to have no partner in pred; "
    fails(fm.PairingError, message, fm.score, taken(PRED, kept), GOLD)
    message = f"; by their concepts {words.format('pred')} to have no partner in gold; "
    fails(fm.PairingError, message, fm.score, PRED, taken(GOLD, kept))


def test_missing_graphs_that_are_not_known():
    def gaps(pred, gold):
        return likely_gaps(fm.parse(pred), fm.parse(gold), ("pred", "gold"))

    assert gaps(PRED[:-6], GOLD) == ""  # too many
    assert gaps(["(a / cat)"] * 19, ["(a / cat)"] * 20) == ""  # it could be any
    assert gaps(OTHERS[:-1], GOLD) == "" and gaps([], GOLD[:3]) == ""
    assert gaps(PRED[1:2], GOLD[:2]) == "; by their concepts graph 0 of gold seems to have no partner in pred"


def graph_of(concepts):
    return "(x / top " + " ".join(f":mod (x{k} / {concept})" for k, concept in enumerate(concepts)) + ")"


def likeness_without(corpora, left_out):
    """Of both corpora, pair by pair, but for these graphs of the second one."""
    kept = np.array([k for k in range(len(corpora[1])) if k not in left_out], np.int64)
    return likeness(*(corpus.columns for corpus in corpora), np.arange(len(kept), dtype=np.int64), kept).sum()


@pytest.mark.parametrize("n_gaps", [1, 2, 3])
def test_gaps_against_all_ways_to_pair(n_gaps):
    """The best of all ways to leave graphs out, tried one by one."""
    rng = random.Random(n_gaps)
    for _ in range(30):
        n = rng.randint(4, 8)
        gold = [" ".join(rng.sample("abcdefgh", 4)) for _ in range(n)]
        lost = sorted(rng.sample(range(n), n_gaps))
        pred = [gold[k] for k in range(n) if k not in lost]
        graphs = [fm.parse([graph_of(words.split()) for words in side]) for side in (pred, gold)]
        found = likely_gaps(*graphs, ("pred", "gold"))
        if not found:
            continue
        both = fm.Corpus.together(graphs)
        totals = {left_out: likeness_without(both, left_out) for left_out in combinations(range(n), n_gaps)}
        named = tuple(map(int, re.search(r"graphs? ([\d, ]+) of gold", found)[1].split(", ")))
        assert totals[named] == pytest.approx(max(totals.values()))
