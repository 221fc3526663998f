"""Document-sized graphs made of sentences: k graphs under one root, their variables renamed apart.

``join(texts)`` gives ``(doc / document :snt1 (s1a / …) :snt2 (s2b / …) …)``. The trees are renamed and printed as they
stand, so inverted roles, re-entrancies and the order of the text survive. No constant of the texts may be spelled like
a new name, and none of their re-entrancies may have an alignment to words.
"""

from collections.abc import Iterable, Sequence

import penman


def join(texts: Iterable[str]) -> str:
    """Return one graph in Penman text with the given graphs as its ``:snt1``, ``:snt2``, … (at least one graph)."""
    branches: list[tuple[str, object]] = [("/", "document")]
    for number, text in enumerate(texts, start=1):
        tree = penman.parse(text)
        tree.reset_variables(f"s{number}{{prefix}}{{j}}")
        branches.append((f":snt{number}", tree.node))
    return penman.format(penman.Tree(("doc", branches)))


def documents(texts: Sequence[str], size: int) -> list[str]:
    """Cut ``texts`` into runs of ``size`` sentences (a shorter rest is left out) and join each run."""
    return [join(texts[start : start + size]) for start in range(0, len(texts) - size + 1, size)]
