"""The module ``smatch`` of the package ``smatch`` 1.0.4, with the same functions, results and module variables.

The package climbs hills from a few random starts, so its numbers are lower bounds that differ from run to run. Here
they are the proven optimum of the same triples and weights (``preset="smatch"``), its quirks included: k copies of a
triple against m copies count k·m, so F1 may exceed 1. :data:`solver` ``= "climb"`` asks for a hill-climber that differs
from the package's in its random numbers only (:mod:`fastmatch._ext.matching.climb`).

What a caller of the package may have set or cleared is here, too:

``iteration_num``
    starts of the hill-climber; the optimum needs none.
``single_score``
    True: :func:`score_amr_pairs` gives one score for all pairs; False: one for each.
``verbose``, ``veryVerbose``, ``pr_flag``
    what is printed, to ``DEBUG_LOG`` and, by :func:`main`, to standard output. There is no climb to be followed step by
    step, so ``veryVerbose`` prints the map and the proof instead.
``match_triple_dict``
    results of maps that the package has evaluated, which a caller must clear after each pair. Here nothing is kept from
    one pair to the next; it may be cleared, replaced or forgotten.
``ERROR_LOG``, ``DEBUG_LOG``
    streams for messages.

Functions that are steps of the package's hill-climber (``compute_pool``, ``get_best_gain``, …) have no counterpart.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch.compat import amr as amr  # the package has it, too
from fastmatch.errors import FastmatchError, ReadError, warn_caller
from fastmatch.graphs.reading import parse
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.registry import make
from fastmatch.metrics.run import run

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from fastmatch.compat.amr import Triple
    from fastmatch.metrics.base import Metric
    from fastmatch.results.pairs import TripleScores

# ---- variables that callers of the package set -----------------------------------------------------------------------

iteration_num = 5
verbose = False
veryVerbose = False
single_score = True
pr_flag = False
ERROR_LOG: IO[str] = sys.stderr
DEBUG_LOG: IO[str] = sys.stderr
match_triple_dict: dict[tuple[int, ...], int] = {}

# ---- variables of fastmatch ------------------------------------------------------------------------------------------

#: ``"exact"``: the proven optimum; ``"climb"``: the hill-climber, with ``iteration_num`` starts.
solver = os.environ.get("FASTMATCH_SMATCH_SOLVER") or "exact"
#: Of the hill-climber.
seed = 0
#: Work per pair for the optimum.
effort = "default"
#: Whether this process has said on standard error which numbers these are.
announced = False

#: Steps of the package's hill-climber, for the message of the error.
_STEPS = "compute_match compute_pool get_best_gain move_gain random_init_mapping smart_init_mapping swap_gain"

_FIRST = np.zeros(1, np.int32)


class UnreadableError(FastmatchError, AttributeError, ValueError):
    """A graph that Smatch's reader refuses or fails on; ``ERROR_LOG`` has said why.

    The package dies of such a graph with an ``AttributeError`` or a ``ValueError``, and callers catch these.
    """


def configure(*, solver: str | None = None, seed: int | None = None, effort: str | None = None) -> None:
    """Set the variables of these names; None leaves one as it is. See :func:`fastmatch.compat.install`.

    Raises
    ------
    OptionError
        If one has no such value; then none is set.
    """
    given = {"solver": solver, "seed": seed, "effort": effort}
    given = {name: value for name, value in given.items() if value is not None}
    names = globals()
    make("smatch", "smatch", **{name: given.get(name, names[name]) for name in ("solver", "seed", "effort")})
    names.update(given)


def announce() -> None:
    """Say in one line on standard error which numbers these are; once a process."""
    global announced
    if announced:
        return
    announced = True
    if solver == "climb":
        text = f"smatch scores are those of a hill-climber (seed {seed}): lower bounds of the optimum"
    else:
        text = (
            "smatch scores are the proven optimum; FASTMATCH_SMATCH_SOLVER=climb gives those of a hill-climber, which "
            "smatch.py has"
        )
    sys.stderr.write(f"fastmatch: {text}\n")
    sys.stderr.flush()


# ---- matching --------------------------------------------------------------------------------------------------------


def get_best_match(
    instance1: Sequence[Triple],
    attribute1: Sequence[Triple],
    relation1: Sequence[Triple],
    instance2: Sequence[Triple],
    attribute2: Sequence[Triple],
    relation2: Sequence[Triple],
    prefix1: str,
    prefix2: str,
    doinstance: bool = True,
    doattribute: bool = True,
    dorelation: bool = True,
) -> tuple[list[int], int]:
    """The map of nodes under which most triples of two graphs match.

    Parameters
    ----------
    instance1, instance2 : sequence of (str, str, str)
        Role (``"instance"``), node and concept; one for each node.
    attribute1, attribute2 : sequence of (str, str, str)
        Role, node and constant.
    relation1, relation2 : sequence of (str, str, str)
        Role and two nodes.
    prefix1, prefix2 : str
        The name of node k is this and k: ``a0``, ``a1``, … with the prefix ``a``.
    doinstance, doattribute, dorelation : bool
        Triples of a class that is False match nothing.

    Returns
    -------
    mapping : list of int
        For each node of the first graph one of the second, or −1.
    matched : int
        Triples that match under it; repeated triples multiply.

    Raises
    ------
    ValueError
        If the name of a node that could match is not the prefix and a number.
    IndexError
        If there is no instance for a node that could match.
    """
    announce()
    first = _Triples(instance1, attribute1, relation1, prefix1)
    second = _Triples(instance2, attribute2, relation2, prefix2)
    pred, gold = _encoded(first, second, (doinstance, doattribute, dorelation))
    found = _solved(pred, gold, "all", mapping=True)
    return found.mapping_of(0).tolist(), int(found.matched[0])


def normalize(item: str) -> str:
    """A role, concept or constant as it is compared: in lower case, without underscores at its end."""
    return item.lower().rstrip("_")


class _Triples(NamedTuple):
    """A graph as :func:`get_best_match` takes it."""

    instances: Sequence[Triple]
    attributes: Sequence[Triple]
    relations: Sequence[Triple]
    prefix: str

    def node(self, name: str) -> int:
        """The number of a node.

        Raises
        ------
        ValueError, IndexError
            If the name has none, or there are not so many nodes.
        """
        number = int(name[len(self.prefix) :])
        if not 0 <= number < len(self.instances):
            raise IndexError(f"node {name!r}: there are instances of {len(self.instances)} nodes only")
        return number


def _encoded(
    first: _Triples, second: _Triples, wanted: tuple[bool, bool, bool]
) -> tuple[TripleFeatures, TripleFeatures]:
    """The features of two graphs, of those triples whose labels both graphs have.

    The package looks at the names of nodes only where labels are equal, so other names may be anything.
    """
    labels = [_labels(side, other, wanted) for side, other in ((first, second), (second, first))]
    shared = [sorted(set(mine) & set(theirs)) for mine, theirs in zip(*labels, strict=True)]
    numbers = [{label: number for number, label in enumerate(table)} for table in shared]
    return _featured(first, labels[0], numbers), _featured(second, labels[1], numbers)


def _labels(side: _Triples, other: _Triples, wanted: tuple[bool, bool, bool]) -> list[list[tuple[str, ...]]]:
    """What is compared of each triple of a graph: of its instances, its attributes and its relations.

    The value of an attribute is compared, and must be a string, only if the other graph has the role.
    """
    tables: list[list[tuple[str, ...]]] = [[], [], []]
    if wanted[0]:
        tables[0] = [(normalize(role), normalize(value)) for role, _, value in side.instances]
    if wanted[1]:
        roles = {normalize(triple[0]) for triple in other.attributes}
        for name, _, value in side.attributes:
            role = normalize(name)
            tables[1].append((role, normalize(value)) if role in roles else (role,))
    if wanted[2]:
        tables[2] = [(normalize(triple[0]),) for triple in side.relations]
    return tables


def _featured(
    side: _Triples, labels: list[list[tuple[str, ...]]], numbers: list[dict[tuple[str, ...], int]]
) -> TripleFeatures:
    """The features of one graph; the keys of instances, attributes and self-loops lie apart.

    See :mod:`fastmatch._ext.matching.triples`.
    """
    unary: Counter[tuple[int, int]] = Counter()
    binary: Counter[tuple[int, int, int]] = Counter()
    for space, triples in ((0, side.instances), (1, side.attributes)):
        for label, (_, name, _) in zip(labels[space], triples, strict=False):  # no labels of what is not wanted
            if (number := numbers[space].get(label)) is not None:
                unary[(space << 32) + number, side.node(name)] += 1
    for label, (_, source, target) in zip(labels[2], side.relations, strict=False):
        if (number := numbers[2].get(label)) is not None:
            ends = side.node(source), side.node(target)
            if ends[0] == ends[1]:
                unary[(2 << 32) + number, ends[0]] += 1
            else:
                binary[number, ends[0], ends[1]] += 1
    ones, twos = sorted(unary.items()), sorted(binary.items())
    return TripleFeatures(
        np.array([len(side.instances)], np.int32),
        np.array([sum(unary.values()) + sum(binary.values())], np.int64),
        np.array([0, len(ones)], np.int64),
        np.array([key for (key, _), _ in ones], np.int64),
        np.array([(node, count) for (_, node), count in ones], np.int32).reshape(-1, 2).T.copy(),
        np.array([0, len(twos)], np.int64),
        np.array([(*edge, count) for edge, count in twos], np.int32).reshape(-1, 4).T.copy(),
    )


def _solved(pred: TripleFeatures, gold: TripleFeatures, triples: str, *, mapping: bool) -> TripleScores:
    """Pairs of equal places, scored as the variables of this module say."""
    climbs = solver == "climb"
    options = {"restarts": max(iteration_num - 1, 0), "seed": seed} if climbs else {"effort": effort}
    metric: Metric[Any] = make("smatch", "smatch", solver=solver, triples=triples, **options)
    index = _FIRST if len(pred) == 1 else np.arange(len(pred), dtype=np.int32)
    if climbs and iteration_num < 1:  # no start, no match
        nothing: TripleScores = metric.empty(pred, gold, index, index, mapping)  # type: ignore[assignment]
        if nothing.mapping is not None:
            nothing.mapping[:] = -1
        return nothing
    found: TripleScores = run(metric, pred, gold, index, index, mapping=mapping)  # type: ignore[assignment]
    if not climbs and not found.certified.all():
        left = int(np.count_nonzero(~found.certified))
        more = int((found.upper - found.matched).sum())
        pairs = "a pair is" if left == 1 else f"{left:,} pairs are"
        warn_caller(f"{pairs} not proven optimal: up to {more:,} more triples may match (effort {effort!r})")
    return found


# ---- pairs of lines --------------------------------------------------------------------------------------------------


class _Matches(NamedTuple):
    """What was found for a list of pairs: numbers of triples, one entry a pair, and maps if they were asked for."""

    matched: list[int]
    n_first: list[int]
    n_second: list[int]
    scores: TripleScores


def get_amr_match(
    cur_amr1: str,
    cur_amr2: str,
    sent_num: int = 1,
    justinstance: bool = False,
    justattribute: bool = False,
    justrelation: bool = False,
) -> tuple[int, int, int]:
    """Match two graphs, each in one line.

    Parameters
    ----------
    cur_amr1, cur_amr2 : str
    sent_num : int
        Number of the pair, for messages.
    justinstance, justattribute, justrelation : bool
        Match and count triples of this class only. With more than one, nothing matches, and the first of them says
        which triples count; so it is in the package.

    Returns
    -------
    matched, n_first, n_second : int
        Triples that match, and triples of the two graphs.

    Raises
    ------
    UnreadableError
        If a text is no graph; it is an ``AttributeError`` and a ``ValueError``. ``ERROR_LOG`` says why.
    """
    announce()
    just = (justinstance, justattribute, justrelation)
    pair = [(cur_amr1, cur_amr2)]
    found = _matches(pair, just)
    if found is None:
        return _match_slowly(cur_amr1, cur_amr2, sent_num, just)
    if verbose or veryVerbose:
        _describe(*pair[0], sent_num, found, 0)
    return found.matched[0], found.n_first[0], found.n_second[0]


def _matches(pairs: Sequence[tuple[str, str]], just: tuple[bool, bool, bool]) -> _Matches | None:
    """Match pairs of lines as the compiled reader reads them; None if it cannot, or may read one differently."""
    if not pairs or not all(_is_a_line(line) for pair in pairs for line in pair):
        return None
    vocabulary = Vocabulary()
    try:
        first, second = (parse(side, dialect="smatch", vocabulary=vocabulary) for side in zip(*pairs, strict=True))
    except ReadError:
        return None
    kept = next((name for name, only in zip(("instance", "attribute", "relation"), just, strict=True) if only), "all")
    metric = make("smatch", "smatch", triples=kept)
    found = _solved(metric.prepare(first), metric.prepare(second), kept, mapping=verbose or veryVerbose)
    matched = [0] * len(pairs) if sum(just) > 1 else found.matched.tolist()
    return _Matches(matched, found.n_pred.tolist(), found.n_gold.tolist(), found)


def _is_a_line(text: object) -> bool:
    """Whether a text is one line, as those of :meth:`AMR.get_amr_line` are.

    In a block of lines the compiled reader drops comments and line ends, which :meth:`AMR.parse_AMR_line` keeps.
    """
    return isinstance(text, str) and "\n" not in text and "\r" not in text and not text.lstrip().startswith("#")


def _match_slowly(line1: str, line2: str, sent_num: int, just: tuple[bool, bool, bool]) -> tuple[int, int, int]:
    """As :func:`get_amr_match`, of lines that only :meth:`AMR.parse_AMR_line` reads as it should."""
    graphs = []
    for number, (line, prefix) in enumerate(((line1, "a"), (line2, "b")), start=1):
        try:
            graph = amr.AMR.parse_AMR_line(line)
        except Exception as error:
            print(f"Error in parsing amr {number}: {line}", file=ERROR_LOG)
            print("Please check if the AMR is ill-formatted. Ignoring remaining AMRs", file=ERROR_LOG)
            print(f"Error message: {error}", file=ERROR_LOG)
            graph = None
        if graph is not None:
            graph.rename_node(prefix)
        graphs.append(graph)
    for which, graph, line in zip(("first", "second"), graphs, (line1, line2), strict=True):
        if graph is None:
            shown = repr(line)
            shown = shown if len(shown) <= 60 else f"{shown[:59]}…"
            raise UnreadableError(f"pair {sent_num}: the {which} text is no graph that smatch reads: {shown}")
    first, second = (graph.get_triples() for graph in graphs if graph is not None)
    do = [not any(just) or (only and sum(just) == 1) for only in just]
    encoded = _encoded(_Triples(*first, "a"), _Triples(*second, "b"), (do[0], do[1], do[2]))
    found = _solved(encoded[0], encoded[1], "all", mapping=verbose or veryVerbose)
    sizes = []
    for triples in (first, second):
        kept = next((part for part, only in zip(triples, just, strict=True) if only), None)
        sizes.append(sum(map(len, triples)) if kept is None else len(kept))
    matched = int(found.matched[0])
    if verbose or veryVerbose:
        _describe(line1, line2, sent_num, _Matches([matched], sizes[:1], sizes[1:], found), 0)
    return matched, sizes[0], sizes[1]


def _describe(line1: str, line2: str, sent_num: int, found: _Matches, place: int) -> None:
    """What ``verbose`` and ``veryVerbose`` print of a pair."""
    mapping = found.scores.mapping_of(place).tolist()
    if verbose:
        graphs = [amr.AMR.parse_AMR_line(line) for line in (line1, line2)]
        print("AMR pair", sent_num, file=DEBUG_LOG)
        print("============================================", file=DEBUG_LOG)
        print("AMR 1 (one-line):", line1, file=DEBUG_LOG)
        print("AMR 2 (one-line):", line2, file=DEBUG_LOG)
        instances = []
        for number, (graph, prefix) in enumerate(zip(graphs, "ab", strict=True), start=1):
            assert graph is not None  # it was read before
            graph.rename_node(prefix)
            triples = graph.get_triples()
            instances.append(triples[0])
            for kind, part in zip(("Instance", "Attribute", "Relation"), triples, strict=True):
                print(f"{kind} triples of AMR {number}:", len(part), file=DEBUG_LOG)
                print(part, file=DEBUG_LOG)
        print("best match number", found.matched[place], file=DEBUG_LOG)
        print("best node mapping", mapping, file=DEBUG_LOG)
        print("Best node mapping alignment:", print_alignment(mapping, *instances), file=DEBUG_LOG)
    if veryVerbose:
        upper, certified = int(found.scores.upper[place]), bool(found.scores.certified[place])
        print("Node mapping:", mapping, file=DEBUG_LOG)
        print("Triple match number:", found.matched[place], "of at most", upper, file=DEBUG_LOG)
        print("Proven optimal:", "yes" if certified else "no", file=DEBUG_LOG)


def print_alignment(mapping: Sequence[int], instance1: Sequence[Triple], instance2: Sequence[Triple]) -> str:
    """A map of nodes as text: ``a0(cat)-b0(cat) a1(dog)-Null``."""
    parts = []
    for (_, name, concept), image in zip(instance1, mapping, strict=False):
        partner = "Null" if image == -1 else f"{instance2[image][1]}({instance2[image][2]})"
        parts.append(f"{name}({concept})-{partner}")
    return " ".join(parts)


# ---- files -----------------------------------------------------------------------------------------------------------

get_amr_line = amr.AMR.get_amr_line


def generate_amr_lines(f1: Iterable[str], f2: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of graphs, each in one line, until one of the files ends.

    Parameters
    ----------
    f1, f2 : file, or iterable of lines
        If one ends before the other, ``ERROR_LOG`` says so, and the rest is left out.

    Raises
    ------
    TypeError
        If one is a string: it is neither the name of a file here nor a list of lines.
    """
    for lines in (f1, f2):
        if isinstance(lines, (str, bytes)):
            raise TypeError(f"expected an open file or lines of text, not {type(lines).__name__}")
    first, second = iter(f1), iter(f2)
    while True:
        line1, line2 = amr.AMR.get_amr_line(first), amr.AMR.get_amr_line(second)
        if line1 and line2:
            yield line1, line2
            continue
        if line1 or line2:
            fewer, more = (1, 2) if line2 else (2, 1)
            print(f"Error: File {fewer} has less AMRs than file {more}", file=ERROR_LOG)
            print("Ignoring remaining AMRs", file=ERROR_LOG)
        return


def score_amr_pairs(
    f1: Iterable[str],
    f2: Iterable[str],
    justinstance: bool = False,
    justattribute: bool = False,
    justrelation: bool = False,
) -> Iterator[tuple[float, float, float]]:
    """Score the graphs of two files, pair by pair in their order.

    Parameters
    ----------
    f1, f2 : file, or iterable of lines
        Predictions, gold graphs.
    justinstance, justattribute, justrelation : bool
        As for :func:`get_amr_match`.

    Yields
    ------
    precision, recall, f1 : float
        Of all pairs together if :data:`single_score`, else of each pair.

    Raises
    ------
    UnreadableError
        If a text is no graph. The scores of the pairs before it have been given, if each pair has its own.
    """
    announce()
    just = (justinstance, justattribute, justrelation)
    pairs: Iterable[tuple[str, str]] = generate_amr_lines(f1, f2)
    at_once: _Matches | None = None
    if single_score or solver == "climb":  # whose random numbers depend on the place of a pair
        pairs = list(pairs)
        at_once = _matches(pairs, just)
    total = (0, 0, 0)
    for place, (line1, line2) in enumerate(pairs):
        if at_once is None:
            counts = get_amr_match(line1, line2, place + 1, *just)
        else:
            counts = at_once.matched[place], at_once.n_first[place], at_once.n_second[place]
            if verbose or veryVerbose:
                _describe(line1, line2, place + 1, at_once, place)
        total = total[0] + counts[0], total[1] + counts[1], total[2] + counts[2]
        if not single_score:
            yield compute_f(*counts)
    if verbose:
        print("Total match number, total triple number in AMR 1, and total triple number in AMR 2:", file=DEBUG_LOG)
        print(*total, file=DEBUG_LOG)
        print("-" * 81, file=DEBUG_LOG)
    if single_score:
        yield compute_f(*total)


def compute_f(match_num: float, test_num: float, gold_num: float) -> tuple[float, float, float]:
    """Precision, recall and F1 of numbers of triples; all 0 if a graph has none."""
    if test_num == 0 or gold_num == 0:
        return 0.0, 0.0, 0.0
    precision, recall = float(match_num) / float(test_num), float(match_num) / float(gold_num)
    total = precision + recall
    f1 = 2 * precision * recall / total if total else 0.0
    if veryVerbose:
        print("F-score:", f1, file=DEBUG_LOG)
    return precision, recall, f1


def main(arguments: argparse.Namespace) -> None:
    """Print the scores of two files.

    Parameters
    ----------
    arguments : Namespace
        ``f``: two open files, which are closed in the end; ``r``, ``significant``, ``v``, ``vv``, ``ms``, ``pr``,
        ``justinstance``, ``justattribute``, ``justrelation``: the flags of ``smatch.py``.
    """
    global iteration_num, single_score, verbose, veryVerbose, pr_flag
    iteration_num = arguments.r + 1
    single_score = single_score and not arguments.ms
    verbose = verbose or bool(arguments.v)
    veryVerbose = veryVerbose or bool(arguments.vv)
    pr_flag = pr_flag or bool(arguments.pr)
    digits = f"%.{arguments.significant}f"
    first, second = arguments.f
    just = (arguments.justinstance, arguments.justattribute, arguments.justrelation)
    try:
        for precision, recall, f1 in score_amr_pairs(first, second, *just):
            if pr_flag:
                print(f"Precision: {digits}" % precision)
                print(f"Recall: {digits}" % recall)
            print(f"F-score: {digits}" % f1)
    finally:
        first.close()
        second.close()


def __getattr__(name: str) -> Any:
    if name == "smatch":  # ``from smatch import smatch``, as a checkout of the program is imported
        return sys.modules[__name__]
    if name in _STEPS.split():
        raise AttributeError(
            f"smatch.{name}: a step of the hill-climber of the package smatch, which fastmatch does not have; "
            "get_best_match gives the map and its triples"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
