"""juːmæʧ of two documents: nodes linked, attributes and document relations compared.

Zeman and Gamba (2026), the main metric of the first shared task on UMR parsing. The nodes of two graphs of a sentence
are linked one-to-one by the tokens with which they are aligned, or by their concepts
(:mod:`fastmatch._ext.umr.links`). Then everything is counted that is said of a node: its concept and its relations, to
values or to other nodes. It matches if the node's partner has it as well, nodes named by their partners. Relations of
the document level are compared in the same way, sentence by sentence (:mod:`fastmatch._ext.umr.compare`).

The program compare_umr.pl (``tool``) links and counts sentence after sentence. So a document relation with a node of a
later sentence never matches. It knows each variable of a file once, in the last sentence that has it. And it counts
the relations of the prediction as matches plus those whose translation gold does not have, which is not their number
where a variable is unknown. Without ``tool`` all sentences are linked first, a variable is looked for in its own
sentence, then in those before and those behind it, and the relations of the prediction are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from fastmatch._ext.umr.compare import compare_sentences
from fastmatch._ext.umr.sentences import Sentences
from fastmatch.errors import FastmatchError
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.types import BoolArray, ByteArray, Int32Array, Int64Array

#: Whether a role, with its colon, or ``"concept"`` is left out.
Ignored: TypeAlias = Callable[[str], bool]
#: Role with its colon → matches, what the prediction says, what gold says.
ByRole: TypeAlias = dict[str, list[int]]
#: Variables of one side of a sentence → those of their partners.
Partners: TypeAlias = dict[str, str]

#: What is counted of each sentence. ``tokens``: distinct sets of tokens with which nodes are aligned. ``linked``: what
#: is said of nodes that have a partner. ``ambiguous``: nodes that were linked to several at first, and these links.
STATISTICS = (
    *("matched", "n_pred", "n_gold", "linked", "n_linked_pred", "n_linked_gold", "mapped_pred", "mapped_gold"),
    *("nodes_pred", "nodes_gold", "tokens", "n_tokens_pred", "n_tokens_gold", "ambiguous_pred", "ambiguous_gold"),
    *("links_pred", "links_gold"),
)

#: Most links between the nodes of two sentences: four thousand nodes of each that all look alike.
MOST_LINKS = 1 << 24
#: Steps of work for the links of two sentences by the option ``effort``; :mod:`fastmatch._ext.umr.links` counts them.
#: No sentence of 1,764 in published treebanks takes 100,000. 400 nodes that all look alike take less than 60 million.
WORK = {"minimal": 7 * 10**5, "low": 2 * 10**6, "default": 6 * 10**7, "high": 2 * 10**9, "proof": 2**62}
#: The attribute that stands for a node's concept.
_CONCEPT = "concept"
#: What the program calls a node without a partner.
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
    whole : bool[n_sentences]
        False where the work was spent before all links were compared.
    """

    statistics: Int64Array
    partners: list[Partners]
    by_role: ByRole
    whole: BoolArray


def compare(
    pred: Sentences,
    gold: Sentences,
    vocabulary: Vocabulary,
    ignored: Ignored,
    document_level: bool,
    tool: bool,
    source: str,
    work: int,
) -> Compared:
    """Compare the sentences of two documents, which are paired by their places.

    Parameters
    ----------
    pred, gold : Sentences
        Those that one side has more are not compared.
    vocabulary : Vocabulary
        Of their strings.
    ignored : callable
        Whether a role (with its colon, or ``"concept"``) is left out.
    document_level : bool
        Whether relations of the document level count.
    tool : bool
        As the program does it.
    source : str
        Name of the prediction, for the error.
    work : int
        Steps of work for the links of two sentences: see :data:`WORK`.

    Raises
    ------
    FastmatchError
        If two sentences have too many nodes that look alike.
    """
    n = min(len(pred), len(gold))
    concept, empty, unmapped = map(vocabulary.id, (_CONCEPT, "", _UNMAPPED))
    text, starts = vocabulary.export()
    statistics = np.zeros((n, len(STATISTICS)), np.int64)
    by_role = np.zeros((3, len(vocabulary)), np.int64)
    partners = [np.full(np.asarray(side.nodes).shape[1], -1, np.int32) for side in (pred, gold)]
    whole = np.ones(n, np.uint8)
    left_out = _left_out((pred, gold), vocabulary, ignored, concept)
    words = starts, text, left_out, concept, empty, unmapped if tool else -1
    limits, found = (MOST_LINKS, work, np.zeros(1, np.uint8)), (statistics, by_role, *partners, whole)
    large = compare_sentences(pred, gold, *words, document_level, tool, *limits, *found)
    if large >= 0:
        raise FastmatchError(
            f"{source}: too many nodes of sentence {large + 1} look alike: more than {MOST_LINKS:,} pairs of them"
        )
    counted = np.flatnonzero(by_role.any(axis=0)).tolist()
    roles = {vocabulary.text(role): by_role[:, role].tolist() for role in counted}
    named = _named(pred, gold, n, partners[0], vocabulary)
    return Compared(np.ascontiguousarray(statistics.T), named, roles, whole.view(np.bool_))


def _left_out(sides: tuple[Sentences, Sentences], vocabulary: Vocabulary, ignored: Ignored, concept: int) -> ByteArray:
    """Which strings are roles that are left out, uint8[len(vocabulary)]."""
    found = np.zeros(len(vocabulary), np.uint8)
    for side in sides:
        found[np.asarray(side.attributes)[0]] = 1
        found[np.asarray(side.relations)[1]] = 1
    found[concept] = 1
    for role in np.flatnonzero(found).tolist():
        found[role] = ignored(vocabulary.text(role))
    return found


def _named(pred: Sentences, gold: Sentences, n: int, partners: Int32Array, vocabulary: Vocabulary) -> list[Partners]:
    """The partners of each of the first n sentences of the prediction, by their variables."""
    starts, others = np.asarray(pred.node_start)[: n + 1], np.asarray(gold.node_start)[: n + 1]
    linked = np.flatnonzero(partners[: starts[-1]] >= 0)
    partner = np.repeat(others[:-1], np.diff(starts))[linked] + partners[linked]
    names = [np.asarray(side.nodes)[0][places] for side, places in ((pred, linked), (gold, partner))]
    distinct, back = np.unique(np.concatenate(names), return_inverse=True)
    texts = list(map(vocabulary.text, distinct.tolist()))
    said = [texts[k] for k in back.tolist()]
    mine, theirs = said[: len(linked)], said[len(linked) :]
    borders = np.searchsorted(linked, starts).tolist()
    return [dict(zip(mine[a:b], theirs[a:b], strict=True)) for a, b in pairwise(borders)]
