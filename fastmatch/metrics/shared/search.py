"""What the metrics that search for the best map of variables share: options of the search, and its steps.

Their options ``solver`` (exact, climb, ilp), ``restarts`` and ``seed`` of the hill-climber, ``effort`` (work per pair)
and ``time_limit`` (seconds per pair) mean the same in all of them and stand alike in signatures. What ``exact`` leaves
open is handed to linear programs, and that of a large pair to an integer program after them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf
from time import monotonic, time
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from fastmatch._ext.matching.score import score_climb, score_exact
from fastmatch.errors import OptionError
from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.contract.required import PairRange, Prepared
from fastmatch.metrics.options import common, keys_of, told, told_back
from fastmatch.results.signature import Value
from fastmatch.runtime.progress import listener

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fastmatch._ext.matching.partial import Links
    from fastmatch.metrics.shared.integer_program import Rest
    from fastmatch.results.pairs import TripleScores
    from fastmatch.types import ByteArray, FloatArray, Int32Array, Int64Array

#: What ``exact`` may visit in one pair (candidates, edge-pairs, entries of assignments) before it gives up the proof,
#: by the option ``effort``; a visit takes 4 to 14 ns. Graphs that no text of 2,000 characters can hold may take more.
#: Some pairs no search can close. A limit of work gives the same result on every machine, which a time limit does not.
WORK = {"minimal": 7 * 10**5, "low": 2 * 10**6, "default": 60 * 10**6, "high": 2 * 10**9, "proof": 2**62}
#: Visits in one second, about.
_VISITS = 1.5e8
#: Nodes of the integer program that ends the search of a large document, unless ``effort`` is ``proof``. What documents
#: leave to it is proven at the first node, if at all.
MAX_NODES = 10
#: Of a part that proves nothing of the pair, a map is enough that is so near the part's bound: to prove that no other
#: is better can take minutes.
PART_GAP = 0.001
#: Of the time that is left, so much is HiGHS's own limit of time. When all is over, it is ended, and what it found is
#: lost.
HIGHS_SHARE = 0.95


class Shared(NamedTuple):
    """What several searches of the same pairs have in common, such as those of aspects.

    Attributes
    ----------
    work : int64[n_pairs]
        Visits of searches so far. Those after them have so much less of what all searches of a large pair may take.
    maps : list of int32[n_variables] or None
        For each pair the map of the first search that takes long: a variable of the gold graph, or -1. Those after it
        begin with it if they are of as many variables, and are large or have little because of the others.
    """

    work: Int64Array
    maps: list[Int32Array | None]

    @classmethod
    def of(cls, n_pairs: int, *, first_alone: bool = True) -> Shared:
        """Nothing yet; ``first_alone``: the first search may take what it may alone, and gives the same."""
        return cls(np.full(n_pairs, not first_alone, np.int64), [None] * n_pairs)


#: Keys of the signature → options that every search has.
_OF_SEARCHES = keys_of("restarts seed effort limit=time_limit")


class Sharing:
    """Of a metric whose searches can share what a pair may take (:func:`sharing`); ``effort`` limits them."""

    #: What other searches of the same pairs have left.
    _shared: ClassVar[Shared | None] = None

    effort: str

    def by_work(self, pairs: PairRange, seconds: Callable[[], FloatArray]) -> Iterator[tuple[PairRange, bool]]:
        """The pairs in ranges, each with whether its pairs are to have little work.

        Those are pairs of which other searches have taken something, and that would take more than an ordinary one.
        ``seconds`` gives what each pair may take, about, float64[n]; it is noted.
        """
        if self._shared is None:
            yield pairs, False
            return
        work = self._shared.work[pairs.places]
        visits = (seconds() * _VISITS).astype(np.int64)
        little = (work > 0) & (visits > WORK[self.effort])
        work += visits
        borders = (pairs.start, *(pairs.start + 1 + np.flatnonzero(np.diff(little))).tolist(), pairs.stop)
        for start, stop in pairwise(borders):
            yield pairs._replace(start=start, stop=stop), bool(little[start - pairs.start : stop - pairs.start].any())


@dataclass(frozen=True)
class Searched(Metric[Prepared], Sharing):
    """A metric that searches for the best map of variables, with the options of the search."""

    interruptible: ClassVar[bool] = True
    #: Whether all that matches adds whole numbers.
    whole: ClassVar[bool] = True
    #: How many searches of one pair share the limit of work.
    ways: ClassVar[int] = 1

    solver: str = common("solver")
    restarts: int = common("restarts")
    seed: int = common("seed")
    effort: str = common("effort")
    time_limit: float | None = common("time_limit")
    within: str = common("within")

    def __post_init__(self) -> None:
        super().__post_init__()
        limit = self.time_limit
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | float) or not limit > 0):
            raise OptionError(
                f"time_limit={limit!r}: expected seconds per pair, more than 0; without it there is no limit"
            )

    @property
    def symmetric(self) -> bool:
        """True but for the hill-climber, whose result depends on which of the graphs is the prediction."""
        return self.solver != "climb"

    def without_effect(self) -> frozenset[str]:
        """The options of the hill-climber for other solvers, and the reverse."""
        if self.solver == "climb":
            return frozenset(("effort", "time_limit"))
        return frozenset(("restarts", "seed") if self.solver == "exact" else ("restarts", "seed", "effort"))

    def fields(self, dialect: str) -> dict[str, Value]:
        """Last the options of the search that have an effect."""
        idle = self.without_effect()
        names = {key: option for key, option in _OF_SEARCHES.items() if option not in idle}
        return {**super().fields(dialect), **told(self, names)}

    @classmethod
    def options(cls, fields: Mapping[str, str]) -> dict[str, Any]:
        return told_back(cls, fields, {**cls.signature_names, **_OF_SEARCHES}, whole=False)

    def search(
        self,
        pred: Any,
        gold: Any,
        pairs: PairRange,
        out: TripleScores,
        links: Links | None = None,
        weight: FloatArray | None = None,
    ) -> None:
        """Have the kernels search a range of pairs, by climbing hills or with a proof.

        Parameters
        ----------
        pred, gold : TripleFeatures or, with ``links``, SoftFeatures
            Features of both sides.
        pairs, out
            As for :meth:`score`.
        links : Links, optional
            The concepts that match in part.
        weight : float64[n_classes of pred, n_classes of gold], optional
            What a match of equal triples adds, with ``links``.
        """
        if self.solver == "climb":
            score_climb(
                pred,
                gold,
                pairs,
                links=links,
                weight=weight,
                whole=self.whole,
                restarts=self.restarts,
                seed=self.seed,
                matched=out.matched,
                upper=None if links is None else out.upper,  # without links it is known before
                mapping_offsets=out.mapping_offsets,
                mapping=out.mapping,
            )
            here = pairs.places
            np.equal(out.matched[here], out.upper[here], out=out.certified[here])
            return
        least = None if self._cutoff is None else needed(out, self.cutoffs(pairs), pairs)
        unsolved: list[Any] = []
        score_exact(
            pred,
            gold,
            pairs,
            links=links,
            weight=weight,
            whole=self.whole,
            max_work=WORK[self.effort] // self.ways,
            time_limit=inf if self.time_limit is None else self.time_limit,
            matched=out.matched,
            upper=out.upper,
            certified=out.certified.view(np.uint8),
            mapping_offsets=out.mapping_offsets,
            mapping=out.mapping,
            unsolved=unsolved,
            tell=listener(),
            least=np.ceil(least) if least is not None and self.whole else least,
            spent=None if self._shared is None else self._shared.work,
            maps=None if self._shared is None else self._shared.maps,
        )
        finish(self, unsolved, out, pairs.cancel)


_Metric = TypeVar("_Metric", bound=Metric[Any])


def sharing(metric: _Metric, shared: Shared) -> _Metric:
    """A copy of the metric for one of several searches of the same pairs, such as those of aspects.

    Those that may take more than an ordinary pair share what a large pair may take: what searches before took, the
    others do without. Nothing else changes.

    Parameters
    ----------
    metric : Metric
        One that is :class:`Sharing`: Smatch, a metric whose triples match in part, soft overlap, AnCast, or WWLK.
    shared : Shared
        The searches write to it.
    """
    return metric.knowing(_shared=shared)


def needed(out: TripleScores, cutoff: float | FloatArray, pairs: PairRange) -> FloatArray:
    """What must match for an F1 of the cutoff, one or one a pair, for pairs of a range; 0 before them: float64[stop].

    With less a pair certainly misses the cutoff, whatever the roundings.
    """
    least = np.zeros(pairs.stop)
    sizes = out.n_pred[pairs.places] + out.n_gold[pairs.places]
    least[pairs.places] = np.minimum(sizes * (np.minimum(cutoff, 2.0**40) * 0.5 * (1 - 1e-12)), 2.0**50)
    return least


class Unsolved(NamedTuple):
    """What ``exact`` left of a pair.

    Attributes
    ----------
    pair : int
        Its number among the results.
    seconds : float
        Time spent on the pair already.
    problem : Problem
        What is left, as :func:`fastmatch.metrics.shared.integer_program.solve` takes it.
    whole : bool
        Every better map is one of that problem. Else its bound says nothing of the pair.
    visits : int
        What linear programs may take, counted as in the kernels; 0 if the problem is too large for them.
    large : bool
        The pair may take more than an ordinary one, so HiGHS's own search follows.
    rest : tuple or None
        Where the problem is not whole: what a better map can have; see
        :func:`fastmatch._ext.matching.score.score_exact`.
    """

    pair: int
    seconds: float
    problem: Any
    whole: bool
    visits: int
    large: bool
    rest: Rest | None


def finish(metric: Searched[Any], unsolved: Iterable[Iterable[Any]], out: TripleScores, cancel: ByteArray) -> None:
    """Search what ``exact`` left of pairs for better maps, or prove that there are none; :class:`Unsolved` each.

    ``out`` gets the results. Gains that are not whole numbers are proven to 1e-5. Another thread sets ``cancel`` to 1
    to end the search.
    """
    for each in unsolved:
        if cancel[0]:
            return
        left = Unsolved(*each)
        pair = left.pair
        matched = out.matched[pair].item()
        solution = program(
            metric,
            left.problem,
            monotonic() - left.seconds,
            (pair, matched, out.upper[pair].item()),
            cancel,
            nodes=None if metric.effort == "proof" else MAX_NODES if left.large else 0,
            # that no map is better proves something of the whole problem only; of a part the best map is found sooner
            more_than=matched if left.whole else None,
            gap=0.0 if left.whole else PART_GAP,
            visits=left.visits,
            rest=left.rest,
        )
        if solution is None:
            continue
        best, upper, _, mapping = solution
        if best > matched:
            put_mapping(out, pair, mapping)
            out.matched[pair] = best
        if left.whole or left.rest is not None:
            out.upper[pair] = min(out.upper[pair], upper)
        out.certified[pair] = out.matched[pair] == out.upper[pair]


def program(
    metric: Searched[Any],
    problem: Any,
    begun: float,
    known: tuple[int, float, float],
    cancel: ByteArray,
    *,
    nodes: int | None = None,
    more_than: float | None = None,
    gap: float = 0.0,
    visits: int = 0,
    rest: Rest | None = None,
) -> tuple[float, float, bool, Int32Array] | None:
    """Solve a matching problem by integer programming, in another process, which can be ended.

    HiGHS does not look for Ctrl-C, and not at its limit of time while it solves its first linear program.

    Parameters
    ----------
    metric : Searched
        Its ``time_limit`` holds.
    problem : Problem
    begun : float
        What :func:`time.monotonic` was when the work on the pair began.
    known : tuple
        Pair, value of the best map and upper bound, for those who wish to know how far the work is.
    cancel : uint8[1]
    nodes, more_than, gap, visits, rest
        See :func:`fastmatch.metrics.shared.linear_programs.solve_until`.

    Returns
    -------
    The fields of a :class:`~fastmatch.metrics.shared.integer_program.Solution`; None if the search was ended.
    """
    from fastmatch.runtime import apart  # which imports subprocess: 10 ms

    limit, tell = metric.time_limit, listener()
    left = inf if limit is None else limit - (monotonic() - begun)
    if left <= 0:
        return None

    def meanwhile() -> None:
        if tell is not None:
            tell(*known, 0.0 if limit is None else (monotonic() - begun) / limit)

    try:
        found: tuple[float, float, bool, Int32Array] | None = apart.call(
            "fastmatch.metrics.shared.linear_programs",
            "solve_until",
            (problem, time() + left * HIGHS_SHARE, nodes, more_than, gap, visits, known[1], rest),
            until=monotonic() + left,
            cancel=cancel,
            meanwhile=meanwhile,
        )
    except apart.Ended:
        return None
    return found


def score_ilp(
    metric: Searched[Any], build: Callable[[int, int, bool], Any], pairs: PairRange, out: TripleScores, *, capped: bool
) -> None:
    """Score pairs by integer programming alone.

    Parameters
    ----------
    metric : Searched
    build : callable
        The problem of two graphs; the last argument: it is not the first one.
    pairs : PairRange
    out : TripleScores
    capped : bool
        No more can match than is in either graph: HiGHS, stopped early, may have a worse bound.
    """
    for number, (pair, i, j) in enumerate(pairs.each()):  # a loop in Python costs nothing beside a solution
        begun = monotonic()
        problem = build(i, j, number > 0)
        most = (problem[4].sum() + problem[7].sum()).item()  # of all gains
        solution = program(metric, problem, begun, (pair, 0, most), pairs.cancel)
        matched, upper, _, mapping = solution or (0, most, False, np.full(problem[0], -1, np.int32))
        if capped:
            upper = min(upper, out.n_pred[pair], out.n_gold[pair])
        out.matched[pair], out.upper[pair] = matched, upper
        out.certified[pair] = matched == upper
        put_mapping(out, pair, mapping)


def put_mapping(out: TripleScores, pair: int, mapping: Int32Array) -> None:
    """Keep a pair's map, int32[n_variables], if alignments are kept."""
    if out.mapping is not None and out.mapping_offsets is not None:
        out.mapping[out.mapping_offsets[pair] : out.mapping_offsets[pair + 1]] = mapping
