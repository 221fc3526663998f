"""The general triple match by double loops: weights of triple pairs, similarities of concepts.

Every triple of one graph is compared with every triple of the other, by what the definition says. ``problem`` gives the
same kind of problem as ``smatch_problem.build``, with real gains, so brute force and the integer program judge it too.
"""

from collections.abc import Callable, Mapping, Sequence
from math import dist, exp, hypot

import networkx as nx

from twins.smatch_problem import Flavour, Pair, Problem, Standard, Triples, standardise

FAR = 999999
LOOP = object()  # in place of the value that a relation does not have
Weight = Callable[[str, int, int], float]
Similarity = Callable[[str, str], float]


def levels(graph: Standard, root: int | None) -> list[int]:
    """Steps from the root to each variable along relations in either direction."""
    near = nx.Graph((source, target) for source, _, target in graph.relations)
    near.add_nodes_from(range(graph.n_variables))
    found = {} if root is None else nx.single_source_shortest_path_length(near, root)
    return [found.get(v, FAR) for v in range(graph.n_variables)]


def placed(triples: Triples, flavour: Flavour, top: str) -> tuple[Standard, list[tuple[object, ...]]]:
    """The graph in comparison form, and its distinct triples: (role, level, value or None, variable, …)."""
    graph = standardise(triples._replace(top=None), flavour)
    root = None if triples.top is None else triples.variables.index(triples.top)
    level = levels(graph, root)
    rows: list[tuple[object, ...]] = [(":instance", level[v], concept, v) for v, concept in graph.instances]
    for v, role, value in graph.attributes:
        rows.append((role, level[v] if role == ":top" else level[v] + 1, value, v))
    if root is not None and top != "none":
        value = "top" if top == "constant" else next((c for v, c in graph.instances if v == root), None)
        row = (":top", level[root], value, root)
        if row not in rows:  # an attribute may be spelled like it
            rows.append(row)
    for source, role, target in graph.relations:
        ends = (source,) if source == target else (source, target)
        rows.append((role, max(level[v] for v in ends), LOOP, *ends))
    return graph, rows


def problem(
    a: Triples, b: Triples, flavour: Flavour, *, weight: Weight, similarity: Similarity, top: str = "constant"
) -> Problem:
    """Gains of all pairs of variables and of all pairs of these; totals are the triples' weights with themselves."""
    left, rows_a = placed(a, flavour, top)
    right, rows_b = placed(b, flavour, top)
    several = [{v for v in range(g.n_variables) if sum(w == v for w, _ in g.instances) > 1} for g in (left, right)]
    unary: dict[Pair, float] = {}
    binary: dict[tuple[Pair, Pair], float] = {}
    for role, level, value, *ends in rows_a:
        for other_role, other_level, other_value, *other_ends in rows_b:
            if role != other_role or len(ends) != len(other_ends):
                continue
            gain = weight(role, level, other_level)
            if len(ends) == 2:
                (i, k), (j, q) = ends, other_ends
                if j != q:
                    key = ((i, j), (k, q)) if i < k else ((k, q), (i, j))
                    binary[key] = binary.get(key, 0.0) + gain
                continue
            (i,), (j,) = ends, other_ends
            if value != other_value:
                roots = a.variables[i] == a.top and b.variables[j] == b.top
                soft = role == ":instance" or (role == ":top" and top == "concept" and roots)
                texts = isinstance(value, str) and isinstance(other_value, str)
                if not soft or not texts or i in several[0] or j in several[1]:
                    continue
                gain *= similarity(value, other_value)
            unary[i, j] = unary.get((i, j), 0.0) + gain
    totals = [sum(weight(role, level, level) for role, level, *_ in rows) for rows in (rows_a, rows_b)]
    return Problem(left.n_variables, right.n_variables, unary, binary, [], *totals)


def s2match_similarity(
    vectors: Mapping[str, Sequence[float]], *, kind: str = "cosine", cutoff: float = 0.5, diffsense: float = 0.5
) -> Similarity:
    """S2match's similarity of two concepts, as the default has it."""

    def lemma(concept: str) -> str | None:
        stem, _, rest = concept.rpartition("-")
        return stem if stem and len(rest) > 1 and all(c in "0123456789" for c in rest) else None

    def vector(concept: str) -> list[float] | None:
        word = lemma(concept) or concept
        found = vectors.get(word)
        if found is None:
            parts = [vectors[part] for part in word.split("-") if part in vectors] if "-" in word else []
            found = [sum(column) for column in zip(*parts, strict=True)] if parts else None
        return None if found is None else list(found)

    def similarity(a: str, b: str) -> float:
        if a == b:
            return 1.0
        lemma_a, lemma_b = lemma(a), lemma(b)
        if (lemma_a if lemma_a is not None else a) == (lemma_b if lemma_b is not None else b):
            return diffsense
        x, y = vector(a), vector(b)
        if x is None or y is None:
            return 0.0
        if kind == "cosine":
            norms = hypot(*x) * hypot(*y)
            value = max(0.0, sum(u * v for u, v in zip(x, y, strict=True)) / norms) if norms else 0.0
        else:
            apart = dist(x, y) if kind == "euclidean" else sum(abs(u - v) for u, v in zip(x, y, strict=True))
            value = exp(-apart)
        if value <= cutoff:
            return 0.0
        return value * diffsense if lemma_a is not None or lemma_b is not None else value

    return similarity


def root_weight(threshold: int = 5, limit: int = -1, weighted: bool = True) -> Weight:
    """WSmatch's weight of two equal triples: the smaller of max(threshold − level, 1), 0 beyond the limit."""

    def one(role: str, level: int) -> int:
        if limit >= 0 and level > limit and role != ":top":
            return 0
        return max(threshold - level, 1) if weighted else 1

    return lambda role, level, other: min(one(role, level), one(role, other))
