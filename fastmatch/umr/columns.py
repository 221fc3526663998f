"""The sentences of a document in columns, as juːmæʧ compares them, from graphs that were read as Penman notation.

Relations are as written, inverted ones as well, and a string is a string, also where it is spelled like a variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter

import numpy as np

from fastmatch._ext.umr.reading import read_sentences
from fastmatch._ext.umr.sentences import Sentences
from fastmatch.graphs.arrays import owners_of, starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import QUOTES, Vocabulary, relabelled
from fastmatch.types import Int32Array, Int64Array
from fastmatch.umr.documents import Sentence, Span, joined_length

_OP = re.compile(r":op[0-9]+")


def sentence_columns(corpus: Corpus, sentences: Sequence[Sentence], n: int, top: bool) -> Sentences:
    """The sentences of a document.

    Parameters
    ----------
    corpus : Corpus
        Their graphs. What is new is added to its vocabulary.
    sentences : sequence of Sentence
        As many as graphs.
    n : int
        How many sentences there are to be; those behind the last one are empty.
    top : bool
        Add the relation ``:TOP TOP`` to the first node of each graph.
    """
    vocabulary = corpus.vocabulary
    empty = vocabulary.id("")
    names = np.where(corpus.variable_names >= 0, corpus.variable_names, empty)
    concepts = _concepts(corpus, empty)
    node, said = _said(corpus, names, empty, top)
    extended = _extended(concepts, node, said, vocabulary)
    sentence, order, rows, sizes = _in_order(names, corpus.variable_offsets, node, vocabulary)
    spans, lengths = _aligned(sentences, sentence[order].tolist(), map(vocabulary.text, names[order].tolist()))
    relations = [
        {(head, f":{relation}", tail) for group in each.relations.values() for head, relation, tail in group}
        for each in sentences
    ]
    return Sentences(
        starts_of(np.bincount(sentence[order], minlength=n)),
        np.stack([names[order], concepts[order], extended[order], lengths]).astype(np.int32),
        starts_of(sizes),
        np.ascontiguousarray(said[:, rows]),
        starts_of([len(each) for each in spans]),
        np.array(list(chain.from_iterable(spans)), np.int32).reshape(-1, 2).T.copy(),
        np.zeros(n + 1, np.int64),  # tokens are the program's
        np.zeros(0, np.int32),
        starts_of([*map(len, relations), *[0] * (n - len(relations))]),
        vocabulary.ids(chain.from_iterable(chain.from_iterable(relations))).reshape(-1, 3).T.copy(),
        np.ones(n, np.uint8),
    )


def read_as_tool(
    text: str, vocabulary: Vocabulary, top: bool = False
) -> tuple[Sentences, Int64Array, list[tuple[int, str, int, int]]]:
    """The sentences of a document as the program compare_umr.pl reads them.

    Parameters
    ----------
    text : str
    vocabulary : Vocabulary
        Gets their strings.
    top : bool
        Add the relation ``:TOP TOP`` to the first node of each graph that is read to its end.

    Returns
    -------
    sentences : Sentences
    lines : int64[n_sentences]
        The line in which each sentence begins, from 1.
    problems : list of (sentence, message, line, column)
        Sentences that were not read to their end, and why; line and column are counted from 1, in characters.
    """
    lines, whole, starts, nodes, said, spans, *others, problems = read_sentences(text, vocabulary.interner, top)
    names, concepts, lengths, first, n_spans = nodes
    node, said = said[0], said[1:]
    sentence, order, rows, sizes = _in_order(names, starts, node, vocabulary)
    extended = _extended(concepts, node, said, vocabulary)
    extended[whole[sentence] == 0] = vocabulary.id("")
    span_start = starts_of(n_spans[order])
    runs = np.repeat(first[order] - span_start[:-1], n_spans[order]) + np.arange(span_start[-1])
    found = Sentences(
        starts_of(np.bincount(sentence[order], minlength=len(whole))),
        np.stack([names[order], concepts[order], extended[order], lengths[order]]),
        starts_of(sizes),
        np.ascontiguousarray(said[:, rows]),
        span_start,
        np.ascontiguousarray(spans[:, runs]),
        *others,
        whole,
    )
    return found, lines, problems


def _in_order(
    names: Int32Array, starts: Int64Array, node: Int64Array, vocabulary: Vocabulary
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """Nodes in the order of their variables; of several nodes of a sentence with one name, the last one is kept.

    ``starts``: where the nodes of each sentence begin; ``node``: the node of which each thing is said. Returns the
    sentence of each node; the kept nodes in order; what is said of them, node by node; and of each how much.
    """
    distinct, number = np.unique(names, return_inverse=True)
    texts = list(map(vocabulary.text, distinct.tolist()))
    ranks = np.empty(len(texts), np.int64)
    ranks[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    sentence = owners_of(starts)
    rank = ranks[number]
    order = np.lexsort((rank, sentence))
    kept = np.ones(len(order), np.bool_)
    kept[:-1] = (sentence[order][1:] != sentence[order][:-1]) | (rank[order][1:] != rank[order][:-1])
    order = order[kept]
    place = np.full(len(names), -1, np.int64)
    place[order] = np.arange(len(order))
    rows = np.flatnonzero(place[node] >= 0)
    rows = rows[np.argsort(place[node[rows]], kind="stable")]
    return sentence, order, rows, np.bincount(place[node[rows]], minlength=len(order))


def _concepts(corpus: Corpus, empty: int) -> Int32Array:
    """The first concept of each node, int32[n_variables]."""
    variable, concept, _ = corpus.instances
    nodes = variable + np.repeat(corpus.variable_offsets[:-1], np.diff(corpus.instance_offsets))
    found = np.full(len(corpus.variable_names), empty, np.int32)
    rows = np.flatnonzero(concept >= 0)[::-1]  # the last assignment is that of the first row
    found[nodes[rows]] = concept[rows]
    return found


def _said(corpus: Corpus, names: Int32Array, empty: int, top: bool) -> tuple[Int64Array, Int32Array]:
    """What is said of nodes in the order of the text: the node; and role, value and whether it is a variable."""
    vocabulary = corpus.vocabulary
    starts = corpus.variable_offsets[:-1]
    variable, role, value, position = corpus.attributes
    source, relation, target, at, inverted = corpus.relations
    backwards = np.flatnonzero(inverted)
    relation = relation.copy()
    relation[backwards] = relabelled(vocabulary, relation[backwards], "{}-of".format)
    first = np.repeat(starts, np.diff(corpus.attribute_offsets))
    second = np.repeat(starts, np.diff(corpus.relation_offsets))
    roots = np.flatnonzero(corpus.root >= 0) if top else np.zeros(0, np.int64)
    top_role, top_value = map(vocabulary.id, (":TOP", "TOP"))
    unquoted = vocabulary.fold(QUOTES)
    here, there = np.where(inverted, target, source) + second, np.where(inverted, source, target) + second
    tables = (
        (variable + first, role, np.where(value >= 0, unquoted[value], empty), 0, position),
        (here, relation, names[there], 1, at),
        (corpus.root[roots] + starts[roots], top_role, top_value, 0, 2**31 - 1),
    )
    columns = zip(*(np.broadcast_arrays(*table) for table in tables), strict=True)
    node, roles, values, kinds, places = map(np.concatenate, columns)
    order = np.lexsort((places, node))
    return node[order].astype(np.int64), np.stack([roles, values, kinds])[:, order].astype(np.int32)


def _extended(concepts: Int32Array, node: Int64Array, said: Int32Array, vocabulary: Vocabulary) -> Int32Array:
    """What unaligned nodes are linked by: the concept, and for names what is named.

    That is what their ``:op1``, ``:op2`` … are, in the order of these words, in which ``:op10`` comes before ``:op2``.
    """
    found = concepts.copy()
    name = vocabulary.id("name")
    words: dict[int, list[tuple[str, str]]] = {k: [] for k in np.flatnonzero(concepts == name).tolist()}
    for row in np.flatnonzero(concepts[node] == name).tolist() if len(node) else ():
        role = vocabulary.text(said[0, row])
        if _OP.fullmatch(role):
            words[int(node[row])].append((role, vocabulary.text(said[1, row])))
    for k, ops in words.items():
        ops.sort(key=itemgetter(0))
        found[k] = vocabulary.id(" ".join(["name", *(value for _, value in ops)]))
    return found


def _aligned(
    sentences: Sequence[Sentence], of: list[int], variables: Iterable[str]
) -> tuple[list[tuple[Span, ...]], list[int]]:
    """For nodes, given by their sentences and variables: their spans, and the characters of their tokens."""
    tokens = [sentence.text.split() for sentence in sentences]
    spans = [tuple(sentences[k].alignment.get(variable, ())) for k, variable in zip(of, variables, strict=True)]
    return spans, [joined_length(tokens[k], each) if each else 0 for k, each in zip(of, spans, strict=True)]
