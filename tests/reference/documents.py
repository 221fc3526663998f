"""Document-sized graphs made of sentences: k graphs under one root, their variables renamed apart.

``join(texts)`` gives ``(doc / document :snt1 (s1a / …) :snt2 (s2b / …) …)``. The trees are renamed and printed as they
stand, so inverted roles, re-entrancies and the order of the text survive. Used by the tests and by the benchmarks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import penman


def _names(node: tuple) -> Iterator[str]:
    variable, branches = node
    yield variable
    for _, target in branches:
        if isinstance(target, tuple):
            yield from _names(target)


def _rename(node: tuple, names: dict[str, str]) -> tuple:
    variable, branches = node
    renamed = []
    for role, target in branches:
        if isinstance(target, tuple):
            target = _rename(target, names)
        elif role != "/" and target is not None:
            # A re-entrant variable may carry a surface alignment, e.g. "b~e.4".
            atom, tilde, alignment = target.partition("~") if not target.startswith('"') else (target, "", "")
            target = names.get(atom, atom) + tilde + alignment
        renamed.append((role, target))
    return names[variable], renamed


def join(texts: Iterable[str], *, root: str = "doc", concept: str = "document") -> str:
    """Return one graph in Penman text with the given graphs as its ``:snt1``, ``:snt2``, … (at least one graph)."""
    branches: list[tuple[str, object]] = [("/", concept)]
    for number, text in enumerate(texts, start=1):
        node = penman.parse(text).node
        names = {name: f"s{number}{name}" for name in _names(node)}
        branches.append((f":snt{number}", _rename(node, names)))
    return penman.format(penman.Tree((root, branches)))


def documents(texts: Sequence[str], size: int) -> list[str]:
    """Cut ``texts`` into runs of ``size`` sentences (a shorter rest is left out) and join each run."""
    return [join(texts[start : start + size]) for start in range(0, len(texts) - size + 1, size)]
