"""Damaged tables of triples and RDF: graphs or one error with its place, never anything else."""

import contextlib
import io
import json
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.errors import ReadError
from fastmatch.types import OnError

from support.mutation import mutated

HEAD = ["graph,source,role,target,value", "subject\tpredicate\tobject", "head,relation,tail,graph", "source,role,value"]
CELLS = st.sampled_from(
    ["", "a", "b", "instance", ":instance", ":", "role", '"a b"', '"', '""', '"a', "1", "\x00", "\ud800", "a\r", "東"]
)
KEYS = st.sampled_from(["a", "id", "label", "source", "role", "target"])
VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1.5, "", "a", "b", "instance", ":", "\ud800", "\x00", float("nan"), 10**400]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner),
    max_leaves=6,
)
FIELDS = ["id", "graph", "triples", "nodes", "edges", "attributes", "top", "source", "role", "target", "value", "text"]


def found(data: Any, on_error: OnError) -> fm.Corpus | str:
    """What was read, or the error."""
    try:
        return fm.read(io.StringIO(data) if isinstance(data, str) else io.BytesIO(data), on_error=on_error)
    except ReadError as error:
        return str(error)


def check(data: Any) -> None:
    """With every ``on_error``: a valid corpus, or an error in one line."""
    for on_error in get_args(OnError):
        corpus = found(data, on_error)
        if isinstance(corpus, str):
            assert "\n" not in corpus
            assert corpus.startswith("<stream>")
            continue
        corpus.validate()
        assert on_error != "raise" or not corpus.problems
        assert all(not corpus[g].triples for g, _ in corpus.problems)


@given(st.sampled_from(HEAD), st.lists(st.lists(CELLS, max_size=6), max_size=5), st.sampled_from(",\t"))
def test_rows_of_cells(header: str, rows: list[list[str]], separator: str):
    check("\n".join([header, *(separator.join(row) for row in rows)]))


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=5), max_size=3), st.booleans())
def test_rows_of_json(rows: list[dict[str, Any]], listed: bool):
    first = {"triples": [["a", "r", "b"]]}
    for given_rows in (rows, [first, *rows], [{"source": "a", "role": "r", "target": "b"}, *rows]):
        check(json.dumps(given_rows) if listed else "\n".join(map(json.dumps, given_rows)))


TABLE = b'graph,source,role,target,value\n1,a,r,b,\n1,"a ""x""",instance,,cat\n2,b,r,c,\n'
RDF = b'<http://e/a> <http://e/p> "x"@en .\n_:b <http://e/q> <http://e/a> .\n'


@given(st.randoms())
def test_damaged_bytes(random: Random):
    check(mutated(random, TABLE))


@given(st.randoms())
def test_damaged_rdf(random: Random):
    pytest.importorskip("pyoxigraph", reason="pyoxigraph is not installed: pip install 'fastmatch[rdf]'")
    for form in ("nt", "nq", "ttl", "trig", "rdf"):
        with contextlib.suppress(ReadError):
            fm.Corpus.from_rdf(mutated(random, RDF), format=form).validate()
