"""The verbs: what ``verbs.txt``, beside this module, says of them and of their arguments."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

#: A line of a section, and the indented lines below it.
Entry = tuple[str, str]


def _sections() -> dict[str, list[Entry]]:
    """Name of a section → its entries; sections of lines that verbs share begin with ``@``."""
    found: dict[str, list[Entry]] = {}
    with open(os.path.join(os.path.dirname(__file__), "verbs.txt"), encoding="utf-8") as file:
        text = re.sub("^#.*\n", "", file.read(), flags=re.MULTILINE)
    for section in text.split("\n[")[1:]:
        name, _, lines = section.rstrip().partition("]\n")
        found[name] = [
            (head, below) for head, _, below in (entry.partition("\n    ") for entry in re.split(r"\n(?=\S)", lines))
        ]
    return found


_SECTIONS = _sections()
#: What the section says of UMR documents that ``score`` says of graphs.
DOCUMENTS = "documents"


def entries(section: str, *words: str) -> Iterator[Entry]:
    """The entries of a section, of which those that stand for a shared section are its entries."""
    for head, below in _SECTIONS[section]:
        name, _, given = head.partition(" ")
        if name[0] == "@" and name in _SECTIONS:
            yield from entries(name, *given.split(" / "))
        else:
            yield (head.format(*words), below.format(*words)) if words else (head, below)


def said(section: str) -> dict[str, str]:
    """What a section says of its verb: the lines ``key: value``."""
    pairs = (f"{head}\n{below}".split(": ", 1) for head, below in entries(section) if re.match(r"\w+: ", head))
    found = {key: text.strip() for key, text in pairs if key != "group"}
    return {
        key: ("\n       " if key == "usage" else " ").join(map(str.strip, text.split("\n")))
        for key, text in found.items()
    }


#: The verbs → what is said of them.
VERBS = {name: said(name) for name in _SECTIONS if name[0] != "@" and name != DOCUMENTS}


def headings() -> dict[str, list[str]]:
    """Heading of the list of verbs → the verbs under it: a verb that names none stands under that of the one above."""
    found: dict[str, list[str]] = {}
    heading = ""
    for name, verb in VERBS.items():
        heading = verb.get("heading", heading)
        found.setdefault(heading, []).append(name)
    return found
