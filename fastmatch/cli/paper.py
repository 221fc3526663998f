"""What ``score`` does with several systems, or ``--latex`` and ``--markdown``: a table as in papers."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fastmatch.cli import inputs
from fastmatch.cli.notices import warn_unreadable
from fastmatch.cli.outputs import headline_lines
from fastmatch.errors import OptionError
from fastmatch.evaluation.pairing import Rules
from fastmatch.evaluation.scoring import score
from fastmatch.metrics.base import Metric
from fastmatch.report.model import Report, emit
from fastmatch.report.writing import write_lines
from fastmatch.results.scores import CorpusScore, with_worst

if TYPE_CHECKING:
    from fastmatch.evaluation.comparison import Comparison
    from fastmatch.fine_grained.scores import AspectScores
    from fastmatch.results.paper import Line

#: Forms of reports that are tables of systems and metrics.
_FORMS = ("latex", "markdown")

#: Of intervals and tests, unless ``--bootstrap`` says otherwise.
_RESAMPLES = 10_000


def is_asked(arguments: argparse.Namespace) -> bool:
    """Whether the arguments are about such a table."""
    return bool(arguments.form in _FORMS or arguments.more or arguments.baseline is not None)


def run(arguments: argparse.Namespace) -> dict[str, CorpusScore]:
    """Print the table; returns all scores, by their metrics and systems.

    Raises
    ------
    OptionError
        If options do not go together, or a file holds no graphs.
    """
    from fastmatch.evaluation.comparison import distinct_names
    from fastmatch.results.paper import paper_table

    files = _checked(arguments)
    metrics = inputs.made_metrics(arguments)
    systems = distinct_names(files)
    if arguments.more:
        opened = inputs.keep_standard_input(*files, arguments.more[-1])
    else:
        inputs.field_texts(arguments)
        arguments.pred, arguments.gold = inputs.keep_standard_input(arguments.pred, arguments.gold)
    scored: dict[str, list[CorpusScore]] = {}
    for name, metric in metrics.items():
        told = not scored
        if arguments.more:
            scored[name] = _scored(arguments, metric, systems, opened, told)
        else:
            scored[name] = [_alone(arguments, metric, told)]
    lines = _lines(arguments, files, scored, alone=len(scored) == 1)
    found = {
        f"{name} of {system}": result
        for name, results in scored.items()
        for system, result in zip(systems, results, strict=True)
    }
    return _show(arguments, paper_table(systems, lines, arguments.baseline), found)


def run_aspects(arguments: argparse.Namespace, score: Callable[[Any, Any], AspectScores]) -> dict[str, CorpusScore]:
    """Print the table of aspects; returns the scores of those that some graph has.

    ``score`` gives the aspects of the predictions and gold graphs that were named.
    """
    from fastmatch.evaluation.comparison import distinct_names
    from fastmatch.results.paper import aspects_table

    files = _checked(arguments)
    if arguments.more and arguments.more[-1] == "-":
        raise OptionError(
            "--aspects of several systems: expected a file of gold graphs, as it is read for each, not '-'"
        )
    systems = distinct_names(files)
    arguments.bootstrap = arguments.bootstrap or _RESAMPLES
    if arguments.more:
        scores = [score(file, arguments.more[-1]) for file in files]
    else:
        scores = [score(arguments.pred, arguments.gold)]
    found = [name for name in scores[0] if any(result[name].n_macro for result in scores)]
    if not found:
        raise OptionError("score: no graph has anything of these aspects")
    by_name = {name: [result[name] for result in scores] for name in found}
    lines = _lines(arguments, files, by_name, alone=len(systems) == 1)
    results = {
        f"{name} of {system}": result[name]
        for system, result in zip(systems, scores, strict=True)
        for name in found
        if result[name].n_macro
    }
    signature = (scores[0].kind, str(scores[0].signature))
    return _show(arguments, aspects_table(systems, scores, lines, signature, arguments.baseline), results)


def _show(arguments: argparse.Namespace, table: Report, results: dict[str, CorpusScore]) -> dict[str, CorpusScore]:
    """Print the table; write the file of ``--per-pair``: a column for each metric, or aspect, and system."""

    if arguments.per_pair is not None:
        write_lines(headline_lines(results), arguments.per_pair)
    emit(with_worst(table, results, arguments.worst), arguments.form)
    return results


def _lines(
    arguments: argparse.Namespace, files: Sequence[str], scored: dict[str, list[CorpusScore]], alone: bool
) -> list[Line]:
    """The lines of the table: of each metric or aspect its headline, or all scores where it is ``alone``.

    Systems are compared with the best one, score by score, or with the baseline; results without intervals get those of
    the comparison.
    """
    from fastmatch.evaluation.comparison import compare_scores, distinct_names
    from fastmatch.results.paper import Line, shown_scores

    systems, lines = distinct_names(files), []
    ways = {"resamples": arguments.bootstrap or _RESAMPLES, **inputs.flags(arguments, "workers", *inputs.RESAMPLING)}
    for name, results in scored.items():
        made: dict[int, Comparison] = {}  # by the number of the reference
        for part in shown_scores(results[0]) if alone else [next(iter(results[0].scores))]:
            if len(results) == 1:
                lines.append(Line(name, part, results, None))
                continue
            first = max(range(len(results)), key=lambda k: (results[k].scores[part], -k))
            if arguments.baseline is not None:
                first = files.index(arguments.baseline)
            order = [first, *(k for k in range(len(results)) if k != first)]
            if first not in made:
                made[first] = compare_scores([results[k] for k in order], [systems[k] for k in order], **ways)
            own: Sequence[CorpusScore] = results
            if results[0].intervals is None:
                own = [made[first].results[order.index(k)] for k in range(len(results))]
            lines.append(Line(name, part, own, made[first]))
    return lines


def _checked(arguments: argparse.Namespace) -> list[str]:
    """The files of the systems; OptionError if options do not go together."""
    if not arguments.more and arguments.baseline is not None:
        raise OptionError("--baseline is one of several systems, found one")
    why = "of several systems" if arguments.more else f"with --{arguments.form}"
    if arguments.per_pair == "-":
        raise OptionError("--per-pair -: the table goes to standard output; give a file name")
    if arguments.plot is not None:
        raise OptionError(
            f"--plot is of one system and a report for people, not {why}; fastmatch compare draws systems"
        )
    if not arguments.more:
        return [arguments.pred]
    inputs.check_extract(arguments)
    files: list[str] = [arguments.pred, arguments.gold, *arguments.more[:-1]]
    if arguments.baseline is not None and arguments.baseline not in files:
        raise OptionError(f"--baseline {arguments.baseline}: expected one of {', '.join(files)}")
    return files


def _alone(arguments: argparse.Namespace, metric: Metric, told: bool) -> CorpusScore:
    """The score of the only system, with intervals; ``told``: say which graphs count as empty."""

    pred, gold = inputs.read_pairs(arguments, arguments.on_error, inputs.dialect_of(arguments, metric))
    inputs.check_graphs(arguments, gold)
    given = {"bootstrap": arguments.bootstrap or _RESAMPLES, **inputs.running(arguments, *inputs.RESAMPLING)}
    result = score(pred, gold, metric=metric, **given)
    if told and not arguments.quiet:
        warn_unreadable(result)
    return result


def _scored(
    arguments: argparse.Namespace, metric: Metric, systems: Sequence[str], files: Sequence[Any], told: bool
) -> list[CorpusScore]:
    """Every system's score by one metric, in the dialect that it reads; ``told``: say which graphs count as empty."""
    from fastmatch.evaluation.comparison import scored_systems

    rules = Rules("compare", **inputs.flags(arguments, "pair_by", "unpaired", "on_error", "workers")).checked()
    *corpora, gold = inputs.read_systems(arguments, files, inputs.dialect_of(arguments, metric))
    results = scored_systems(corpora, gold, metric, rules, systems, progress=not arguments.quiet)
    if told and not arguments.quiet:
        for system, result in zip(systems, results, strict=True):
            warn_unreadable(result, system=system)
    return results
