"""Document-sized graphs made of sentences: k graphs under one root, their variables renamed apart.

``join(texts)`` gives ``(doc / document :snt1 (s1a / …) :snt2 (s2b / …) …)``. The trees are renamed and printed as they
stand, so inverted roles, re-entrancies and the order of the text survive. Used by the tests and by the benchmarks.
"""

from collections.abc import Iterable, Iterator, Sequence

import penman


def _variables(node: tuple) -> Iterator[str]:
    variable, branches = node
    yield variable
    for _, target in branches:
        if isinstance(target, tuple):
            yield from _variables(target)


def _split(atom: str) -> tuple[str, str]:
    """A symbol and its surface alignment: ``b~e.4`` is ``b`` and ``~e.4``; a string keeps all it has."""
    if atom.startswith('"'):
        return atom, ""
    symbol, tilde, alignment = atom.partition("~")
    return symbol, tilde + alignment


def _constants(node: tuple) -> Iterator[str]:
    for role, target in node[1]:
        if isinstance(target, tuple):
            yield from _constants(target)
        elif role != "/" and target is not None:
            yield _split(target)[0]


def _rename(node: tuple, names: dict[str, str]) -> tuple:
    variable, branches = node
    renamed = []
    for role, target in branches:
        if isinstance(target, tuple):
            target = _rename(target, names)
        elif role != "/" and target is not None:
            symbol, alignment = _split(target)
            target = names.get(symbol, symbol) + alignment
        renamed.append((role, target))
    return names[variable], renamed


def join(texts: Iterable[str], *, root: str = "doc", concept: str = "document") -> str:
    """Return one graph in Penman text with the given graphs as its ``:snt1``, ``:snt2``, … (at least one graph).

    No name given to a variable is spelled like a constant of any sentence: that would turn the constant into an edge.
    """
    nodes = [penman.parse(text).node for text in texts]
    taken = {constant for node in nodes for constant in _constants(node)}

    def fresh(name: str) -> str:
        while name in taken:
            name += "x"
        return name

    branches: list[tuple[str, object]] = [("/", concept)]
    for number, node in enumerate(nodes, start=1):
        names = {name: fresh(f"s{number}{name}") for name in _variables(node)}
        branches.append((f":snt{number}", _rename(node, names)))
    return penman.format(penman.Tree((fresh(root), branches)))


def documents(texts: Sequence[str], size: int) -> list[str]:
    """Cut ``texts`` into runs of ``size`` sentences (a shorter rest is left out) and join each run."""
    return [join(texts[start : start + size]) for start in range(0, len(texts) - size + 1, size)]
