"""Smatch under the presets of smatchpp 1.8.0, against its recorded counts on every row, and against the program itself.

``reference/smatchpp-<solver>-<graph type>/*.tsv`` hold, for every pair, matched triples seen from either side and both
totals; the header of each file says how it was made. The rows of the integer program are optima and ours must equal
them, those of the hill-climber ours must never fall below. No row needs an exception: none of these graphs has a
self-loop, which smatchpp's program would count twice while it searches.
"""

import pytest
from hypothesis import given

import fastmatch as fm

from support import strategies
from support.nightly import examples
from support.recorded import SETS, corpora, counts_of
from support.strategies import Spec

pytestmark = pytest.mark.slow

OPTIMA = {
    "none": {"preset": "none"},
    "generic": {"preset": "generic"},
    "amr": {"preset": "smatch++"},
    "amr-reify": {"preset": "smatch++/reify"},
    "amr-lossless": {"preset": "smatch++", "compress": True},
}


def rows(pairs: fm.TripleScores) -> list[tuple[int, int, int, int]]:
    columns = (pairs.matched, pairs.matched, pairs.n_pred, pairs.n_gold)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kind", OPTIMA)
def test_every_optimum(data_dir, kind, name):
    expected = counts_of(data_dir / "reference" / f"smatchpp-ilp-{kind}" / f"{name}.tsv", 4)
    pairs = fm.score(*corpora(data_dir, name), **OPTIMA[kind]).pairs
    found = rows(pairs)
    wrong = [(k, ours, theirs) for k, (ours, theirs) in enumerate(zip(found, expected, strict=True)) if ours != theirs]
    assert not wrong, f"{len(wrong)} rows differ, the first: (pair, ours, recorded) = {wrong[:5]}"
    assert pairs.certified.all()


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("kind", "preset"), [("none", "none"), ("amr", "smatch++")])
def test_no_climb_is_higher(data_dir, kind, preset, name):
    """Same totals, and a climb is never above the optimum; ours, from other starts, ends as high to a thousandth."""
    expected = counts_of(data_dir / "reference" / f"smatchpp-hc-{kind}" / f"{name}.tsv", 4)
    pred, gold = corpora(data_dir, name)
    found = rows(fm.score(pred, gold, preset=preset).pairs)
    assert [row[2:] for row in found] == [row[2:] for row in expected]
    assert all(ours[0] >= theirs[0] for ours, theirs in zip(found, expected, strict=True))
    climbed = fm.score(pred, gold, preset=preset, solver="climb").pairs.matched
    assert abs(climbed.sum() / sum(row[0] for row in expected) - 1) < 5e-3


def test_reified_and_dereified_gold_are_the_same(data_dir):
    """Table 1 of the paper, rows i to iii: under the standard, gold against itself in other words is exactly 1."""
    gold = fm.read(data_dir / "data/lpp/lpp-v3.0.amr")
    reified = fm.standardize(gold, "reify", table="smatch++")
    dereified = fm.standardize(gold, "dereify", table="smatch++")
    assert fm.score(dereified, reified).f1 < 0.85
    for pred, other in ((dereified, reified), (gold, reified), (gold, dereified)):
        result = fm.score(pred, other, metric="smatch++")
        assert result.f1 == result.precision == result.recall == 1 and (result.pairs.f1 == 1).all()
    for pred, other in ((dereified, reified), (gold, dereified)):
        assert fm.score(pred, other, preset="smatch++/reify").f1 == 1


# ---- the program itself ----------------------------------------------------------------------------------------------


def smatchpp_counts(kind: str, pair: tuple[str, str]) -> tuple[int, ...]:
    """(matched_a, matched_b, size_a, size_b) by the installed smatchpp 1.8.0 with its integer program."""
    smatchpp = pytest.importorskip("smatchpp", reason="smatchpp 1.8.0 is a test dependency")
    solvers = pytest.importorskip("smatchpp.solvers")
    generic = pytest.importorskip("smatchpp.formalism.generic.tools")
    amr = pytest.importorskip("smatchpp.formalism.amr.tools")
    preprocess = pytest.importorskip("smatchpp.preprocess")
    kinds = {"none": generic.DoNothingStandardizer, "generic": generic.GenericStandardizer}
    peer = smatchpp.Smatchpp(
        alignmentsolver=solvers.ILP(),
        graph_standardizer=kinds.get(kind, amr.AMRStandardizer)(),
        graph_pair_preparer=preprocess.BasicGraphPairPreparer(lossless_graph_compression=kind == "amr-lossless"),
    )
    return tuple(map(int, peer.process_pair(*pair)[0]["main"]))


def readable(spec: Spec) -> Spec:
    """``spec`` without what smatchpp's search counts twice: self-loops, and repeated triples in the alignment."""
    edges = {edge: None for edge in spec.edges if edge[0] != edge[2]}
    return Spec(spec.concepts, spec.tree, tuple(edges), tuple(dict.fromkeys(spec.attributes)))


AMR_ROLES = {":ARG0": ":location", ":ARG0-of": ":time-of", ":domain-of": ":mod"}


def amr_like(spec: Spec) -> Spec:
    """Relations that have a node, and nodes that have a relation."""
    concepts = {"cat": "have-mod-91", "dog": "own-01"}
    return Spec(
        tuple(concepts.get(concept or "", concept) for concept in spec.concepts),
        tuple((parent, AMR_ROLES.get(role, role)) for parent, role in spec.tree),
        spec.edges,
        spec.attributes,
    )


@pytest.mark.parametrize("kind", ["none", "generic", "amr", "amr-lossless"])
@given(pair=strategies.pairs(max_size=5))
@examples(15)
def test_the_program_on_generated_graphs(kind: str, pair: tuple[Spec, Spec]) -> None:
    specs = [readable(spec) for spec in pair]
    if kind.startswith("amr"):
        specs = [amr_like(spec) for spec in specs]
    texts = [spec.text() for spec in specs]
    ours = fm.score(texts[0], texts[1], **OPTIMA[kind]).pairs
    theirs = smatchpp_counts(kind, (texts[0], texts[1]))
    assert ours.certified[0] and rows(ours)[0][2:] == theirs[2:] and ours.matched[0] >= theirs[0]
