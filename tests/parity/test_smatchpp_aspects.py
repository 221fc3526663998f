"""Smatch++'s aspects against the recorded counts of smatchpp 1.8.0 on every row, and against the program itself.

The headers of the recorded tables say that they were made without the frame table. The numbers say that it was there
(INSTRUMENT has 87 triples; the roles alone give 19), and with it every row of ``all-multialign`` is met exactly. So
these tests name the table that the package smatchpp carries; aspects that it does not touch are tested without it too.

In ``all-onealign`` the totals are met exactly. What matches depends on which of several best alignments the integer
program returned, which nothing fixes; the recorded counts are up to 3 triples and a hundredth away from ours, on either
side.
"""

import logging
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

import fastmatch as fm

from support import strategies
from support.places import GOLD
from support.recorded import cells_of, corpora
from support.strategies import Spec

pytestmark = pytest.mark.slow

RECORDED = ("lpp-parsers", "sts-main-test")
UNTOUCHED = ("CONCEPT", "FOCUS", "MATHS", "NER", "POLARITY", "QUESTION", "WIKI")
CLOSE = {"lpp-parsers": 0.006, "sts-main-test": 0.010}


@pytest.fixture(scope="module")
def frames() -> str:
    smatchpp = pytest.importorskip("smatchpp", reason="smatchpp 1.8.0 is a test dependency")
    path = Path(smatchpp.__file__).parent / "formalism/amr/resource/propbank-amr-frames-arg-descr.txt"
    if not path.exists():
        pytest.skip("smatchpp could not fetch its frame table")
    return str(path)


def recorded(data_dir: Path, kind: str, name: str) -> dict[str, tuple[int, int, int, int]]:
    """Aspect → matched, test triples, gold triples, pairs that were used."""
    rows = cells_of(data_dir / "reference" / f"smatchpp-aspects-all-{kind}" / f"{name}.tsv")
    assert all(row[1] == row[2] for row in rows)
    return {row[0]: (int(row[1]), int(row[3]), int(row[4]), int(row[8])) for row in rows}


def counts(scores: fm.AspectScores) -> dict[str, tuple[int, int, int, int]]:
    return {name: (one.matched, one.n_pred, one.n_gold, int(one.pairs.present.sum())) for name, one in scores.items()}


@pytest.mark.parametrize("name", RECORDED)
def test_every_row_of_multialign(data_dir: Path, frames: str, name: str) -> None:
    sides = corpora(data_dir, name, "smatchpp")
    scores = fm.aspects(*sides, kind="smatch++", preset="tool", align="each", frames=frames)
    assert counts(scores) == recorded(data_dir, "multialign", name)
    assert all(score.certified for score in scores.values())


@pytest.mark.parametrize("name", RECORDED)
def test_rows_that_need_no_frames(data_dir: Path, name: str) -> None:
    scores = fm.aspects(*corpora(data_dir, name, "smatchpp"), kind="smatch++", align="each", only=UNTOUCHED)
    expected = recorded(data_dir, "multialign", name)
    assert counts(scores) == {aspect: expected[aspect] for aspect in UNTOUCHED}


@pytest.mark.parametrize("name", RECORDED)
def test_totals_of_onealign(data_dir: Path, frames: str, name: str) -> None:
    found = counts(fm.aspects(*corpora(data_dir, name, "smatchpp"), kind="smatch++", align="one", frames=frames))
    each = recorded(data_dir, "multialign", name)
    for aspect, (matched, *totals) in recorded(data_dir, "onealign", name).items():
        assert found[aspect][1:] == tuple(totals) and found[aspect][0] <= each[aspect][0]
        assert abs(found[aspect][0] - matched) <= 3 + CLOSE[name] * matched, aspect


# ---- the program itself ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def program():
    """(standardised triples of a text, its sub-graphs by aspect, counts of a pair by aspect with one alignment)."""
    smatchpp = pytest.importorskip("smatchpp", reason="smatchpp 1.8.0 is a test dependency")
    tools = pytest.importorskip("smatchpp.formalism.amr.tools")
    logging.getLogger("smatchpp").setLevel(logging.ERROR)
    reader = smatchpp.Smatchpp().graph_reader
    standardizer, extractor = tools.AMRStandardizer(), tools.AMRSubgraphExtractor()

    def parts(text: str) -> dict[str, list]:
        return extractor.all_subgraphs_by_name(standardizer.standardize(reader.string2graph(text)))

    return parts


def aspect_sizes(text: str, frames: str) -> dict[str, int]:
    return {name: score.n_pred for name, score in fm.aspects(text, text, kind="smatch++", frames=frames).items()}


ROLES = (":ARG0", ":ARG1", ":cause", ":location", ":poss", ":quant-of", ":time-of", ":ARG0-of", ":topic", ":ARG2-of")
NOUNS = ("city", "cause-01", "amr-unknown", "date-entity", "drive-01", "abase-01", "cat", "monetary-quantity")
CONSTANTS = (":polarity", ":name", ":wiki", ":quant", ":ARG1-of", ":mod")
TERMS = ("-", "city", "5", "cat", "sum-of")


def amr_like(spec: Spec) -> Spec:
    return Spec(
        tuple(
            NOUNS[k * 3 % len(NOUNS)] if concept == "cat" else NOUNS[k % 8] for k, concept in enumerate(spec.concepts)
        ),
        tuple((parent, ROLES[(len(role) + k) % len(ROLES)]) for k, (parent, role) in enumerate(spec.tree)),
        tuple((s, ROLES[(len(role) + s) % len(ROLES)], t) for s, role, t in spec.edges),
        tuple(
            (v, CONSTANTS[len(role) % len(CONSTANTS)], TERMS[len(value) % len(TERMS)])
            for v, role, value in spec.attributes
        ),
    )


@given(spec=strategies.specs(max_size=7))
@settings(max_examples=30, phases=[Phase.explicit, Phase.generate])
def test_sub_graphs_of_generated_graphs(program, frames: str, spec: Spec) -> None:
    text = amr_like(spec).text()
    assert aspect_sizes(text, frames) == {name: len(triples) for name, triples in program(text).items()}


def test_sub_graphs_of_sentences(program, frames: str) -> None:
    corpus = fm.read(GOLD)
    scores = fm.aspects(corpus, corpus, kind="smatch++", frames=frames)
    for k, graph in enumerate(corpus):
        text = "\n".join(line for line in graph.encode().split("\n") if not line.startswith("#"))
        theirs = {name: len(triples) for name, triples in program(text).items()}
        assert {name: int(score.pairs.n_pred[k]) for name, score in scores.items()} == theirs
