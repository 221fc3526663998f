"""The representations of documents: how far the mentions of a chain are merged into one node.

Naseem et al. (2022), section 3. Before, each chain is a node of its own (``coref-entity``) that its mentions point to:

*no-merge*      only a chain with one mention is merged with it;
*merge-names*   mentions that have a name become one node, whose type is the most specific one among them;
*doc-amr*       then pronouns go into their chain, or, if a chain has nothing but pronouns, become one node;
*merge-all*     all mentions of a chain become the first one.

Merging keeps what both mentions say. A further concept becomes ``:additional-type``; a further name, or value of
``:wiki``, is kept; and children of equal role and concept are merged in turn.

With ``tool=True`` the rules are those of the program docAMR 0.1.1. It merges in the order of its edges, and knows two
kinds of edges for one thing (:mod:`fastmatch.documents.edges`). It stops at names of a chain whose types it does not
know. It *flips* (:func:`flip`) before it merges all mentions, and not at all under ``no-merge``.
"""

from __future__ import annotations

import re
from pathlib import Path

from fastmatch.documents.edges import CHAIN, DocumentEdges, Edge, Node
from fastmatch.errors import FastmatchError

_LISTS = [text.split() for text in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n\n")[1:]]

#: Concepts of mentions that say nothing of whom they mention. Of several in a chain, the foremost is kept.
PRONOUNS = _LISTS[0]

#: Types of named entities, from special to general: the foremost among the mentions of a chain becomes its head.
ENTITY_TYPES = _LISTS[1]

#: The representations, from that which merges least.
REPRESENTATIONS = ("no-merge", "merge-names", "doc-amr", "merge-all")

#: A role of a ``name`` node; a number of any length is compared as one.
_NUMBERED = re.compile(r"op[0-9]{1,9}")

_RANKS = {concept: rank for rank, concept in reversed(list(enumerate(ENTITY_TYPES)))}


def normalize(document: DocumentEdges, representation: str, *, flipped: bool = False) -> None:
    """Rewrite a document in one of the :data:`REPRESENTATIONS`.

    Raises
    ------
    FastmatchError
        With ``tool``, where docAMR stops: a chain has names of several types, all of them unknown.
    """
    if flipped and document.tool and representation == "merge-all":
        flip(document)
    _merge_mentions(document, representation)
    # merging children may give a mention back to a chain that was done; each round takes an edge or a node away
    size = (0, 0)
    while not document.tool and size != document.size:
        size = document.size
        _merge_mentions(document, representation)
    if flipped and not (document.tool and representation in ("no-merge", "merge-all")):
        flip(document)


def _merge_mentions(document: DocumentEdges, representation: str) -> None:
    """Merge mentions once, as the representation wants it."""
    if representation in ("merge-names", "doc-amr"):
        _merge_names(document)
    if representation == "doc-amr":
        _merge_pronouns(document)
    if representation == "merge-all":
        for mentions in document.chains().values():
            for mention in mentions[1:]:
                _merge(document, mentions[0], mention, additional=True, kids=True)
    _merge_single(document)


def flip(document: DocumentEdges) -> None:
    """Let what refers to a mention refer to its chain; the root of the document still leads to its sentences."""
    chains = document.chains()
    for chain, mentions in chains.items():
        for mention in mentions:
            for slot in document.slots(mention):
                source, role, target = document.edge(slot)
                inverse = role.endswith("-of")
                if not document.tool:
                    if target == mention and source not in chains and source != document.top:
                        document.replace(slot, (source, role, chain))
                elif target == mention and not inverse:
                    document.replace(slot, (source, role, chain))
                elif source == mention and inverse and role != "coref-of":
                    document.replace(slot, (chain, role, target))


def link_pairs(document: DocumentEdges, role: str = "same-as") -> None:
    """Make chains of pairs of mentions: ``(a, same-as, b)``, in the order of these edges.

    If there are any, bridges between mentions lead to their chains then.
    """
    forms = (role, f"{role}-of")
    if not any(edge[1] in forms for edge in document.edges):
        return
    chain_of: dict[Node, Node] = {}
    for chain, mentions in document.chains().items():
        chain_of.update(dict.fromkeys(mentions, chain))
    for edge in document.edges:
        if edge[1] not in forms or edge not in document:  # gone with an earlier one between these two
            continue
        a, _, b = edge
        for slot in document.slots(a):
            source, its, target = document.edge(slot)
            if {source, target} == {a, b} and (document.tool or its in forms):
                document.remove(slot)
        if a == b and not document.tool:
            continue
        if a not in chain_of and b in chain_of:
            a, b = b, a
        if a not in chain_of:
            chain = document.new_name("cc")
            document.concepts[chain] = CHAIN
            document.add((a, "coref-of", chain))
            document.add((b, "coref-of", chain))
            chain_of[a] = chain_of[b] = chain
        elif b not in chain_of:
            document.add((b, "coref-of", chain_of[a]))
            chain_of[b] = chain_of[a]
        elif chain_of[b] != chain_of[a]:
            document.add((b, "coref-of", chain_of[a]))
            _unite(document, chain_of, chain_of[a], chain_of[b])
    bridging = ("part-of", "subset-of") if document.tool else ("part", "subset", "part-of", "subset-of")
    for mention, chain in chain_of.items():
        for slot in document.slots(mention):
            if document.edge(slot)[1] in bridging:
                _move(document, slot, _rename(document.edge(slot), mention, chain))


def _rename(edge: Edge, node: Node, other: Node) -> Edge:
    """An edge with another node for one of its nodes."""
    source, role, target = edge
    return other if source == node else source, role, other if target == node else target


def _unite(document: DocumentEdges, chain_of: dict[Node, Node], chain: Node, other: Node) -> None:
    """Let one chain have the edges of another, which goes."""
    for slot in document.slots(other):
        edge = document.edge(slot)
        source, role, target = edge
        if role in ("coref-of", "coref"):
            chain_of[target if source == other else source] = chain
        _move(document, slot, _rename(edge, other, chain))
    del document.concepts[other]


# ---- the steps ---------------------------------------------------------------------------------------------------


def _merge_single(document: DocumentEdges) -> None:
    """A chain of one mention is that mention."""
    for chain, mentions in document.chains().items():
        if len(mentions) == 1:
            _merge(document, mentions[0], chain, kids=True)


def _merge_names(document: DocumentEdges) -> None:
    for mentions in document.chains().values():
        named = [mention for mention in mentions if document.children(mention, "name")]
        if not named:
            continue
        head = _head(document, named)
        for mention in named:
            if mention != head:
                _merge(document, head, mention, additional=True, kids=True)
        wikis = document.children(head, "wiki")
        if {document.concept(wiki) for wiki in wikis} - {"-"}:
            for slot, role, target in list(document.edges_from(head)):
                if role == "wiki" and document.concept(target) == "-":
                    document.remove(slot)


def _head(document: DocumentEdges, named: list[Node]) -> Node:
    """The first named mention, or the first of those with the most special type if types differ."""
    concepts = [document.concept(mention) for mention in named]
    if len(set(concepts)) == 1:
        return named[0]
    ranks = [_RANKS.get(concept, len(_RANKS)) for concept in concepts]
    if document.tool and min(ranks) == len(_RANKS):
        raise FastmatchError(
            f"docAMR stops at names of several types that it does not know: {', '.join(sorted(set(concepts)))}"
        )
    return named[ranks.index(min(ranks))]


def _merge_pronouns(document: DocumentEdges) -> None:
    for chain, listed in document.chains().items():
        mentions = [mention for mention in listed if mention in document.concepts]  # others went with an earlier chain
        pronouns = [mention for mention in mentions if document.concept(mention) in PRONOUNS]
        if not pronouns or (len(mentions) == 1 and not document.tool):
            continue
        head = chain
        if len(pronouns) == len(mentions):
            forms = {document.concept(mention) for mention in pronouns}
            several = len(forms) > 1
            form = "interlocutor-entity" if several and forms & {"i", "you"} else min(forms, key=PRONOUNS.index)
            head = document.new_name("pro")
            document.concepts[head] = form
        for mention in pronouns:
            _merge(document, head, mention)


def _merge(document: DocumentEdges, a: Node, b: Node, *, additional: bool = False, kids: bool = False) -> None:
    """Merge node b into node a.

    Parameters
    ----------
    a, b : Node
        Nothing happens if either is gone.
    additional : bool
        Keep the concept of b as ``:additional-type``, unless a has it.
    kids : bool
        Merge children of equal role and concept, too, and theirs.
    """
    waiting = [(a, b)]
    while waiting:
        pairs = _merge_two(document, *waiting.pop(), additional)
        if kids:
            waiting += reversed(pairs)


def _merge_two(document: DocumentEdges, a: Node, b: Node, additional: bool) -> list[tuple[Node, Node]]:
    """Merge node b into node a, and return the children of both that have equal roles and concepts."""
    concepts = document.concepts
    if a not in concepts or b not in concepts:
        return []
    if a == b and not document.tool:  # the program merges a node with itself, which loses it and its edges
        return []
    names: set[str] = set()
    wikis: set[str] = set()
    forms = {document.concept(a)}
    own: dict[tuple[str, str], Node] = {}
    for _, role, target in document.edges_from(a):
        if role == "name":
            names.add(_name(document, target))
        elif role == "wiki":
            wikis.add(document.concept(target))
        elif role == "additional-type" and document.concept(target) not in forms:
            forms.add(document.concept(target))
        else:
            own[role, document.concept(target)] = target
    pairs: list[tuple[Node, Node]] = []
    lost_names: set[Node] = set()
    for slot in document.slots(b):
        source, role, target = document.edge(slot)
        if {source, target} <= {a, b}:
            document.remove(slot)
            continue
        if target == b:
            _move(document, slot, (source, role, a))
            continue
        if role == "name":
            name = _name(document, target)
            if name in names:
                edges = map(document.edge, document.slots(target))
                if not any(end == target and start != b for start, _, end in edges):
                    lost_names.add(target)
                document.remove(slot)
                continue
            names.add(name)
        elif role == "wiki":
            value = document.concept(target)
            if value in wikis or value == "-":
                document.remove(slot)
                if isinstance(target, int):
                    del concepts[target]
                continue
            wikis.add(value)
        else:
            child = own.get((role, document.concept(target)))
            if child is not None and child != target:
                pairs.append((child, target))
        _move(document, slot, (a, role, target))
    if additional and document.concept(b) not in forms:
        document.add((a, "additional-type", b))
    else:
        del concepts[b]
    for lost in lost_names:
        _drop_name(document, lost, a)
    return pairs


def _move(document: DocumentEdges, slot: int, edge: Edge) -> None:
    """Change an edge into one that may be there already."""
    if edge in document:
        document.remove(slot)
    else:
        document.replace(slot, edge)


def _name(document: DocumentEdges, node: Node) -> str:
    """The strings of a ``name`` node in the order of their numbers."""
    strings = [
        (int(role[2:]), document.concept(target).strip('"'))
        for _, role, target in document.edges_from(node)
        if _NUMBERED.fullmatch(role)
    ]
    return " ".join(text for _, text in sorted(strings))


def _drop_name(document: DocumentEdges, name: Node, heir: Node) -> None:
    """Remove a ``name`` node and its strings; its other children go to ``heir``."""
    for slot in document.slots(name):
        _, role, target = document.edge(slot)
        if target == name:
            document.remove(slot)
        elif role.startswith("op") and isinstance(target, int):
            document.remove(slot)
            document.concepts.pop(target, None)
        else:
            document.replace(slot, (heir, role, target))
    del document.concepts[name]
