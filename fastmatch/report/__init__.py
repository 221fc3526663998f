"""What people and programs see of a result: terminal tables, JSON, TSV. No score is computed here.

``model``
    what a result has to show (``Report``), and every form in which it is shown: text, JSON, JSON lines, TSV, CSV,
    LaTeX, Markdown, HTML;

``terminal``
    reports for people in points (score × 100): plain text, or tables drawn by rich on a terminal;
``records``
    JSON and TSV for programs: fractions in [0, 1];
``paper``
    systems and metrics as a table in LaTeX or Markdown;
``benchmarks``, ``judgements``, ``studies``, ``grapes``
    reports of the benchmarks that judge metrics, and of the suite GrAPES, with the files of its program;
``documents``, ``training``
    both, of UMR documents, of a training;
``agreement``
    both, of annotators against each other;
``ensembles``
    both, of graphs made of many;
``several``
    metrics, or aspects, side by side;
``metrics``
    the list of metrics, with their presets and options;
``why_page``, ``evidence``
    why-pages: HTML files that show how graphs match, with the scripts in ``web``;
``tables``
    what the reports for people are made of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastmatch.report.adjudication import write_adjudication
    from fastmatch.report.agreement import agreement_report, warn_broken
    from fastmatch.report.benchmarks import bamboo_report, principles_report, rare_report
    from fastmatch.report.documents import documents_report, warn_left_out, write_roles, write_sentences
    from fastmatch.report.ensembles import ensemble_report, warn_not_voting, write_votes
    from fastmatch.report.grapes import grapes_report, write_grapes_csv, write_grapes_items
    from fastmatch.report.judgements import judgements_report
    from fastmatch.report.metrics import print_metric, print_metrics
    from fastmatch.report.model import emit
    from fastmatch.report.paper import (
        aspects_table,
        compared_table,
        paper_table,
        print_paper_latex,
        print_paper_markdown,
    )
    from fastmatch.report.records import (
        alignment_record,
        check_target,
        features_record,
        print_groups_tsv,
        print_json,
        write_lines,
        write_pairs,
        write_texts,
    )
    from fastmatch.report.scores import (
        aspects_report,
        comparison_report,
        paper_report,
        score_report,
        scores_report,
    )
    from fastmatch.report.search import search_report
    from fastmatch.report.several import write_headlines
    from fastmatch.report.studies import impact_report, optima_report, ranking_report, space_report
    from fastmatch.report.terminal import (
        print_alignment,
        print_alignment_sides,
        print_demo,
        print_features,
        print_flow,
        print_worst,
        warn_empty,
        warn_repaired,
        warn_rewritten,
        warn_unreadable,
    )
    from fastmatch.report.why_page import html
    from fastmatch.results.words import label

__all__ = [
    "agreement_report",
    "alignment_record",
    "aspects_report",
    "aspects_table",
    "bamboo_report",
    "check_target",
    "compared_table",
    "comparison_report",
    "documents_report",
    "emit",
    "ensemble_report",
    "features_record",
    "grapes_report",
    "html",
    "impact_report",
    "judgements_report",
    "label",
    "optima_report",
    "paper_report",
    "paper_table",
    "principles_report",
    "print_alignment",
    "print_alignment_sides",
    "print_demo",
    "print_features",
    "print_flow",
    "print_groups_tsv",
    "print_json",
    "print_metric",
    "print_metrics",
    "print_paper_latex",
    "print_paper_markdown",
    "print_worst",
    "ranking_report",
    "rare_report",
    "score_report",
    "scores_report",
    "search_report",
    "space_report",
    "warn_broken",
    "warn_empty",
    "warn_left_out",
    "warn_not_voting",
    "warn_repaired",
    "warn_rewritten",
    "warn_unreadable",
    "write_adjudication",
    "write_grapes_csv",
    "write_grapes_items",
    "write_headlines",
    "write_lines",
    "write_pairs",
    "write_roles",
    "write_sentences",
    "write_texts",
    "write_votes",
]

#: Public name → the module that holds it.
_HOME = {
    "agreement_report": "report.agreement",
    "alignment_record": "report.records",
    "aspects_report": "report.scores",
    "aspects_table": "report.paper",
    "bamboo_report": "report.benchmarks",
    "check_target": "report.records",
    "compared_table": "report.paper",
    "comparison_report": "report.scores",
    "documents_report": "report.documents",
    "emit": "report.model",
    "ensemble_report": "report.ensembles",
    "features_record": "report.records",
    "grapes_report": "report.grapes",
    "html": "report.why_page",
    "impact_report": "report.studies",
    "judgements_report": "report.judgements",
    "label": "results.words",
    "optima_report": "report.studies",
    "paper_report": "report.scores",
    "paper_table": "report.paper",
    "principles_report": "report.benchmarks",
    "print_alignment": "report.terminal",
    "print_alignment_sides": "report.terminal",
    "print_demo": "report.terminal",
    "print_features": "report.terminal",
    "print_flow": "report.terminal",
    "print_groups_tsv": "report.records",
    "print_json": "report.records",
    "print_metric": "report.metrics",
    "print_metrics": "report.metrics",
    "print_paper_latex": "report.paper",
    "print_paper_markdown": "report.paper",
    "print_worst": "report.terminal",
    "ranking_report": "report.studies",
    "rare_report": "report.benchmarks",
    "score_report": "report.scores",
    "scores_report": "report.scores",
    "search_report": "report.search",
    "space_report": "report.studies",
    "warn_broken": "report.agreement",
    "warn_empty": "report.terminal",
    "warn_left_out": "report.documents",
    "warn_not_voting": "report.ensembles",
    "warn_repaired": "report.terminal",
    "warn_rewritten": "report.terminal",
    "warn_unreadable": "report.terminal",
    "write_adjudication": "report.adjudication",
    "write_grapes_csv": "report.grapes",
    "write_grapes_items": "report.grapes",
    "write_headlines": "report.several",
    "write_lines": "report.records",
    "write_pairs": "report.records",
    "write_roles": "report.documents",
    "write_sentences": "report.documents",
    "write_texts": "report.records",
    "write_votes": "report.ensembles",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    """A report is imported when it is first asked for: a verb shows one kind of result, and its user waits for it."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'fastmatch.report' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"fastmatch.{home}"), name)
    globals()[name] = value  # found directly from now on
    return value
