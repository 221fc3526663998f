"""From the triples of two graphs to the matching problem of Smatch, by double loops over string triples.

Why it is slow: every triple of one graph is compared, as a string, with every triple of the other. That is the
definition, so there is nothing in it to get wrong; the compiled kernels sort and merge integers instead.

The problem: find a one-to-one map x from the variables of A to those of B (some may stay without partner) with the
largest value of ::

    sum of unary[i, x(i)]  +  sum of binary[(i, j), (k, q)] over the entries with x(i) = j and x(k) = q

Two flavours of comparison exist. ``SMATCH`` is what smatch 1.0.4 does: labels are lower-cased and lose their trailing
underscores, and k copies of a triple in A against m copies in B count k·m. ``DEFAULT`` is the library's own: labels
lose one pair of surrounding double quotes and their case, ``(a :domain b)`` is ``(b :mod a)``, and a repeated triple is
one triple. In both, the root carries the attribute TOP with a constant value.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Pair = tuple[int, int]
"""(index of a variable of A, index of a variable of B)."""


class Triples(NamedTuple):
    """One graph as a judge reads it; TOP is not among the attributes, ``top`` names the root.

    ``variables`` stand in order of first mention; a concept or value of ``None`` is one that the text leaves out.
    """

    top: str | None
    variables: tuple[str, ...]
    instances: tuple[tuple[str, str | None], ...]
    attributes: tuple[tuple[str, str, str | None], ...]
    relations: tuple[tuple[str, str, str], ...]


def fold_smatch(label: str | None) -> str | None:
    """Comparison form of smatch 1.0.4: lower case, all trailing underscores removed."""
    return None if label is None else label.lower().rstrip("_")


def fold_default(label: str | None) -> str | None:
    """Comparison form of the default standardisation: one pair of surrounding quotes removed, then lower case."""
    if label is None:
        return None
    if len(label) >= 2 and label.startswith('"') and label.endswith('"'):
        label = label[1:-1]
    return label.lower()


@dataclass(frozen=True)
class Flavour:
    """How labels are compared and what a repeated triple is worth."""

    fold: Callable[[str | None], str | None]
    multiply_duplicates: bool
    unify_domain: bool


SMATCH = Flavour(fold=fold_smatch, multiply_duplicates=True, unify_domain=False)
DEFAULT = Flavour(fold=fold_default, multiply_duplicates=False, unify_domain=True)


class Standard(NamedTuple):
    """Triples in comparison form, TOP included, variables replaced by their index."""

    n_variables: int
    instances: list[tuple[int, str | None]]
    attributes: list[tuple[int, str | None, str | None]]
    relations: list[tuple[int, str | None, int]]

    @property
    def n_triples(self) -> int:
        return len(self.instances) + len(self.attributes) + len(self.relations)


def standardise(triples: Triples, flavour: Flavour) -> Standard:
    """Fold the labels, add TOP, unify ``:domain``, and drop repeated triples where the flavour says so."""
    index = {variable: i for i, variable in enumerate(triples.variables)}
    fold = flavour.fold
    instances = [(index[v], fold(concept)) for v, concept in triples.instances]
    attributes = [(index[v], fold(role), fold(value)) for v, role, value in triples.attributes]
    if triples.top is not None:
        attributes.append((index[triples.top], fold(":TOP"), fold("top")))
    relations = []
    for source, role, target in triples.relations:
        folded = fold(role)
        if flavour.unify_domain and folded == ":domain":
            relations.append((index[target], ":mod", index[source]))
        else:
            relations.append((index[source], folded, index[target]))
    if not flavour.multiply_duplicates:
        instances, attributes, relations = (list(dict.fromkeys(rows)) for rows in (instances, attributes, relations))
    return Standard(len(triples.variables), instances, attributes, relations)


@dataclass(frozen=True)
class Problem:
    """The sparse quadratic matching problem of one pair of graphs.

    ``unary[i, j]`` counts the instance, attribute and self-loop triples matched when i goes to j. A key of ``binary``
    is two different pairs, the one with the smaller variable of A first. ``candidates[i]`` holds every j that shares
    anything with i, filled in the order in which smatch 1.0.4 fills its sets (``climb`` needs that order).
    """

    n: int
    m: int
    unary: dict[Pair, int]
    binary: dict[tuple[Pair, Pair], int]
    candidates: list[set[int]]
    n_pred: int
    n_gold: int

    def value(self, mapping: Sequence[int]) -> int:
        """Return the objective of ``mapping`` (one entry per variable of A, -1 for none): matched triples."""
        total = sum(weight for (i, j), weight in self.unary.items() if mapping[i] == j)
        return total + sum(w for ((i, j), (k, q)), w in self.binary.items() if mapping[i] == j and mapping[k] == q)


def build(a: Triples, b: Triples, flavour: Flavour) -> Problem:
    """Compare every triple of ``a`` with every triple of ``b``."""
    left, right = standardise(a, flavour), standardise(b, flavour)
    unary: dict[Pair, int] = {}
    binary: dict[tuple[Pair, Pair], int] = {}
    candidates: list[set[int]] = [set() for _ in range(left.n_variables)]
    for i, concept in left.instances:
        for j, other_concept in right.instances:
            if concept == other_concept:
                candidates[i].add(j)
                unary[i, j] = unary.get((i, j), 0) + 1
    for i, role, value in left.attributes:
        for j, other_role, other_value in right.attributes:
            if role == other_role and value == other_value:
                candidates[i].add(j)
                unary[i, j] = unary.get((i, j), 0) + 1
    for i, role, k in left.relations:
        for j, other_role, q in right.relations:
            if role != other_role:
                continue
            candidates[i].add(j)
            candidates[k].add(q)
            if (i, j) == (k, q):
                unary[i, j] = unary.get((i, j), 0) + 1
            elif i != k and j != q:  # a self-loop against a proper edge would send two variables to one, or one to two
                ends = ((i, j), (k, q)) if i < k else ((k, q), (i, j))
                binary[ends] = binary.get(ends, 0) + 1
    return Problem(left.n_variables, right.n_variables, unary, binary, candidates, left.n_triples, right.n_triples)
