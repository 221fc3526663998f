"""Figures of whole results, as the command line writes them: one file each, with all signatures below the picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from fastmatch.benchmarks.overview import Overview
from fastmatch.benchmarks.principles import Principles
from fastmatch.evaluation.comparison import Comparison
from fastmatch.fine_grained.scores import AspectScores
from fastmatch.metrics.training.softoverlap import OverlapTraining
from fastmatch.metrics.training.wwlk import Training
from fastmatch.plot.canvas import figure, save, short
from fastmatch.plot.corpora import corpus_map, dendrogram, heatmap
from fastmatch.plot.judging import cost_and_agreement, learning_curve, principles
from fastmatch.plot.scores import aspects, differences, histogram, systems
from fastmatch.results.scores import CorpusScore


def write_scores(results: Mapping[str, CorpusScore], path: str) -> None:
    """A histogram for each metric, by its name, two beside each other."""
    columns = min(2, len(results))
    rows = -(-len(results) // columns)
    signatures = "\n".join(str(result.signature) for result in results.values())
    drawn, axes = figure(6.4 if columns == 1 else 5.0 * columns, 4.0 * rows, columns, rows, signatures)
    for (name, result), ax in zip(results.items(), axes, strict=False):
        histogram(result, ax=ax)
        if len(results) > 1:  # one metric may be there with several presets
            ax.set_title(short(name), loc="left", pad=20)
    for ax in axes[len(results) :]:
        ax.remove()
    save(drawn, path, title=", ".join(results))


def write_aspects(result: AspectScores, path: str) -> None:
    """A row an aspect."""
    drawn, (ax,) = figure(6.4, 1.4 + 0.28 * len(result), note=str(result.signature))
    aspects(result, ax=ax)
    save(drawn, path, title=f"aspects of {result.kind}")


def write_comparison(comparison: Comparison, path: str) -> None:
    """The systems' scores, and below them the differences; on the right those of means over pairs, if both exist."""
    names = comparison.headlines
    n_rows = max(len(comparison.names), len(comparison.of(names[0])))
    note = f"{comparison.results[0].signature}\n{comparison.signature}"
    drawn, axes = figure(6.0 * len(names), 3.0 + 0.7 * n_rows, len(names), 2, note)
    for column, name in enumerate(names):
        systems(comparison, score=name, ax=axes[column])
        differences(comparison, score=name, ax=axes[len(names) + column])
    save(drawn, path, title=f"{len(comparison.names)} systems compared")


def write_principles(results: Sequence[Principles], path: str) -> None:
    """A column a metric."""
    drawn, (ax,) = figure(4.2 + 0.9 * len(results), 5.2, note="\n".join(result.signature for result in results))
    principles(results, ax=ax)
    save(drawn, path)


def write_overview(overview: Overview, signatures: Sequence[str], path: str) -> None:
    """Cost against agreement: a panel a measure, two beside each other."""
    n_panels = len(overview.measures)
    columns = min(2, n_panels)
    rows = -(-n_panels // columns)
    drawn, axes = figure(5.6 * columns, 4.2 * rows, columns, rows, "\n".join(signatures))
    for number, ax in enumerate(axes):
        if number < n_panels:
            cost_and_agreement(overview, measure=number, ax=ax)
        else:
            ax.remove()
    save(drawn, path, title="what metrics cost, and how well they agree")


def write_training(training: Training | OverlapTraining, path: str) -> None:
    """The learning curve."""
    drawn, (ax,) = figure(6.4, 4.0, note=str(training.signature))
    learning_curve(training, ax=ax)
    save(drawn, path)


def write_corpus(
    kind: str, matrix: ArrayLike, names: Sequence[str | None], texts: Sequence[str], signature: str, path: str
) -> None:
    """A corpus as ``heatmap``, ``dendrogram`` or ``map``; ``texts`` are shown while the pointer is on a point."""
    high = max(3.0, min(9.0, 1.5 + 0.18 * len(names))) if kind == "dendrogram" else 5.6
    drawn, (ax,) = figure(6.4, high, note=signature)
    if kind == "map":
        corpus_map(matrix, names=names, texts=texts, ax=ax)
    else:
        (heatmap if kind == "heatmap" else dendrogram)(matrix, names=names, ax=ax)
    save(drawn, path)
