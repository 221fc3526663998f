"""Triples of a graph through other people's readers: the ``penman`` package and smatch 1.0.4's own ``amr`` module.

The parity and property tests read the same text through these and through fastmatch, so that a reader error in the
library shows as a different score instead of cancelling out.
"""

from collections.abc import Iterator
from os import PathLike

import penman
from penman.models import amr as amr_model

from twins.smatch_problem import SMATCH, Flavour, Triples


def read_penman(text: str) -> Triples:
    """Triples of one graph as ``penman.decode`` reads it with the AMR model."""
    graph = penman.decode(text, model=amr_model.model)
    triples = graph.triples
    # penman's own ``variables()`` is a set; the order of the :instance triples is not that of first mention only when a
    # node has no "/", and no score depends on it, so keep the order of the text.
    variables = tuple(dict.fromkeys(v for v, role, _ in triples if role == ":instance"))
    instances = tuple((v, concept) for v, role, concept in triples if role == ":instance")
    rest = [triple for triple in triples if triple[1] != ":instance"]
    attributes, relations = (tuple(t for t in rest if (t[2] in variables) == known) for known in (False, True))
    return Triples(graph.top, variables, instances, attributes, relations)


class SmatchRefusedError(ValueError):
    """smatch 1.0.4 returns no graph for this text."""


def read_smatch(line: str) -> Triples:
    """Triples of one graph as smatch 1.0.4 reads it; roles get their colon back, TOP is taken out again."""
    import amr

    graph = amr.AMR.parse_AMR_line(line)
    if graph is None:
        raise SmatchRefusedError(line)
    instances, attributes, relations = graph.get_triples()
    root = graph.nodes[0]
    top = ("TOP", root, "top")
    # smatch appends TOP to the first node's attributes, so it is the last attribute of that node.
    last = max(k for k, row in enumerate(attributes) if tuple(row) == top)
    return Triples(
        top=root,
        variables=tuple(graph.nodes),
        instances=tuple((v, concept) for _, v, concept in instances),
        attributes=tuple((v, ":" + role, x) for k, (role, v, x) in enumerate(attributes) if k != last),
        relations=tuple((v, ":" + role, x) for role, v, x in relations),
    )


def read(text: str, flavour: Flavour) -> Triples:
    """Triples of one graph through the reader that a flavour of comparison goes with."""
    return read_smatch(text) if flavour is SMATCH else read_penman(text)


def smatch_lines(path: str | PathLike[str]) -> Iterator[str]:
    """Yield the graphs of a file as smatch 1.0.4 cuts them: one glued line each."""
    import amr

    with open(path, encoding="utf-8") as file:
        yield from iter(lambda: amr.AMR.get_amr_line(file), "")


def penman_blocks(path: str | PathLike[str]) -> Iterator[str]:
    """Yield the graphs of a file as text, cut at blank lines, comment-only blocks left out."""
    with open(path, encoding="utf-8") as file:
        for block in file.read().replace("\r\n", "\n").split("\n\n"):
            lines = [line for line in block.splitlines() if line.strip() and not line.lstrip().startswith("#")]
            if lines:
                yield "\n".join(lines)
