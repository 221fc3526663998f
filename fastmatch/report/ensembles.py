"""Ensembles: what was made of many graphs, how near each system is to it, and who has which triple."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TextIO

from fastmatch.report.records import in_table, write_lines
from fastmatch.report.tables import count, points, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastmatch.ensembles.result import Ensemble

__all__ = ["ensemble_record", "print_ensemble", "warn_not_voting", "write_votes"]


def ensemble_record(result: Ensemble, names: Sequence[str]) -> dict[str, Any]:
    """An ensemble as one JSON object."""
    from fastmatch.version import __version__

    return {"candidates": list(names), **result.to_dict(), "version": __version__}


def print_ensemble(result: Ensemble, names: Sequence[str], file: TextIO | None = None) -> None:
    """The mean score with its bound, then for each system how near it is, and how often it is the graph itself."""
    file = file or sys.stdout
    signature = result.signature
    print(
        f"{signature.metric}, {result.method}: {count(len(result), 'sentence')}, {count(len(names), 'candidate')}",
        file=file,
    )
    if result.score != result.score:
        print("\nno candidate can be read", file=file)
    else:
        bound = "" if result.upper != result.upper else f"; no graphs reach more than {points(result.upper)}"
        print(f"\nmean score against the candidates: {points(result.score)}{bound}", file=file)
        n_proven = int(result.certified.sum())
        if n_proven < len(result):
            print(f"alignments proven in {n_proven:,} of {len(result):,} sentences", file=file)
    lost = [0] * len(names)
    for one in result.unreadable:
        lost[one.candidate] += 1
    rows = []
    for k, name in enumerate(names):
        values = [row[k] for row in result.candidate_scores if k < len(row) and row[k] == row[k]]
        mean = points(sum(values) / len(values)) if values else "none"
        rows.append([name, mean, f"{int((result.sources == k).sum()):,}", f"{lost[k]:,}"])
    print(file=file)
    print_table(["candidate", "score of the ensemble", "is the ensemble", "unreadable"], rows, file, right=True)
    print(f"\nsignature: {signature}", file=file)


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
