"""What was read, for comparison with other readers."""

from collections.abc import Iterable

from fastmatch.graphs.corpus import Corpus


def spelled(triples: Iterable[tuple[object, ...]]) -> str:
    """Triples as one text, with "; " between two."""
    return "; ".join(" ".join(map(str, triple)) for triple in triples)


def check(corpus: Corpus) -> None:
    """Every index lies where it has to, and the positions of the triples of each graph are 0, 1, 2 …"""
    corpus.validate()
    for g in range(len(corpus)):
        positions: list[int] = []
        for name, row in (("instance", 2), ("attribute", 3), ("relation", 3)):
            start, stop = getattr(corpus, f"{name}_offsets")[g : g + 2]
            positions += getattr(corpus, f"{name}s")[row, start:stop].tolist()
        assert sorted(positions) == list(range(len(positions)))
