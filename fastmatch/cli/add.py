"""Flags that several verbs have: of files, metrics, pairs, intervals, running, the form of the output.

The flags of a metric are made of the options that it describes (:mod:`fastmatch.metrics.options`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from fastmatch.cli.converters import (
    NumbersToo,
    count,
    file_name,
    number_or_word,
    positive,
    resample_count,
    seconds,
    share,
    thread_count,
)
from fastmatch.cli.parser import OWN, Parser, flag_of
from fastmatch.errors import OptionError
from fastmatch.metrics.common_options import COMMON
from fastmatch.metrics.names import DEFAULT


def choice(parser: Parser | argparse._ArgumentGroup, flag: str, choices: str, meaning: str) -> None:
    """A flag that takes one of these words; the first is the default."""
    words = choices.split()
    parser.add_argument(flag, choices=words, default=words[0], help=meaning)


def number(
    parser: Parser | argparse._ArgumentGroup,
    flag: str,
    default: float,
    meaning: str,
    kind: Callable[[str], float] = count,
    metavar: str = "N",
) -> None:
    """A flag that takes a number; its help ends with the default."""
    parser.add_argument(flag, type=kind, default=default, metavar=metavar, help=f"{meaning} (default: %(default)s)")


def files(parser: Parser) -> None:
    """PRED and GOLD."""
    parser.add_argument("pred", metavar="PRED", type=file_name, help="file of predicted graphs")
    parser.add_argument("gold", metavar="GOLD", type=file_name, help="file of gold graphs")


def fields(parser: Parser) -> None:
    """``--pred-field``, ``--gold-field``, ``--extract``; GOLD may be left out, if PRED holds both sides."""
    gold = next(action for action in parser._actions if action.dest == "gold")
    gold.nargs, gold.required = "?", False
    gold.help = "file of gold graphs; PRED itself if left out, which then needs both fields"
    field_names(parser)


def field_names(parser: Parser, pred: str = "predicted graphs", gold: str = "gold graphs") -> None:
    """``--pred-field``, ``--gold-field``, ``--extract``; ``pred`` and ``gold`` say what stands in the fields."""
    group = parser.add_argument_group("files with fields: JSON Lines, JSON, CSV, TSV, Parquet")
    group.add_argument(
        "--pred-field",
        metavar="NAME",
        help=f"{pred} stand in this field of their file, one a row; a.b is the field b of the object in a, "
        "and a chat stands for what the assistant said last",
    )
    group.add_argument("--gold-field", metavar="NAME", help=f"the same for the {gold}")
    extract(group)


def extract(group: argparse._ArgumentGroup) -> None:
    """``--extract``."""
    group.add_argument(
        "--extract",
        action="store_true",
        help="find the graph in each text of --pred-field: between tags, behind thoughts, in a fenced block, between "
        "sentences",
    )


def dialect(parser: Parser) -> None:
    """``--dialect``."""
    parser.add_argument(
        "--dialect",
        metavar="NAME",
        help="how to read the graphs, by default as the metric and its preset do; sbn reads box notation "
        "(docs/reading.md lists all)",
    )


class _Once(argparse.Action):
    """An option that is given twice is an error: the first one would be left out in silence."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        given = f"{self.dest} given"
        if hasattr(namespace, given):
            raise argparse.ArgumentError(self, f"expected once, found {getattr(namespace, given)!r} and {values!r}")
        setattr(namespace, given, values)
        setattr(namespace, self.dest, values)


def metric_options(parser: Parser, *metrics: str, top_k: bool = False, several: bool = False) -> None:
    """Flags that choose a metric and set its options.

    Options that mean the same in several metrics have a flag whatever metric is asked for. All options of the default
    metric are of this kind, so its module need not be loaded before the arguments are parsed.

    Parameters
    ----------
    parser : Parser
    *metrics : str
        The metrics whose own flags to add.
    several : bool
        ``--metric`` may be given several times: ``arguments.metrics`` is a list, or None.
    top_k : bool
        ``--top`` also takes a number, for the K best; it can be told from the words that ``--top`` takes otherwise.
    """
    parser.metrics = metrics
    group = parser.add_argument_group("what to compute")
    meaning = (
        f"metric (default: {DEFAULT}), also with a preset and options in one word, such as sembleu/tool,k=2; "
        "fastmatch metrics lists all, --metric NAME --help the options of one"
    )
    if several:
        meaning += "; given several times, all of these metrics, each with the options that it has"
        group.add_argument("--metric", dest="metrics", action="append", metavar="NAME", help=meaning)
    else:
        group.add_argument("--metric", action=_Once, default=DEFAULT, metavar="NAME", help=meaning)
    group.add_argument(
        "--preset",
        metavar="NAME",
        help="several options by one name, listed below; most make the metric do what a published program does",
    )
    for name, entry in COMMON.items():
        if not entry.everywhere:
            continue
        flag = "--" + name.replace("_", "-")
        if entry.kind is bool:
            group.add_argument(flag, action="store_true", default=None, help=entry.help)
            continue
        convert: Any = {int: count, float: seconds}.get(entry.kind, str)
        choices = entry.choices
        if top_k and name == "top" and choices is not None:
            convert, choices = number_or_word, NumbersToo(choices)
        group.add_argument(flag, type=convert, choices=choices, metavar=entry.metavar, help=entry.help)
    for metric in metrics:
        if metric != DEFAULT:
            own_options(parser, metric)


def own_options(parser: Parser, metric: str, *, without: tuple[str, ...] = ()) -> None:
    """Flags of one metric, made of the fields that describe themselves (:func:`fastmatch.metrics.options.option`).

    ``without``: options for which the verb has no use.
    """
    from fastmatch.metrics.options import described
    from fastmatch.metrics.registry import get

    if metric not in parser.metrics:
        parser.metrics += (metric,)
    try:
        options = described(get(metric))
    except OptionError:
        return  # the metric is unknown; making it says so
    group = parser.add_argument_group(f"options of {metric}")
    for option in options:
        if option.name in without or (option.name in COMMON and COMMON[option.name].everywhere):
            continue
        flag = flag_of(metric, option.name)
        if option.name in COMMON:
            if any(flag in action.option_strings for action in parser._actions):
                continue  # another metric has it, too
            dest = f"{OWN} {option.name}"
        else:
            dest = f"{OWN}{metric} {option.name}"
        text = option.help.replace("%", "%%")
        kinds = option.annotation.split(" | ")
        if "bool" in kinds and set(kinds) <= {"bool", "None"}:
            if option.default is not None:
                text = f"{text} (default: {'yes' if option.default else 'no'})"
            group.add_argument(flag, dest=dest, action=argparse.BooleanOptionalAction, help=text)
            continue
        if option.default is not None:
            text = f"{text} (default: {option.default})"
        number = {"int": int, "float": float}.get(kinds[0]) if set(kinds) <= {"int", "float", "None"} else None
        convert: Any = float if "float" in kinds and number else number or str
        shown = None if option.choices else option.name.upper()
        group.add_argument(flag, dest=dest, type=convert, choices=option.choices, help=text, metavar=shown)


def resampling_options(parser: Parser, flag: str, meaning: str, default: int | None) -> None:
    """Flags of confidence intervals; ``flag`` is the one that takes the number of resamples."""
    group = parser.add_argument_group("confidence intervals")
    group.add_argument(flag, type=resample_count, metavar="N", default=default, help=meaning)
    number(group, "--confidence", 0.95, "confidence of the intervals, a fraction", share, metavar="C")
    choice(
        group,
        "--bootstrap-method",
        "bca percentile",
        "bca: bias-corrected and accelerated (default); percentile: quantiles of the resamples' scores",
    )
    number(group, "--bootstrap-seed", 0, "seed of the resampling")


def pairing_options(parser: Parser) -> None:
    """``--pair-by``, ``--unpaired``."""
    group = parser.add_argument_group("pairs")
    choice(
        group,
        "--pair-by",
        "position id",
        "what makes a pair: the same place in the files (default), or the same '# ::id'",
    )
    choice(
        group,
        "--unpaired",
        "raise empty skip",
        "with --pair-by id, what becomes of an id that only one file has: an error that lists them (default); a "
        "pair with an empty graph, so that a missing prediction scores 0; or nothing, with a warning",
    )


def running_options(parser: Parser) -> None:
    """``--workers``, ``--on-error``, ``--quiet``."""
    running = parser.add_argument_group("running")
    workers(running)
    choice(
        running,
        "--on-error",
        "raise empty repair",
        "what a graph that cannot be read becomes: an error (default); an empty graph, which is counted; or what "
        "rules with names can mend of it, and an empty graph where they cannot",
    )
    quiet(running, "no progress and no warnings on standard error")


def workers(parser: Any) -> None:
    """``--workers``, to a parser or a group."""
    number(parser, "--workers", 1, "threads; -1: all CPUs", thread_count)


def worst(parser: Any, what: str) -> None:
    """``--worst``."""
    parser.add_argument("--worst", type=positive, metavar="N", help=f"then show {what}")


def quiet(parser: Any, meaning: str = "no progress on standard error") -> None:
    """``--quiet``, to a parser or a group."""
    parser.add_argument("--quiet", action="store_true", help=meaning)


def rewriting(parser: Parser) -> None:
    """The file of a verb that rewrites graphs, and ``--output``."""
    parser.add_argument("file", metavar="IN", help="file of graphs; '-' is standard input")
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="OUT",
        help="where to write Penman text, or, to a name that ends in .fastmatch, a saved corpus; '-', the default, is "
        "standard output",
    )


#: Form of a report → what ``--help`` says of its flag.
_FORMS = {
    "json": "one JSON object",
    "jsonl": "a JSON object a row of the table for programs",
    "tsv": "a header and a line a row, tab separated",
    "csv": "the same, comma separated",
    "latex": "tables in LaTeX (package: booktabs)",
    "markdown": "tables in Markdown",
    "html": "a page",
}


def output(parser: Any) -> Any:
    """Flags that choose the form of a report, one at most, as ``form``; without any it is text.

    Returns the group, to which what excludes them may be added.
    """
    group = parser.add_argument_group("output, in place of tables for people")
    form = group.add_mutually_exclusive_group()
    for name, what in _FORMS.items():
        form.add_argument(f"--{name}", action="store_const", dest="form", const=name, default="text", help=what)
    return form


def plot(parser: Any, what: str) -> None:
    """``--plot OUT``, to a parser or a group; ``what`` is drawn."""
    parser.add_argument(
        "--plot", metavar="OUT", help=f"also draw {what}, to OUT.svg, .png, .pdf or .html (needs fastmatch[plot])"
    )
