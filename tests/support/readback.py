"""What stands in the columns of a corpus, as lists, for comparison with other readers."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fastmatch.graphs.corpus import Corpus

Triple = tuple[str | None, str, str | None]


class Lists(NamedTuple):
    """The three tables of one graph, in the order in which they stand there."""

    instances: list[tuple[str | None, str | None]]
    attributes: list[Triple]
    relations: list[Triple]


def spelled(triples: Iterable[tuple[object, ...]]) -> str:
    """Triples as one text, with "; " between two."""
    return "; ".join(" ".join(map(str, triple)) for triple in triples)


def _slices(corpus: Corpus, g: int) -> Iterator[slice]:
    for offsets in (
        corpus.variable_offsets,
        corpus.instance_offsets,
        corpus.attribute_offsets,
        corpus.relation_offsets,
    ):
        yield slice(int(offsets[g]), int(offsets[g + 1]))


def lists(corpus: Corpus, g: int) -> Lists:
    """Instances, attributes and relations of graph g."""

    def text(number: int) -> str | None:
        return None if number < 0 else corpus.vocabulary.text(int(number))

    variables, instances, attributes, relations = _slices(corpus, g)
    names = [text(name) for name in corpus.variable_names[variables]]
    return Lists(
        [(names[v], text(concept)) for v, concept, _ in corpus.instances[:, instances].T],
        [(names[v], str(text(role)), text(value)) for v, role, value, _ in corpus.attributes[:, attributes].T],
        [(names[v], str(text(role)), names[target]) for v, role, target, _, _ in corpus.relations[:, relations].T],
    )


def triples(corpus: Corpus, g: int) -> list[Triple]:
    """The triples of graph g by position, which have to be 0, 1, 2 …"""
    _, *tables = _slices(corpus, g)
    found: dict[int, Triple] = {}
    rows = lists(corpus, g)
    for name, part, row in zip(("instances", "attributes", "relations"), tables, (3 - 1, 3, 3), strict=True):
        table = getattr(corpus, name)[:, part]
        for position, entry in zip(table[row].tolist(), getattr(rows, name), strict=True):
            assert position not in found
            found[position] = (entry[0], ":instance", entry[1]) if name == "instances" else entry
        if corpus.dialect == "penman":
            assert (table[row][1:] > table[row][:-1]).all(), f"{name} do not stand in text order"
    assert sorted(found) == list(range(len(found)))
    return [found[position] for position in range(len(found))]


def alignments(corpus: Corpus, g: int) -> tuple[dict[Triple, str], dict[Triple, str]]:
    """Alignments of (concepts and targets, roles); of equal triples, only the first counts, as in penman."""
    begin, end = int(corpus.surface_offsets[g]), int(corpus.surface_offsets[g + 1])
    texts = {(int(p), int(part)): corpus.vocabulary.text(int(t)) for p, part, t in corpus.surface[:, begin:end].T}
    targets: dict[Triple, str] = {}
    roles: dict[Triple, str] = {}
    seen: set[Triple] = set()
    for position, triple in enumerate(triples(corpus, g)):
        if triple not in seen:
            seen.add(triple)
            if (position, 0) in texts:
                targets[triple] = texts[position, 0]
            if (position, 1) in texts:
                roles[triple] = texts[position, 1]
    return targets, roles


def comments(corpus: Corpus, g: int) -> str:
    """The comment lines of graph g."""
    begin, end = int(corpus.comment_offsets[g]), int(corpus.comment_offsets[g + 1])
    return corpus.comments[begin:end].tobytes().decode("utf-8", "surrogatepass")


def top(corpus: Corpus, g: int) -> str | None:
    """Name of the variable on top of graph g; None in an empty graph."""
    root = int(corpus.root[g])
    if root < 0:
        return None
    name = int(corpus.variable_names[int(corpus.variable_offsets[g]) + root])
    return None if name < 0 else corpus.vocabulary.text(name)


def check(corpus: Corpus) -> None:
    """Every index lies where it has to, and the positions of each graph are 0, 1, 2 …"""
    corpus.validate()
    for g in range(len(corpus)):
        triples(corpus, g)
