"""Files that verbs write beside their report, and whether they can be written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING

from fastmatch.errors import OptionError
from fastmatch.graphs.sources import expanded
from fastmatch.report.tables import print_row
from fastmatch.report.writing import in_table, write_lines
from fastmatch.results.scores import CorpusScore
from fastmatch.runtime.files import followed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


def vote_lines(result: Ensemble, names: Sequence[str]) -> Iterator[str]:
    """A table with one line for each triple: those of the graph, and those that it lacks."""
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


def sentence_lines(result: DocumentScore | JumatchScore) -> Iterator[str]:
    """One line a sentence, with its scores and counts."""
    for document, (kept, pairs) in enumerate(result.sentences):
        table = pairs.columns()
        if not document:
            yield "\t".join(("document", "sentence", *table)) + "\n"
        for k, *values in zip(kept, *(column.tolist() for column in table.values()), strict=True):
            yield "\t".join((result.names[document][0], str(k + 1), *map(repr, values))) + "\n"


def write_roles(result: JumatchScore, path: str) -> None:
    """One line a role, with its counts and scores; as :func:`write_lines` writes them."""
    from fastmatch.results.ratios import prf

    lines = ["\t".join(("role", "matched", "n_pred", "n_gold", "precision", "recall", "f1")) + "\n"]
    for role, counts in result.roles.items():
        lines.append("\t".join((role, *map(str, counts), *map(repr, prf(*counts)))) + "\n")
    write_lines(lines, path)


def print_groups(found: Groups, file: IO[str]) -> None:
    """A header line and one line a graph, by group: the group's size, whether the graph stands for it, place, id."""
    print_row(("group", "size", "representative", "index", "id"), file)
    for group, row in enumerate(found.to_dict()["groups"]):
        for index in row["members"]:
            chosen = int(index == row["representative"])
            print_row((group, row["size"], chosen, index, in_table(found.ids[index])), file)


# ---- scores of pairs -------------------------------------------------------------------------------------------------


def write_pairs(result: CorpusScore, path: str) -> None:
    """All that the metric says of each pair, with its id, and how many of its graphs were invalid or repaired.

    Parameters
    ----------
    result : CorpusScore
    path : str
        As :func:`fastmatch.report.writing.write_lines` takes it.
    """
    write_lines(_pair_lines(result), path)


def _pair_lines(result: CorpusScore) -> Iterator[str]:
    table = result.pairs.columns()
    counts = _broken_counts([result])
    yield "\t".join(("index", "id", *table, "n_invalid", "n_repaired")) + "\n"
    columns = [(column.astype("int8") if column.dtype == bool else column).tolist() for column in table.values()]
    for index, (name, *values) in enumerate(zip(result.ids, *columns, *counts, strict=True)):
        yield f"{index}\t{in_table(name)}\t" + "\t".join(map(repr, values)) + "\n"


def write_headlines(results: Mapping[str, CorpusScore], path: str) -> None:
    """One line a pair, tab separated: index, id, then the headline score of each metric or aspect as a fraction.

    The score of an aspect that neither graph of the pair has is left empty: it is not in the mean either. The last
    columns say how many graphs of the pair count as empty, and how many were repaired.

    Parameters
    ----------
    results : mapping of str → CorpusScore
        By the names of the columns; all of the same pairs.
    path : str
        As :func:`fastmatch.report.writing.write_lines` takes it.
    """
    write_lines(_lines(results), path)


def _lines(results: Mapping[str, CorpusScore]) -> Iterator[str]:
    yield "\t".join(("index", "id", *results, "n_invalid", "n_repaired")) + "\n"
    columns = [_cells(result) for result in results.values()]
    columns += [list(map(str, counts)) for counts in _broken_counts([*results.values()])]
    for index, (name, *cells) in enumerate(zip(next(iter(results.values())).ids, *columns, strict=True)):
        yield "\t".join((str(index), in_table(name), *cells)) + "\n"


def _cells(result: CorpusScore) -> list[str]:
    cells = list(map(repr, result.pairs.score.tolist()))
    return [cell if there else "" for cell, there in zip(cells, result.pairs.present.tolist(), strict=True)]


def _broken_counts(results: Sequence[CorpusScore]) -> list[list[int]]:
    """How many graphs of each pair count as empty, and how many were repaired, in scores of the same pairs.

    A graph may be read differently by different metrics: what one of them could not read is counted.
    """
    counts = [[0] * len(results[0]), [0] * len(results[0])]
    problems = (problem for result in results for problem in result.problems)
    for _, index, invalid in {(problem.side, problem.pair, problem.rule is None) for problem in problems}:
        counts[not invalid][index] += 1
    return counts
