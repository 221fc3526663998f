"""Ensembles: what was made of many graphs, how near each system is to it, and who has which triple."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fastmatch.report.model import Report, Table
from fastmatch.report.records import in_table, write_lines
from fastmatch.report.scores import comparison_report
from fastmatch.report.tables import count, points

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastmatch.ensembles.result import Ensemble
    from fastmatch.evaluation.comparison import Comparison

__all__ = ["ensemble_report", "warn_not_voting", "write_votes"]


def ensemble_report(result: Ensemble, names: Sequence[str], comparison: Comparison | None = None) -> Report:
    """The mean score with its bound, then for each system how near it is, and how often it is the graph itself.

    With a comparison with gold graphs its tables stand behind.
    """
    signature = result.signature
    lines = [f"{signature.metric}, {result.method}: {count(len(result), 'sentence')}, {count(len(names), 'candidate')}"]
    if result.score != result.score:
        lines += ["", "no candidate can be read"]
    else:
        bound = "" if result.upper != result.upper else f"; no graphs reach more than {points(result.upper)}"
        lines += ["", f"mean score against the candidates: {points(result.score)}{bound}"]
        n_proven = int(result.certified.sum())
        if n_proven < len(result):
            lines.append(f"alignments proven in {n_proven:,} of {len(result):,} sentences")
    lost = [0] * len(names)
    for one in result.unreadable:
        lost[one.candidate] += 1
    rows, data = [], []
    for k, name in enumerate(names):
        values = [row[k] for row in result.candidate_scores if k < len(row) and row[k] == row[k]]
        mean = sum(values) / len(values) if values else float("nan")
        chosen = int((result.sources == k).sum())
        rows.append([name, points(mean), f"{chosen:,}", f"{lost[k]:,}"])
        data.append((name, mean, chosen, lost[k], str(signature)))
    tables = [Table(["candidate", "score of the ensemble", "is the ensemble", "unreadable"], rows, "\n".join(lines))]
    record = {"candidates": list(names), **result.to_dict()}
    notes: list[str] = []
    if comparison is not None:
        gold = comparison_report(comparison)
        tables += gold.tables
        notes += gold.notes
        record["gold"] = gold.record
    return Report(
        "fastmatch ensemble",
        tables,
        ("candidate", "score", "is_ensemble", "unreadable", "signature"),
        data,
        record,
        [(signature.metric, str(signature))],
        notes,
    )


def warn_not_voting(result: Ensemble, names: Sequence[str], limit: int = 5) -> None:
    """Say on standard error which candidates did not vote because they cannot be read: the first ones, and why."""
    for one in result.unreadable[:limit]:
        print(f"fastmatch: does not vote: {names[one.candidate]}: {one.message}", file=sys.stderr)
    if len(result.unreadable) > limit:
        more = count(len(result.unreadable) - limit, "candidate")
        print(f"fastmatch: … and {more} more do not vote", file=sys.stderr)


def write_votes(result: Ensemble, names: Sequence[str], path: str) -> None:
    """A table with one line for each triple: those of the graph, and those that it lacks."""
    write_lines(_vote_lines(result, names), path)


def _vote_lines(result: Ensemble, names: Sequence[str]) -> Iterator[str]:
    yield "\t".join(("index", "id", "in_graph", "source", "role", "target", "share", "n", "candidates")) + "\n"
    ids = result.graphs.ids
    for k in range(len(result)):
        for inside, votes in ((1, result.votes(k)), (0, result.left_out(k))):
            for vote in votes:
                cells = (
                    *(in_table(part) for part in vote.triple),
                    f"{vote.share:.6g}",
                    str(len(vote.candidates)),
                    ",".join(in_table(names[number]) for number in vote.candidates),
                )
                yield "\t".join((str(k), in_table(ids[k]), str(inside), *cells)) + "\n"
