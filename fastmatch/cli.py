"""The command line: verbs and their options. Every verb reads, calls the Python API once and hands the result to
``fastmatch.report``; no score is computed here.

Exit status: 0 fine, 1 below ``--fail-under``, 2 bad usage or input, 130 interrupted. Results go to standard output,
everything else to standard error; an error that fastmatch raises on purpose is one line there, any other error is a
bug and keeps its traceback.

Start-up is part of the time a user waits for, so this module imports only what parsing the arguments needs; numpy and
the kernels come when a verb runs.
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from fastmatch import __version__, cli_benchmarks
from fastmatch.cli_pairs import add_pairs
from fastmatch.cli_training import add_train
from fastmatch.cli_umr import add_umr
from fastmatch.errors import FastmatchError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from fastmatch.corpus import Corpus
    from fastmatch.types import Dialect

__all__ = ["main"]

_EPILOG = """\
The prediction comes first, the gold second. "-" stands for standard input, for one of the two; gzipped input is
unpacked. Exit status: 0 fine, 1 below --fail-under, 2 bad usage or input, 130 interrupted.
"""


def _points(text: str) -> float:
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


def _workers(text: str) -> int:
    if text.lstrip("-").isdecimal() and (int(text) > 0 or int(text) == -1):
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number of threads, or -1 for all CPUs, found {text!r}")


def _count(text: str) -> int:
    if text.isdecimal():
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 0 or more, found {text!r}")


class _NumbersToo(tuple[str, ...]):
    """Words to choose from; any number is fine as well."""

    __slots__ = ()

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) or super().__contains__(value)


def _number_or_word(text: str) -> int | str:
    return _positive(text) if text.lstrip("-").isdecimal() else text


def _positive(text: str) -> int:
    if text.isdecimal() and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a whole number, 1 or more, found {text!r}")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if value < 0 or value != value:
        raise argparse.ArgumentTypeError(f"expected seconds, 0 or more, found {text!r}")
    return value


def _resamples(text: str) -> int:
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number of resamples, 1 or more, found {text!r}")


def _fraction(text: str) -> float:
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


class _Parser(argparse.ArgumentParser):
    """Bad usage in one line: what is wrong; the usage itself is a --help away."""

    def error(self, message: str) -> Any:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


#: Options of the Smatch family, whose flags bear no metric's name; other metrics may have some of them as well.
_SHARED = ("solver", "top", "duplicates", "triples", "restarts", "seed", "time_limit", "compress")
#: Options that mean the same for every metric that has them.
_BARE = ("embeddings",)


def _add_metric_options(parser: argparse.ArgumentParser, metric: str, *, top_k: bool = False) -> None:
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
        type=_number_or_word if top_k else str,
        choices=_NumbersToo(("constant", "concept", "none")) if top_k else ["constant", "concept", "none"],
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
    group.add_argument("--restarts", type=_count, metavar="N", help="random starts of the hill-climber (default: 4)")
    group.add_argument("--seed", type=_count, metavar="N", help="seed of the hill-climber (default: 0)")
    group.add_argument(
        "--time-limit",
        type=_seconds,
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
        _add_own_options(parser, metric)


def _add_own_options(parser: argparse.ArgumentParser, metric: str) -> None:
    """Flags of one metric, made of the fields that describe themselves (:func:`fastmatch.metrics.base.option`)."""
    from fastmatch.errors import OptionError
    from fastmatch.metrics.base import described, get

    try:
        entries = described(get(metric))
    except OptionError:
        return  # making the metric says it better
    group = parser.add_argument_group(f"options of {metric}")
    prefix = "--" + metric.replace("+", "p").replace("_", "-") + "-"
    for name, kind, default, text, choices in entries:
        if name in _SHARED:
            continue
        flag = (prefix if name not in _BARE else "--") + name.replace("_", "-")
        text = text.replace("%", "%%")
        if kind == "bool":
            shown = "yes" if default else "no"
            group.add_argument(
                flag, dest=_OWN + name, action=argparse.BooleanOptionalAction, help=f"{text} (default: {shown})"
            )
            continue
        if default is not None:
            text = f"{text} (default: {default})"
        convert = int if kind.startswith("int") else float if kind.startswith("float") else str
        group.add_argument(
            flag, dest=_OWN + name, type=convert, choices=choices, help=text, metavar=None if choices else name.upper()
        )


def _add_resampling_options(parser: argparse.ArgumentParser, flag: str, meaning: str, default: int | None) -> None:
    group = parser.add_argument_group("confidence intervals")
    group.add_argument(
        flag,
        type=_resamples,
        metavar="N",
        default=default,
        help=meaning,
    )
    group.add_argument(
        "--confidence", type=_fraction, default=0.95, metavar="C", help="of the intervals (default: %(default)s)"
    )
    group.add_argument(
        "--bootstrap-method",
        choices=["bca", "percentile"],
        default="bca",
        help="bca: bias-corrected and accelerated (default); percentile: quantiles of the resamples' scores",
    )
    group.add_argument(
        "--bootstrap-seed", type=_count, default=0, metavar="N", help="of the resampling (default: %(default)s)"
    )


#: What the destinations of a metric's own flags begin with, to keep them apart from all others.
_OWN = "option "


def _parser(metric: str) -> argparse.ArgumentParser:
    """``metric``: whose options to know besides those of all."""
    parser = _Parser(
        prog="fastmatch",
        description="Compare meaning graphs (AMR, UMR, any rooted labelled graph in Penman notation).",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"fastmatch {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=_Parser)

    demo = verbs.add_parser(
        "demo",
        help="score a packaged corpus of 40 pairs",
        description="Score the sample corpus that comes with fastmatch and show what the report means.",
    )
    demo.set_defaults(run=_demo)

    score = verbs.add_parser(
        "score",
        help="score predicted graphs against gold graphs",
        description="Score the graphs of PRED against those of GOLD, pair by pair in the order of the files.",
        epilog=_EPILOG,
    )
    score.add_argument("pred", metavar="PRED", help="file of predicted graphs")
    score.add_argument("gold", metavar="GOLD", help="file of gold graphs")
    _add_metric_options(score, metric)
    score.add_argument(
        "--aspects",
        nargs="?",
        const="damonte",
        choices=["damonte", "enhanced", "s2match", "smatch++"],
        metavar="KIND",
        help="score each aspect by itself: damonte (as Damonte et al. 2017; default), enhanced (sets, with frames), "
        "s2match (enhanced, with S2match), or smatch++ (its sub-graphs); with --preset tool as the published programs "
        "do",
    )
    score.add_argument(
        "--aspect",
        action="append",
        metavar="NAME",
        help="with --aspects smatch++: only this one; may be given several times",
    )
    score.add_argument(
        "--aspect-align",
        choices=["one", "each"],
        help="with --aspects smatch++: match all by the best alignment of the whole graphs (one, the default), or each "
        "by its own",
    )
    score.add_argument(
        "--frames",
        metavar="FILE",
        help="with --aspects smatch++: what the roles of frames are, a line 'predicate  ARG0: description …' each",
    )
    _add_resampling_options(score, "--bootstrap", "resample the pairs N times and print confidence intervals", None)
    _add_running_options(score)
    output = score.add_argument_group("output")
    output.add_argument(
        "--per-pair",
        metavar="OUT.tsv",
        help="also write one line a pair: index id score, then what the metric has (smatch: precision recall matched "
        "n_pred n_gold upper certified); '-' writes them to standard output, and the report to standard error",
    )
    form = output.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object instead of the report")
    form.add_argument("--tsv", action="store_true", help="print a header and one line instead of the report")
    output.add_argument(
        "--fail-under",
        type=_points,
        metavar="POINTS",
        help="exit with status 1 if the score (F1 for most, 0 to 100) is below this",
    )
    score.set_defaults(run=_score)

    _add_compare(verbs, metric)
    add_pairs(verbs, metric)
    _add_standardize(verbs)
    add_train(verbs, partial(_add_own_options, metric=metric) if metric == "wwlk" else None)
    add_umr(verbs, partial(_add_own_options, metric=metric) if metric == "ancast" else None)

    align = verbs.add_parser(
        "align",
        help="show which variables and triples of a pair match",
        description="Align one pair of graphs and show which variables and which triples match.",
        epilog=_EPILOG,
    )
    align.add_argument("pred", metavar="PRED", help="file of predicted graphs; with --text, the graph itself")
    align.add_argument("gold", metavar="GOLD", help="file of gold graphs; with --text, the graph itself")
    align.add_argument("-e", "--text", action="store_true", help="PRED and GOLD are graphs, not names of files")
    align.add_argument("--index", type=_count, metavar="I", help="which pair of the files, counted from 0 (default: 0)")
    _add_metric_options(align, metric)
    align.add_argument("--json", action="store_true", help="print one JSON object instead of the tables")
    align.set_defaults(run=_align)
    cli_benchmarks.add_verbs(verbs, _workers, _count)
    return parser


def _add_running_options(parser: argparse.ArgumentParser) -> None:
    running = parser.add_argument_group("running")
    running.add_argument("--workers", type=_workers, default=1, metavar="N", help="threads; -1: all CPUs (default: 1)")
    running.add_argument(
        "--on-error",
        choices=["raise", "empty"],
        default="raise",
        help="what a graph that cannot be read becomes: an error (default), or an empty graph, which is counted",
    )
    running.add_argument("--quiet", action="store_true", help="no progress and no warnings on standard error")


def _add_compare(verbs: Any, metric: str) -> None:
    compare = verbs.add_parser(
        "compare",
        help="test whether systems differ on the same gold graphs",
        usage="fastmatch compare SYSTEM_A SYSTEM_B GOLD [options]\n"
        "       fastmatch compare SYSTEM_A SYSTEM_B SYSTEM_C ... --gold GOLD [options]",
        description="Score each system against GOLD, and test whether the others differ from the first one.",
        epilog="The last file is the gold one unless --gold names it. Exit status: 0 fine, 2 bad usage or input, "
        "130 interrupted.",
    )
    compare.add_argument("files", nargs="+", metavar="SYSTEM", help="files of predicted graphs, the baseline first")
    compare.add_argument("--gold", metavar="GOLD", help="file of gold graphs")
    _add_metric_options(compare, metric)
    tests = compare.add_argument_group("tests")
    tests.add_argument(
        "--against",
        choices=["first", "all"],
        default="first",
        help="compare each system with the first one (default), or every two",
    )
    tests.add_argument(
        "--correction",
        choices=["holm", "bonferroni", "bh", "none"],
        default="holm",
        help="of p for the number of comparisons (default: %(default)s; bh: Benjamini and Hochberg)",
    )
    _add_resampling_options(compare, "--resamples", "of each test and for the intervals (default: %(default)s)", 10_000)
    _add_running_options(compare)
    form = compare.add_argument_group("output").add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object instead of the report")
    form.add_argument("--tsv", action="store_true", help="print a line for each difference instead of the report")
    compare.set_defaults(run=_compare)


def _add_standardize(verbs: Any) -> None:
    standardize = verbs.add_parser(
        "standardize",
        help="rewrite graphs so that what means the same is written the same",
        description="Read the graphs of IN, take the steps in order, and write what comes out.",
    )
    standardize.add_argument("file", metavar="IN", help="file of graphs; '-' is standard input")
    standardize.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="OUT",
        help="Penman text; a name that ends in .fastmatch gets a saved corpus; '-', the default, is standard output",
    )
    standardize.add_argument(
        "--steps",
        required=True,
        metavar="STEP,STEP",
        help="names of steps, or one of the presets smatch++, smatch++/reify, generic, none. The steps: lower-case, "
        "drop-quotes, drop-all-quotes, link-constants, domain-to-mod, mod-to-domain, de-invert, de-invert-all, "
        "as-written, reify, dereify, root-concept, root-constant, drop-root, drop-wiki, drop-senses, unlabel, "
        "remove-duplicates",
    )
    standardize.add_argument(
        "--table",
        metavar="FILE",
        help="rules of reify and dereify: amr (the AMR guidelines, the default), smatch++, or a file with one rule a "
        "line: relation, concept, role of the source, role of the target",
    )
    standardize.add_argument("--dialect", default="penman", metavar="NAME", help="how to read IN (default: penman)")
    standardize.add_argument(
        "--on-error",
        choices=["raise", "skip", "empty"],
        default="raise",
        help="what a graph that cannot be read becomes: an error (default), nothing, or an empty graph",
    )
    standardize.set_defaults(run=_standardize)


# ---- verbs -----------------------------------------------------------------------------------------------------------


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The metric options that were given; what was not given keeps the default of the API."""
    given = {name: getattr(arguments, name) for name in ("metric", "preset", *_SHARED)}
    return {**{name: value for name, value in given.items() if value is not None}, **own_options(arguments)}


def own_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Those of the metric's own flags that were given, by the names of its options."""
    own = {name.removeprefix(_OWN): value for name, value in vars(arguments).items() if name.startswith(_OWN)}
    return {name: value for name, value in own.items() if value is not None}


def _dialect(arguments: argparse.Namespace) -> Dialect:
    """The dialect in which the metric, with its options, wants its input read."""
    from fastmatch.metrics.base import make

    options = _options(arguments)
    return make(options.pop("metric"), **options).dialect


def _read(arguments: argparse.Namespace, on_error: Literal["raise", "empty"] = "raise") -> tuple[Corpus, Corpus]:
    """Both files, into one vocabulary."""
    from fastmatch.errors import OptionError
    from fastmatch.reading import read

    if arguments.pred == "-" and arguments.gold == "-":
        raise OptionError("'-' (standard input) can stand for one of the two files, not for both")
    dialect = _dialect(arguments)
    pred = read(arguments.pred, dialect=dialect, on_error=on_error)
    return pred, read(arguments.gold, dialect=dialect, on_error=on_error, vocabulary=pred.vocabulary)


def _demo(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report

    folder = os.path.join(os.path.dirname(fastmatch.__file__), "data")
    names = os.path.join(folder, "sample-pred.amr"), os.path.join(folder, "sample-gold.amr")
    pred = fastmatch.read(names[0])
    gold = fastmatch.read(names[1], vocabulary=pred.vocabulary)
    report.print_demo(fastmatch.score(pred, gold), pred, gold, fastmatch.align, names)
    return 0


def _score(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report
    from fastmatch.errors import OptionError

    own = {"only": arguments.aspect, "align": arguments.aspect_align, "frames": arguments.frames}
    own = {name: value for name, value in own.items() if value is not None}
    if own and arguments.aspects != "smatch++":
        raise OptionError("--aspect, --aspect-align and --frames go with --aspects smatch++ only")
    if arguments.aspects is not None:
        return _aspects(arguments, own)
    to_stdout = arguments.per_pair == "-"
    if to_stdout and (arguments.json or arguments.tsv):
        raise OptionError("--per-pair - and --json or --tsv would both write to standard output; give a file name")
    if arguments.per_pair is not None:
        report.check_target(arguments.per_pair)
    pred, gold = _read(arguments, arguments.on_error)
    progress = not arguments.quiet
    result = fastmatch.score(
        pred,
        gold,
        workers=arguments.workers,
        progress=progress,
        bootstrap=arguments.bootstrap,
        confidence=arguments.confidence,
        bootstrap_method=arguments.bootstrap_method,
        bootstrap_seed=arguments.bootstrap_seed,
        **_options(arguments),
    )
    if not arguments.quiet:
        report.warn_unreadable(result)
    if arguments.per_pair is not None:
        report.write_pairs(result, pred, gold, arguments.per_pair)
    if arguments.json:
        report.print_json(report.score_record(result))
    elif arguments.tsv:
        report.print_tsv(result)
    elif not to_stdout:
        report.print_score(result)
    elif not arguments.quiet:
        report.print_score(result, sys.stderr)
    if arguments.fail_under is not None and 100 * result.score < arguments.fail_under:
        if not arguments.quiet:
            name = report.label(next(iter(result.scores)))
            print(f"fastmatch: {name} {100 * result.score:.4f} is below {arguments.fail_under:g}", file=sys.stderr)
        return 1
    return 0


def _aspects(arguments: argparse.Namespace, own: dict[str, Any]) -> int:
    from pathlib import Path

    import fastmatch
    from fastmatch import report
    from fastmatch.errors import OptionError

    for name, given in (("--per-pair", arguments.per_pair), ("--fail-under", arguments.fail_under)):
        if given is not None:
            raise OptionError(f"{name} is of one score; --aspects makes several")
    if arguments.pred == "-" and arguments.gold == "-":
        raise OptionError("'-' (standard input) can stand for one of the two files, not for both")
    options = _options(arguments)
    del options["metric"]
    result = fastmatch.aspects(
        Path(arguments.pred),
        Path(arguments.gold),
        kind=arguments.aspects,
        workers=arguments.workers,
        progress=not arguments.quiet,
        on_error=arguments.on_error,
        bootstrap=arguments.bootstrap,
        confidence=arguments.confidence,
        bootstrap_method=arguments.bootstrap_method,
        bootstrap_seed=arguments.bootstrap_seed,
        **options,
        **own,
    )
    if not arguments.quiet:
        report.warn_unreadable(result)
    if arguments.json:
        report.print_json(report.aspects_record(result))
    elif arguments.tsv:
        report.print_aspects_tsv(result)
    else:
        report.print_aspects(result)
    return 0


def _standardize(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report
    from fastmatch.standardization import writable

    report.check_target(arguments.output)
    corpus = fastmatch.read(arguments.file, dialect=arguments.dialect, on_error=arguments.on_error)
    corpus = fastmatch.standardize(corpus, arguments.steps, table=arguments.table)
    if arguments.output.endswith(".fastmatch"):
        corpus.save(arguments.output)
    else:
        report.write_graphs(writable(corpus), arguments.output)
    return 0


def _compare(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report
    from fastmatch.errors import OptionError
    from fastmatch.reading import read

    files, gold_file = arguments.files, arguments.gold
    if gold_file is None:
        files, gold_file = files[:-1], files[-1]
    if len(files) < 2:
        raise OptionError("compare: expected two systems or more and then the gold file, or --gold GOLD")
    if [*files, gold_file].count("-") > 1:
        raise OptionError("'-' (standard input) can stand for one of the files only")
    dialect = _dialect(arguments)
    gold = read(gold_file, dialect=dialect, on_error=arguments.on_error)
    systems = [read(name, dialect=dialect, on_error=arguments.on_error, vocabulary=gold.vocabulary) for name in files]
    for name, system in zip(files, systems, strict=True):
        if len(system) != len(gold):
            raise OptionError(f"compare: {name} holds {len(system)} graphs, {gold_file} {len(gold)}")
    result = fastmatch.compare(
        *systems,
        gold=gold,
        names=files,
        workers=arguments.workers,
        progress=not arguments.quiet,
        resamples=arguments.resamples,
        confidence=arguments.confidence,
        bootstrap_method=arguments.bootstrap_method,
        bootstrap_seed=arguments.bootstrap_seed,
        correction=arguments.correction,
        against=arguments.against,
        **_options(arguments),
    )
    if not arguments.quiet:
        for name, score in zip(files, result.results, strict=True):
            report.warn_unreadable(score, system=name)
    if arguments.json:
        report.print_json(report.comparison_record(result))
    elif arguments.tsv:
        report.print_comparison_tsv(result)
    else:
        report.print_comparison(result)
    return 0


def _align(arguments: argparse.Namespace) -> int:
    import fastmatch
    from fastmatch import report
    from fastmatch.errors import OptionError

    if arguments.text:
        if arguments.index is not None:
            raise OptionError("--index chooses a pair of two files; with --text there is only one pair")
        alignment = fastmatch.align(arguments.pred, arguments.gold, **_options(arguments))
        pred, gold = (fastmatch.parse(text, dialect=_dialect(arguments)) for text in (arguments.pred, arguments.gold))
        index = 0
    else:
        pred, gold = _read(arguments)
        index = arguments.index or 0
        for name, corpus in ((arguments.pred, pred), (arguments.gold, gold)):
            if index >= len(corpus):
                raise OptionError(f"--index {index}: {name} holds {len(corpus)} graphs, counted from 0")
        alignment = fastmatch.align(pred[index : index + 1], gold[index : index + 1], **_options(arguments))
    if arguments.json:
        report.print_json(report.alignment_record(alignment, pred[index], gold[index]))
    elif hasattr(alignment, "flows"):
        report.print_flow(alignment)
    else:
        report.print_alignment(alignment, pred[index], gold[index])
    return 0


# ---- entry point -----------------------------------------------------------------------------------------------------


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return (
            f"{os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename}: {error.strerror}"
        )
    return " ".join(str(error).split())


def _metric_name(argv: Sequence[str] | None) -> str:
    """The metric that the arguments name: its module is imported, and its flags known, before all are parsed."""
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    first.add_argument("--metric", default="smatch", nargs="?", const="smatch")
    first.add_argument("--aspects", nargs="?")
    named, rest = first.parse_known_args(argv)
    verbs = {"train-wwlk": "wwlk", "umr": "ancast"}  # those that are of one metric
    if rest and rest[0] in verbs:
        return verbs[rest[0]]
    # the metric behind these aspects
    name: str = named.aspects if named.aspects in ("s2match", "smatch++") else named.metric
    return name


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the program's name; ``sys.argv[1:]`` by default.
    """
    # No verb needs linear algebra, and starting OpenBLAS's threads costs nearly as much CPU as the rest of numpy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        arguments = _parser(_metric_name(argv)).parse_args(argv)
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the pipe has gone (`| head`): stay quiet, also in the flush at the interpreter's exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141  # 128 + SIGPIPE, what a shell reports for a program that the signal ended
    except KeyboardInterrupt:
        print("fastmatch: interrupted", file=sys.stderr)
        return 130
    except (FastmatchError, OSError) as error:
        print(f"fastmatch: {_one_line(error)}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
