"""From sentence graphs and a coreference annotation to document graphs.

The root of a document graph is ``(d / document)``, with a relation ``:snt1``, ``:snt2``, … to the root of each
sentence. Variable ``b`` of the second sentence becomes ``s2.b``. A chain of two mentions or more becomes a node
``(rel-0 / coref-entity)`` that its mentions point to with ``:coref-of``; a role that no word fills points to the
chain.
A thing that the annotation lists as mentioned once stays what it is; if it is a role that no word fills, it gets a node
``implicit-role``. Of two things in a bridge, the part points to the whole with ``:part-of``, the member to its superset
with ``:subset-of``.

With ``tool`` it is as docAMR 0.1.1 does it: of a bridge with several parts only the last counts, and a document of one
sentence is that sentence, without ``document`` and with its own variables. The program looks for mentions there under
variables with a prefix, which it has not made, and stops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastmatch.documents.edges import CHAIN, IMPLICIT, DocumentEdges
from fastmatch.errors import ReadError
from fastmatch.graphs.notation import format_metadata, is_symbol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fastmatch.documents.annotation import Annotation, Mention
    from fastmatch.documents.edges import Edge, Node
    from fastmatch.graphs.graph import Graph


def by_id(graphs: Sequence[Graph], source: str) -> dict[str, Graph]:
    """The graphs by their ``::id``.

    Raises
    ------
    ReadError
        If a graph has none, or two have the same.
    """
    found: dict[str, Graph] = {}
    for number, graph in enumerate(graphs):
        name = graph.metadata.get("id", "")
        if not name:
            message = f"graph {number} has no ::id, which a coreference annotation needs to name it"
            raise ReadError(message, source=source)
        if name in found:
            raise ReadError(f"two graphs have the ::id {name!r}", source=source)
        found[name] = graph
    return found


def build_document(
    annotation: Annotation, sentences: Mapping[str, Graph], *, coreference: bool = True, tool: bool = False
) -> tuple[DocumentEdges, str]:
    """The document of one annotation.

    Parameters
    ----------
    annotation : Annotation
    sentences : mapping of str → Graph
        Sentence graphs by their ``::id``, read with the dialect ``penman``.
    coreference : bool
        Without it, only the sentences are joined.
    tool : bool
        As docAMR.

    Returns
    -------
    document : DocumentEdges
    comments : str
        Its comment lines: ``::id``, and ``::tok`` with the tokens of the sentences.

    Raises
    ------
    ReadError
        If a sentence or a variable that the annotation names is not there; the message names file and line. With
        ``tool``, if a document of one sentence has a chain.
    """
    alone = tool and len(annotation.sentences) == 1
    if alone and coreference and annotation.chains:
        chain = annotation.chains[0]
        message = (
            f"document {annotation.name!r} has one sentence and the chain {chain.name!r}; preset 'tool' stops there, "
            "as the program does"
        )
        raise ReadError(message, source=annotation.source, line=chain.line, column=1)
    concepts: dict[Node, str | None] = {}
    edges: list[Edge] = []
    constants: list[Edge] = []
    roots: list[str] = []
    words: list[str] = []
    for number, name in enumerate(annotation.sentences, 1):
        graph = sentences.get(name)
        if graph is None or graph.top is None:
            what = "is empty" if graph is not None else "is not among the sentence graphs"
            message = f"document {annotation.name!r}: sentence {name!r} {what}"
            raise ReadError(message, source=annotation.source, line=annotation.line, column=1)
        part = DocumentEdges.of(graph, tool=tool)
        # constants are numbered through the document
        prefix = "" if alone else f"s{number}."
        names: dict[Node, Node] = {node: f"{prefix}{node}" for node in part.concepts if isinstance(node, str)}
        first = sum(isinstance(node, int) for node in concepts)
        names.update({node: first + node for node in part.concepts if isinstance(node, int)})
        concepts.update({names[node]: concept for node, concept in part.concepts.items()})
        for source, role, target in part.edges:
            last = tool and isinstance(target, int)
            (constants if last else edges).append((names[source], role, names[target]))
        roots.append(f"{prefix}{part.top}")
        words.append(_words(graph))
    document = DocumentEdges(roots[0] if alone else "d", concepts, edges, tool=tool)
    if coreference and not alone:
        _add_coreference(document, annotation)
    if not alone:
        document.top = document.new_name("d")
        concepts[document.top] = "document"
        for number, root in enumerate(roots, 1):
            document.add((document.top, f"snt{number}", root))
    for edge in constants:
        document.add(edge)
    return document, format_metadata({"id": annotation.name, "tok": " <next_sent> ".join(words)})


def _words(graph: Graph) -> str:
    known = graph.metadata
    return known.get("tok") or known.get("snt") or ""


def _add_coreference(document: DocumentEdges, annotation: Annotation) -> None:
    """Add chains, then things that are mentioned once, then bridges."""
    concepts = document.concepts
    nodes: dict[str, Node] = {}
    for single in (False, True):
        for chain in annotation.chains:
            alone = chain.single or (len(chain.mentions) == 1 and not document.tool)
            if alone != single:
                continue
            if not chain.mentions:
                message = f"chain {chain.name!r} has no mentions"
                raise ReadError(message, source=annotation.source, line=chain.line, column=1)
            if not is_symbol(chain.name):
                message = f'chain {chain.name!r}: expected a name without spaces and without the signs ()/:~"'
                raise ReadError(message, source=annotation.source, line=chain.line, column=1)
            if not single:
                nodes[chain.name] = document.new_name(chain.name)
                concepts[nodes[chain.name]] = CHAIN
            for mention in chain.mentions:
                node = _mentioned(document, annotation, mention)
                if single and mention.role:
                    implicit = document.new_name(f"{node}i")
                    concepts[implicit] = IMPLICIT
                    document.add((node, mention.role, implicit))
                    nodes[chain.name] = implicit
                elif single:
                    nodes[chain.name] = node
                elif mention.role:
                    document.add((node, mention.role, nodes[chain.name]))
                else:
                    document.add((node, "coref-of", nodes[chain.name]))
    for bridge in annotation.bridges:
        whole, *parts = (
            nodes[name] if name in nodes else _named(document, annotation, name, bridge.line)
            for name in (bridge.whole, *bridge.parts)
        )
        for part in parts[-1:] if document.tool else parts:
            document.add((part, f"{bridge.kind}-of", whole))


def _mentioned(document: DocumentEdges, annotation: Annotation, mention: Mention) -> Node:
    return _named(document, annotation, f"s{mention.sentence + 1}.{mention.variable}", mention.line)


def _named(document: DocumentEdges, annotation: Annotation, name: str, line: int) -> Node:
    if name not in document.concepts:
        sentence, _, variable = name.partition(".")
        known = annotation.sentences[int(sentence[1:]) - 1]
        message = f"document {annotation.name!r}: no variable {variable!r} in sentence {known!r}"
        raise ReadError(message, source=annotation.source, line=line, column=1)
    return name
