"""What is printed for people and is no report: alignments, features, the worst pairs, the demo."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from fastmatch.report.cells import count, points
from fastmatch.report.model import emit
from fastmatch.report.tables import print_table
from fastmatch.results.words import label
from fastmatch.runtime.streams import printable, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.graphs.graph import Graph
    from fastmatch.metrics.base import Metric
    from fastmatch.results.alignment import Alignment
    from fastmatch.results.features import NamedFeature
    from fastmatch.results.flow import FlowAlignment
    from fastmatch.results.scores import CorpusScore
    from fastmatch.results.worst import Worst
    from fastmatch.types import Triple

__all__ = [
    "print_alignment",
    "print_alignment_sides",
    "print_demo",
    "print_features",
    "print_flow",
    "print_worst",
]

_EQUAL, _CHANGED, _ONLY_PRED, _ONLY_GOLD = "=", "~", "-", "+"
_STYLES = {_EQUAL: "", _CHANGED: "yellow", _ONLY_PRED: "red", _ONLY_GOLD: "green"}


def _triple(triple: Triple) -> str:
    return " ".join("" if part is None else part for part in triple)


def _node(variable: str | None, concepts: dict[str | None, str | None]) -> str:
    return f"{variable or ''} / {concepts.get(variable) or ''}".strip()


def _concepts(graph: Graph) -> dict[str | None, str | None]:
    """Variable → concept; the first one where a variable has several."""
    concepts: dict[str | None, str | None] = {}
    for variable, _, concept in graph.instances:
        concepts.setdefault(variable, concept)
    return concepts


def print_alignment(alignment: Alignment, pred: Graph, gold: Graph, file: TextIO | None = None) -> None:
    """Two tables, of variables and of triples, with the prediction on the left and the gold graph on the right.

    The mark between the two says ``=`` equal, ``~`` aligned with another concept, ``-`` only in the prediction, ``+``
    only in the gold graph. Then the score and the signature.
    """
    file = file or sys.stdout
    _print_sentences(pred, gold, file)
    concepts, gold_concepts = _concepts(pred), _concepts(gold)
    mapping = alignment.mapping
    same = {one[0] for one, _ in alignment.matched_triples if one[1] == ":instance"}
    rows: list[tuple[str, str, str]] = []
    for variable in concepts:
        if variable in mapping:
            mark = _EQUAL if variable in same else _CHANGED
            rows.append((_node(variable, concepts), mark, _node(mapping[variable], gold_concepts)))
        else:
            rows.append((_node(variable, concepts), _ONLY_PRED, ""))
    taken = set(mapping.values())
    rows += [("", _ONLY_GOLD, _node(variable, gold_concepts)) for variable in gold_concepts if variable not in taken]
    header = ("prediction", "", "gold")
    styles = [_STYLES[row[1]] for row in rows]
    print("variables", file=file)
    print_table(header, rows, file, styles=styles)

    rows = [(_triple(one), _EQUAL, _triple(two)) for one, two in alignment.matched_triples]
    rows += [(_triple(triple), _ONLY_PRED, "") for triple in alignment.unmatched_pred]
    rows += [("", _ONLY_GOLD, _triple(triple)) for triple in alignment.unmatched_gold]
    styles = [_STYLES[row[1]] for row in rows]
    print("\ntriples", file=file)
    print_table(header, rows, file, styles=styles)

    print(file=file)
    _print_sum(alignment, file)


def print_alignment_sides(
    alignment: Alignment, metric: Metric, pred: Corpus, gold: Corpus, width: int, file: TextIO | None = None
) -> None:
    """Both graphs beside each other as text, as :mod:`fastmatch.pages.sides` says; then the score and the signature.

    Parameters
    ----------
    alignment : Alignment
        Of these graphs.
    metric : Metric
        The metric that aligned them.
    pred, gold : Corpus
        One graph each.
    width : int
        Columns of the terminal.
    """
    from fastmatch.pages.evidence import alignment_evidence, graph_record
    from fastmatch.pages.sides import print_sides

    file = file or sys.stdout
    _print_sentences(pred[0], gold[0], file)
    records = graph_record(metric.standardized(pred), 0), graph_record(metric.standardized(gold), 0)
    print_sides(*records, alignment_evidence(alignment, metric, *records), width, file)
    print(file=file)
    _print_sum(alignment, file)


def _print_sentences(pred: Graph, gold: Graph, file: TextIO) -> None:
    sentence, gold_sentence = (printable(graph.metadata.get("snt", "")) for graph in (pred, gold))
    if sentence and sentence == gold_sentence:
        print(f"{sentence}\n", file=file)
    elif sentence or gold_sentence:
        print(f"prediction: {sentence or '?'}\ngold: {gold_sentence or '?'}\n", file=file)


def _print_sum(alignment: Alignment, file: TextIO) -> None:
    """How many triples match, what is proven, the scores, the signature."""
    proof = "proven optimal" if alignment.certified else f"at most {alignment.upper:,} can match"
    print(
        f"{count(alignment.matched, 'matched triple')} of {alignment.n_pred:,} predicted and "
        f"{alignment.n_gold:,} gold ({proof}): precision {points(alignment.precision)}, "
        f"recall {points(alignment.recall)}, F1 {points(alignment.f1)}",
        file=file,
    )
    print(f"signature: {alignment.signature}", file=file)


def print_flow(alignment: FlowAlignment, file: TextIO | None = None) -> None:
    """Which part of which node goes to which node, over what distance; then the scores and the signature."""
    file = file or sys.stdout
    print_table(("prediction", "part", "gold", "distance"), alignment.rows(), file)
    scores = ", ".join(f"{label(name)} {points(value)}" for name, value in alignment.scores.items())
    print(f"\ndistance {alignment.distance:.6f}: {scores}", file=file)
    if not alignment.certified:
        print("cut short by a limit of work: a flow that costs less may exist", file=file)
    print(f"signature: {alignment.signature}", file=file)


def print_features(
    result: CorpusScore,
    features: Sequence[NamedFeature] | None,
    pred: Graph,
    gold: Graph,
    file: TextIO | None = None,
) -> None:
    """The features of one pair, a table for each kind, those of one graph only first; then scores and signature.

    The mark says ``-`` only in the prediction, ``+`` only in the gold graph, ``=`` in both, ``~`` in both, but more
    often in one of them.
    """
    file = file or sys.stdout
    _print_sentences(pred, gold, file)
    if features is None:
        print("The graphs have more features than can be listed.\n", file=file)
    for group in dict.fromkeys(row.group for row in features or ()):
        rows = sorted((row for row in features or () if row.group == group), key=_feature_place)
        both = sum(bool(row.shared) for row in rows)
        print(f"{group}: {both:,} of {len(rows):,} in both graphs", file=file)
        cells = [(row.text, _feature_mark(row), f"{len(row.pred):,}", f"{len(row.gold):,}") for row in rows]
        print_table(("", "", "predicted", "gold"), cells, file, styles=[_STYLES[cell[1]] for cell in cells])
        print(file=file)
    scores = ", ".join(f"{label(name)} {points(value)}" for name, value in result.scores.items())
    print(f"{scores}\nsignature: {result.signature}", file=file)


def _feature_mark(row: NamedFeature) -> str:
    if not row.shared:
        return _ONLY_PRED if row.pred else _ONLY_GOLD
    return _EQUAL if len(row.pred) == len(row.gold) else _CHANGED


def _feature_place(row: NamedFeature) -> int:
    """Features of one graph only come first; those of equal kind keep their order."""
    return (_ONLY_PRED, _ONLY_GOLD, _CHANGED, _EQUAL).index(_feature_mark(row))


def print_worst(worst: Worst, sentences: Sequence[str], file: TextIO | None = None) -> None:
    """A line a pair, the lowest score first: number, id, score and sentence."""
    file = file or sys.stdout
    rows = [
        (str(pair.index), pair.id or "", points(pair.score), sentence)
        for pair, sentence in zip(worst, sentences, strict=True)
    ]
    many = f"the {len(rows):,} pairs with the lowest scores" if len(rows) != 1 else "the pair with the lowest score"
    print(f"\n{many}:\n", file=file)
    print_table(("pair", "id", "score", "sentence"), rows, file)


def print_demo(
    result: CorpusScore,
    pred: Corpus,
    gold: Corpus,
    align: Callable[[Graph, Graph], Alignment],
    files: tuple[str, str],
    file: TextIO | None = None,
) -> None:
    """The report of the sample corpus, its worst pairs, one alignment in full, and what to type next."""
    file = file or sys.stdout
    print("The sample corpus: 40 sentences, a gold graph and a parser's output for each.\n", file=file)
    emit(result.report(), "text", file)

    worst = [pair.index for pair in result.worst(5)]
    rows = [
        (
            str(index),
            points(result.pairs.f1[index]),
            f"{result.pairs.matched[index]}/{result.pairs.n_pred[index]}/{result.pairs.n_gold[index]}",
            gold[index].metadata.get("snt", ""),
        )
        for index in worst
    ]
    perfect = int((result.pairs.f1 == 1).sum())
    print(f"\n{count(perfect, 'pair')} perfect; the lowest F1:\n", file=file)
    print_table(("pair", "F1", "matched/pred/gold", "sentence"), rows, file)

    example = 7  # small, and shows every mark
    print(f"\nPair {example}, aligned (= equal, ~ other concept, - only predicted, + only gold):\n", file=file)
    print_alignment(align(pred[example], gold[example]), pred[example], gold[example], file)
    names = " ".join(f"'{name}'" if " " in name else name for name in files)
    say(f"\nThe same again:\n  fastmatch score {names}\n  fastmatch align {names} --index {example}", file)
