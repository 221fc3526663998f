"""A large corpus out of a small one: its graphs again and again, with a fifth of the concepts exchanged at random.

    python benches/large_corpus.py 1000000 large.amr CORPUS...

Writes so many graphs of Penman text, each with an id, in a shuffled order. Concepts are drawn from all nodes of the
files, so frequent ones stay frequent. The same files, number and seed give the same bytes. Every source graph comes
first unchanged, so a corpus no larger than its sources is a shuffled copy of them.
"""

from __future__ import annotations

import argparse
import random
import re

#: The concept of a node: what stands behind the slash, up to a space or a bracket.
_CONCEPT = re.compile(r"(?<= / )[^\s()\"]+")


def blocks(files: list[str]) -> list[str]:
    """The graphs of the files without their comments, each once."""
    found: dict[str, None] = {}
    for file in files:
        with open(file, encoding="utf-8") as stream:
            for block in re.split(r"\n\s*\n", stream.read()):
                text = "\n".join(line for line in block.split("\n") if line and not line.startswith("#"))
                if text.lstrip().startswith("("):
                    found[text] = None
    return list(found)


def write(count: int, path: str, files: list[str], seed: int = 0, share: float = 0.2) -> None:
    rng = random.Random(seed)
    sources = blocks(files)
    concepts = [concept for text in sources for concept in _CONCEPT.findall(text)]

    def exchanged(match: re.Match[str]) -> str:
        return rng.choice(concepts) if rng.random() < share else match[0]

    order = list(range(count))
    rng.shuffle(order)
    with open(path, "w", encoding="utf-8") as stream:
        for number, place in enumerate(order):
            text = sources[place % len(sources)]
            if place >= len(sources):
                text = _CONCEPT.sub(exchanged, text)
            stream.write(f"# ::id large.{number}\n{text}\n\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("out")
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float, default=0.2, help="of the concepts (default: %(default)s)")
    arguments = parser.parse_args()
    write(arguments.count, arguments.out, arguments.corpora, arguments.seed, arguments.share)


if __name__ == "__main__":
    main()
