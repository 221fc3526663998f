"""Softmatch: the general triple match with the user's own weights and similarities (Opitz 2023, SMATCH++, section 3).

In Smatch two equal triples that match add 1. Here they add what ``weight`` says, and two concepts that differ match in
part: they add the number in [0, 1] that ``similarity`` says. Both are tables or functions, so that a new variant of
Smatch needs no new program:

>>> table = Softmatch(similarity={("cat", "kitten"): 0.9})               # symmetric unless it says otherwise
>>> function = Softmatch(similarity=lambda a, b: a[0] == b[0])           # of two concepts, once for each two that meet
>>> roles = Softmatch(weight={":polarity": 3, ":wiki": 0})               # by role; 1 for the others
>>> fading = Softmatch(weight=lambda role, level_a, level_b: 0.5 ** max(level_a, level_b))

With ``embeddings`` the function is of two vectors, and compiled by Numba.

A function of a weight gets the role (``:instance``, ``:TOP``, ``:arg0``, …: in lower case but for ``:TOP``) and the
levels of the two triples: the steps from the root to the farther end of each. Precision and recall divide by sums of
what each triple would add if it matched itself. Weights are not negative. Concepts are given in lower case and without
quotes. All values are rounded to multiples of 2⁻³⁰, and the optimum is proven to 1e-6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.options import common, digest, keys_of
from fastmatch.metrics.registry import register
from fastmatch.metrics.shared.partial_matching import SoftGraphs, SoftMetric
from fastmatch.metrics.shared.triples import Labels
from fastmatch.types import FloatArray, Int32Array, Int64Array

if TYPE_CHECKING:
    from fastmatch.metrics.embeddings.vectors import Embeddings

_LARGEST = 2.0**20


@register("softmatch")
@dataclass(frozen=True)
class Softmatch(SoftMetric):
    """The general triple match.

    Attributes
    ----------
    similarity : mapping of (str, str) → float, function, or None
        Of two concepts that differ; None: 0. A mapping that has a pair in one order only holds for the other order,
        too; case makes no difference. A function gets two strings; with ``embeddings`` it gets two float64[d] and is
        compiled by Numba, and the similarity is 0 if a concept has no vector.
    weight : mapping of str → float, function, or None
        What two equal triples add, a mapping by their role (``":ARG0"``, ``":instance"``, ``":TOP"``; case makes no
        difference); None: 1.
    embeddings : path, Embeddings or None
        Word vectors for ``similarity``. The vector of a predicate is that of its lemma.
    top, within, solver, restarts, seed, effort, time_limit
        As for Smatch; with ``top="concept"`` the concepts in the triples of the roots match in part, too.
    """

    distinct: ClassVar[bool] = False

    similarity: Mapping[tuple[str, str], float] | Callable[..., float] | None = None
    weight: Mapping[str, float] | Callable[[str, int, int], float] | None = None
    embeddings: str | Embeddings | None = common("embeddings")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("similarity", "weight"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, Mapping) and not callable(value):
                raise OptionError(f"{name}={value!r}: expected a table (a mapping), a function, or None")
        if isinstance(self.similarity, Mapping):
            object.__setattr__(self, "similarity", _folded("similarity", self.similarity, 1.0, _pair))
        if isinstance(self.weight, Mapping):
            object.__setattr__(self, "weight", _folded("weight", self.weight, _LARGEST, _role))
        if self.embeddings is not None and not callable(self.similarity):
            raise OptionError("embeddings: expected a function of two vectors as similarity")

    def __hash__(self) -> int:
        return hash((self.top, self.within, self.solver, self.restarts, self.seed, self.effort, self.time_limit))

    def levelled(self) -> bool:
        return callable(self.weight)

    def classes(
        self, corpus: Corpus, labels: Labels, role: Int64Array, level: Int32Array
    ) -> tuple[Int32Array, tuple[Any, ...]]:
        """A class is (role, level)."""
        if self.weight is None or not len(role):
            return np.zeros(len(role), np.int32), ((":instance", 0),)
        _, first, number = np.unique(role << 32 | level, return_index=True, return_inverse=True)
        names = {-1: ":instance", labels.top_role: ":TOP"}
        text = corpus.vocabulary.text
        found = tuple((names.get(role[k]) or text(int(role[k])), int(level[k])) for k in first)
        return number.astype(np.int32), found

    def own_weights(self, classes: tuple[Any, ...]) -> FloatArray:
        return np.array([self.worth(role, level, level) for role, level in classes])

    def weights(self, pred: SoftGraphs, gold: SoftGraphs) -> FloatArray:
        table = np.zeros((len(pred.classes), len(gold.classes)))
        by_role: dict[str, list[tuple[int, int]]] = {}
        for number, (role, level) in enumerate(gold.classes):
            by_role.setdefault(role, []).append((number, level))
        for number, (role, level) in enumerate(pred.classes):
            for other, other_level in by_role.get(role, ()):
                table[number, other] = self.worth(role, level, other_level)
        return table

    def worth(self, role: str, level: int, other: int) -> float:
        """What two equal triples add, by their role, as ``weight`` names it, and their levels."""
        if self.weight is None:
            return 1.0
        if isinstance(self.weight, Mapping):
            return float(self.weight.get(role, 1.0))
        return _in_range(self.weight(role, level, other), _LARGEST, f"weight of {role!r} at levels {level} and {other}")

    def describe(self, corpus: Corpus, concepts: tuple[str, ...], labels: Int32Array) -> Any:
        """Label, lemma and vector of each concept, as in S2match; None without vectors."""
        return None if self.embeddings is None else self._vectors().describe(corpus, concepts, labels)

    def _vectors(self) -> Any:
        from fastmatch.metrics.s2match import S2match

        return S2match(embeddings=self.embeddings)

    @property
    def compares(self) -> bool:
        return self.similarity is not None

    def similarities(self, pred: SoftGraphs, gold: SoftGraphs, concepts: Int32Array) -> FloatArray:
        """What the user says."""
        if self.embeddings is not None:
            values = self._of_vectors(concepts, pred, gold)
        else:
            pairs = [(pred.concepts[a], gold.concepts[b]) for a, b in concepts.T.tolist()]
            values = np.array([self._similarity(a, b) for a, b in pairs], np.float64)
        wrong = np.flatnonzero(~((values >= 0) & (values <= 1)))
        if len(wrong):
            a, b = concepts[:, wrong[0]].tolist()
            raise OptionError(
                f"similarity of {pred.concepts[a]!r} and {gold.concepts[b]!r} is {values[wrong[0]]}: "
                "expected a number from 0 to 1"
            )
        return np.asarray(np.rint(values * 2.0**30) / 2.0**30)

    def _similarity(self, a: str, b: str) -> float:
        if isinstance(self.similarity, Mapping):
            value = self.similarity.get((a, b))
            return float(self.similarity.get((b, a), 0.0) if value is None else value)
        assert self.similarity is not None
        return float(self.similarity(a, b))

    def _of_vectors(self, meeting: Int32Array, pred: SoftGraphs, gold: SoftGraphs) -> FloatArray:
        assert callable(self.similarity)
        (table_a, vectors_a), (table_b, vectors_b) = pred.more, gold.more
        rows = np.stack([table_a[2][meeting[0]], table_b[2][meeting[1]]])
        known = np.flatnonzero((rows >= 0).all(axis=0))
        values, some = np.zeros(meeting.shape[1]), np.empty(len(known))
        if len(known):
            _over_pairs(self.similarity)(np.ascontiguousarray(rows[:, known]), vectors_a, vectors_b, some)
        values[known] = some
        return values

    @property
    def symmetric(self) -> bool:
        """False with a function of the user, which may do anything; true of a table unless it says otherwise."""
        if callable(self.similarity) or callable(self.weight) or self.solver == "climb":
            return False
        table = self.similarity or {}
        return all(table.get((b, a), value) == value for (a, b), value in table.items())

    signature_names: ClassVar = keys_of("solver sim#similarity weight# vec#embeddings top within")

    def digest(self, option: str) -> str | None:
        value = getattr(self, option)
        return self._vectors().digest(option) if option == "embeddings" else _named(value)


def _folded(name: str, table: Mapping[Any, Any], most: float, fold: Callable[[Any], Any]) -> dict[Any, float]:
    """The table under its keys as graphs are compared: in lower case; its values as floats."""
    folded: dict[Any, float] = {}
    for key, value in table.items():
        number = _in_range(value, most, f"{name} of {key!r}")
        if folded.setdefault(fold(key), number) != number:
            raise OptionError(f"{name} of {key!r}: there is another one, for case makes no difference")
    return folded


def _pair(concepts: Any) -> tuple[str, str]:
    if not (isinstance(concepts, tuple) and len(concepts) == 2 and all(isinstance(one, str) for one in concepts)):
        raise OptionError(f"similarity: {concepts!r} is not a pair of concepts")
    return concepts[0].lower(), concepts[1].lower()


def _role(role: Any) -> str:
    if not (isinstance(role, str) and role.startswith(":")):
        raise OptionError(f"weight: {role!r} is not a role, such as ':arg0', ':instance' or ':TOP'")
    return ":TOP" if role.lower() == ":top" else role.lower()


def _in_range(value: Any, most: float, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number <= most:
        raise OptionError(f"{what} is {value!r}: expected a number from 0 to {most:g}")
    return number


def _named(table: Any) -> str:
    """For the signature: a digest of a table, or the name of a function and a digest of what it does."""
    if isinstance(table, Mapping):
        from hashlib import sha256

        text = repr(sorted((key, float(value)) for key, value in table.items()))
        return f"table#{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    function = getattr(table, "py_func", table)
    name = getattr(function, "__name__", type(table).__name__).strip("<>")
    return f"function-{name}#{digest(function)}"


@lru_cache(maxsize=16)
def _over_pairs(function: Callable[[Any, Any], float]) -> Callable[..., None]:
    """Compile a loop over pairs of rows around a user's function.

    The result is not cached on disk, since Numba's key of its cache is the source of the loop, which is the same for
    every function.

    Parameters
    ----------
    function : callable
        Of two float64[d]; plain, for Numba to compile, or compiled by ``numba.njit`` already.

    Returns
    -------
    callable
        ``kernel(pairs, a, b, out)`` with int32[2, n], float64[·, d], float64[·, d] and float64[n] sets
        ``out[k] = function(a[pairs[0, k]], b[pairs[1, k]])``.
    """
    from numba import njit

    inner = function if hasattr(function, "py_func") else njit(nogil=True)(function)

    @njit(nogil=True)
    def kernel(pairs: Int32Array, a: FloatArray, b: FloatArray, out: FloatArray) -> None:
        for k in range(pairs.shape[1]):
            out[k] = inner(a[pairs[0, k]], b[pairs[1, k]])

    return kernel
