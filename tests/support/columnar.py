"""From the judges' triples straight to the kernels: the columnar arrays, made without fastmatch's reader or corpus.

``features(graphs, flavour)`` interns the labels, lays the triples out as the columns of a corpus, and calls the
compiled ``triple_features``. Kernel tests that use it fail for the kernel's reasons only.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from fastmatch._ext.graphs.columns import Columns
from fastmatch._ext.matching.problem import build_problem
from fastmatch._ext.matching.score import score_exact
from fastmatch._ext.matching.triples import TripleFeatures, triple_features
from fastmatch._ext.reading.interner import Interner
from fastmatch._ext.resampling import resampled_sums
from fastmatch.metrics.base import PairRange

from twins.smatch_problem import DEFAULT, SMATCH, Flavour, Triples

CASE, UNDERSCORES, QUOTES = 1, 2, 4


def columns(graphs: Sequence[Triples], interner: Interner) -> dict[str, np.ndarray]:
    """Columns of a corpus as ``Columns`` takes them, labels interned in ``interner``; variables have no names."""

    def label(text: str | None) -> int:
        return -1 if text is None else interner.intern(text.encode())

    roots: list[int] = []
    sizes: list[tuple[int, int, int, int]] = []
    instances: list[tuple[int, ...]] = []
    attributes: list[tuple[int, ...]] = []
    relations: list[tuple[int, ...]] = []
    for graph in graphs:
        index = {variable: i for i, variable in enumerate(graph.variables)}
        roots.append(-1 if graph.top is None else index[graph.top])
        instances += [(index[v], label(concept), 0) for v, concept in graph.instances]
        attributes += [(index[v], label(role), label(value), 0) for v, role, value in graph.attributes]
        relations += [(index[s], label(role), index[t], 0, 0) for s, role, t in graph.relations]
        sizes.append((len(graph.variables), len(graph.instances), len(graph.attributes), len(graph.relations)))

    def offsets(table: int) -> np.ndarray:
        return np.concatenate([[0], np.cumsum([size[table] for size in sizes])]).astype(np.int64)

    def table(rows: list[tuple[int, ...]], width: int) -> np.ndarray:
        return np.ascontiguousarray(np.array(rows, dtype=np.int32).reshape(len(rows), width).T)

    return {
        "root": np.array(roots, dtype=np.int32),
        "variable_offsets": offsets(0),
        "variable_names": np.full(sum(size[0] for size in sizes), -1, np.int32),
        "instance_offsets": offsets(1),
        "instances": table(instances, 3),
        "attribute_offsets": offsets(2),
        "attributes": table(attributes, 4),
        "relation_offsets": offsets(3),
        "relations": table(relations, 5),
        "surface_offsets": np.zeros(len(graphs) + 1, np.int64),
        "surface": table([], 3),
        "comment_offsets": np.zeros(len(graphs) + 1, np.int64),
        "comments": np.empty(0, np.uint8),
    }


def features(graphs: Sequence[Triples], flavour: Flavour, interner: Interner) -> TripleFeatures:
    """Matching features of ``graphs``; both sides of a comparison must share one ``interner``."""
    arrays = columns(graphs, interner)
    flags = {SMATCH: CASE | UNDERSCORES, DEFAULT: CASE | QUOTES}[flavour]
    fixed = [interner.intern(text) for text in (b":TOP", b"top", b":mod", b":domain")]
    fold = interner.fold(flags)
    top_role, top_value, mod_role, domain_role = (int(fold[k]) for k in fixed)
    return triple_features(
        Columns(**arrays),
        fold,
        top=1,
        top_role=top_role,
        top_value=top_value,
        mod_role=mod_role if flavour.unify_domain else -1,
        domain_role=domain_role if flavour.unify_domain else -1,
        multiply_duplicates=flavour.multiply_duplicates,
    )


class Solved(NamedTuple):
    """What the exact solver says about one pair."""

    matched: int
    upper: int
    certified: bool
    mapping: list[int]
    n_pred: int
    n_gold: int


def solve(
    pairs: Sequence[tuple[Triples, Triples]],
    flavour: Flavour,
    *,
    start: int = 0,
    stop: int | None = None,
    cancel: int = 0,
    **options: object,
) -> list[Solved]:
    """Run ``score_exact`` on ``pairs[start:stop]``, without limits unless ``options`` give some.

    The answers to the other pairs keep what the arrays were filled with: -1, and -2 in the map. Without options
    the pairs are solved once more without maps, as small graphs have a search of their own then; its answers must be
    the same.
    """
    interner = Interner()
    a = features([pair[0] for pair in pairs], flavour, interner)
    b = features([pair[1] for pair in pairs], flavour, interner)
    # Folding b may have interned labels that a has not seen; ids only ever grow, so a's keys stay right.
    n = len(pairs)
    index = np.arange(n, dtype=np.int32)
    matched, upper = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    certified = np.zeros(n, np.uint8)
    offsets = np.concatenate([[0], np.cumsum(a.n_variables)]).astype(np.int64)
    mapping = np.full(int(offsets[-1]), -2, np.int32)
    stretch = PairRange(index, index, start, n if stop is None else stop, np.full(1, cancel, np.uint8))
    arguments = {
        "max_work": 2**62,
        "time_limit": inf,
        "matched": matched,
        "upper": upper,
        "certified": certified,
        "mapping_offsets": offsets,
        "mapping": mapping,
        **options,
    }
    score_exact(a, b, stretch, **arguments)
    if not options:
        again = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.zeros(n, np.uint8)
        arguments.update(
            dict(zip(("matched", "upper", "certified"), again, strict=True)), mapping_offsets=None, mapping=None
        )
        score_exact(a, b, stretch, **arguments)
        assert [values.tolist() for values in again] == [matched.tolist(), upper.tolist(), certified.tolist()]
    return [
        Solved(
            int(matched[k]),
            int(upper[k]),
            bool(certified[k]),
            mapping[offsets[k] : offsets[k + 1]].tolist(),
            int(a.n_triples[k]),
            int(b.n_triples[k]),
        )
        for k in range(n)
    ]


def problem(a: Triples, b: Triples, flavour: Flavour) -> tuple[np.ndarray | int, ...]:
    """What ``build_problem`` says about one pair."""
    interner = Interner()
    return build_problem(features([a], flavour, interner), features([b], flavour, interner), 0, 0)


def weights(seed: int, mode: int, replicate: int, n: int) -> np.ndarray:
    """The weights of n pairs in a replicate of :mod:`fastmatch._ext.resampling`."""
    rows, no_rows = np.eye(n, dtype=np.int64), np.zeros((0, n))
    found = np.zeros((n, replicate + 1), np.int64), np.zeros((0, replicate + 1))
    resampled_sums(rows, no_rows, seed, mode, replicate, replicate + 1, *found, np.zeros(1, np.uint8))
    return found[0][:, replicate]
