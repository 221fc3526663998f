"""Document graphs in another representation, and document graphs made of sentence graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from fastmatch.documents.annotation import Annotation, read_annotations
from fastmatch.documents.edges import CHAIN, IMPLICIT, DocumentEdges, Edge, Node
from fastmatch.documents.merging import REPRESENTATIONS, link_pairs, normalize
from fastmatch.errors import FastmatchError, OptionError, ReadError, choice, first_few, warn_caller
from fastmatch.graphs.building import content_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpus_of
from fastmatch.graphs.graph import Graph
from fastmatch.graphs.notation import format_metadata, is_symbol


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
                named = f"s{mention.sentence + 1}.{mention.variable}"
                node = _named(document, annotation, named, mention.line)
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


def _named(document: DocumentEdges, annotation: Annotation, name: str, line: int) -> Node:
    if name not in document.concepts:
        sentence, _, variable = name.partition(".")
        known = annotation.sentences[int(sentence[1:]) - 1]
        message = f"document {annotation.name!r}: no variable {variable!r} in sentence {known!r}"
        raise ReadError(message, source=annotation.source, line=line, column=1)
    return name


#: Chains as they are, none merged with its mentions.
UNMERGED = "unmerged"


def represent(
    documents: Graphs,
    representation: str = "doc-amr",
    *,
    flipped: bool = False,
    pairs: str | None = "same-as",
    preset: str | None = None,
) -> Corpus:
    """Rewrite document graphs in another representation.

    Parameters
    ----------
    documents : Graphs
        A corpus that was read with the dialect ``penman``, or whatever else :func:`fastmatch.score` takes: a path
        object, texts, graphs. A chain is a node that its mentions point to with ``:coref-of``.
    representation : {"unmerged", "no-merge", "merge-names", "doc-amr", "merge-all"}
        How far the mentions of a chain are merged: see :mod:`fastmatch.documents.merging`.
    flipped : bool
        Let what refers to a mention refer to its chain.
    pairs : str or None
        The role, without colon, that pairs mentions of one thing; chains are made of such pairs first. None: leave
        them.
    preset : {"tool"}, optional
        As the program docAMR 0.1.1, its slips included: triples may be there twice (``:coref`` and ``:coref-of``),
        constants are in quotes, and what the root does not reach is left out, with a warning.

    Returns
    -------
    Corpus
        As many graphs, with their comment lines; alignments (``~e.1``) are gone.

    Raises
    ------
    OptionError
        If there is no such representation or preset, or the graphs were read with another dialect.
    FastmatchError
        If a graph is none that can be rewritten; the message names it.
    TypeError
        If ``documents`` holds no graphs.

    Warns
    -----
    FastmatchWarning
        If no graph has a chain or a pair, so that there was nothing to rewrite.
    """
    documents = _corpus("documents", documents)
    tool = _checked(representation, preset, documents)
    made: list[Graph] = []
    lost: list[int] = []
    n_rewritten = n_chained = 0
    for number, graph in enumerate(documents):
        if not graph.variables:
            made.append(graph)
            continue
        try:
            document = DocumentEdges.of(graph, tool=tool)
            if pairs is not None:
                link_pairs(document, pairs)
            n_rewritten, n_chained = n_rewritten + 1, n_chained + bool(document.chains())
            _rewrite(document, representation, flipped)
        except FastmatchError as error:
            raise FastmatchError(f"{documents.source}: graph {number}: {error}") from None
        rewritten, gone = document.graph(graph.comments)
        made.append(rewritten)
        lost += [number] * bool(gone)
    _warn_lost(documents.source, lost)
    if n_rewritten and not n_chained:
        others = f", and none pairs mentions by :{pairs}" if pairs is not None else ""
        warn_caller(f"{documents.source}: no graph has a chain ({CHAIN}){others}: nothing is merged")
    content = content_of(made, vocabulary=None, source=documents.source, dialect="penman")
    return Corpus(*content._replace(problems=documents.problems, repairs=documents.repairs))


def join(
    sentences: Graphs,
    annotations: str | PathLike[str] | Iterable[Annotation],
    representation: str = "doc-amr",
    *,
    flipped: bool = False,
    coreference: bool = True,
    preset: str | None = None,
) -> Corpus:
    """Make document graphs of sentence graphs and a coreference annotation.

    Parameters
    ----------
    sentences : Graphs
        As the documents of :func:`represent`; each has an ``::id`` of its own. There may be more than needed.
    annotations : path, or iterable of Annotation
        A path goes to :func:`~fastmatch.documents.annotation.read_annotations`.
    representation, flipped, preset
        As for :func:`represent`.
    coreference : bool
        False: join the sentences and leave everything else out.

    Returns
    -------
    Corpus
        A graph for each annotation, with ``::id`` and, as ``::tok``, the words of its sentences.

    Raises
    ------
    OptionError
        As :func:`represent`.
    ReadError
        If an annotation cannot be read, or names a sentence or a variable that is not there; if a sentence graph has no
        ``::id``, or the id of another.
    TypeError
        If ``sentences`` holds no graphs, or ``annotations`` something else than annotations.
    """
    sentences = _corpus("sentences", sentences)
    tool = _checked(representation, preset, sentences)
    if isinstance(annotations, str | PathLike):
        annotations = read_annotations(annotations)
    graphs = by_id(list(sentences), sentences.source)
    made: list[Graph] = []
    lost: list[int] = []
    for number, annotation in enumerate(annotations):
        if not isinstance(annotation, Annotation):
            raise TypeError(f"annotations[{number}]: expected an Annotation, not {type(annotation).__name__}")
        try:
            document, comments = build_document(annotation, graphs, coreference=coreference, tool=tool)
            if coreference:
                _rewrite(document, representation, flipped)
        except FastmatchError as error:
            if type(error) is not FastmatchError:
                raise
            raise FastmatchError(f"{annotation.source}: document {annotation.name!r}: {error}") from None
        graph, gone = document.graph(comments)
        made.append(graph)
        lost += [number] * bool(gone)
    _warn_lost(sentences.source, lost)
    return Corpus.from_graphs(made, source=sentences.source, dialect="penman")


def _corpus(name: str, graphs: Graphs) -> Corpus:
    return graphs if isinstance(graphs, Corpus) else corpus_of(name, graphs, None, "penman", "raise")


def _checked(representation: str, preset: str | None, graphs: Corpus) -> bool:
    """Whether to do as the program does, after a look at the options."""
    choice("representation", representation, (UNMERGED, *REPRESENTATIONS))
    if preset not in (None, "tool"):
        raise OptionError(f"preset={preset!r}: expected 'tool' or None")
    if graphs.dialect != "penman":
        raise OptionError(f"these graphs were read with dialect={graphs.dialect!r}: read them with dialect='penman'")
    return preset == "tool"


def _rewrite(document: DocumentEdges, representation: str, flipped: bool) -> None:
    if representation != UNMERGED:
        normalize(document, representation, flipped=flipped)


def _warn_lost(source: str, lost: list[int]) -> None:
    if lost:
        places = first_few(map(str, lost))
        warn_caller(f"{source}: nodes that the root does not reach were left out, as docAMR does (graph {places})")
