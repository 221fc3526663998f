"""``fm.ensemble``: the methods on graphs whose answer is known, and input that is bad."""

import pickle
import random
import warnings
from fractions import Fraction
from unittest.mock import Mock

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.ensembles import ensembling, search
from fastmatch.ensembles.result import Bounding, upper_bound
from fastmatch.metrics.shared.search import WORK

from support.hostile import graph_text
from support.refusal import fails
from support.terminal import standard_error

SUNG = ["(s / sing-01 :ARG0 (b / bird))", "(h / hum-02 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))"]


def text(made, k: int = 0) -> str:
    return str(made.graphs[k].encode(None))


#: Each lacks something that the other two have.
SMALL = (
    "(s / sing-01 :ARG0 (b / bird :mod (s2 / small)))",
    "(s / sing-01 :ARG0 (b / bird) :time (n / now))",
    "(h / hum-02 :ARG0 (b / bird :mod (s / small)) :time (n / now))",
)


def test_merge_makes_a_graph_that_no_candidate_is() -> None:
    made = fm.ensemble(SMALL)
    assert text(made) == "(s / sing-01 :ARG0 (b / bird :mod (s2 / small)) :time (n / now))"
    assert made.sources.tolist() == [-1] and made.scores[0] == pytest.approx(made.uppers[0]) and made.certified.all()
    assert made.nearest(0) == [2, 0, 1]


def test_merge_brings_together_a_node_that_the_first_lacks() -> None:
    lacking = "(w / want-01 :ARG0 (b / boy))"
    having = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :time (d / day)))"
    made = fm.ensemble([lacking, having, having.replace("day", "night"), having.replace("go-02", "leave-11")])
    assert text(made) == "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :time (d / day)))"


def test_labels_are_written_as_the_first_candidate_wrote_them() -> None:
    made = fm.ensemble(['(n / name :op1 "Kim")', "(n / name :op1 kim)", "(n / name :op1 kim :op2 x)"])
    assert text(made) == '(n / name :op1 "Kim")'


def test_no_variable_is_named_like_a_constant() -> None:
    texts = "(a / and :op1 c :op2 (c2 / cat))", "(a / and :op1 c :op3 (d / cat))", "(a / or :op1 c :op2 (d / cat))"
    made = fm.ensemble(texts)
    assert fm.parse(str(made.graphs[0]))[0] == made.graphs[0] and ("a", ":op1", "c") in made.graphs[0].attributes


def test_select_takes_the_best_and_of_equal_ones_the_first() -> None:
    assert fm.ensemble(SUNG, method="select").sources.tolist() == [0]
    assert fm.ensemble(SUNG[1:], method="select", weights=[1, 2]).sources.tolist() == [1]
    with pytest.warns(fm.FastmatchWarning, match="ties go to the first"):
        assert fm.ensemble(SUNG[1:], method="select").sources.tolist() == [0]


@pytest.mark.parametrize("metric", ["sembleu", "wlk", "rematch", "smatch/smatch", "wwlk"])
def test_select_takes_any_metric(metric: str) -> None:
    made = fm.ensemble(SUNG, method="select", metric=metric)
    assert made.sources.tolist() == [0] and np.isnan(made.uppers).all()
    scores = [fm.score(SUNG[0], other, metric=metric).pairs.score[0] for other in SUNG]
    assert made.candidate_scores[0].tolist() == scores


def test_votes_of_the_first_candidate() -> None:
    """Labels with half of the votes win, and nodes that the pivot lacks are never added."""
    made = fm.ensemble([SUNG[1], *[f"{SUNG[0][:-1]} :time (n / now))"] * 2], method="vote")
    assert text(made) == SUNG[0] and made.sources.tolist() == [-1]
    assert pickle.loads(pickle.dumps(made)).votes(0) == made.votes(0)


def test_graphene_smatch_is_never_below_the_candidates() -> None:
    made, chosen = (fm.ensemble(SUNG, method=method) for method in ("graphene-smatch", "select"))
    assert made.scores[0] >= chosen.scores[0]


def test_equal_candidates_vote_together() -> None:
    many = fm.ensemble([SUNG[1], SUNG[0], SUNG[0], SUNG[0]], method="select")
    assert many.sources.tolist() == [1] and many.candidate_scores[0].tolist()[1:] == [1.0, 1.0, 1.0]
    assert many.scores[0] == pytest.approx(fm.ensemble([SUNG[1], SUNG[0]], weights=[1, 3], method="select").scores[0])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("weights", [np.array([1, 3, 1]), np.float32([1, 3, 1]), [Fraction(1, 2), 1.5, Fraction(1, 2)]])
def test_weights_of_any_real_number(weights):
    assert fm.ensemble(SUNG, weights=weights) == fm.ensemble(SUNG, weights=[1, 3, 1])


def test_similar_concepts_vote_in_part() -> None:
    """Without vectors the senses of a lemma are similar; two of them beat two votes for another concept."""
    texts = ["(a / see-01)", "(a / see-02)", "(a / see-03)", "(a / hear-01)", "(a / hear-01)"]
    assert text(fm.ensemble(texts, metric="s2match", method="merge")).startswith("(a / see")
    assert text(fm.ensemble(texts)) == "(a / hear-01)"


def test_what_cannot_be_read_does_not_vote() -> None:
    rows = [[SUNG[0], "(x", SUNG[0]], ["(", ")"], [], ["()"]]
    fails(fm.ReadError, None, fm.ensemble, rows, by="sentence")
    with warnings.catch_warnings(action="error"):
        made = fm.ensemble(rows, by="sentence", on_error="empty")
    assert [text(made, k) for k in range(3)] == [SUNG[0], "()", "()"]
    assert [(one.sentence, one.candidate) for one in made.unreadable] == [(0, 1), (1, 0), (1, 1)]
    assert np.isnan(made.candidate_scores[0]).tolist() == [False, True, False]
    assert np.isnan(made.scores).tolist() == [False, True, True, False] and made.score == 1.0
    assert len(made.to_dict()["unreadable"]) == 3


def test_nothing_is_said_of_the_score_of_what_does_not_vote() -> None:
    """Between two systems that cannot be read no pair is scored, and none counts as right."""
    with warnings.catch_warnings(action="error"):
        made = fm.ensemble([["(x"], ["(y"], [SUNG[0]]], on_error="empty")
    assert (text(made), made.score, len(made.unreadable)) == (SUNG[0], 1.0, 2)


def test_repaired_candidates_vote() -> None:
    made = fm.ensemble([[SUNG[0], SUNG[0][:-2], "nothing"]], by="sentence", on_error="repair")
    assert [(one.sentence, one.candidate) for one in made.unreadable] == [(0, 2)]
    assert made.candidate_scores[0][:2].tolist() == [1.0, 1.0]


def test_candidates_that_are_not_well_formed_vote_but_are_not_taken() -> None:
    concepts = [("a", "sing-01"), ("b", "bird"), ("b", "cat")]
    broken = fm.Graph.from_triples([(name, ":instance", concept) for name, concept in concepts], "a")
    made = fm.ensemble([[broken], [broken], fm.parse(SUNG[2])])
    graph = made.graphs[0]
    assert made.sources[0] in (-1, 2) and fm.parse(str(graph))[0] == graph
    assert len({source for source, _, _ in graph.instances}) == len(graph.instances)


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([], {}, "no candidates"),
        (SUNG[0], {}, "a list of systems"),
        (SUNG, {"method": "best"}, "method='best'"),
        (SUNG, {"metric": "sembleu"}, "method='select' takes the best candidate"),
        (SUNG, {"duplicates": "bag"}, "method='select' takes the best candidate"),
        (SUNG, {"weights": [1, 2]}, "2 weights for 3 systems"),
        (SUNG, {"weights": [1, 0, 1]}, "numbers above 0, found 0"),
        (SUNG, {"weights": [1, float("nan"), 1]}, "numbers above 0, found nan"),
        (SUNG, {"weights": 3}, "weights: expected a list of weights of the systems, found 3"),
        (SUNG, {"weights": "1,2,3"}, "weights: expected a list of weights of the systems, found '1,2,3'"),
        (SUNG, {"weights": [10**400, 1, 1]}, "numbers above 0, found 1000"),
        (SUNG, {"weights": [1e308, 1e308, 1]}, "sum is too large"),
        (SUNG, {"names": ["one"]}, "1 names for 3 systems"),
        (SUNG, {"by": "sentence"}, r"candidates\[0\]: expected a list of graphs"),
        ([SUNG], {"by": "sentence", "weights": [[1, 2]]}, "2 weights for 3 candidates of sentence 0"),
        ([SUNG], {"by": "sentence", "weights": 3}, "weights: expected a list for each sentence, found 3"),
        ([SUNG], {"by": "sentence", "weights": [3]}, "a list of weights of the candidates of sentence 0, found 3"),
        ([SUNG], {"by": "sentence", "pair_by": "id"}, "by='sentence'"),
    ],
)
def test_bad_input_is_an_error_of_one_line(given, options, message):
    assert "\n" not in str(fails(fm.OptionError, message, fm.ensemble, given, **options))


def test_systems_of_different_length() -> None:
    fails(fm.PairingError, "B has 1 graph, A 2", fm.ensemble, [SUNG[:2], SUNG[:1]])
    ids = [[f"# ::id {k}\n{graph}" for k, graph in enumerate(SUNG)], [f"# ::id 2\n{SUNG[2]}"]]
    fails(fm.PairingError, None, fm.ensemble, ids, pair_by="id")
    twice = [[ids[0][0], ids[0][0]]] * 2
    fails(fm.PairingError, r"::id: 1 repeated id in A \('0' 2 times\)$", fm.ensemble, twice, pair_by="id")
    made = fm.ensemble(ids, pair_by="id", unpaired="empty")
    assert made.graphs.ids == ["0", "1", "2"] and [one.sentence for one in made.unreadable] == [0, 1]


def test_the_bound_counts_each_label_as_often_as_it_is_there() -> None:
    labels = [np.array(own) for own in ([7, 7, 8], [7, 9], [7, 7, 9])]
    sizes, weights = [3.0, 2.0, 3.0], [1 / 3] * 3

    def best(s: int) -> float:
        voters = {(7, 0): (0, 1, 2), (7, 1): (0, 2), (8, 0): (0,), (9, 0): (1, 2)}
        gains = sorted((sum(2 / 3 / (s + sizes[i]) for i in own) for own in voters.values()), reverse=True)
        return sum(gains[:s])

    assert upper_bound(Bounding(labels, weights, sizes)) == pytest.approx(max(map(best, range(1, 5))))
    nothing = np.array([], np.int64)
    assert upper_bound(Bounding([nothing, nothing], [0.5, 0.5], [0.0, 0.0])) == 1.0


def test_metadata_of_the_sentence_stays(tmp_path):
    comments = "# ::id 7 ::date today\n# ::snt It sings .\n# ::alignments 0-1\n"
    made = fm.ensemble([comments + SMALL[0], *SMALL[1:]])
    assert made.graphs.metadata(0) == {"id": "7", "snt": "It sings ."}
    made.graphs.save(tmp_path / "made.fastmatch")
    assert fm.Corpus.load(tmp_path / "made.fastmatch") == made.graphs


@pytest.mark.parametrize("metric", ["smatch", "smatch++", "s2match"])
@pytest.mark.parametrize("method", ["merge", "graphene-smatch", "vote"])
def test_graphs_that_say_nothing(metric: str, method: str) -> None:
    rows = [["()", "(a)", "(b)"], ["(a)", "(s / sing-01)", "(s / sing-01)"]]
    made = fm.ensemble(rows, by="sentence", metric=metric, method=method)
    assert made.scores[0] == made.uppers[0] == 1.0 and made.scores[1] <= made.uppers[1]
    if method == "merge":
        assert text(made, 1) == "(s / sing-01)"


@pytest.mark.parametrize("metric", ["smatch", "smatch++", "s2match"])
def test_merge_is_not_below_a_graph_that_says_nothing(metric: str) -> None:
    """Two of three say that there is nothing; but where voices are equal, what is said is kept."""
    rows = [["()", SUNG[0], "()"], ["(a)", SUNG[0], "(b)"], ["()", SUNG[0]]]
    made, chosen = (fm.ensemble(rows, by="sentence", metric=metric, method=name) for name in ("merge", "select"))
    assert made.scores == pytest.approx(chosen.scores) and [text(made, k) for k in range(3)] == ["()", "(a)", SUNG[0]]


def test_graphs_without_roots_make_a_graph_without_a_root() -> None:
    def system(*edges: tuple[str, str, str]) -> fm.Corpus:
        return fm.Corpus.from_edges([{"a": "Bean", "b": "Texas", "c": "NASA"}], [edges])

    born, works, based = ("a", "born", "b"), ("a", "works", "c"), ("c", "in", "b")
    systems = [system(born, works), system(works, based), system(born, based)]
    made = fm.ensemble(systems)
    assert made.graphs[0].top is None and len(made.graphs[0].relations) == 3
    assert made.scores[0] == pytest.approx(made.uppers[0])
    assert made.scores[0] > fm.ensemble(systems, method="select").scores[0]


@pytest.mark.parametrize("preset", ["smatch++", "smatch++/reify"])
def test_presets_that_standardise_are_merged(preset: str) -> None:
    texts = [
        '(s / sing-01 :ARG0 (b / bird :mod (s2 / small) :name (n / name :op1 "Kim Il")))',
        "(s / sing-01 :ARG0 (b / bird) :time (n / now))",
        '(h / hum-02 :ARG0 (b / bird :mod (s / small) :name (n / name :op1 "Kim Il")) :time (n2 / now))',
    ]
    made, chosen = (fm.ensemble(texts, preset=preset, method=method) for method in ("merge", "select"))
    assert made.scores[0] > chosen.scores[0]
    read = fm.parse(str(made.graphs[0]), dialect="smatchpp")
    scores = [fm.score(read, fm.parse(text, dialect="smatchpp"), preset=preset).f1 for text in texts]
    assert np.mean(scores) == pytest.approx(made.scores[0])


@pytest.mark.parametrize("method", ["merge", "select", "graphene-smatch"])
def test_progress_counts_the_pairs_that_are_matched(method, monkeypatch):
    seen: list[tuple[float, int]] = []
    made = fm.ensemble(SUNG, method=method, progress=lambda *done: seen.append(done))
    assert made == fm.ensemble(SUNG, method=method)
    done = [count for count, _ in seen]
    assert done == sorted(set(done)) and all(count <= total for count, total in seen) and seen[-1][0] == seen[-1][1] > 3
    fails(KeyboardInterrupt, None, fm.ensemble, SUNG, method=method, progress=Mock(side_effect=KeyboardInterrupt))
    # what --quiet leaves out on a terminal
    terminal = standard_error(monkeypatch)
    fm.ensemble(SUNG, method=method, progress=True)
    assert "pairs" in terminal.getvalue() and f"of {seen[-1][1]}" in terminal.getvalue()


@pytest.mark.parametrize(("method", "weights"), [("merge", [1, 1, 1]), ("graphene-smatch", [1, 1, 9])])
def test_drafts_of_very_large_graphs_have_less(method, weights, monkeypatch):
    """All searches but the first go on from what was spent, and begin with the maps of those before."""
    whole = fm.ensemble(SUNG, method=method, weights=weights)
    seen = []

    def run(metric, *given, **options):
        seen.append((metric._shared.work.tolist(), [known is not None for known in metric._shared.maps]))
        return real(metric, *given, **options)

    real = search.run
    monkeypatch.setattr(search, "run", run)
    monkeypatch.setattr(ensembling, "run", run)
    monkeypatch.setattr(search, "_LARGE", 1)
    assert fm.ensemble(SUNG, method=method, weights=weights) == whole
    (first, *_), *drafts, last = seen
    assert first == [0] * 3 and all(min(work) > 0 and all(known) for work, known in drafts)
    assert min(last[0]) > 0 and last[1] == [True] * 3


def test_a_search_that_has_taken_enough_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    monkeypatch.setattr(search, "run", lambda *given, **more: sizes.append(len(given[3])) or real(*given, **more))
    real = ensembling.run
    monkeypatch.setattr(search, "_HARD", 0)
    monkeypatch.setattr(search, "_MORE", 0)
    made = fm.ensemble(SUNG)
    assert len(sizes) == 2 and made.scores[0] >= fm.ensemble(SUNG, method="select").scores[0]


def test_drafts_of_a_large_pair_that_is_proven_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two binary trees match as their levels do, but not so a draft, whose search would take 3 s."""
    visits = []

    def run(metric, *given, **options):
        before = metric._shared.work.sum()
        found = real(metric, *given, **options)
        visits.append(metric._shared.work.sum() - before)
        return found

    real = search.run
    monkeypatch.setattr(search, "run", run)
    monkeypatch.setattr(ensembling, "run", run)
    rng = random.Random(0)
    names = [f"x{v}" for v in range(1400)]
    edges = [((v - 1) // 2, ":A" if rng.random() < 0.98 else ":B", v) for v in range(1, 1400)]
    plain = [(source, ":A", target) for source, _, target in edges]
    trees = [graph_text(["c"] * 1400, each, names) for each in (plain, edges)]
    assert fm.ensemble(trees, weights=[1, 2]).score > 0.95
    assert sum(visits) < WORK["default"]


def test_names_go_on_where_they_are_taken() -> None:
    made = fm.ensemble(["(a / x :r (b / x :r (c / x)) :s x2 :t (d / y))"], method="vote")
    assert text(made) == "(x / x :s x2 :r (x3 / x :r (x4 / x)) :t (y / y))"


def test_what_select_has_matched_it_does_not_match_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    real = search.run
    monkeypatch.setattr(ensembling, "run", lambda *given, **more: sizes.append(len(given[3])) or real(*given, **more))
    made = fm.ensemble(SUNG, method="select")
    expected = np.mean([fm.score(SUNG[0], other).pairs.score[0] for other in SUNG])
    assert sizes == [6, 0] and made.score == pytest.approx(expected)
