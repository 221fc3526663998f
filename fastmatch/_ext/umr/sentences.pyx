# cython: language_level=3
"""The sentences of a UMR document in columns, as juːmæʧ compares them.

Strings are ids of an interner that the two sides share, so that equal strings are equal numbers.
"""

cimport cython
from libc.stdint cimport int64_t

from fastmatch._ext.base.division cimport check_division


@cython.final
cdef class Sentences:
    """The sentences of one document, checked once.

    Parameters
    ----------
    node_start : int64, shape (n_sentences + 1,)
        Where the nodes of each sentence begin. They stand in the order of their variables (bytes in UTF-8), each
        variable once.
    nodes : int32, shape (4, n_nodes)
        Variable, concept, extended concept (what unaligned nodes are linked by), and the characters of the aligned
        text, 0 for an unaligned node.
    attribute_start : int64, shape (n_nodes + 1,)
    attributes : int32, shape (3, ·)
        What is said of each node but its concept, in any order: role, value, and whether the value is the variable that
        is spelled like it (1), if the sentence has one, or always a constant (0).
    span_start : int64, shape (n_nodes + 1,)
    spans : int32, shape (2, ·)
        First and last token of each run of tokens that a node is aligned with, counted from 1: in order, and apart from
        each other. A node without one is unaligned.
    token_start : int64, shape (n_sentences + 1,)
    tokens : int32, shape (·,)
    relation_start : int64, shape (n_sentences + 1,)
    relations : int32, shape (3, ·)
        Head, role and tail of the relations of the document level, in any order; repeated ones count once.
    whole : uint8, shape (n_sentences,)
        Whether the graph was read to its end. If not, relations of the document level do not know its variables.

    Raises
    ------
    ValueError
        If shapes, offsets, ids or spans do not fit.
    """

    def __cinit__(
        self, node_start not None, nodes not None, attribute_start not None, attributes not None,
        span_start not None, spans not None, token_start not None, tokens not None, relation_start not None,
        relations not None, whole not None,
    ):
        self.node_start, self.nodes = node_start, nodes
        self.attribute_start, self.attributes = attribute_start, attributes
        self.span_start, self.spans = span_start, spans
        self.token_start, self.tokens = token_start, tokens
        self.relation_start, self.relations = relation_start, relations
        self.whole = whole
        cdef Py_ssize_t n = self.whole.shape[0], n_nodes = self.nodes.shape[1], i
        cdef Py_ssize_t n_attributes = self.attributes.shape[1], n_spans = self.spans.shape[1]
        cdef int64_t k
        if self.nodes.shape[0] != NODE_ROWS or self.attributes.shape[0] != ATTRIBUTE_ROWS:
            raise ValueError(f"expected {NODE_ROWS} rows of nodes and {ATTRIBUTE_ROWS} of attributes")
        if self.spans.shape[0] != 2 or self.relations.shape[0] != RELATION_ROWS:
            raise ValueError(f"expected 2 rows of spans and {RELATION_ROWS} of relations")
        check_division("node_start", self.node_start, n, n_nodes, "sentence")
        check_division("attribute_start", self.attribute_start, n_nodes, n_attributes, "node")
        check_division("span_start", self.span_start, n_nodes, n_spans, "node")
        check_division("token_start", self.token_start, n, self.tokens.shape[0], "sentence")
        check_division("relation_start", self.relation_start, n, self.relations.shape[1], "sentence")
        if max(n_nodes + n_attributes, max(self.relations.shape[1], n_spans)) >= 2**31:
            raise ValueError("a document has 2**31 attributes, spans or relations, or more")
        self.highest = -1
        parts = {"nodes": nodes[:N_EXTENDED + 1], "attributes": attributes[:A_VALUE + 1], "relations": relations}
        for name, ids in parts.items():
            if ids.min(initial=0) < 0:
                raise ValueError(f"{name}: a string has no id")
            self.highest = max(self.highest, ids.max(initial=-1))
        for i in range(n_nodes):
            for k in range(self.span_start[i], self.span_start[i + 1]):
                if not 0 < self.spans[0, k] <= self.spans[1, k] or (
                        k > self.span_start[i] and self.spans[0, k] - 1 <= self.spans[1, k - 1]):
                    raise ValueError("spans must begin at 1 or later, ascend, and neither touch nor overlap")
        self.n_sentences = n

    def __len__(self):
        return self.n_sentences
