"""The principles: what is counted, that the exact Smatch keeps them all, and the figures of docs/judging-metrics.md."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from unittest.mock import Mock, patch

import numpy as np
import pytest
from hypothesis import given

import fastmatch as fm
from fastmatch.benchmarks import probes
from fastmatch.benchmarks.principles import Principles, principles, rank_correlation
from fastmatch.benchmarks.probes import MEANINGS, PLACES, altered, disguised
from fastmatch.benchmarks.reports import principles_report
from fastmatch.benchmarks.shared import large, limited, wilson
from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import from_text

from support.command_line import run, table
from support.hostile import FAMILIES
from support.nightly import by_day, examples
from support.refusal import fails
from support.strategies import specs

PRED = ["(a / cat)", "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))", "(x / y :op1 1)"]
GOLD = ["(b / cat)", "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))", "(x / z)"]


def corpora(pred=PRED, gold=GOLD) -> tuple[fm.Corpus, fm.Corpus]:
    corpus = fm.parse(pred)
    return corpus, fm.parse(gold, vocabulary=corpus.vocabulary)


def files(folder: Path) -> list[Path]:
    paths = [folder / "pred.amr", folder / "gold.amr"]
    for path, texts in zip(paths, (PRED, GOLD), strict=True):
        path.write_text("\n\n".join(texts), encoding="utf-8")
    return paths


class Valued(Metric):
    """A metric whose scores are values that no sum makes."""

    statistics = ("value",)
    counts = False
    summable = False

    def combine(self, statistics):
        return {"value": statistics[0]}


@dataclass(frozen=True)
class Crooked(Valued):
    """Scores by the number of the pair, by its direction, and by a seed."""

    seed: int = 0
    name = "crooked"

    def prepare(self, corpus):
        return [len(graph.triples) for graph in corpus]

    def score(self, pred, gold, pairs, out):
        for k, i, j in pairs.each():
            out.statistics[0, k] = 1 + pred[i] - gold[j] + self.seed % 2


@given(specs(missing_concepts=True))
def test_changes_are_all_that_their_definition_allows(spec):
    """Which relations can be changed is counted; here every relation is tried with every node and relation."""
    graph = fm.parse([spec.text()])[0]
    triples, concepts = graph.triples, {source: target for source, _, target in graph.instances}
    places = [k for k, triple in enumerate(triples) if triple in graph.relations]
    namesakes, exchanged = [], []
    for k in places:
        source, role, target = triples[k]
        for other in concepts:
            other_one = other not in (source, target) and concepts[other] == concepts.get(target)
            if other_one and concepts[other] is not None and (source, role, other) not in triples:
                namesakes.append([*triples[:k], (source, role, other), *triples[k + 1 :]])
        for two in places:
            if triples[two][0] == source and triples[two][1] != role and triples[two][2] != target:
                changed = list(triples)
                changed[k], changed[two] = (source, role, triples[two][2]), (source, triples[two][1], target)
                exchanged.append(changed)
    for change, expected in (("namesake", namesakes), ("roles", exchanged)):
        assert sorted(map(str, MEANINGS[change](graph, np.random.default_rng(0)))) == sorted(map(str, expected))


def test_a_crooked_metric_is_found_out():
    """Pairs of 1 and 1, 6 and 5, 2 and 1 triples; the seed adds 1 in every other run."""
    found = principles(*corpora(), Crooked(), runs=4)
    difference = np.subtract(*([len(graph.triples) for graph in side] for side in corpora()))
    assert found.n_pairs == 3 and found.svr == pytest.approx((difference != 0).mean())
    assert found.msv == pytest.approx(np.abs(2 * difference).mean())
    assert (found.lowest, found.highest) == (1 - difference.max(), 1 + difference.max())
    assert found.n_out_of_bounds == (np.abs(difference) > 0).sum()  # 2 in one direction, 0 in the other
    assert (found.n_equal, found.n_false_equal) == (1, 2)  # 2 is no less than 1
    assert found.corpus_error == pytest.approx(np.std([0, 1, 0, 1], ddof=1))
    assert found.pair_error == pytest.approx(found.corpus_error) and found.runs == 4


@dataclass(frozen=True)
class Vain(Valued):
    """1 if the first variables have one name, else 0."""

    name = "vain"

    def prepare(self, corpus):
        return [graph.variables[0] for graph in corpus]

    def score(self, pred, gold, pairs, out):
        for k, i, j in pairs.each():
            out.statistics[0, k] = pred[i] == gold[j]


def test_a_metric_that_goes_by_names_is_found_out():
    found = principles(["(a / cat)", "(a / cat)", "(a / dog)"], ["(a / cat)", "(b / cat)", "(b / bat)"], Vain(), runs=2)
    assert (found.n_equal, found.n_false_different) == (2, 1)
    assert (found.n_self_different, found.n_disguised, found.n_disguised_different) == (0, 3, 3)
    # in disguise, an only variable has one name in all graphs
    assert found.disguise_ratio == found.disguise_mean == pytest.approx(2 / 3)


def test_equal_scores_of_different_graphs():
    swapped = corpora(["(a / b :ARG0 (c / d) :ARG1 (e / f))"], ["(a / b :ARG1 (c / d) :ARG0 (e / f))"])
    found = principles(*swapped, "smatch,triples=instance", runs=2)
    assert (found.n_false_equal, found.n_equal) == (1, 0)
    assert principles(*swapped, "smatch", runs=2).n_false_equal == 0


@pytest.mark.slow
@examples(15)
@given(specs(), specs())
def test_exact_smatch_keeps_all_principles(one, other):
    found = principles(*corpora([one.text(), other.text()], [other.text()] * 2), runs=2)
    assert found.svr == found.msv == found.corpus_error == found.pair_error == 0
    assert found.n_out_of_bounds == found.n_self_different == found.n_disguised_different == found.n_false_equal == 0
    assert found.self_lowest == found.self_highest == 1 and found.n_equal >= 1


def test_a_disguise_changes_names_and_order_and_nothing_else():
    corpus = fm.parse([f"# ::id {k}\n{text}" for k, text in enumerate(PRED)])
    hidden = fm.parse([disguised(graph, k, 3) for k, graph in enumerate(corpus)])
    assert fm.score(hidden, corpus).pairs.f1.tolist() == [1, 1, 1]
    assert [graph.metadata for graph in hidden] == [graph.metadata for graph in corpus]
    assert all(not set(new.variables) & set(old.variables) for new, old in zip(hidden, corpus, strict=True))
    assert len({disguised(corpus[1], 1, seed) for seed in range(10)}) > 5
    assert disguised(corpus[1], 1, 3) == disguised(corpus[1], 1, 3)


@pytest.mark.slow
@given(specs(missing_concepts=True))
def test_a_disguise_of_any_graph(spec):
    graph = fm.parse(spec.text())[0]
    try:
        graph.encode()
    except fm.FastmatchError:
        return
    assert fm.score(disguised(graph, 0, 0), graph).f1 == 1


MAN = "(s / see-01 :ARG0 (m / man) :ARG1 m :location (n / man) :time (y / year :polarity - :mod (l / last)))"


@pytest.mark.parametrize("change", [*MEANINGS, *PLACES])
def test_a_probe_changes_one_thing(change):
    """What each leaves as it was, counted in triples under the best map of variables; the root's triple is one more."""
    graph = fm.parse(f"# ::id one\n{MAN}")[0]
    text = altered(graph, change, 0, 0)
    assert fm.parse(text)[0].metadata["id"] == "one"
    pair = fm.score(text, graph).pairs
    n = len(graph.triples) + 1
    assert (pair.n_pred[0], pair.n_gold[0]) == (n + {"coreference": 1, "attribute": -1}.get(change, 0), n)
    # the two men may be taken for each other after an exchange
    assert n - pair.matched[0] in ((1, 2) if change == "roles" else (1,))
    assert len({altered(graph, change, 0, seed) for seed in range(20)}) >= (change in ("roles", "leaf concept")) + 1


def test_a_graph_that_allows_no_change():
    graph = fm.parse("(a / cat)")[0]
    assert [altered(graph, change, 0, 0) for change in (*MEANINGS, "inner concept", "leaf concept")] == [None] * 6
    assert altered(graph, "root concept", 0, 0) == "(a / xqzw)"
    assert altered(fm.parse("(a / go-01)")[0], "root concept", 0, 0) == "(a / xqzw-01)"
    # to lead the only mention of a node elsewhere would cut it off
    assert altered(fm.parse("(a / x :ARG0 (b / man) :ARG1 (c / man))")[0], "namesake", 0, 0) is None
    assert altered(fm.parse("(a / x :op1 (b / y) :op1 (c / z))")[0], "roles", 0, 0) is None
    # a concept that is called as a variable joins nothing, so no text is tried but the first
    star = fm.parse("(a / b " + " ".join(f":op{k} (b{k} / a)" for k in range(9)) + ")")[0]
    with patch.object(fm.Graph, "from_triples", side_effect=fm.FastmatchError("not connected")) as tried:
        assert altered(star, "namesake", 0, 0) is None
    assert tried.call_count == 1


def test_a_large_graph_that_allows_no_change():
    """Where nothing fits anywhere, not all of it is tried everywhere."""
    graph = fm.parse("(a / x" + "".join(f" :r (b{k} / x)" for k in range(5000)) + ")")[0]
    assert [altered(graph, change, 0, 0) for change in MEANINGS] == [None] * 4


def test_large_graphs_get_fewer_choices():
    graph = fm.parse("(a / b" + "".join(f" :op{k} (b{k} / c)" for k in range(30)) + ")")[0]
    for triples, choices in ((200_000, 20), (3 * len(graph.triples), 4)):
        with patch.multiple(probes, _TRIPLES=triples, _connected=Mock(return_value=False)):
            assert altered(graph, "namesake", 0, 0) is None
            assert probes._connected.call_count == choices - 1  # the first is written at once


def test_only_what_is_mentioned_twice_is_divided():
    """Here y would stay connected through z, but nothing is said of y twice."""
    graph = fm.parse("(a / x :ARG0 (t / y :ARG1 (m / z)) :ARG2 m)")[0]
    for seed in range(20):
        made = fm.parse(altered(graph, "coreference", 0, seed))[0]
        assert sorted(concept for _, _, concept in made.instances) == ["x", "y", "z", "z"]


@pytest.mark.slow
@examples(15)
@given(specs(max_size=7))
def test_exact_smatch_sees_every_probe(spec):
    found = principles(spec.text(), spec.text(), runs=2)
    assert all(probe.n_unseen == 0 for probe in found.probes.values())
    assert all(probe.n in (0, 1) for probe in found.probes.values())


def test_sembleu_does_not_see_which_man_is_seen():
    """Figure 2 of the paper; and where in a graph a concept is wrong makes a difference, as in its table 4."""
    found = principles([MAN], [MAN], "sembleu", runs=2)
    assert (found.probes["namesake"].n, found.probes["namesake"].n_unseen) == (1, 1)
    assert principles([MAN], [MAN], "smatch", runs=2).probes["namesake"].n_unseen == 0
    assert found.places["root concept"].loss > 1.5 * found.places["leaf concept"].loss


def test_the_order_of_pairs_is_that_of_jaccard_for_smatch():
    pred = [*PRED, "(a / cat :mod (b / big))", "(u / unrelated)"]
    gold = [*GOLD, "(a / cat)", "(v / v :mod (w / w))"]
    assert principles(pred, gold, runs=2).jaccard_order == pytest.approx(1, abs=1e-12)
    assert principles(pred, gold, "wlk", runs=2).jaccard_order < 1
    assert np.isnan(principles(pred[:1], gold[:1], runs=2).jaccard_order)


def test_rank_correlation_with_ties():
    from scipy.stats import spearmanr

    scores, jaccard = np.array([0.5, 0.2, 0.5, 0.1, 0.9, 0.1]), np.array([0.3, 0.3, 0.4, 0.0, 1.0, 0.2])
    assert rank_correlation(scores, jaccard) == pytest.approx(spearmanr(scores, jaccard).statistic, abs=1e-12)
    # what rounding alone tells apart is a tie
    assert rank_correlation(np.array([0.3, 0.1 + 0.2, 0.5]), np.array([0.25, 0.25, 0.5])) == pytest.approx(1, abs=1e-12)
    assert rank_correlation(np.array([np.nan, 0.1, 0.2]), np.array([0.9, 0.1, 0.2])) == pytest.approx(1, abs=1e-12)


def test_intervals_end_at_0_and_1():
    """Others are those of statsmodels: parity/test_grapes.py."""
    assert wilson(0, 400) == (0, pytest.approx(3.841459 / 403.841459)) and wilson(400, 400).high == 1


def assert_same(result: Principles, expected: Principles) -> None:
    """All numbers are equal; nan equals nan, which ``==`` of dataclasses denies from Python 3.13 on."""
    np.testing.assert_equal(asdict(result), asdict(expected))


def test_intervals_of_asymmetry():
    pred = ["(a / b :ARG0 (c / d :ARG1 (e / f)))", "(a / b)", "(a / b :ARG1 (c / d))"] * 4
    gold = ["(a / b :ARG0 (c / d))", "(a / b)", "(a / b :ARG1 (c / d) :ARG2 (e / f))"] * 4
    found = principles(pred, gold, "sembleu", runs=2)
    assert found.svr == pytest.approx(2 / 3) and found.svr_interval[0] < found.svr < found.svr_interval[1]
    assert 0 < found.msv_interval[0] < found.msv < found.msv_interval[1]
    assert_same(principles(pred, gold, "sembleu", runs=2), found)
    assert_same(principles(iter(pred), iter(gold), "sembleu", runs=2, workers=2), found)


def test_pairs_that_a_tool_cannot_read_are_left_out():
    """SemBleu's program takes a letter with digits for a variable, and dies where that is not defined."""
    pred = [*PRED, "(a / x :quant b2)"]
    gold = [*GOLD, "(a / x)"]
    found = principles(pred, gold, "sembleu/tool", runs=2)
    assert (found.n_pairs, found.n_unreadable) == (3, 1)
    assert principles(pred, gold, "sembleu", runs=2).n_unreadable == 0
    with pytest.raises(fm.PairingError, match=r"the reader of 'sembleu' .* can read none of the pairs"):
        principles(pred[-1:], gold[-1:], "sembleu/tool", runs=2)


@pytest.mark.parametrize(
    "metric", by_day(["smatch/smatch", "sema/tool", "ancast/tool", "s2match/tool", "rematch/tool"], 3)
)
def test_graphs_in_any_form(metric, tmp_path):
    """Paths, texts, graphs, corpora of either reader."""
    found = principles(PRED, GOLD, metric, runs=2)
    assert found.n_pairs == 3
    for sides in (files(tmp_path), map("\n\n".join, (PRED, GOLD)), corpora(), map(list, corpora())):
        assert_same(principles(*sides, metric, runs=2), found)
    read = [fm.parse(texts, dialect=from_text(metric).dialect) for texts in (PRED, GOLD)]
    assert principles(*read, metric, runs=2).n_pairs == 3


def test_progress_and_a_sample(tmp_path):
    steps = []
    found = principles(PRED, GOLD, runs=2, probes=2, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(k + 1, len(steps)) for k in range(len(steps))]
    assert (found.n_pairs, found.n_disguised, found.places["root concept"].n) == (3, 2, 2)


def test_bad_input():
    for options, message in (
        ({"runs": 1}, "runs=1: expected at least 2"),
        ({"probes": 0}, "probes=0: expected a whole number, 1 or more"),
        ({"seed": -1}, "seed=-1: expected a whole number, 0 or more"),
    ):
        fails(fm.OptionError, message, principles, *corpora(), **options)
    fails(fm.PairingError, "3 predictions and 1 gold", principles, *corpora(gold=GOLD[:1]))
    fails(TypeError, "pred: expected a Corpus", principles, 3, GOLD)
    fails(fm.ReadError, r"pred\[0\]", principles, ["(a / cat"], ["(a / cat)"])


def test_command(tmp_path):
    given = ("bench", "principles", *map(str, files(tmp_path)), "--quiet")

    def bench(flags: str) -> str:
        return run(*given, *flags.split(), cwd=tmp_path).stdout

    out = bench("--metric smatch --metric smatch/smatch,solver=climb")
    assert "principles, on 3 pairs of graphs" in out and "smatch/smatch,solver=climb" in out
    [record] = json.loads(bench("--runs 2 --json"))["metrics"]
    assert (record["svr"], record["runs"]) == (0, 2)
    assert record["probes"]["attribute"] == {"n": 0, "n_unseen": 0, "loss": None}
    rows = table(bench("--metric smatch --metric wlk,k=1 --tsv --probes 1"))
    assert [row["metric"] for row in rows] == ["smatch", "wlk,k=1"]
    assert (rows[0]["svr"], rows[0]["attribute_unseen"], rows[0]["disguised"]) == ("0.0", "0", "1")
    latex = bench("--metric smatch,time_limit=5 --latex")
    assert latex.count("\\\\\n") == 2
    svr, msv = "0.0 & {\\footnotesize [0.0, 56.1]}", "0.00 & {\\footnotesize [0.00, 0.00]}"
    assert f"smatch,time\\_limit=5 & 0 & 0 & 0 & {svr} & {msv} & 0 & 0 " in latex


# ---------------------------------------------------------------- the figures of the docs, on The Little Prince

PAGE = Path(__file__).parents[3] / "docs" / "judging-metrics.md"
#: Rows that need no vectors; the rest came from the same command.
CHECKED = "smatch smatch,solver=climb sembleu sembleu/tool sema/tool ancast/tool rematch wlk/tool".split()  # noqa: SIM905
STARTS = tuple(f"restarts={number}" for number in (0, 1, 2, 4, 9))


@pytest.fixture(scope="module")
def tables() -> dict[str, list[list[str]]]:
    """Metric → its cells in the two tables of the section."""
    if not PAGE.exists():
        pytest.skip("no docs beside these tests")
    section = PAGE.read_text(encoding="utf-8").partition("## The principles")[2]
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"
    ]
    return {name: [row[1:] for row in rows if row[0] == name] for name in (*CHECKED, *STARTS)}


def power(value: float) -> str:
    return f"{value:.1e}" if value else "0"


@pytest.mark.parametrize("metric", ["smatch", "sembleu"])
def test_large_pairs_share_the_work(metric, monkeypatch):
    """All searches of a pair that alone takes more than an ordinary one together take what two such have, at most."""
    taken = []

    def counted(metric, pairs):
        metric, work = limited(metric, pairs)
        taken.append((work, work.copy()))
        return metric, work

    monkeypatch.setattr("fastmatch.benchmarks.principles.limited", counted)
    if metric == "sembleu":  # it searches nothing, but the graphs are compared: large ones with little work at once
        monkeypatch.setattr("fastmatch.benchmarks.shared.LARGE", 100)
    hard, easy = FAMILIES["trees without concepts"](0, 800), ("(a / b :c d)", "(a / b)")
    found = principles(*map(list, zip(hard, easy, strict=True)), metric, runs=2)
    visits = [(after - before)[before > 0].sum() for after, before in taken]
    assert max(visits) < 35_000_000 and len(np.flatnonzero(visits)) >= (3 if metric == "smatch" else 1)
    assert found.n_limited == 1
    (note,) = principles_report([found]).notes
    assert note.startswith(f"{metric}: 1 pair searched with little work, no proof; ")
    ordinary = principles(*([text] for text in easy), metric)
    assert ordinary.n_limited == 0 and principles_report([ordinary]).notes == []


def test_large_pairs_have_all_work_where_it_is_asked_for():
    sizes = np.array([2500, 1900])
    for text in ("smatch", "sembleu", "smatch,effort=low", "align-smatch"):
        assert large(from_text(text), sizes, sizes).tolist() == [True, False]
    for metric in map(from_text, ("smatch,effort=high", "s2match,time_limit=9", "sembleu,effort=proof")):
        assert not large(metric, sizes, sizes).any() and limited(metric, sizes > 0)[0] is metric
    climbing = from_text("smatch,solver=climb")  # which neither counts its work nor can have less
    assert limited(climbing, sizes > 0)[0] is climbing


@pytest.mark.slow
@pytest.mark.parametrize("metric", by_day(CHECKED, 4))
def test_figures(metric, tables, data_dir):
    folder = data_dir / "data" / "lpp"
    found = principles(folder / "parsers.amr", folder / "parsers-gold.amr", metric)
    first = [
        *map(str, (found.n_out_of_bounds, found.n_self_different, found.n_disguised_different, found.n_false_equal)),
        f"{100 * found.svr:.1f}",
        f"{100 * found.msv:.2f}",
        power(found.corpus_error),
        power(found.pair_error),
    ]
    second = [
        *(str(probe.n_unseen) for probe in found.probes.values()),
        f"{100 * found.disguise_ratio:.1f}",
        *(f"{100 * probe.loss:.1f}" for probe in found.places.values()),
        f"{100 * found.jaccard_order:.1f}",
    ]
    assert tables[metric] == [first, second]


@pytest.mark.parametrize("starts", STARTS)
def test_determinacy_by_starts(starts, tables, data_dir):
    folder = data_dir / "data" / "lpp"
    metric = f"smatch/smatch,solver=climb,{starts}"
    found = principles(folder / "parsers.amr", folder / "parsers-gold.amr", metric, probes=1)
    assert tables[starts] == [[power(found.corpus_error), power(found.pair_error)]]
