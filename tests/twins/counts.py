"""Recount a given alignment: rename the variables of A to their partners and intersect two bags of triples.

This knows nothing of unary and binary weights, so it judges both the weights and the map that a solver reports.
"""

from collections import Counter
from collections.abc import Sequence

from twins.smatch_problem import Flavour, Standard, Triples, standardise


def _bag(graph: Standard, names: Sequence[object]) -> Counter[tuple[object, ...]]:
    bag: Counter[tuple[object, ...]] = Counter()
    bag.update(("instance", names[i], concept) for i, concept in graph.instances)
    bag.update(("attribute", names[i], role, value) for i, role, value in graph.attributes)
    bag.update(("relation", names[i], role, names[k]) for i, role, k in graph.relations)
    return bag


def matched_triples(a: Triples, b: Triples, mapping: Sequence[int], flavour: Flavour) -> int:
    """Count the triples of ``a`` that are triples of ``b`` once every variable i of ``a`` is called ``mapping[i]``.

    Raises ValueError when the map is not one to one or names a variable that ``b`` does not have.
    """
    left, right = standardise(a, flavour), standardise(b, flavour)
    images = [j for j in mapping if j != -1]
    if len(mapping) != left.n_variables or len(set(images)) != len(images):
        raise ValueError(f"not a one-to-one map of {left.n_variables} variables: {list(mapping)}")
    if any(not 0 <= j < right.n_variables for j in images):
        raise ValueError(f"the map leaves the {right.n_variables} variables of the second graph: {list(mapping)}")
    renamed = _bag(left, [j if j != -1 else ("unmapped", i) for i, j in enumerate(mapping)])
    other = _bag(right, range(right.n_variables))
    if flavour.multiply_duplicates:
        return sum(count * other[triple] for triple, count in renamed.items())
    return (renamed & other).total()
