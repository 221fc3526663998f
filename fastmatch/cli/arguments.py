"""What the verbs share: converters of arguments, options of metrics, reading the files that were named."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Literal

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.types import Dialect

__all__ = [
    "BARE",
    "EPILOG",
    "OWN",
    "SHARED",
    "NumbersToo",
    "Parser",
    "add_metric_options",
    "add_own_options",
    "add_resampling_options",
    "add_running_options",
    "count",
    "dialect_of",
    "fraction",
    "metric_options",
    "number_or_word",
    "own_options",
    "points",
    "positive",
    "read_both",
    "resamples",
    "seconds",
    "workers",
]


EPILOG = """\
The prediction comes first, the gold second. "-" stands for standard input, for one of the two; gzipped input is
unpacked. Exit status: 0 fine, 1 below --fail-under, 2 bad usage or input, 130 interrupted.
"""


def points(text: str) -> float:
    """A threshold in points; a fraction is refused, because 0.8 for 80 would let everything pass."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected points between 0 and 100, found {text!r}") from None
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"expected points between 0 and 100, found {text!r}")
    if 0 < value < 1:
        raise argparse.ArgumentTypeError(
            f"expected points between 0 and 100, found {text!r}; did you mean {value:.0%}?"
        )
    return value


def workers(text: str) -> int:
    if text.lstrip("-").isdecimal() and (int(text) > 0 or int(text) == -1):
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number of threads, or -1 for all CPUs, found {text!r}")


def count(text: str) -> int:
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 0 or more, found {text!r}")


class NumbersToo(tuple[str, ...]):
    """Words to choose from; any number is fine as well."""

    __slots__ = ()

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) or super().__contains__(value)


def number_or_word(text: str) -> int | str:
    return positive(text) if text.lstrip("-").isdecimal() else text


def positive(text: str) -> int:
    if text.isdecimal() and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 1 or more, found {text!r}")


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if value < 0 or value != value:
        raise argparse.ArgumentTypeError(f"expected seconds, 0 or more, found {text!r}")
    return value


def resamples(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number of resamples, 1 or more, found {text!r}")


def fraction(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if 1 < value < 100:
        raise argparse.ArgumentTypeError(
            f"expected a fraction between 0 and 1, found {text!r}; did you mean {value / 100:g}?"
        )
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"expected a fraction between 0 and 1, found {text!r}")
    return value


class Parser(argparse.ArgumentParser):
    """Bad usage in one line: what is wrong; the usage itself is a --help away."""

    def error(self, message: str) -> Any:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


#: Options of the Smatch family, whose flags bear no metric's name; other metrics may have some of them as well.
SHARED = ("solver", "top", "duplicates", "triples", "restarts", "seed", "time_limit", "compress")


#: Options that mean the same for every metric that has them.
BARE = ("embeddings",)


#: What the destinations of a metric's own flags begin with, to keep them apart from all others.
OWN = "option "


def add_metric_options(parser: argparse.ArgumentParser, metric: str, *, top_k: bool = False) -> None:
    """``top_k``: a number for ``--top`` is taken, for the K best; it can be told from the words it has otherwise."""
    group = parser.add_argument_group("what to compute")
    group.add_argument(
        "--metric",
        default="smatch",
        metavar="NAME",
        help="metric (default: %(default)s); --help with it lists its options",
    )
    group.add_argument(
        "--preset",
        metavar="NAME",
        help="options by name: 'smatch' for the triples of smatch 1.0.4, its reader and its quirks included; "
        "'smatch++', 'smatch++/reify', 'generic' and 'none' for the graph types of smatchpp 1.8.0; for other metrics "
        "'tool' reproduces the published program",
    )
    group.add_argument(
        "--solver",
        choices=["exact", "climb", "ilp"],
        help="exact: the proven optimum (default); climb: Smatch's hill-climber; ilp: integer linear program (HiGHS)",
    )
    group.add_argument(
        "--top",
        type=number_or_word if top_k else str,
        choices=NumbersToo(("constant", "concept", "none")) if top_k else ["constant", "concept", "none"],
        help="the triple that stands for the root: (root :TOP top) (default), (root :TOP concept), or none",
    )
    group.add_argument(
        "--duplicates",
        choices=["once", "bag", "multiply"],
        help="what k copies of a triple against m copies count: 1 (once, the default), min(k, m) (bag, as smatchpp has "
        "it), or k*m (multiply, as smatch 1.0.4 has it)",
    )
    group.add_argument(
        "--triples",
        choices=["all", "instance", "attribute", "relation"],
        help="match and count only triples of one class (default: all)",
    )
    group.add_argument("--restarts", type=count, metavar="N", help="random starts of the hill-climber (default: 4)")
    group.add_argument("--seed", type=count, metavar="N", help="seed of the hill-climber (default: 0)")
    group.add_argument(
        "--time-limit",
        type=seconds,
        metavar="SECONDS",
        help="per pair; a pair that it stops is reported as uncertified",
    )
    group.add_argument(
        "--compress",
        action="store_true",
        default=None,
        help="match losslessly compressed pairs, as smatchpp can: faster for large graphs, and another score",
    )
    if metric != "smatch":
        add_own_options(parser, metric)


def add_own_options(parser: argparse.ArgumentParser, metric: str) -> None:
    """Flags of one metric, made of the fields that describe themselves (:func:`fastmatch.metrics.base.option`)."""
    from fastmatch.errors import OptionError
    from fastmatch.metrics.options import described
    from fastmatch.metrics.registry import get

    try:
        entries = described(get(metric))
    except OptionError:
        return  # making the metric says it better
    group = parser.add_argument_group(f"options of {metric}")
    prefix = "--" + metric.replace("+", "p").replace("_", "-") + "-"
    for name, kind, default, text, choices in entries:
        if name in SHARED:
            continue
        flag = (prefix if name not in BARE else "--") + name.replace("_", "-")
        text = text.replace("%", "%%")
        if kind == "bool":
            shown = "yes" if default else "no"
            group.add_argument(
                flag, dest=OWN + name, action=argparse.BooleanOptionalAction, help=f"{text} (default: {shown})"
            )
            continue
        if default is not None:
            text = f"{text} (default: {default})"
        convert = int if kind.startswith("int") else float if kind.startswith("float") else str
        group.add_argument(
            flag, dest=OWN + name, type=convert, choices=choices, help=text, metavar=None if choices else name.upper()
        )


def add_resampling_options(parser: argparse.ArgumentParser, flag: str, meaning: str, default: int | None) -> None:
    group = parser.add_argument_group("confidence intervals")
    group.add_argument(
        flag,
        type=resamples,
        metavar="N",
        default=default,
        help=meaning,
    )
    group.add_argument(
        "--confidence", type=fraction, default=0.95, metavar="C", help="of the intervals (default: %(default)s)"
    )
    group.add_argument(
        "--bootstrap-method",
        choices=["bca", "percentile"],
        default="bca",
        help="bca: bias-corrected and accelerated (default); percentile: quantiles of the resamples' scores",
    )
    group.add_argument(
        "--bootstrap-seed", type=count, default=0, metavar="N", help="of the resampling (default: %(default)s)"
    )


def add_running_options(parser: argparse.ArgumentParser) -> None:
    running = parser.add_argument_group("running")
    running.add_argument("--workers", type=workers, default=1, metavar="N", help="threads; -1: all CPUs (default: 1)")
    running.add_argument(
        "--on-error",
        choices=["raise", "empty"],
        default="raise",
        help="what a graph that cannot be read becomes: an error (default), or an empty graph, which is counted",
    )
    running.add_argument("--quiet", action="store_true", help="no progress and no warnings on standard error")


def metric_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The metric options that were given; what was not given keeps the default of the API."""
    given = {name: getattr(arguments, name) for name in ("metric", "preset", *SHARED)}
    return {**{name: value for name, value in given.items() if value is not None}, **own_options(arguments)}


def own_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Those of the metric's own flags that were given, by the names of its options."""
    own = {name.removeprefix(OWN): value for name, value in vars(arguments).items() if name.startswith(OWN)}
    return {name: value for name, value in own.items() if value is not None}


def dialect_of(arguments: argparse.Namespace) -> Dialect:
    """The dialect in which the metric, with its options, wants its input read."""
    from fastmatch.metrics.registry import make

    options = metric_options(arguments)
    return make(options.pop("metric"), **options).dialect


def read_both(arguments: argparse.Namespace, on_error: Literal["raise", "empty"] = "raise") -> tuple[Corpus, Corpus]:
    """Both files, into one vocabulary."""
    from fastmatch.errors import OptionError
    from fastmatch.graphs.reading import read

    if arguments.pred == "-" and arguments.gold == "-":
        raise OptionError("'-' (standard input) can stand for one of the two files, not for both")
    dialect = dialect_of(arguments)
    pred = read(arguments.pred, dialect=dialect, on_error=on_error)
    return pred, read(arguments.gold, dialect=dialect, on_error=on_error, vocabulary=pred.vocabulary)
