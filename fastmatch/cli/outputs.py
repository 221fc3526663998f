"""Files that verbs write beside their report, and whether they can be written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING

from fastmatch.errors import OptionError
from fastmatch.graphs.sources import expanded
from fastmatch.report.tables import print_row
from fastmatch.report.writing import in_table
from fastmatch.results.scores import CorpusScore
from fastmatch.runtime.files import followed

if TYPE_CHECKING:
    from fastmatch.allpairs.groups import Groups
    from fastmatch.ensembles.result import Ensemble
    from fastmatch.umr.jumatch_scoring import JumatchScore
    from fastmatch.umr.scoring import DocumentScore


def check_target(path: str, *inputs: str) -> None:
    """Check before hours of scoring that ``path`` can be written; ``-`` always can.

    Raises
    ------
    OSError
        What writing would raise: the name is empty, there is no such folder, it may not be written, the path is a
        folder, or a symbolic link that leads to itself.
    OptionError
        If ``path`` is one of the files that are read, folders and patterns among them.
    """
    import errno

    if path == "-":
        return
    files = (file for name in inputs for file in (name, *(expanded(name) or ())))
    for name in files if os.path.isfile(path) else ():
        if os.path.exists(name) and os.path.samefile(path, name):
            raise OptionError(f"{path}: would be overwritten, but is read as well; write to another file")
    folder = os.path.dirname(os.path.realpath(followed(path)))
    problem = 0
    if os.path.isdir(path):
        problem = errno.EISDIR
    elif not os.path.isdir(folder):
        problem = errno.ENOENT
    elif not os.access(path if os.path.exists(path) and not os.path.isfile(path) else folder, os.W_OK):
        problem = errno.EACCES
    if problem:
        raise OSError(problem, os.strerror(problem), path)


def to_standard_output(form: str, tables: Mapping[str, str | None]) -> bool:
    """Whether one of these tables, by their flags, goes to standard output.

    Raises
    ------
    OptionError
        If what is printed there is for programs as well.
    """
    flags = [flag for flag, path in tables.items() if path == "-"]
    if flags and form != "text":
        raise OptionError(f"{flags[0]} - and --{form} would both write to standard output; give a file name")
    return bool(flags)


def _line(*cells: object) -> str:
    return "\t".join(map(str, cells)) + "\n"


def vote_lines(result: Ensemble, names: Sequence[str]) -> Iterator[str]:
    """A table with one line for each triple: those of the graph, and those that it lacks."""
    yield _line("index", "id", "in_graph", "source", "role", "target", "share", "n", "candidates")
    ids = result.graphs.ids
    for k in range(len(result)):
        for inside, votes in ((1, result.votes(k)), (0, result.left_out(k))):
            for vote in votes:
                triple = map(in_table, vote.triple)
                who = ",".join(in_table(names[number]) for number in vote.candidates)
                yield _line(k, in_table(ids[k]), inside, *triple, f"{vote.share:.6g}", len(vote.candidates), who)


def sentence_lines(result: DocumentScore | JumatchScore) -> Iterator[str]:
    """One line a sentence, with its scores and counts."""
    for document, (kept, pairs) in enumerate(result.sentences):
        table = pairs.columns()
        if not document:
            yield _line("document", "sentence", *table)
        for k, *values in zip(kept, *(column.tolist() for column in table.values()), strict=True):
            yield _line(result.names[document][0], k + 1, *values)


def role_lines(result: JumatchScore) -> Iterator[str]:
    """One line a role, with its counts and scores."""
    from fastmatch.results.ratios import prf

    yield _line("role", "matched", "n_pred", "n_gold", "precision", "recall", "f1")
    for role, counts in result.roles.items():
        yield _line(role, *counts, *prf(*counts))


def print_groups(found: Groups, file: IO[str]) -> None:
    """A header line and one line a graph, by group: the group's size, whether the graph stands for it, place, id."""
    print_row(("group", "size", "representative", "index", "id"), file)
    for group, row in enumerate(found.to_dict()["groups"]):
        for index in row["members"]:
            chosen = int(index == row["representative"])
            print_row((group, row["size"], chosen, index, in_table(found.ids[index])), file)


# ---- scores of pairs -------------------------------------------------------------------------------------------------


def pair_lines(result: CorpusScore) -> Iterator[str]:
    """All that the metric says of each pair, with its id, and how many of its graphs were invalid or repaired."""
    table = result.pairs.columns()
    counts = _broken_counts([result])
    yield _line("index", "id", *table, "n_invalid", "n_repaired")
    columns = [(column.astype("int8") if column.dtype == bool else column).tolist() for column in table.values()]
    for index, (name, *values) in enumerate(zip(result.ids, *columns, *counts, strict=True)):
        yield _line(index, in_table(name), *values)


def headline_lines(results: Mapping[str, CorpusScore]) -> Iterator[str]:
    """One line a pair, tab separated: index, id, then the headline score of each metric or aspect as a fraction.

    The score of an aspect that neither graph of the pair has is left empty: it is not in the mean either. The last
    columns say how many graphs of the pair count as empty, and how many were repaired.

    Parameters
    ----------
    results : mapping of str → CorpusScore
        By the names of the columns; all of the same pairs.
    """
    yield _line("index", "id", *results, "n_invalid", "n_repaired")
    columns: list[Sequence[object]] = [*map(_cells, results.values()), *_broken_counts([*results.values()])]
    for index, (name, *cells) in enumerate(zip(next(iter(results.values())).ids, *columns, strict=True)):
        yield _line(index, in_table(name), *cells)


def _cells(result: CorpusScore) -> list[float | str]:
    scores, present = result.pairs.score.tolist(), result.pairs.present.tolist()
    return [score if there else "" for score, there in zip(scores, present, strict=True)]


def _broken_counts(results: Sequence[CorpusScore]) -> list[list[int]]:
    """How many graphs of each pair count as empty, and how many were repaired, in scores of the same pairs.

    A graph may be read differently by different metrics: what one of them could not read is counted.
    """
    counts = [[0] * len(results[0]), [0] * len(results[0])]
    problems = (problem for result in results for problem in result.problems)
    for _, index, invalid in {(problem.side, problem.pair, problem.rule is None) for problem in problems}:
        counts[not invalid][index] += 1
    return counts
