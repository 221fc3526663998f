"""The arrays of a corpus as one object, which checks them once for all kernels.

Kernels take a :class:`Columns` and trust it: whatever it holds, no index in it leads out of the array that it belongs
to. A kernel that looks labels up in a table of its own checks the length of that table against ``n_labels``.
"""

cimport cython

from fastmatch._ext.base.division cimport check_division


cdef enum Problem:
    NO_PROBLEM, SIZE, ROOT, INSTANCE, ATTRIBUTE, RELATION, NAME


PROBLEMS = {
    SIZE: "its variables are more than 2**31 - 1 or fewer than 0",
    ROOT: "its root is none of its variables",
    INSTANCE: "an instance of a variable or label that does not exist",
    ATTRIBUTE: "an attribute of a variable or label that does not exist",
    RELATION: "a relation of a variable or label that does not exist",
    NAME: "a variable with a name that does not exist",
}


cdef int check_table(
    str name, const int64_t[::1] offsets, Py_ssize_t n_graphs, const int32_t[:, ::1] table, int n_rows
) except -1:
    if table.shape[0] != n_rows:
        raise ValueError(f"{name}: expected {n_rows} rows, found {table.shape[0]}")
    return check_division(name, offsets, n_graphs, table.shape[1])


@cython.final
cdef class Columns:
    """The arrays of a corpus, checked; immutable. :attr:`fastmatch.Corpus.columns` makes one.

    Parameters
    ----------
    root, variable_offsets, ..., comments : arrays
        As the corpus has them: see the top of :mod:`fastmatch.graphs.arrays` for their meaning, shapes and dtypes. They
        may be read-only. They are kept, not copied, and must not change any more.

    Attributes
    ----------
    n_graphs : int
    n_labels : int
        One more than the greatest label of a triple: a table by label must be at least as long.
    n_names : int
        One more than the greatest label that is a variable's name.
    n_bare : int
        Graphs that have a root of which nothing is said: no concept, no attribute, no relation.

    Raises
    ------
    ValueError
        If a table has another number of rows, if offsets do not divide their table among the graphs, or if a variable
        does not belong to its graph or a label lies below its range (upwards any label is possible).

    Notes
    -----
    Cost: linear in the size of the arrays, comments excepted; a few microseconds for one small graph.
    """

    def __cinit__(
        self, root not None, variable_offsets not None, variable_names not None, instance_offsets not None,
        instances not None, attribute_offsets not None, attributes not None, relation_offsets not None,
        relations not None, surface_offsets not None, surface not None, comment_offsets not None, comments not None,
    ):
        cdef Py_ssize_t g = 0
        cdef Problem problem = NO_PROBLEM
        self.root, self.variable_offsets, self.variable_names = root, variable_offsets, variable_names
        self.instance_offsets, self.instances = instance_offsets, instances
        self.attribute_offsets, self.attributes = attribute_offsets, attributes
        self.relation_offsets, self.relations = relation_offsets, relations
        self.surface_offsets, self.surface = surface_offsets, surface
        self.comment_offsets, self.comments = comment_offsets, comments
        self.n_graphs = self.root.shape[0]
        check_division("variables", self.variable_offsets, self.n_graphs, self.variable_names.shape[0])
        check_table("instances", self.instance_offsets, self.n_graphs, self.instances, 3)
        check_table("attributes", self.attribute_offsets, self.n_graphs, self.attributes, 4)
        check_table("relations", self.relation_offsets, self.n_graphs, self.relations, 5)
        check_table("surface", self.surface_offsets, self.n_graphs, self.surface, 3)
        check_division("comments", self.comment_offsets, self.n_graphs, self.comments.shape[0])
        with nogil:
            for g in range(self.n_graphs):
                problem = measure(self, g)
                if problem != NO_PROBLEM:
                    break
        if problem != NO_PROBLEM:
            raise ValueError(f"graph {g}: {PROBLEMS[problem]}")

    def __len__(self):
        return self.n_graphs


cdef Problem measure(Columns self, Py_ssize_t g) noexcept nogil:
    """Check graph ``g`` and enlarge the greatest sizes and labels to its own."""
    cdef int64_t n_variables = self.variable_offsets[g + 1] - self.variable_offsets[g]
    cdef int64_t n_instances = self.instance_offsets[g + 1] - self.instance_offsets[g]
    cdef int64_t n_attributes = self.attribute_offsets[g + 1] - self.attribute_offsets[g]
    cdef int64_t n_relations = self.relation_offsets[g + 1] - self.relation_offsets[g]
    cdef int32_t n, variable, other, top = <int32_t> (self.n_labels - 1), top_name = <int32_t> (self.n_names - 1)
    cdef Py_ssize_t k
    if n_variables >= <int64_t> 1 << 31:
        return SIZE
    n = <int32_t> n_variables
    if not -1 <= self.root[g] < n:
        return ROOT
    cdef bint bare = self.root[g] >= 0 and n_attributes == 0 and n_relations == 0
    self.most_variables = max(self.most_variables, n)
    self.most_attributes = max(self.most_attributes, n_attributes)
    self.most_relations = max(self.most_relations, n_relations)
    self.most_triples = max(self.most_triples, n_instances + n_attributes + n_relations)
    for k in range(self.variable_offsets[g], self.variable_offsets[g + 1]):
        top_name = max(top_name, self.variable_names[k])
        if self.variable_names[k] < -1:
            return NAME
    for k in range(self.instance_offsets[g], self.instance_offsets[g + 1]):
        variable = self.instances[0, k]
        top = max(top, self.instances[1, k])
        bare = bare and self.instances[1, k] < 0
        if variable < 0 or variable >= n or self.instances[1, k] < -1:
            return INSTANCE
    self.n_bare += bare
    for k in range(self.attribute_offsets[g], self.attribute_offsets[g + 1]):
        variable = self.attributes[0, k]
        top = max(top, max(self.attributes[1, k], self.attributes[2, k]))
        if variable < 0 or variable >= n or self.attributes[1, k] < 0 or self.attributes[2, k] < -1:
            return ATTRIBUTE
    for k in range(self.relation_offsets[g], self.relation_offsets[g + 1]):
        variable, other = self.relations[0, k], self.relations[2, k]
        top = max(top, self.relations[1, k])
        if variable < 0 or variable >= n or other < 0 or other >= n or self.relations[1, k] < 0:
            return RELATION
    self.n_labels = <Py_ssize_t> top + 1
    self.n_names = <Py_ssize_t> top_name + 1
    return NO_PROBLEM
