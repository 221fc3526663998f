"""Hypothesis strategies: small graphs as Penman text, awkward on purpose, and pairs of related graphs.

A graph is drawn as a ``Spec`` (variables, a spanning tree, extra edges, attributes) and printed by ``Spec.text``. The
few labels make collisions the rule: equal concepts, parallel edges, duplicates, self-loops, roles that differ only in
case or direction. Tests that need to rename variables or to reorder triples work on the spec, not on the text. What
shrinks is the spec, so a failing example prints as a readable pair of graphs.

All texts avoid what smatch 1.0.4 cannot read (a node without concept, a bare ``/`` or ``:`` inside a value) unless
``missing_concepts=True``; so the same text can be read in both dialects.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

CONCEPTS = ("cat", "dog", "Cat", "want-01", "want-01_", '"cat"')
ROLES = (":ARG0", ":ARG1", ":arg1", ":mod", ":domain", ":ARG0-of", ":ARG1-of", ":mod-of", ":domain-of", ":consist-of")
ATTRIBUTE_ROLES = (":quant", ":op1", ":Op1", ":polarity", ":TOP", ":mod", ":domain", ":ARG0-of")
VALUES = ("-", "5", '"5"', '"Kim"', "kim_", '"new york"', '""', "top", "imperative")


@dataclass(frozen=True)
class Spec:
    """A connected graph: ``tree[k]`` = (parent, role) of variable k+1; ``edges`` may go anywhere, loops included."""

    concepts: tuple[str | None, ...]
    tree: tuple[tuple[int, str], ...]
    edges: tuple[tuple[int, str, int], ...] = ()
    attributes: tuple[tuple[int, str, str], ...] = ()

    @property
    def n(self) -> int:
        return len(self.concepts)

    def text(self, names: Sequence[str] | None = None, order: Sequence[int] | None = None) -> str:
        """Print the graph; ``names`` are the variables' names, ``order`` ranks what hangs on one variable.

        ``order`` is a permutation of ``range(n_branches)`` and says in which order the branches of every node are
        written; the default is attributes, tree, edges as they stand.
        """
        names = names or [f"v{k}" for k in range(self.n)]
        branches: list[tuple[int, str, int | str, bool]] = []
        branches += [(v, role, value, False) for v, role, value in self.attributes]
        branches += [(parent, role, k, True) for k, (parent, role) in enumerate(self.tree, start=1)]
        branches += [(source, role, target, False) for source, role, target in self.edges]
        if order is not None:
            branches = [branches[k] for k in order]

        def node(v: int) -> str:
            concept = self.concepts[v]
            parts = [names[v] if concept is None else f"{names[v]} / {concept}"]
            for source, role, target, opens in branches:
                if source == v:
                    label = target if isinstance(target, str) else node(target) if opens else names[target]
                    parts.append(f"{role} {label}")
            return "(" + " ".join(parts) + ")"

        return node(0)

    @property
    def n_branches(self) -> int:
        return len(self.tree) + len(self.edges) + len(self.attributes)

    def doubled(self, branch: int) -> Spec:
        """The same graph with one edge or attribute written twice (a tree edge doubles as a re-entrancy)."""
        if branch < len(self.tree):
            parent, role = self.tree[branch]
            return replace(self, edges=(*self.edges, (parent, role, branch + 1)))
        branch -= len(self.tree)
        if branch < len(self.edges):
            return replace(self, edges=(*self.edges, self.edges[branch]))
        return replace(self, attributes=(*self.attributes, self.attributes[branch - len(self.edges)]))


@st.composite
def specs(draw: st.DrawFn, *, min_size: int = 1, max_size: int = 6, missing_concepts: bool = False) -> Spec:
    """Connected graphs of ``min_size`` to ``max_size`` variables with up to as many extra edges and attributes."""
    n = draw(st.integers(min_size, max_size))
    concept = st.sampled_from((*CONCEPTS, None) if missing_concepts else CONCEPTS)
    role = st.sampled_from(ROLES)
    return Spec(
        concepts=tuple(draw(st.lists(concept, min_size=n, max_size=n))),
        tree=tuple((draw(st.integers(0, k - 1)), draw(role)) for k in range(1, n)),
        edges=tuple(draw(st.lists(st.tuples(_below(n), role, _below(n)), max_size=n))),
        attributes=tuple(
            draw(st.lists(st.tuples(_below(n), st.sampled_from(ATTRIBUTE_ROLES), st.sampled_from(VALUES)), max_size=n))
        ),
    )


@st.composite
def rewritten(draw: st.DrawFn, spec: Spec) -> str:
    """The same graph with its branches in another order and its variables renamed."""
    names = draw(st.permutations([f"n{k}" for k in range(spec.n)]))
    return spec.text(names, draw(st.permutations(range(spec.n_branches))))


@st.composite
def tangles(draw: st.DrawFn, *, max_size: int = 6) -> tuple[Spec, Spec]:
    """Pairs of graphs with one concept, two roles and many parallel edges: heavy weights, nothing but structure."""
    role = st.sampled_from((":ARG0", ":ARG0-of"))

    def one() -> Spec:
        n = draw(st.integers(2, max_size))
        return Spec(
            concepts=("cat",) * n,
            tree=tuple((draw(st.integers(0, k - 1)), draw(role)) for k in range(1, n)),
            edges=tuple(draw(st.lists(st.tuples(_below(n), role, _below(n)), min_size=n // 2, max_size=2 * n))),
        )

    return one(), one()


def _below(n: int) -> st.SearchStrategy[int]:
    return st.integers(0, n - 1)


@st.composite
def edited(draw: st.DrawFn, spec: Spec, *, max_size: int, max_edits: int = 4) -> Spec:
    """``spec`` after a few edits of the kind parsers make: another concept or role, a node more or less, one more edge.

    It never has more than ``max_size`` variables, unless ``spec`` has; and the last two stay, since a variable without
    a concept says nothing alone, so that such a graph is taken for an empty one.
    """
    for _ in range(draw(st.integers(0, max_edits))):
        kind = draw(st.sampled_from(("concept", "role", "grow", "prune", "edge", "attribute", "swap")))
        v = draw(_below(spec.n))
        if kind == "concept":
            concept = draw(st.sampled_from(CONCEPTS))
            spec = replace(spec, concepts=(*spec.concepts[:v], concept, *spec.concepts[v + 1 :]))
        elif kind == "role" and v > 0:
            changed = (spec.tree[v - 1][0], draw(st.sampled_from(ROLES)))
            spec = replace(spec, tree=(*spec.tree[: v - 1], changed, *spec.tree[v:]))
        elif kind == "grow" and spec.n < max_size:
            spec = replace(
                spec,
                concepts=(*spec.concepts, draw(st.sampled_from(CONCEPTS))),
                tree=(*spec.tree, (v, draw(st.sampled_from(ROLES)))),
            )
        elif kind == "prune" and spec.n > 2:
            last = spec.n - 1  # never a parent of another variable, so the tree stays a tree
            if all(parent != last for parent, _ in spec.tree):
                spec = Spec(
                    spec.concepts[:last],
                    spec.tree[:-1],
                    tuple(edge for edge in spec.edges if last not in (edge[0], edge[2])),
                    tuple(row for row in spec.attributes if row[0] != last),
                )
        elif kind == "edge":
            spec = replace(spec, edges=(*spec.edges, (v, draw(st.sampled_from(ROLES)), draw(_below(spec.n)))))
        elif kind == "attribute":
            row = (v, draw(st.sampled_from(ATTRIBUTE_ROLES)), draw(st.sampled_from(VALUES)))
            spec = replace(spec, attributes=(*spec.attributes, row))
        elif kind == "swap":
            other = draw(_below(spec.n))
            concepts = list(spec.concepts)
            concepts[v], concepts[other] = concepts[other], concepts[v]
            spec = replace(spec, concepts=tuple(concepts))
    return spec


@st.composite
def pairs(
    draw: st.DrawFn, *, min_size: int = 1, max_size: int = 6, missing_concepts: bool = False
) -> tuple[Spec, Spec]:
    """(prediction, gold): half of the time two unrelated graphs, half of the time one is the other after edits."""
    first = draw(specs(min_size=min_size, max_size=max_size, missing_concepts=missing_concepts))
    if draw(st.booleans()):
        return first, draw(edited(first, max_size=max_size))
    return first, draw(specs(min_size=min_size, max_size=max_size, missing_concepts=missing_concepts))


@st.composite
def big_pairs(draw: st.DrawFn, *, min_size: int = 8, max_size: int = 25) -> tuple[Spec, Spec]:
    """Pairs of bigger, related graphs: Hypothesis draws a seed and a size, a generator fills the rest.

    Drawing every edge through Hypothesis would spend the budget on entropy; what varies in a 25-variable graph is
    better said by a seed. Few labels keep the problem hard (many equal concepts, many candidate pairs).
    """
    n = draw(st.integers(min_size, max_size))
    labels = draw(st.integers(1, 6))
    extra = draw(st.integers(0, n // 2))
    generator = random.Random(draw(st.integers(0, 2**32 - 1)))

    def grow(size: int) -> Spec:
        roles = ROLES[: draw(st.integers(1, 5))]
        return Spec(
            concepts=tuple(f"c{generator.randrange(labels)}" for _ in range(size)),
            tree=tuple((generator.randrange(k), generator.choice(roles)) for k in range(1, size)),
            edges=tuple(
                (generator.randrange(size), generator.choice(roles), generator.randrange(size)) for _ in range(extra)
            ),
            attributes=tuple(
                (generator.randrange(size), generator.choice(ATTRIBUTE_ROLES), generator.choice(VALUES))
                for _ in range(size // 3)
            ),
        )

    first = grow(n)
    if draw(st.booleans()):
        return first, draw(edited(first, max_size=max_size, max_edits=8))
    return first, grow(draw(st.integers(min_size, max_size)))
