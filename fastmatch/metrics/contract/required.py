"""What every metric is: options, prepared graphs, scored pairs, statistics, a signature."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmatch.errors import OptionError, choice
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.options import UNTOLD, checked, defaults_of, kinds, read_back, spelled, taking, told, told_back
from fastmatch.results import ratios
from fastmatch.results.pairs import PairScores, TripleScores
from fastmatch.results.signature import Signature, Value
from fastmatch.runtime.cached import from_cache
from fastmatch.types import BoolArray, ByteArray, Dialect, FloatArray, Int32Array

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    #: What :meth:`Required.prepare` makes of a corpus. ``Metric`` alone stands for ``Metric[Any]``.
    Prepared = TypeVar("Prepared", default=Any)
else:  # the typing module of Python 3.11 has no defaults yet
    from typing import TypeVar

    Prepared = TypeVar("Prepared")


class PairRange(NamedTuple):
    """Some pairs of a list, one after another: what one call of :meth:`Required.score` fills.

    Kernels take these, as they are: ``kernel(pred, gold, pairs, …)``.

    Attributes
    ----------
    index_pred, index_gold : int32[n_pairs]
        Pair k of the list is graph ``index_pred[k]`` against graph ``index_gold[k]``.
    start, stop : int
        The range: pairs ``start`` … ``stop − 1``.
    cancel : uint8[1]
        Becomes 1 when the caller gives up: return soon then, whatever is filled.
    """

    index_pred: Int32Array
    index_gold: Int32Array
    start: int
    stop: int
    cancel: ByteArray

    @classmethod
    def all(cls, index_pred: Int32Array, index_gold: Int32Array, cancel: ByteArray | None = None) -> PairRange:
        """All pairs of a list."""
        return cls(index_pred, index_gold, 0, len(index_pred), np.zeros(1, np.uint8) if cancel is None else cancel)

    @property
    def places(self) -> slice:
        """Where these pairs stand in arrays of all pairs."""
        return slice(self.start, self.stop)

    @property
    def graphs(self) -> tuple[Int32Array, Int32Array]:
        """The graphs of these pairs, two of int32[stop − start]."""
        return self.index_pred[self.places], self.index_gold[self.places]

    def each(self) -> Iterator[tuple[int, int, int]]:
        """The number of each pair and those of its two graphs, until the caller gives up."""
        for pair in range(self.start, self.stop):
            if self.cancel[0]:
                return
            yield pair, int(self.index_pred[pair]), int(self.index_gold[pair])


class Required(Generic[Prepared]):
    """The part of a metric that every metric has; :class:`~fastmatch.metrics.base.Metric` adds what only some have.

    A subclass is a frozen dataclass whose fields are its options. It must write :meth:`prepare` and :meth:`score`;
    :meth:`sizes` if it has the three default statistics,
    else ``statistics`` and :meth:`combine`. Everything else has a default.

    Attributes
    ----------
    name : str
        Set by :func:`~fastmatch.metrics.base.register`.
    presets : mapping
        Name of a preset → option values it stands for.
    statistics : tuple of str
        Names of the sufficient statistics of a pair, the rows of :attr:`PairScores.statistics`. With the three of the
        default :meth:`empty` makes :class:`TripleScores`.
    counts : bool
        The statistics are whole numbers (int64), else float64.
    summable : bool
        Sums of the statistics over pairs make the score of a corpus (micro); else it is the mean of the pairs' scores.
    distinct : bool
        With its default options the metric differs from all others. False for one that says nothing of its own before
        a user gives it functions or tables: Softmatch, which is Smatch then.
    interruptible : bool
        Ctrl-C ends a pair that takes long, because the kernel looks for it.
    signature_names : mapping
        Key of a field of the signature → the option that it tells, for a metric with shorter names; ``#`` and the
        option, if the field is what :meth:`digest` makes of it.
    """

    name: ClassVar[str] = ""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    statistics: ClassVar[tuple[str, ...]] = ("matched", "n_pred", "n_gold")
    counts: ClassVar[bool] = True
    summable: ClassVar[bool] = True
    distinct: ClassVar[bool] = True
    interruptible: ClassVar[bool] = False
    signature_names: ClassVar[Mapping[str, str]] = {}

    # ---- options -----------------------------------------------------------------------------------------------------

    def __post_init__(self) -> None:
        """Check every option: its type, as far as its annotation says, and its choices or limits.

        Raises
        ------
        OptionError
            If one has another value. A subclass that checks more calls this first.
        """
        known = kinds(type(self))
        more_to_come = type(self).__post_init__ is not Required.__post_init__
        for entry in fields(self):  # type: ignore[arg-type]
            value = getattr(self, entry.name)
            allowed = entry.metadata.get("choices")
            if allowed is not None:
                choice(entry.name, value, allowed)
                continue
            limits, of = entry.metadata.get("limits"), known[entry.name]
            try:
                right = checked(entry.name, value, of)
            except OptionError:
                if limits is None:
                    if more_to_come and {"int", "float"} & set(of):
                        continue  # a metric's own check of a number says what its range is
                    raise
                right = math.nan
            if limits is not None and right is not None and not limits[0] <= right <= limits[1]:
                what = "a whole number" if "int" in of else "a number"
                nothing = ", or None" if "None" in of else ""
                raise OptionError(f"{entry.name}={value!r}: expected {what} from {limits[0]} to {limits[1]}{nothing}")
            if right is not value:
                object.__setattr__(self, entry.name, right)

    @property
    def symmetric(self) -> bool:
        """Whether exchanging prediction and gold graph leaves every score as it is, with these options."""
        return False

    @property
    def bounded(self) -> bool:
        """Whether no score exceeds 1 with these options."""
        return True

    @property
    def dialect(self) -> Dialect:
        """The dialect with which text given to this metric is read."""
        return "penman"

    def check(self, dialect: str) -> None:
        """Raise :class:`~fastmatch.OptionError` if corpora read with this dialect do not fit the metric."""

    # ---- graphs ------------------------------------------------------------------------------------------------------

    def prepare(self, corpus: Corpus) -> Prepared:
        """What :meth:`score` needs of each graph, computed once per graph.

        The result must be picklable and is never changed afterwards. Corpora that are compared share one vocabulary, so
        equal labels have equal ids in both.
        """
        raise NotImplementedError

    def sizes(self, prepared: Prepared) -> NDArray[Any]:
        """What precision and recall divide by, int64 or float64[n_graphs].

        Asked only of metrics with the three default statistics.
        """
        raise NotImplementedError

    # ---- pairs -------------------------------------------------------------------------------------------------------

    def costs(self, pred: Prepared, gold: Prepared, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        """Rough seconds per pair, float64[n_pairs], each above 0.

        They divide the pairs among threads and never change a result.
        """
        if self.statistics != Required.statistics:
            return np.full(len(index_pred), 1e-6)
        return self.sizes(pred)[index_pred] * (1e-7 * self.sizes(gold)[index_gold]) + 1e-6

    def empty(
        self, pred: Prepared, gold: Prepared, index_pred: Int32Array, index_gold: Int32Array, mapping: bool
    ) -> PairScores:
        """The arrays that :meth:`score` fills; those that need no scoring, such as sizes of graphs, are filled here.

        ``mapping`` asks for room for alignments (see :class:`~fastmatch.metrics.contract.metric.Aligning`); a metric
        that aligns nothing leaves it out.
        """
        n_pairs = len(index_pred)
        kind = np.int64 if self.counts else np.float64
        if self.statistics != Required.statistics:
            scores = PairScores(np.zeros((len(self.statistics), n_pairs), kind), self)
            sides = (self.cut(pred), index_pred), (self.cut(gold), index_gold)
            cuts = [cut[index] for cut, index in sides if cut is not None]
            if cuts:
                scores.whole = ~np.any(cuts, axis=0)
            return scores
        matched = np.zeros(n_pairs, kind)
        n_pred, n_gold = self.sizes(pred)[index_pred], self.sizes(gold)[index_gold]
        return TripleScores(matched, n_pred, n_gold, matched, np.ones(n_pairs, np.bool_))

    def cut(self, prepared: Prepared) -> BoolArray | None:
        """Of which graphs a limit of work has left something out: bool[n_graphs]; None where that is of none.

        Room for pairs has ``whole`` where it is given: pairs of other graphs, which :meth:`score` may take back.
        """
        return None

    def score(self, pred: Prepared, gold: Prepared, pairs: PairRange, out: Any) -> None:
        """Fill ``out``, which :meth:`empty` made, for a range of the pairs.

        Called from several threads at once with ranges that do not overlap; the work should be in a kernel that drops
        the GIL. The result of a pair depends on nothing but the pair (and its number, where a seed is involved).

        Parameters
        ----------
        pred, gold
            What :meth:`prepare` made of the two corpora.
        pairs : PairRange
            Which graphs make a pair, which pairs are asked for, and whether the caller has given up.
        out : PairScores
        """
        raise NotImplementedError

    def few(self, prepared: Prepared, pairs: list[tuple[int, int]]) -> list[float | None] | None:
        """The proven headlines of a few pairs of graphs of one corpus, where they are to be had without arrays.

        For groups of a handful of graphs, for which the arrays of :meth:`score` cost more than the search.

        Parameters
        ----------
        prepared
            What :meth:`prepare` made of the corpus.
        pairs : list of (int, int)
            Numbers of two of its graphs each: prediction, gold.

        Returns
        -------
        A headline for each pair, or None where :meth:`score` has to find it. None, which is the default, if this metric
        or these options have no such way.
        """
        return None

    # ---- statistics --------------------------------------------------------------------------------------------------

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """Scores from statistics, or from sums of them.

        Parameters
        ----------
        statistics : int64 or float64[n_statistics, …]
            Of pairs, of a whole corpus (no further axis), of the replicates of a bootstrap.

        Returns
        -------
        dict of str → float64[…]
            The first is the headline: what ``score`` means in tables, matrices and thresholds. By default F1, precision
            and recall from (matched, n_pred, n_gold) as :mod:`fastmatch.results.ratios` defines them.
        """
        return ratios.combine(statistics)

    # ---- signature ---------------------------------------------------------------------------------------------------

    def fields(self, dialect: str) -> dict[str, Value]:
        """Fields of the signature, in printing order, for corpora read with this dialect; defaults are included.

        By default those of ``signature_names``, or else every option by its name, and the dialect. A metric that writes
        its own leaves out what need not be said; an option that they do not tell is added by :meth:`signature_fields`.
        """
        if self.signature_names:
            return {**told(self, self.signature_names), "read": dialect}
        known = kinds(type(self))
        found: dict[str, Value] = {}
        defaults = defaults_of(type(self))
        for name, of in known.items():
            value = getattr(self, name)
            if name not in ("read", "v") and not (value is None and defaults[name] is None):
                found[name] = spelled(value, of)
        return {**found, "read": dialect}

    def digest(self, option: str) -> str | None:
        """What the signature tells of an option that was given, and is too long for it: a file, a table, a function."""
        raise NotImplementedError

    @classmethod
    def options(cls, fields: Mapping[str, str]) -> dict[str, Any]:
        """The inverse of :meth:`fields`: the options that give these fields.

        May raise KeyError or ValueError; :func:`~fastmatch.metrics.base.from_signature` says what they mean.
        """
        if cls.signature_names:
            return told_back(cls, fields, cls.signature_names)
        known = kinds(cls)
        return {name: read_back(fields[name], known[name]) for name in known if name in fields and name != "read"}

    @classmethod
    def doubt(cls, preset: str, options: Mapping[str, Any]) -> str | None:
        """What a user who asks for this preset may have forgotten, in one line; None if nothing.

        ``options`` are those of the preset, and those that the user gave besides.
        """
        return None

    def without_effect(self) -> frozenset[str]:
        """Names of options that cannot change any score as the others are set: the seed of a search without chance.

        They need not be in the signature, so that scores that may be compared have equal ones.
        """
        return frozenset()

    def signature_fields(self, dialect: str) -> dict[str, Value]:
        """:meth:`fields`, and as ``option.NAME`` what these do not tell: other options have another signature."""
        return {**self.fields(dialect), **from_cache(_untold, self, dialect)}

    def signature(self, dialect: str) -> Signature:
        """Signature of scores of corpora read with this dialect."""
        # files may change, and their digest with them
        if any(getattr(self, name) is not None for name in taking(type(self))):
            return Signature(self.name, self.signature_fields(dialect))
        return from_cache(_signature, self, dialect)


@lru_cache(maxsize=64)
def _signature(metric: Required[Any], dialect: str) -> Signature:
    return Signature(metric.name, metric.signature_fields(dialect))


@lru_cache(maxsize=64)
def _untold(metric: Required[Any], dialect: str) -> dict[str, Value]:
    """The options that cannot be told from the metric's own fields.

    These are found by reading the fields back. Where that cannot be done (a signature has only a digest of a file), an
    option is told if the fields are others when it has its default.
    """
    given = metric.fields(dialect)
    told: dict[str, Any] | None
    try:
        told = type(metric).options(Signature("metric", given).fields)
    except (KeyError, ValueError):
        told = None
    missing: dict[str, Value] = {}
    changeable: Any = metric
    for name, default in defaults_of(type(metric)).items():
        if name in metric.without_effect():
            continue
        value = getattr(metric, name)
        known = _same(default if told is None else told.get(name, default), value)
        if told is None and not known:
            try:
                known = replace(changeable, **{name: default}).fields(dialect) != given
            except OptionError:  # others need it; fields name a file by its digest, whatever its name is
                known = name in taking(type(metric))
            except TypeError:
                pass
        if not known:
            missing[UNTOLD + name] = spelled(value, kinds(type(metric))[name])
    return missing


def _same(one: Any, two: Any) -> bool:
    if one is two:
        return True
    if isinstance(one, bool) != isinstance(two, bool):
        return False
    try:
        return bool(one == two)
    except (TypeError, ValueError):
        return False
