"""juːmæʧ of sentences: nodes linked, attributes and document relations compared.

Zeman and Gamba (2026), the main metric of the first shared task on UMR parsing. The nodes of two graphs of a sentence
are linked one-to-one by the tokens with which they are aligned, or by their concepts
(:mod:`fastmatch._ext.umr.links`). Then everything is counted that is said of a node: its concept and its relations, to
values or to other nodes. It matches if the node's partner has it as well, nodes named by their partners. Relations of
the document level are compared in the same way, sentence by sentence.

The program compare_umr.pl (``tool``) links and counts sentence after sentence. So a document relation with a node of a
later sentence never matches. It knows each variable of a file once, in the last sentence that has it. And it counts
the relations of the prediction as matches plus those whose translation gold does not have, which is not their number
where a variable is unknown. Without ``tool`` all sentences are linked first, a variable is looked for in its own
sentence, then in those before and those behind it, and the relations of the prediction are counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fastmatch._ext.umr.links import Nodes, link_nodes
from fastmatch.errors import FastmatchError
from fastmatch.umr.nodes import CONCEPT, joined_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from fastmatch.types import Int64Array
    from fastmatch.umr.nodes import Node, Relation, Side, Span

    #: Whether a role, with its colon, or ``"concept"`` is left out.
    Ignored: TypeAlias = Callable[[str], bool]
    #: Role with its colon → matches, what the prediction says, what gold says.
    ByRole: TypeAlias = dict[str, list[int]]
    #: Variables of one side of a sentence → those of their partners.
    Partners: TypeAlias = dict[str, str]

__all__ = ["STATISTICS", "Compared", "compare", "link"]

#: What is counted of each sentence. ``tokens``: distinct sets of tokens with which nodes are aligned. ``linked``: what
#: is said of nodes that have a partner. ``ambiguous``: nodes that were linked to several at first, and these links.
STATISTICS = (
    "matched",
    "n_pred",
    "n_gold",
    "linked",
    "n_linked_pred",
    "n_linked_gold",
    "mapped_pred",
    "mapped_gold",
    "nodes_pred",
    "nodes_gold",
    "tokens",
    "n_tokens_pred",
    "n_tokens_gold",
    "ambiguous_pred",
    "ambiguous_gold",
    "links_pred",
    "links_gold",
)

#: Most links between the nodes of two sentences: four thousand nodes of each that all look alike.
MOST_LINKS = 1 << 24
_UNMAPPED = "UNMAPPED"


class Compared(NamedTuple):
    """The comparison of two documents.

    Attributes
    ----------
    statistics : int64[len(STATISTICS), n_sentences]
    partners : list of dict
        For each sentence, variables of the prediction → those of gold.
    by_role : ByRole
        Over all sentences.
    """

    statistics: Int64Array
    partners: list[Partners]
    by_role: ByRole


def compare(
    pred: Sequence[Side], gold: Sequence[Side], ignored: Ignored, document_level: bool, tool: bool, source: str
) -> Compared:
    """Compare the sentences of two documents, which are paired by their places.

    Parameters
    ----------
    pred, gold : sequence of Side
        As many on both sides.
    ignored : callable
        Whether a role (with its colon, or ``"concept"``) is left out.
    document_level : bool
        Whether relations of the document level count.
    tool : bool
        As the program does it.
    source : str
        Name of the prediction, for the error.

    Raises
    ------
    FastmatchError
        If two sentences have too many nodes that look alike.
    """
    partners, ambiguous = link(pred, gold, ignored, tool, source)
    backwards = [{other: name for name, other in each.items()} for each in partners]
    statistics = np.zeros((len(STATISTICS), len(gold)), np.int64)
    by_role: ByRole = defaultdict(lambda: [0, 0, 0])
    translators = _Translator(gold, backwards, tool), _Translator(pred, partners, tool)
    for k, (mine, theirs) in enumerate(zip(pred, gold, strict=True)):
        counts = _count_nodes(mine, theirs, backwards[k], ignored, tool, by_role)
        if document_level:
            relations = [{each for each in side.relations if not ignored(each[1])} for side in (theirs, mine)]
            for each, total in zip(
                ("matched", "n_pred", "n_gold"), _count_relations(k, relations, translators, tool, by_role), strict=True
            ):
                counts[each] += total
        for name, value in zip(_AMBIGUOUS, ambiguous[k].tolist(), strict=True):
            counts[name] = value
        statistics[:, k] = [counts[name] for name in STATISTICS]
    return Compared(statistics, partners, dict(by_role))


# ---- nodes -----------------------------------------------------------------------------------------------------------

#: The columns of the kernel, which has gold first.
_AMBIGUOUS = ("ambiguous_gold", "links_gold", "ambiguous_pred", "links_pred")


def link(
    pred: Sequence[Side], gold: Sequence[Side], ignored: Ignored, tool: bool, source: str
) -> tuple[list[Partners], Int64Array]:
    """The partners of each sentence of the prediction, and its ambiguous nodes, int64[n_sentences, 4].

    Arguments and errors are those of :func:`compare`; the columns are nodes of gold that were linked to several at
    first, and these links, and the same of the prediction.
    """
    # a role, a value, a variable as a value or an extended concept → its number
    ids: defaultdict[Hashable, int] = defaultdict()
    ids.default_factory = ids.__len__
    unmapped = ids[_UNMAPPED]
    ordered = [[sorted(side.nodes.values(), key=_variable) for side in sides] for sides in (gold, pred)]
    columns = [_columns(nodes, ids, ignored) for nodes in ordered]
    partners = [np.full(sum(map(len, nodes)), -1, np.int32) for nodes in ordered]
    ambiguous = np.zeros((len(gold), 4), np.int64)
    # to the program, nobody shares a token that the sentence does not have
    n_tokens = np.array([len(side.tokens) if tool else 2**31 - 1 for side in gold], np.int32)
    large = link_nodes(
        columns[0],
        columns[1],
        n_tokens,
        unmapped if tool else -1,
        MOST_LINKS,
        np.zeros(1, np.uint8),
        ambiguous,
        partners[0],
        partners[1],
    )
    if large >= 0:
        raise FastmatchError(
            f"{source}: too many nodes of sentence {large + 1} look alike: more than {MOST_LINKS:,} pairs of them"
        )
    found: list[Partners] = []
    places = iter(partners[1].tolist())
    for mine, theirs in zip(ordered[1], ordered[0], strict=True):
        numbered = [(node, next(places)) for node in mine]
        found.append({node.variable: theirs[place].variable for node, place in numbered if place >= 0})
    return found, ambiguous


def _variable(node: Node) -> str:
    return node.variable


def _columns(ordered: list[list[Node]], ids: Mapping[Hashable, int], ignored: Ignored) -> Nodes:
    """The nodes of all sentences for the kernel; ``ids`` gives each key it is asked for a number."""
    nodes: list[tuple[int, int, int]] = []
    texts: list[bytes] = []
    attributes: list[list[tuple[int, int, int, bool]]] = []
    spans: list[tuple[Span, ...]] = []
    for own in ordered:
        places = {node.variable: place for place, node in enumerate(own)}
        for node in own:
            variable = node.variable
            # constants have numbers of their own where they are no variables
            nodes.append((ids[CONCEPT, node.extended], ids[variable], node.length if node.spans else 0))
            texts.append(variable.encode("utf-8", "surrogatepass"))
            concept = node.concept
            rows = [(ids[CONCEPT], ids[concept,], -1, concept != "" and not ignored(CONCEPT))]
            for role, value, may_be_variable in node.attributes:
                counts = value != "" and not ignored(role)
                if may_be_variable:
                    rows.append((ids[role], ids[value], places.get(value, -1), counts))
                else:
                    rows.append((ids[role], ids[value,], -1, counts))
            rows.sort()
            attributes.append(rows)
            spans.append(node.spans)
    return Nodes(
        _starts(ordered),
        _table(nodes, 3),
        _starts(texts),
        np.frombuffer(b"".join(texts), np.uint8),
        _starts(attributes),
        _table(chain.from_iterable(attributes), 4),
        _starts(spans),
        _table(chain.from_iterable(spans), 2),
    )


def _starts(lists: Sequence[Sequence[object]]) -> Int64Array:
    """Where each list begins if they stand one behind the other, and where the last one ends."""
    starts = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(each) for each in lists], out=starts[1:])
    return starts


def _table(rows: Iterable[tuple[int, ...]], width: int) -> NDArray[np.int32]:
    """Rows as columns; numbers above the largest int32 become that."""
    flat = np.fromiter(chain.from_iterable(rows), np.int64)
    return np.ascontiguousarray(np.minimum(flat, 2**31 - 1).astype(np.int32).reshape(-1, width).T)


#: Up to so many things that are said of a node, looking at all of them is faster than counting them.
_FEW = 12


def _count_nodes(
    pred: Side, gold: Side, partners: Partners, ignored: Ignored, tool: bool, by_role: ByRole
) -> dict[str, int]:
    """What matches of what is said of the nodes of a sentence; ``partners`` are those of gold's nodes."""
    counts = dict.fromkeys(STATISTICS, 0)
    written = {node.variable: _keys(node, None, ignored, tool) for node in pred.nodes.values()}
    said = {node.variable: _keys(node, (gold.nodes, partners), ignored, tool) for node in gold.nodes.values()}
    shared: list[tuple[str, object]] = []
    for variable, partner in partners.items():
        keys, others = said[variable], written[partner]
        counts["n_linked_gold"] += len(keys)
        counts["n_linked_pred"] += len(others)
        if len(keys) > _FEW:
            shared += (Counter(keys) & Counter(others)).elements()
            continue
        left = others.copy()
        for key in keys:
            if key in left:
                left.remove(key)
                shared.append(key)
    for place, each in enumerate((shared, chain.from_iterable(written.values()), chain.from_iterable(said.values()))):
        for role, _ in each:
            by_role[role][place] += 1
    counts["n_pred"], counts["n_gold"] = (sum(map(len, keys.values())) for keys in (written, said))
    counts["matched"] = counts["linked"] = len(shared)
    counts["mapped_pred"] = counts["mapped_gold"] = len(partners)
    counts["nodes_pred"], counts["nodes_gold"] = len(pred.nodes), len(gold.nodes)
    sets = [{joined_spans(node.spans) for node in side.nodes.values() if node.spans} for side in (pred, gold)]
    counts["tokens"] = len(sets[0] & sets[1])
    counts["n_tokens_pred"], counts["n_tokens_gold"] = map(len, sets)
    return counts


def _keys(
    node: Node, translation: tuple[dict[str, Node], Partners] | None, ignored: Ignored, tool: bool
) -> list[tuple[str, object]]:
    """All that counts of a node, as written, or variables of ``translation[0]`` by their partners."""
    keys: list[tuple[str, object]] = []
    if node.concept and not ignored(CONCEPT):
        keys.append((CONCEPT, (node.concept,)))
    for role, value, may_be_variable in node.attributes:
        if not value or ignored(role):
            continue
        if not may_be_variable:
            keys.append((role, (value,)))
        elif translation is not None and value in translation[0]:
            keys.append((role, translation[1].get(value, _UNMAPPED if tool else None)))
        else:
            keys.append((role, value))
    return keys


# ---- relations of the document level ---------------------------------------------------------------------------------


class _Translator:
    """Names of concepts in the words of the other side."""

    def __init__(self, sides: Sequence[Side], partners: list[Partners], tool: bool) -> None:
        self.partners = partners
        self.tool = tool
        #: variable → the sentences that declare it, in order
        self.declared: dict[str, list[int]] = {}
        for k, side in enumerate(sides):
            if side.whole:
                for variable in side.nodes:
                    self.declared.setdefault(variable, []).append(k)

    def __call__(self, name: str, sentence: int) -> str | None:
        """The partner of a variable, None if it has none, or a name that is no variable itself."""
        places = self.declared.get(name)
        if places is None:
            return name
        if self.tool:
            place = places[-1]
            return self.partners[place].get(name, _UNMAPPED) if place <= sentence else _UNMAPPED
        before = [place for place in places if place <= sentence]
        return self.partners[before[-1] if before else places[0]].get(name)

    def relation(self, relation: Relation, sentence: int) -> tuple[str | None, str, str | None]:
        head, role, tail = relation
        return self(head, sentence), role, self(tail, sentence)


def _count_relations(
    sentence: int,
    relations: list[set[Relation]],
    translators: tuple[_Translator, _Translator],
    tool: bool,
    by_role: ByRole,
) -> tuple[int, int, int]:
    """Relations of gold that the prediction has, relations of the prediction, of gold; each pair has gold first."""
    gold, pred = relations
    matched = 0
    n_pred = len(pred)
    for each in gold:
        counts = by_role[each[1]]
        counts[2] += 1
        if translators[0].relation(each, sentence) in pred:
            counts[0] += 1
            matched += 1
    for each in pred:
        by_role[each[1]][1] += 1
    if tool:
        n_pred = matched + sum(translators[1].relation(each, sentence) not in gold for each in pred)
    return matched, n_pred, len(gold)
