"""How much work a pair may take: the same on every machine, and enough to end on any pair of short texts."""

import random
from itertools import product

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.metrics.names import BUILT_IN
from fastmatch.metrics.registry import from_text
from fastmatch.metrics.shared.search import WORK
from fastmatch.report.model import emit

from support.exact_search import Found, exact_search, sides_of
from support.hostile import FAMILIES, NAMES, graph_text, isomorphic
from support.nightly import NIGHT, by_day
from support.refusal import fails
from support.sentence_documents import pair

LEVELS = ("low", "default")


def searched(pred: str, gold: str, level: str = "default") -> Found:
    """What the kernel finds of one pair with the work of a level."""
    return exact_search(*sides_of(pred, gold), max_work=WORK[level])


def work_of(pred: str, gold: str, level: str) -> int:
    """What the kernel counts of one pair."""
    return int(searched(pred, gold, level).work[0])


@pytest.mark.parametrize("family", FAMILIES)
def test_low_effort_ends_soon_on_any_short_pair(family: str) -> None:
    """What goes over the limit is the first round and what building a small problem counts."""
    for seed in range(3 if NIGHT else 1):
        assert 0 < work_of(*FAMILIES[family](seed), "low") < 2 * WORK["low"]


@pytest.mark.parametrize("family", by_day(list(FAMILIES), 6))
def test_default_effort_ends_on_any_short_pair(family: str) -> None:
    assert 0 < work_of(*FAMILIES[family](1), "default") < 1.1 * WORK["default"]


@pytest.mark.parametrize("metric", ["smatch", "smatch/smatch", "smatch++", "s2match", "wsmatch", "softmatch"])
@pytest.mark.parametrize("family", ["trees", "trees of five concepts and roles", "graphs"])
def test_more_effort_is_never_worse(metric: str, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of texts of 400 characters and with a tenth of the work, to be quick; both levels leave the pairs open."""
    for level in LEVELS:
        monkeypatch.setitem(WORK, level, WORK[level] // 10)
    name, _, preset = metric.partition("/")
    pred, gold = FAMILIES[family](4, 400)
    low, default = (fm.score([pred], [gold], metric=name, preset=preset or None, effort=level) for level in LEVELS)
    assert 0 < low.matched <= default.matched <= default.upper <= low.upper


def test_short_texts_may_take_the_same_whatever_they_hold_and_long_ones_more() -> None:
    """A pair that no text of 2,000 characters can hold may take more than another that stays open, if not little."""

    def pair_of(n: int, names) -> tuple[str, str]:
        one = [((7 * i) % i if i % 3 else i // 2, ":a", i) for i in range(1, n)]
        return graph_text(["c"] * n, one, names), graph_text(["c"] * n, [(i // 3, ":a", i) for i in range(1, n)], names)

    pairs = pair_of(250, NAMES), pair_of(420, [f"v{i}" for i in range(420)])
    for effort, grows in (("low", False), ("default", True)):
        short, long = (work_of(*pair, effort) for pair in pairs)
        assert short < 2 * WORK[effort] and (long > 2 * WORK[effort]) == grows


RING = [(i, ":a", (i + 1) % 200) for i in range(200)]
GRID = [(14 * i + j, ":a", 14 * ((i + 1) % 14) + j) for i in range(14) for j in range(14)]
GRID += [(14 * i + j, ":a", 14 * i + (j + 1) % 14) for i in range(14) for j in range(14)]


@pytest.mark.parametrize("metric", ["smatch", "smatch++", "s2match", "wsmatch"])
@pytest.mark.parametrize(("n", "edges"), [(200, RING), (196, GRID)], ids=["ring", "torus"])
def test_copies_without_differences_are_certified(metric: str, n: int, edges: list) -> None:
    """Nothing but what surrounds them tells the variables of these graphs apart, and in the torus not even that."""
    result = fm.score(*([text] for text in isomorphic(["c"] * n, edges, 5)), metric=metric, effort="low")
    assert result.certified
    if metric != "wsmatch":  # whose levels depend on the root
        assert result.f1 > 0.99


@pytest.mark.parametrize("seed", range(8))
def test_copies_of_random_graphs_are_certified(seed: int) -> None:
    pred, gold = FAMILIES["copies"](seed)
    result = fm.score([pred], [gold], effort="low")
    assert result.certified and result.f1 == 1


def test_what_was_cut_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    """How many pairs are open, and what the corpus score is at most."""
    pairs = [FAMILIES["trees"](1, 500), ("(a / b)", "(a / b)")]
    result = fm.score(*map(list, zip(*pairs, strict=True)), effort="low")
    assert (result.n_certified, len(result)) == (1, 2)
    assert result.upper_score == 2 * result.upper / (result.n_pred + result.n_gold) > result.score
    assert result.to_dict()["counts"]["upper"] == result.upper
    emit(result.report())
    expected = f"proven optimal: 1 of 2 pairs; 1 open: no alignment matches more than {result.upper} triples, F1 "
    assert f"{expected}{result.upper_score:.6f} at most\n" in capsys.readouterr().out
    proven = fm.score(["(a / b)"], ["(a / c)"])
    assert proven.upper_score == proven.score
    assert fm.score(["(a / b)"], ["(a / c)"], metric="wlk").upper_score == 0


@pytest.mark.parametrize("leaves", [40, 90])
def test_a_count_of_degrees_bounds_relations(leaves: int) -> None:
    """A star against two chains of half as many leaves: at most two relations leave a variable of the chains.

    Triples that match: the concepts, the root, and two relations.
    """
    n = leaves + 1
    star = graph_text(["c"] * n, [(0, ":a", i) for i in range(1, n)])
    chains = graph_text(["c"] * n, [(0 if i in (1, leaves // 2 + 1) else i - 1, ":a", i) for i in range(1, n)])
    for name in ("smatch", "smatch/smatch", "smatch++", "s2match", "softmatch"):
        result = fm.score([star], [chains], metric=from_text(f"{name},effort=low"))
        assert result.certified and result.matched == n + 3


def drawn(n: int, edges, concept=lambda rng: "c") -> list[str]:
    """Two graphs of n variables, each from random numbers of its own."""
    texts = []
    for seed in (1, 2):
        rng = random.Random(seed)
        relations = edges(rng)
        texts.append(graph_text([concept(rng) for _ in range(n)], relations, [f"v{i}" for i in range(n)]))
    return texts


@pytest.mark.slow
def test_a_search_that_does_not_get_on_ends_early() -> None:
    """Trees of 600 equal variables may take 30 times what an ordinary pair may, and their gap narrows too slowly."""
    trees = drawn(600, lambda rng: [(rng.randrange(i), ":a", i) for i in range(1, 600)])
    assert WORK["default"] < work_of(*trees, "default") < 15 * WORK["default"]


@pytest.mark.slow
def test_pairs_of_half_a_million_candidates_with_a_wide_gap_take_five_times_an_ordinary_pair() -> None:
    """A visit takes longer there. Pairs whose gap is below 30 % may take seven times as much as an ordinary pair."""
    roles = (":a", ":b", ":c")

    def edges(rng: random.Random):
        tree = [(rng.randrange(i), rng.choice(roles), i) for i in range(1, 900)]
        return tree + [(rng.randrange(900), rng.choice(roles), rng.randrange(900)) for _ in range(900)]

    sides = sides_of(*drawn(900, edges, lambda rng: f"c{rng.randrange(20)}"))
    ordinary = 20_000_000
    assert 4.2 * ordinary < exact_search(*sides, max_work=ordinary).work[0] < 5.1 * ordinary


@pytest.mark.slow
def test_unrelated_documents_are_searched_as_very_large_ones_are() -> None:
    """Rounds with all candidates, as for related documents, left 705 of at most 844 triples."""
    found = exact_search(*sides_of(*pair("unrelated", 1, 600)), max_work=10**7)
    assert found.matched > 710 and found.upper < 760 and found.work < 6 * 10**7


@pytest.mark.slow
def test_large_forests_of_equal_variables_are_searched_by_prices() -> None:
    """Two chains of 1,000 equal variables and two roles: 1,653 to 1,947 triples if searched as documents are."""
    found = searched(*drawn(1000, lambda rng: [(i, rng.choice((":a", ":b")), i + 1) for i in range(999)]))
    assert found.matched > 1770 and found.upper < 1925 and found.work < 5 * WORK["default"]


@pytest.mark.slow
def test_a_sweep_over_many_candidates_ends_beyond_the_limit() -> None:
    """Such a pair may take four times what an ordinary one may. Whole sweeps of local search went on to 5.3 times."""
    roles = (":a", ":b", ":c", ":d", ":e")
    graphs = drawn(980, lambda rng: [(rng.randrange(i), rng.choice(roles), i) for i in range(1, 980)])
    assert exact_search(*sides_of(*graphs), max_work=10**7).work[0] < 4.8 * 10**7


@pytest.mark.slow
def test_large_graphs_of_equal_variables_are_annealed_first() -> None:
    """Two graphs of 900 equal variables and 1,800 relations: 1,437 triples if all work goes to bounds first."""

    def edges(rng: random.Random):
        tree = [(rng.randrange(i), ":a", i) for i in range(1, 900)]
        return tree + [(rng.randrange(900), ":a", rng.randrange(900)) for _ in range(900)]

    found = searched(*drawn(900, edges))
    assert found.matched > 1600 and found.work < 5 * WORK["default"]


@pytest.mark.slow
def test_annealing_does_not_count_as_work_that_should_narrow_the_gap() -> None:
    """Two documents of 900 variables about different things: the search would end with a gap of 314."""
    found = searched(*pair("unrelated", 1, 900))
    assert found.matched > 1080 and found.upper < 1200


def test_searches_of_one_pair_share_what_a_large_pair_may_take() -> None:
    """One that leaves a wide gap takes twice its work from those after it, but never a quarter of a usual pair's.

    With what is left a search of its own finds fewer triples than the first one had, so others begin with its map.
    """
    sides, most = sides_of(*pair("unrelated", 1, 600)), 10**7
    spent = np.zeros(1, np.int64)
    maps: list[np.ndarray | None] = [None]
    first = exact_search(*sides, max_work=most, spent=spent, maps=maps)
    assert first.work > 5 * most and spent == 2 * first.work
    after = exact_search(*sides, max_work=most, spent=spent.copy(), maps=maps)
    kept = maps[0]
    assert kept is not None and np.unique(kept[kept >= 0], return_counts=True)[1].max() == 1
    had = [[kept[1:]], [kept + len(kept)], [None]]
    wrong = [exact_search(*sides, max_work=most, spent=spent.copy(), maps=each) for each in had]
    second, third = (exact_search(*sides, max_work=most, spent=spent) for _ in range(2))
    for other in wrong:
        assert (other.matched, other.upper, other.work) == (second.matched, second.upper, second.work)
    assert most < 4 * third.work < 2 * most and third.matched <= second.matched < first.matched <= after.matched
    assert first.matched < first.upper <= second.upper <= third.upper
    assert spent == 2 * (first.work + second.work + third.work)


def test_what_is_left_is_divided_among_later_searches() -> None:
    """A third of it, and half where the gap is near: the sum has a limit, however many searches there are."""
    most = 10**7
    sides = sides_of(*pair("unrelated", 1, 600))
    works = [exact_search(*sides, max_work=most, spent=np.full(1, had * most)).work for had in (1, 6, 9, 12)]
    for work, left in zip(works, (11 / 3, 2, 1, 1 / 4), strict=True):
        assert left * most < work < (left + 1 / 2) * most


def test_what_searches_share_is_checked() -> None:
    sides = sides_of("(a / b)", "(a / c)")
    fails(ValueError, "maps has 0 entries for 1 pairs", exact_search, *sides, spent=np.zeros(1, np.int64), maps=[])
    fails(ValueError, "expected spent as well", exact_search, *sides, maps=[None])


def test_pairs_that_are_soon_proven_or_short_miss_nothing() -> None:
    alike = sides_of(*pair("parsed", 1, 150))
    spent = np.zeros(1, np.int64)
    alone, second = (exact_search(*alike, max_work=10**7, spent=spent) for _ in range(2))
    assert alone.certified and spent == alone.work + second.work
    assert (second.matched, second.upper, second.work) == (alone.matched, alone.upper, alone.work)
    short = sides_of(*FAMILIES["trees"](1, 800))
    fresh, late = (exact_search(*short, max_work=10**7, spent=np.full(1, had)) for had in (0, 9 * 10**7))
    assert not fresh.certified and (fresh.matched, fresh.upper, fresh.work) == (late.matched, late.upper, late.work)


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_every_metric_takes_an_effort(name: str) -> None:
    """So a loop over metrics can set one; where nothing is to be limited it is no part of the signature."""
    limits = name not in ("sema", "wlk")
    low, default = (fm.score(["(a / b)"], ["(a / b)"], metric=name, effort=level) for level in LEVELS)
    assert low.score == default.score == 1 and (low.signature != default.signature) == limits
    fails(fm.OptionError, "effort='most'", fm.score, ["(a / b)"], ["(a / b)"], metric=name, effort="most")
    assert ("effort:low" in str(low.signature)) == limits


@pytest.mark.parametrize("family", ["stars", "stars without concepts"])
def test_stars_are_certified(family: str) -> None:
    """How many relations meet at a variable decides, with the gain of TOP; a bound from either alone is 1 above."""
    for seed, room in product(range(3), (300, 600, 2000)):
        assert fm.score(*([text] for text in FAMILIES[family](seed, room))).certified


GAPS = {"trees": 0.11, "graphs": 0.24, "chains": 0.08, "sparse graphs": 0.14, "trees of two concepts": 0.11}


@pytest.mark.parametrize(("family", "most"), by_day(list(GAPS.items()), 2))
def test_gaps_of_graphs_whose_variables_look_alike(family: str, most: float) -> None:
    """With subgradient steps and local search alone they were 0.16, 0.42, 0.27, 0.15 and 0.25."""
    result = fm.score(*([text] for text in FAMILIES[family](1)))
    assert 0 < result.upper - result.matched < most * result.upper


def test_annealing_finds_better_maps_at_low_effort() -> None:
    """Local search alone: 417 and 423 triples."""
    for family, least in (("trees", 420), ("chains", 450)):
        assert fm.score(*([text] for text in FAMILIES[family](1)), effort="low").matched >= least


@pytest.mark.parametrize(
    ("family", "seed", "room"),
    [("trees of five concepts and roles", 2, 430), ("attributes", 1, 420), ("trees", 1, 300)],
)
def test_equal_to_the_integer_program_where_variables_look_alike(family: str, seed: int, room: int) -> None:
    """Problems of 1,000 candidates and more, for which bounds come from dual ascent."""
    pair = [[text] for text in FAMILIES[family](seed, room)]
    found, expected = fm.score(*pair), fm.score(*pair, solver="ilp")
    assert found.certified and found.matched == expected.matched
