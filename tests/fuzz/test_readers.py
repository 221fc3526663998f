"""What no input may do to any reader: crash it, lead it out of its arrays, or keep it busy for longer than its length.

Every dialect in the table is tried, those of readers to come as well. Nothing here measures time: a reader that is
quadratic in the large inputs below would be at work for minutes.
"""

import contextlib
import io
import json
import sys
from typing import Any, get_args

import numpy as np
import pytest
from fuzz.campaign import placed
from hypothesis import assume, given
from hypothesis import strategies as st
from parity.test_malformed import CASES

import fastmatch as fm
from fastmatch.graphs.arrays import MAGIC
from fastmatch.graphs.dialects import DIALECTS, make_reader
from fastmatch.graphs.sources import other_format, packed_by
from fastmatch.types import OnError

from support.mutation import PENMAN, SAMPLE, TOKENS, mutated
from support.nightly import NIGHT


def damaged() -> st.SearchStrategy[bytes]:
    """Good text with bytes flipped, stretches doubled, moved and taken out."""
    return st.builds(mutated, st.randoms(), st.sampled_from([PENMAN.encode(), *SAMPLE]))


ANY_DIALECT = st.sampled_from(list(DIALECTS))


def assert_sound(data: bytes, dialect: str) -> None:
    """Reading ends in a corpus or a ReadError with a place, and whatever comes out holds together.

    A file that is surely of another format, or packed, is an error without a place, whatever ``on_error`` says.
    """
    packed = packed_by(data) is not None or data.startswith(b"\x1f\x8b")
    if packed or other_format(data, dialect) is not None:
        for on_error in ("raise", "skip", "empty", "repair"):
            with pytest.raises(fm.ReadError, match=r"^<stream>: (this is |packed by |damaged gzip file)"):
                fm.read(io.BytesIO(data), dialect=dialect, on_error=on_error)
        return
    try:
        fm.read(io.BytesIO(data), dialect=dialect)
    except fm.ReadError as error:
        placed(error, data)
    skipped = fm.read(io.BytesIO(data), dialect=dialect, on_error="skip").validate()
    emptied = fm.read(io.BytesIO(data), dialect=dialect, on_error="empty").validate()
    assert not skipped.problems and len(emptied) == len(skipped) + len(emptied.problems)
    broken = {g for g, _ in emptied.problems}
    mended = fm.read(io.BytesIO(data), dialect=dialect, on_error="repair").validate()
    assert len(mended) == len(emptied) and mended.comments.tobytes() == emptied.comments.tobytes()
    changed = {one.graph for one in mended.repairs}
    assert broken == {g for g, _ in mended.problems} | changed & broken
    assert all(mended[g] == emptied[g] for g in range(len(mended)) if g not in changed)
    assert emptied[[g for g in range(len(emptied)) if g not in broken]].root.tolist() == skipped.root.tolist()
    for graph in emptied:
        assert set(graph.variables) >= {source for source, _, _ in graph.triples}
        with contextlib.suppress(fm.FastmatchError):  # not every graph can be written
            graph.encode()
    again = fm.Corpus.from_graphs(emptied, dialect=dialect, vocabulary=emptied.vocabulary).validate()
    good = [g for g in range(len(emptied)) if g not in broken]
    assert again[good] == emptied[good]
    assert list(again) == list(emptied)  # comments of the others show what is no UTF-8 as U+FFFD


@given(
    st.one_of(
        st.binary(max_size=80),
        damaged(),
        st.lists(st.sampled_from(TOKENS), max_size=40).map(lambda tokens: "".join(tokens).encode()),
    ),
    ANY_DIALECT,
)
def test_any_bytes(data: bytes, dialect: str) -> None:
    # a damaged archive, and a saved corpus without a file, is an error whatever on_error says
    assume(not data.startswith((b"\x1f\x8b", MAGIC)) and other_format(data, dialect) is None)
    assert_sound(data, dialect)


@pytest.mark.parametrize("dialect", ["ancast", "ancast-umr"])
def test_bytes_in_a_block_without_a_graph(dialect: str) -> None:
    """Found by mutation: what such a block holds belongs to the next graph, and its place is its own."""
    with pytest.raises(fm.ReadError, match="0xff") as caught:
        fm.read(io.BytesIO(b"# ::id 1\n# \xff\n\n\n\n(a / x)\n"), dialect=dialect)
    assert (caught.value.line, caught.value.column) == (2, 3)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_malformed(dialect: str) -> None:
    for case in CASES:
        assert_sound(case.data, dialect)


@given(st.one_of(damaged(), st.just(PENMAN.encode())), ANY_DIALECT, st.integers(1, 3), st.sampled_from([1, 2]))
def test_reading_in_steps_gives_the_same(data: bytes, dialect: str, limit: int, on_error: int) -> None:
    at_once = make_reader(dialect, fm.Vocabulary().interner)
    in_steps = make_reader(dialect, fm.Vocabulary().interner)
    assert at_once.feed(data, on_error) == 0
    position = in_steps.feed(data, on_error, False, 0, limit)
    while position > 0:
        position = in_steps.feed(data, on_error, False, position, limit)
    assert at_once.problems == in_steps.problems
    expected, found = at_once.columns(), in_steps.columns()
    for name, column in expected.items():
        np.testing.assert_array_equal(found[name], column, err_msg=name)
    assert len(at_once) == 0 and all(column.shape[-1] <= 1 for column in at_once.columns().values())


@given(st.text(max_size=40), ANY_DIALECT)
def test_any_strings(text: str, dialect: str) -> None:
    """Each string of a list is one graph, lone surrogates and all."""
    assert len(fm.parse([text, "(a / x)", text], dialect=dialect, on_error="empty").validate()) == 3


#: A graph in dialects that do not read ``(a / x)``.
GRAPHS = {name: b"a.n.01\n\n" for name in DIALECTS if name.startswith("sbn")} | {
    "camr": b"# ::id 1\n# ::wid x1_x\n(x1 / x)\n\n",
    "mrp": b'{"id": 1}\n\n',
    "mrp-tool": b'{"id": 1}\n\n',
    "tsv": b"a b :r\n\n",
    "camr-tuples": b"1\tx0\troot\t-\t:top\t-\t-\tx1\tx\t-\n\n",
}

LARGE = {
    "deep": lambda n: "(a / x :r " * n + "(b / y)" + ")" * n,
    "deep and open": lambda n: "(a / x :r " * n,
    "deep, all different": lambda n: "".join(f"(v{k} / x :r " for k in range(n)) + "(b / y)" + ")" * n,
    "open brackets": lambda n: "(" * n,
    "closing brackets": lambda n: ")" * n,
    "brackets around a value": lambda n: "(a / x :r " + "(" * n + "5" + ")" * n + ")",
    "values in brackets": lambda n: "(a / x " + ":r ((5)) " * n + ")",
    "pairs of brackets": lambda n: "()" * n,
    "double quotes": lambda n: '"' * n,
    "single quotes": lambda n: "'" * n,
    "quotes apart": lambda n: "(a / x :r" + " \" ' " * n + ")",
    "strings that do not end": lambda n: "(a / x" + ' :r "b' * n + ")",
    "single strings that do not end": lambda n: "(a / x" + " :r 'b" * n + ")",
    "strings within strings": lambda n: "(a / x" + " :r 'b \"c' d\"" * n + ")",
    "backslashes": lambda n: '(a / x :r "' + "\\" * n + '")',
    "one long name": lambda n: f"(a / {'x' * n})",
    "one long role": lambda n: f"(a / x :{'r' * n} b)",
    "one long string": lambda n: f'(a / x :r "{"y z " * n}")',
    "of-of-of": lambda n: f"(a / x :r{'-of' * n} (b / y))",
    "colons": lambda n: ":" * n,
    "roles without values": lambda n: "(a / x" + " :r" * n + ")",
    "slashes": lambda n: "/" * n,
    "slashes apart": lambda n: "a / " * n,
    "tildes": lambda n: "(a / x" + "~" * n + ")",
    "alignments": lambda n: "(a / x~e." + "1," * n + "1)",
    "one node, many values": lambda n: "(a / x" + " :r 5" * n + ")",
    "one node, many roles": lambda n: "(a / x" + "".join(f" :r{k} 5" for k in range(n)) + ")",
    "one node, many names for one": lambda n: "(a / x" + " :r b" * n + " :s (b / y))",
    "one name, many nodes": lambda n: "(a / x" + " :r (b / y)" * n + ")",
    "a name in its own name": lambda n: "(a / " * n + "x" + ":r b" * n + ")" * n,
    "blank lines": lambda n: "\n" * n,
    "carriage returns": lambda n: "(a / x)" + "\r" * n + "(b / y)",
    "lines of spaces": lambda n: " \n" * n,
    "comments": lambda n: "#\n" * n + "(a / x)",
    "metadata": lambda n: "# ::a" * n + "\n(a / x)",
    "broken graphs": lambda n: "(a / x\n\n" * n,
    "broken graphs in a row": lambda n: "(a / x\n" * n,
    "graphs within a broken one": lambda n: "(a / x :r\n\n" * n + "(b / y)",
    "a graph, then much junk": lambda n: "(a / x) " + "junk " * n,
    "junk, a line each": lambda n: "junk\n" * n,
    "brackets too many": lambda n: "(a / x))\n\n" * n,
    "nul": lambda n: "(a / x :r \x00" + "\x00" * n + ")",
    "wide spaces": lambda n: "(a / x" + "\u3000" * n + ")",
    "tables": lambda n: "a\tb\tc\n" * n,
    "triples": lambda n: "a b c\n" * n,
    "half a triple": lambda n: "a\tb\n\n" * n,
    "concepts in a line": lambda n: "a.n.01 " * n,
    "concepts, a line each": lambda n: "a.n.01 Agent +1\n" * n + "a.n.01",
    "a chain of concepts": lambda n: "a.n.01 Agent +1 " * n + "a.n.01",
    "a chain of boxes": lambda n: "a.n.01" + " NEGATION <1 b.n.01" * n,
    "boxes before the first": lambda n: "a.n.01" + " NEGATION <9 b.n.01" * n,
    "one concept, many constants": lambda n: "a.n.01" + " EQU now" * n,
    "one concept, many equal edges": lambda n: "a.n.01 b.n.01" + " Agent -1" * n,
    "tops": lambda n: "a.n.01 TOP x " * n,
    "a long name": lambda n: 'a.n.01 Name "' + "b " * n + '"',
    "names that do not end": lambda n: "a.n.01" + ' Name "b' * n,
    "a long index": lambda n: "a.n.01 Agent -" + "1" * n,
    "dots": lambda n: ".n." * n,
    "half concepts": lambda n: ".n.1" * n,
    "lists in lists": lambda n: "[" * n,
    "objects in objects": lambda n: '{"id": 1, "nodes": [' + '{"a":' * n,
    "closed lists in lists": lambda n: '{"id": ' + "[" * n + "]" * n + "}",
    "anchors over all": lambda n: (
        '{"id": 1, "input": "'
        + "." * n
        + '", "nodes": ['
        + ",".join(f'{{"id": {k}, "anchors": [{{"from": 0, "to": {n}}}]}}' for k in range(n // 50))
        + "]}"
    ),
    "one node, many anchors": lambda n: (
        '{"id": 1, "nodes": [{"id": 1, "anchors": ['
        + ",".join(f'{{"from": {2 * k}, "to": {2 * k + 1}}}' for k in range(n))
        + "]}]}"
    ),
    "equal edges": lambda n: (
        '{"id": 1, "nodes": [{"id": 1}], "edges": [' + ",".join(['{"source": 1, "target": 1}'] * n) + "]}"
    ),
    "escapes": lambda n: '{"id": "' + "\\ud83d\\ude00" * n + '"}',
    "fields": lambda n: '{"id": 1' + ', "id": 1' * n + "}",
    "percent signs": lambda n: "a.n.01" + " % " * n,
}


#: The first dialect of each reader: the others differ in its options, and get less by day.
FIRST = [*{reading.module: name for name, reading in reversed(DIALECTS.items())}.values()]


def sized(dialect: str, number: int) -> int:
    """By day a tenth for readers in Python: they are slow, and no stack or array of C can be too small for them."""
    return number // 10 if DIALECTS[dialect].module.startswith("fastmatch.") and not NIGHT else number


@pytest.mark.parametrize("dialect", DIALECTS)
def test_large_input(dialect: str) -> None:
    most = 50_000 if NIGHT else sized(dialect, 10_000 if dialect in FIRST else 2_000)
    size = max(most, sys.getrecursionlimit() + 200)  # nothing may be too deep
    for name, make in LARGE.items():
        text = make(size)
        for on_error in ("skip", "empty") if NIGHT or dialect in FIRST else ("empty",):
            fm.parse(text, dialect=dialect, on_error=on_error).validate(name)
        with contextlib.suppress(fm.ReadError):
            fm.parse([text], dialect=dialect)


@pytest.mark.parametrize("dialect", DIALECTS if NIGHT else FIRST)
def test_bytes_that_are_no_text(dialect: str) -> None:
    for data in (
        b"\xff" * sized(dialect, 200_000),
        (GRAPHS[dialect].rstrip() + b" \xff\n\n" if dialect in GRAPHS else b"(a / \xff)\n\n") * sized(dialect, 20_000),
        b"# \xc3\n" * sized(dialect, 50_000),
        GRAPHS.get(dialect, b"(a / x)\n\n") * sized(dialect, 20_000) + b"\xe2",
    ):
        fm.read(io.BytesIO(data), dialect=dialect, on_error="empty").validate()
        with pytest.raises(fm.ReadError, match="UTF-8"):
            fm.read(io.BytesIO(data), dialect=dialect)


@pytest.mark.parametrize("dialect", DIALECTS if NIGHT else FIRST)
def test_a_very_long_line(dialect: str) -> None:
    text = "(a / x " + ":ARG0 (b / y :op1 5) " * sized(dialect, 250_000) + ")"
    assert len(fm.parse(text, dialect=dialect, on_error="empty").validate()) == 1
    with contextlib.suppress(fm.ReadError):
        fm.parse(text.replace("5)", "5 5)"), dialect=dialect)


# ---- tables of triples and RDF: graphs or one error with its place, never anything else ------------------------------


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
    except fm.ReadError as error:
        return str(error)


def check(data: Any) -> None:
    """With every ``on_error``: a valid corpus, or an error in one line."""
    for on_error in get_args(OnError):
        corpus = found(data, on_error)
        if isinstance(corpus, str):
            assert "\n" not in corpus and corpus.startswith("<stream>")
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
def test_damaged_bytes(random):
    check(mutated(random, TABLE))


@given(st.randoms())
def test_damaged_rdf(random):
    pytest.importorskip("pyoxigraph", reason="pyoxigraph is not installed: pip install 'fastmatch[rdf]'")
    for form in ("nt", "nq", "ttl", "trig", "rdf"):
        with contextlib.suppress(fm.ReadError):
            fm.Corpus.from_rdf(mutated(random, RDF), format=form).validate()
