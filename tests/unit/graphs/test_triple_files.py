"""Tables of triples: what the sample files in ``tests/data/triples`` hold, and what is refused, with its place."""

import gzip
import io
import json

import pytest

import fastmatch as fm
from fastmatch.errors import OptionError, ReadError

from support.refusal import fails

ROOM = "n1|instance|cat; n2|instance|mat (red/blue); n1|on top of|n2; n3|near|n2; n1|colour|dark red"
BREAK_IN = "e|instance|break-in (crime); p|instance|person; p|instance|suspect"
#: File → for each graph its id, its top and its triples.
HOLD = {
    "kg-gold.csv": [
        ("1", None, "Alan Bean|birthPlace|Wheeler, Texas; Alan Bean|mission|Apollo 12; Alan Bean|birthYear|1932"),
        ("2", None, 'AC/DC (band)|label|"Atlantic" Records; AC/DC (band)|origin|Sydney : Australia'),
    ],
    "facts.jsonl": [
        ("f1", None, 'Ada Lovelace|wrote|Notes: "Sketch"; Notes: "Sketch"|about|Analytical Engine'),
        ("f2", None, ""),
        ("f3", "x", "x|equals|3; x|unit|m/s"),
    ],
    "scenes.tsv": [("room", None, ROOM), ("yard", None, "n1|instance|dog")],
    "events.json": [
        ("e1", None, f"{BREAK_IN}; e|agent|p; e|before|t; t|date|2024-05-01"),
        ("e2", "1", "1|instance|vote; 1|theme|2"),
    ],
}
#: Files whose nodes have their names as labels.
OWN_LABELS = {
    "kg-gold.csv": [
        ["Alan Bean", "Wheeler, Texas", "Apollo 12"],
        ["AC/DC (band)", '"Atlantic" Records', "Sydney : Australia"],
    ],
    "facts.jsonl": [["Ada Lovelace", 'Notes: "Sketch"', "Analytical Engine"], [], ["x", "3"]],
}


@pytest.mark.parametrize("name", HOLD)
def test_samples(name, own_data, tmp_path):
    """By name, by what the file begins with, packed, and as text."""
    path = own_data / "triples" / name
    corpus = fm.read(path)
    for (id, top, said), graph, nodes in zip(HOLD[name], corpus, OWN_LABELS.get(name, [[], []]), strict=True):
        rows = (row.split("|") for row in said.split("; ") if row)
        labels = [(node, ":instance", node) for node in nodes]
        expected = [*labels, *((source, f":{role}", target) for source, role, target in rows)]
        assert (graph.metadata, graph.top, graph.triples) == ({"id": id}, top, expected)
    assert corpus.dialect == "penman"
    data = path.read_bytes()
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(data))
    for source in (io.BytesIO(data), io.StringIO(data.decode()), packed, io.BytesIO(b"\xef\xbb\xbf" + data)):
        assert fm.read(source) == corpus
    windows = data.replace(b"\n", b"\r\n")
    if not name.endswith(".json"):
        assert fm.read(io.BytesIO(windows)) == corpus
    vocabulary = fm.Vocabulary(["x"])
    assert fm.read(path, vocabulary=vocabulary).vocabulary is vocabulary


def test_metrics_score_them(own_data):
    pred, gold = (fm.read(own_data / "triples" / f"kg-{side}.csv") for side in ("pred", "gold"))
    result = fm.score(pred, gold)
    # case does not matter; the triple to Melbourne and its node are too many
    assert result.pairs.matched.tolist() == [4, 3]
    assert (result.pairs.n_pred.tolist(), result.pairs.n_gold.tolist()) == ([4, 5], [6, 5])
    assert result.signature.fields["top"] == "none" and fm.score(pred, gold, pair_by="id").score == result.score


@pytest.mark.parametrize("header", ["source role target", "subject predicate object", "head relation tail"])
def test_headers(header: str):
    """In any order, with or without further columns; ids have no labels of their own."""
    source, role, target = header.split()
    for columns in ((source, role, target), (target, "graph", source, role), ("value", role, source, target)):
        cells = {source: "a", role: "r", target: "b", "graph": "7", "value": ""}
        text = ",".join(columns) + "\n" + ",".join(cells[name] for name in columns) + "\n"
        [graph] = fm.read(io.StringIO(text))
        labels = [("a", ":instance", "a"), ("b", ":instance", "b")] * (source != "source")
        assert graph.triples == [*labels, ("a", ":r", "b")]
        assert graph.metadata == ({"id": "7"} if "graph" in columns else {})
        rows = json.dumps({name: cells[name] for name in columns})
        assert fm.read(io.StringIO(rows)) == fm.read(io.StringIO(text))
        assert fm.read(io.StringIO(f"[{rows}]")) == fm.read(io.StringIO(text))


def test_numbers_and_texts_are_one():
    rows = [{"source": 1, "role": "r", "target": "1"}, {"source": "1", "role": "instance", "value": True}]
    [graph] = fm.read(io.StringIO("\n".join(map(json.dumps, rows))))
    assert graph.triples == [("1", ":instance", "true"), ("1", ":r", "1")]
    rows = [{"graph": g, "source": "a", "role": "r", "target": "b"} for g in (1, "1", 2)]
    assert fm.read(io.StringIO("\n".join(map(json.dumps, rows)))).ids == ["1", "2"]


def test_a_file_with_a_header_alone_has_no_graphs():
    assert len(fm.read(io.StringIO("source,role,target\n"))) == 0


CSV = "graph,source,role,target,value\n1,a,r,b,\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{CSV}2,,r,b,\n", "x:3:1: expected a node in the column 'source' of this row, found ''"),
        (f"{CSV}2,a,,b,\n", "x:3:1: expected the name of a role in the column 'role' of this row, found ''"),
        (f"{CSV}2,a,r,,\n", "x:3:1: expected a node in the column 'target' or a constant in 'value' .* found nothing"),
        (f"{CSV}2,a,r,b,c\n", "x:3:1: expected a node in the column 'target' or a constant in 'value' .* found both"),
        (f"{CSV},a,r,b,\n", "x:3:1: expected the name of a graph in this row"),
        (f"{CSV}2,a,r,b\n", "x:3:1: expected 5 cells, each behind a comma, as the header has, found 4"),
        (f'{CSV}2,"a,r,b,\n', "x:3:3: a quote that is not closed"),
        ("grpah,source,role,target\n1,a,r,b\n", "x:1:1: expected the columns source, role, .* found grpah, sour"),
        ("source,role,target,object\na,r,b,c\n", "x:1:1: expected the columns"),
        ("source,role,target,source\na,r,b,c\n", "x:1:1: the field 'source' stands twice in the header"),
        ('{"source": "a", "role": "r", "target": "b"}\n{"source": "a"\n', "x:2:15: not JSON"),
        ('{"source": "a", "role": "r", "target": "b"}\n{"source": "a", "role": "r"}\n', "x:2:1: expected the columns"),
        ('{"source": "a", "role": "r", "target": "b"}\n7\n', "x:2:1: expected an object with fields in row 1"),
        ('{"source": ["a"], "role": "r", "target": "b"}', r"x:1:1: expected a node in the column 'source' .* \['a'\]"),
        ('{"source": "a", "role": "r", "target": NaN}', "x:1:1: expected a node in the column 'target' .* found nan"),
        ('{"triples": [["a", "r", NaN]]}', r"x:1:1: expected names or numbers at the ends of triples\[0\]"),
        ('{"source": "a", "role": 3, "target": "b"}', "x:1:1: expected the name of a role in the column 'role' .* 3"),
        ('{"source": "a", "role": "r", "target": {}}', "x:1:1: expected a node in the column 'target' .* found {}"),
        ('[{"source": "a", "role": "", "target": "b"}]', "x: expected the name of a role in the column .* of row 0"),
        ('{"id": 1, "triples": 7}', "x:1:1: expected a list in 'triples', found 7"),
        ('{"triples": [["a", "b"]]}', r"x:1:1: expected \[source, role, target\] in triples\[0\], found a list of 2"),
        ('{"triples": [[null, "b", "c"]]}', r"x:1:1: expected names or numbers at the ends of triples\[0\]"),
        ('{"triples": [["a", 3, "c"]]}', "x:1:1: edge 0: expected the name of a role, found 3"),
        ('{"triples": [], "edges": []}', "x:1:1: expected 'triples', or 'nodes' and 'edges'"),
        ('{"triples": [], "top": []}', "x:1:1: expected the name of a node in 'top', found a list of 0"),
        ('{"triples": [], "top": "a"}', "x:1:1: top: 'a' is not among the nodes"),
        ('{"nodes": 3, "edges": []}', "x:1:1: expected an object or a list in 'nodes', found 3"),
        ('{"nodes": [[]], "edges": []}', "x:1:1: expected ids and labels that are text or numbers in 'nodes'"),
        ('{"nodes": {"a": {}}, "edges": []}', "x:1:1: expected ids and labels that are text or numbers in 'nodes'"),
        ('{"nodes": ["a", "a"], "edges": []}', "x:1:1: the node 'a' stands twice in 'nodes'"),
        ('{"nodes": ["a"], "edges": [["a", "r", "b"]]}', "x:1:1: edge 0: 'b' is not among the nodes"),
        ('[{"nodes": ["a"], "edges": [["a", "r", "b"]]}]', "x: edge 0: 'b' is not among the nodes"),
    ],
)
def test_what_is_refused(text: str, message: str):
    source = io.StringIO(text)
    source.name = "x"  # type: ignore[misc]
    assert "\n" not in str(fails(ReadError, message, fm.read, source))


def test_on_error():
    """The graph with the row that is wrong, and no other; what is wrong with the file is an error in any case."""
    text = "graph,source,role,target\n1,a,r,b\n2,a,,b\n1,b,r,c\n2,a,r,c\n3,a,r,b\n"
    fails(ReadError, "<stream>:3:1", fm.read, io.StringIO(text))
    assert fm.read(io.StringIO(text), on_error="skip").ids == ["1", "3"]
    for on_error in ("empty", "repair"):
        corpus = fm.read(io.StringIO(text), on_error=on_error)
        assert corpus.ids == ["1", "2", "3"] and [len(graph.triples) for graph in corpus] == [2, 0, 1]
        [(number, message)] = corpus.problems
        assert number == 1
        assert message.startswith("<stream>:3:1: expected the name of a role")
    lines = '{"triples": [["a", "r", "b"]]}\n{"triples": [["a"]]}\n'
    assert [g for g, _ in fm.read(io.StringIO(lines), on_error="empty").problems] == [1]


def test_other_dialects_and_fields(own_data):
    """Only text has dialects; a field holds text; the table of Smatch++ has no header and is read as before."""
    path = own_data / "triples" / "kg-gold.csv"
    with pytest.raises(ReadError, match="this is a table of triples, which has no text to be read as 'smatch'"):
        fm.read(path, dialect="smatch")
    assert len(fm.read(io.StringIO("a :instance cat\n"), dialect="tsv")) == 1
    with pytest.raises(OptionError, match="no field 'amr'; the fields are: graph, subject, predicate, object, value"):
        fm.read(path, field="amr")
    source = io.StringIO("a,b,c\nd,e,f\n")
    source.name = "plain.csv"  # type: ignore[misc]
    fails(ReadError, "head its columns source, role, target; subject, predicate, object; or head", fm.read, source)


def test_several_files(own_data):
    folder = own_data / "triples"
    assert fm.read([folder / "kg-gold.csv", folder / "facts.jsonl"]).ids == ["1", "2", "f1", "f2", "f3"]


def test_long_rows():
    """A row longer than what is looked at first."""
    row = {"id": 1, "triples": [[f"{k:050}", "next", f"{k + 1:050}"] for k in range(2_000)]}
    text = json.dumps(row)
    assert len(text) > 200_000
    [graph] = fm.read(io.StringIO(text))
    assert len(graph.relations) == 2_000 and len(fm.read(io.StringIO(json.dumps([row])))) == 1
