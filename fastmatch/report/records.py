"""JSON and TSV, for programs: fractions in [0, 1] with every digit, and columns that keep their order."""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING, Any, TextIO

from fastmatch.errors import OptionError
from fastmatch.graphs.sources import expanded
from fastmatch.report.tables import for_programs, print_row
from fastmatch.runtime.files import followed, new_text
from fastmatch.runtime.streams import CONTROL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fastmatch.allpairs.groups import Groups
    from fastmatch.graphs.graph import Graph
    from fastmatch.results.alignment import Alignment
    from fastmatch.results.features import NamedFeature
    from fastmatch.results.flow import FlowAlignment
    from fastmatch.results.scores import CorpusScore

__all__ = [
    "alignment_record",
    "broken_counts",
    "check_target",
    "features_record",
    "in_table",
    "print_groups_tsv",
    "print_json",
    "write_lines",
    "write_pairs",
    "write_texts",
]


def alignment_record(alignment: Alignment | FlowAlignment, pred: Graph, gold: Graph) -> dict[str, Any]:
    """One aligned pair as a JSON object; ``pred_id`` and ``gold_id`` are the graphs' ``# ::id``, or null."""
    ids = {"pred_id": pred.metadata.get("id"), "gold_id": gold.metadata.get("id")}
    return {**ids, **alignment.to_dict()}


def features_record(
    result: CorpusScore, features: Sequence[NamedFeature] | None, pred: Graph, gold: Graph
) -> dict[str, Any]:
    """The features of one pair as a JSON object; ``features`` is null where there are too many to be named.

    ``pred`` and ``gold`` say how often a graph has a feature, ``shared`` how often both have it.
    """
    rows = (
        None
        if features is None
        else [
            {"group": row.group, "text": row.text, "shared": row.shared, "pred": len(row.pred), "gold": len(row.gold)}
            for row in features
        ]
    )
    ids = {"pred_id": pred.metadata.get("id"), "gold_id": gold.metadata.get("id")}
    signature = {"metric": result.signature.metric, "signature": str(result.signature)}
    return {**ids, **signature, "scores": dict(result.scores), "features": rows}


def print_json(record: dict[str, Any] | list[dict[str, Any]], file: TextIO | None = None) -> None:
    """Exactly one JSON object, or one list of objects, and a line break."""
    import json

    file = file or sys.stdout
    text = json.dumps(record, ensure_ascii=False)
    if file.isatty():  # escapes mean the same in JSON, and do not move the cursor
        text = CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    print(text, file=file)


def print_groups_tsv(found: Groups, file: IO[str] | None = None) -> None:
    """A header line and one line a graph, by group: the group's size, whether the graph stands for it, place, id."""
    file = file or sys.stdout
    print_row(("group", "size", "representative", "index", "id"), file)
    for group, row in enumerate(found.to_dict()["groups"]):
        for index in row["members"]:
            chosen = int(index == row["representative"])
            print_row((group, row["size"], chosen, index, in_table(found.ids[index])), file)


def in_table(name: str | None) -> str:
    """An id without what would break a table: on one line, without tabs; nothing for None."""
    return " ".join((name or "").split())


def broken_counts(results: Sequence[CorpusScore]) -> list[list[int]]:
    """How many graphs of each pair count as empty, and how many were repaired, in scores of the same pairs.

    A graph may be read differently by different metrics: what one of them could not read is counted.
    """
    counts = [[0] * len(results[0]), [0] * len(results[0])]
    problems = (problem for result in results for problem in result.problems)
    for _, index, invalid in {(problem.side, problem.pair, problem.rule is None) for problem in problems}:
        counts[not invalid][index] += 1
    return counts


def _pair_lines(result: CorpusScore) -> Iterator[str]:
    table = result.pairs.columns()
    counts = broken_counts([result])
    yield "\t".join(("index", "id", *table, "n_invalid", "n_repaired")) + "\n"
    columns = [(column.astype("int8") if column.dtype == bool else column).tolist() for column in table.values()]
    for index, (name, *values) in enumerate(zip(result.ids, *columns, *counts, strict=True)):
        yield f"{index}\t{in_table(name)}\t" + "\t".join(map(repr, values)) + "\n"


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


def write_pairs(result: CorpusScore, path: str) -> None:
    """One line a pair, tab separated, as :func:`write_lines` writes them."""
    write_lines(_pair_lines(result), path)


def write_texts(texts: Sequence[str], path: str) -> None:
    """Texts of graphs, a blank line between two; as :func:`write_lines` writes it."""
    write_lines(("\n" * (number > 0) + text + "\n" for number, text in enumerate(texts)), path)


def write_lines(lines: Iterable[str], path: str) -> None:
    """Text, UTF-8, as :func:`fastmatch.runtime.files.new_text` writes it; ``-`` is standard output."""
    if path == "-":
        sys.stdout.writelines(for_programs(line, sys.stdout) for line in lines)
        return
    with new_text(path) as file:
        file.writelines(lines)
