"""MRP JSON: the triples of a graph, against a second reader; what is wrong and where; scores."""

import io
import json
import warnings
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch import PairingWarning, ReadError
from fastmatch.cli import main

from support.nightly import NIGHT
from support.readback import spelled
from support.refusal import fails
from twins.mrp import tuples

GRAPH = (
    '{"id": "1", "framework": "eds", "input": "The “old” dog.", "tops": [2], "nodes": ['
    '{"id": 2, "label": "bark/v", "properties": ["pos"], "values": ["V"], "anchors": [{"from": 4, "to": 9}]}, '
    '{"id": 7}], "edges": [{"source": 2, "target": 7, "label": "ARG1", "attributes": ["remote"], "values": [true]}]}'
)


def of_corpus(graph: fm.Graph, text: str | None):
    """The triples of a graph as the twin has them."""
    variables = {name: int(name[1:]) if name[1:].isdigit() else name for name in graph.variables}
    found = Counter()
    for source, role, target in graph.triples:
        if role == ":instance":
            found["label", variables[source], _unquoted(target)] += 1
        elif role == ":TOP":
            found["top", variables[source]] += 1
        elif role == ":ANCHORS":
            runs = [tuple(map(int, run.split(":"))) for run in target.strip('"').split(",") if run]
            places = {place for start, stop in runs for place in range(start, stop)}
            kept = {place for place in places if text is None or not text[place].isspace()}
            found["anchors", variables[source], frozenset(kept)] += 1
        elif target in variables:
            found["edge", variables[source], variables[target], role[1:]] += 1
        else:
            found["property", variables[source], role[1:], _unquoted(target)] += 1
    return found


def _unquoted(text: str) -> str:
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\") if text.startswith('"') else text


def assert_as_twin(line: str, dialect: str = "mrp") -> None:
    (graph,) = fm.parse([line], dialect=dialect).validate()
    assert of_corpus(graph, json.loads(line).get("input")) == tuples(line, dialect == "mrp-tool")


def test_a_graph() -> None:
    (graph,) = corpus = fm.parse([GRAPH], dialect="mrp")
    assert corpus.ids == ["eds/1"] and graph.metadata["snt"] == "The “old” dog." and graph.top == "n2"
    assert spelled(graph.triples) == (
        'n2 :instance "bark/v"; n2 :pos "V"; n2 :ANCHORS "5:8"; n2 :TOP "top"; n2 :ARG1 n7; n2 :ARG1|remote=true n7'
    )


def test_what_is_no_string_is_a_label_as_it_is_written() -> None:
    line = '{"id": 1, "nodes": [{"id": 0, "label": 1.50, "properties": [2], "values": [[1, {"a": null}]]}]}'
    (graph,) = fm.parse([line], dialect="mrp")
    assert graph.triples == [("n0", ":instance", "1.50"), ("n0", ":2", '"[1, {\\"a\\": null}]"')]


def test_a_node_that_only_an_edge_leads_to() -> None:
    """As UCCA's implicit nodes: without label, anchors and edges of its own it is a node still, no constant."""
    line = (
        '{"id": 1, "nodes": [{"id": 0, "label": "a"}, {"id": 1}], '
        '"edges": [{"source": 0, "target": 1, "label": "P"}, {"source": 0, "target": 1, "label": "A"}]}'
    )
    (graph,) = fm.parse([line], dialect="mrp")
    assert graph.triples == [("n0", ":instance", "a"), ("n0", ":P", "n1"), ("n0", ":A", "n1")]
    assert list(graph.variables) == ["n0", "n1"]
    other = line.replace('"id": 1}]', '"id": 7}]').replace('"target": 1', '"target": 7')
    scores = fm.aspects([fm.parse([other], dialect="mrp")[0]], [graph], kind="mrp")
    assert (scores["all"].matched, scores["edges"].matched) == (3, 2)


@pytest.mark.parametrize("dialect", ["mrp", "mrp-tool"])
def test_own_graphs_as_the_twin(own_data: Path, dialect: str) -> None:
    for side in ("gold", "pred"):
        for line in (own_data / f"mrp-{side}.mrp").read_text(encoding="utf-8").splitlines():
            assert_as_twin(line, dialect)


TEXT = st.text('a“. ,(é東\U0001f600\u3000\n"\\X', max_size=12)
LABELS = st.one_of(
    st.sampled_from(["a", "A-of", "mod", "MOD", "x-of-of", "prep-x-of", "consist-of", "Subset-Of", "-of", ""]), TEXT
)


def named(names: str, parts):
    """Properties of a node or attributes of an edge."""
    return {names: [name for name, _ in parts], "values": [value for _, value in parts]}


PROPERTIES = st.tuples(st.sampled_from(["p", "q", "é"]), st.one_of(TEXT, st.integers(0, 99), st.booleans()))
ATTRIBUTES = st.tuples(st.sampled_from(["remote", "Effective", "x"]), st.sampled_from([True, False, "False", "b"]))


@st.composite
def graphs(draw: st.DrawFn) -> str:
    text = draw(st.none() | TEXT)
    ends = st.lists(st.integers(0, 12 if text is None else len(text)), min_size=2, max_size=2).map(sorted)
    anchors = st.lists(ends.map(lambda pair: {"from": pair[0], "to": pair[1]}), max_size=4)
    properties = st.lists(PROPERTIES, max_size=3).map(partial(named, "properties"))
    parts = st.fixed_dictionaries({}, optional={"label": LABELS, "anchors": anchors})
    nodes = [
        {"id": draw(st.just(k) | st.just(f"node{k}")), **node, **draw(st.just({}) | properties)}
        for k, node in enumerate(draw(st.lists(parts, max_size=5)))
    ]
    graph = {"id": "1", "nodes": nodes, "edges": []}
    if nodes:
        known = st.sampled_from([node["id"] for node in nodes])
        attributes = st.lists(ATTRIBUTES, max_size=2, unique_by=lambda one: one[0]).map(partial(named, "attributes"))
        edge = st.fixed_dictionaries({"source": known, "target": known}, optional={"label": LABELS, "normal": LABELS})
        edges = st.lists(st.builds(dict.__or__, edge, st.just({}) | attributes), max_size=6)
        graph |= {"edges": draw(edges), "tops": draw(st.lists(known, max_size=2))}
    if text is not None:
        graph["input"] = text
    return json.dumps(graph, ensure_ascii=draw(st.booleans()))


@given(graphs(), st.sampled_from(["mrp", "mrp-tool"]))
def test_any_graph_as_the_twin(line: str, dialect: str) -> None:
    assert_as_twin(line, dialect)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("(a / cat)", 1, "no JSON here: '(a / cat)'"),
        ("{'id': 1}", 2, "no JSON here"),
        ("# " + "句" * 30, 1, f"no JSON here: '# {'句' * 18}'"),
        ("[]", 1, "expected a graph, node or edge of MRP: a JSON object with its fields"),
        ('{"a": 1}', 1, "expected a graph"),
        ('{"id": 1, "nodes": [', 21, "the line ends within its JSON; in MRP each line is a graph"),
        ('{"id": "1', 10, "the line ends within its JSON"),
        ('{"id": 1} {"id": 2}', 11, "text behind the graph; in MRP each line is a graph"),
        ('{"id": 1, "triples": [["a", "r", "b"]]}', 1, "expected a graph, node or edge of MRP"),
        ('{"id": 1, "amr": "(a / b)"}', 1, "expected a graph, node or edge of MRP"),
        ('{"id": 1,}', 10, "no JSON here: '}'"),
        ('{"id": 01}', 9, "no JSON here: '1}'"),
        ('{"id": nul}', 8, "no JSON here: 'nul}'"),
        ('{"id": 1e}', 8, "no JSON here: '1e}'"),
        ('{"id": "NaN", "time": -Infinity}', 23, "no JSON here: '-Infinity}'"),
        ('{"id": ' + "[" * 200_000 + "]" * 200_000 + "}", 1, "lists or objects within others, too many for a graph"),
        ('{"id": "\\x"}', 9, "no JSON here: a string with an escape that does not exist, or a control character"),
        ('{"id": "\\u12g4"}', 9, "no JSON here: a string with an escape"),
        ('{"id": 1, "nodes": {}}', 20, "expected a list, [ … ]"),
        ('{"id": 1, "input": 5, "nodes": []}', 20, "expected a string"),
        ('{"id": 1, "nodes": [5]}', 21, "expected a graph, node or edge"),
        ('{"id": 1, "nodes": [{"label": "é"}]}', 21, "a node without an id; expected a number or a string"),
        ('{"id": 1, "nodes": [{"id": 1}, {"id": 1}]}', 39, "a second node with the same id"),
        ('{"id": 1, "nodes": [{"id": 1}], "tops": [2]}', 42, "expected the id of a node"),
        ('{"id": 1, "nodes": [{"id": 1}], "edges": [{"source": 1, "target": "é"}]}', 68, "expected the id of a node"),
        ('{"id": 1, "nodes": [{"id": 1, "properties": ["a"], "values": []}]}', 21, "properties or attributes and"),
        ('{"id": 1, "nodes": [{"id": 1, "properties": ["a"]}]}', 21, "properties or attributes and their values"),
        ('{"id": 1, "nodes": [{"id": 1, "anchors": [{"from": 3, "to": 1}]}]}', 43, "expected an anchor, such as"),
        ('{"id": 1, "input": "é", "nodes": [{"id": 1, "anchors": [{"from": 0, "to": 2}]}]}', 57, "an anchor that ends"),
    ],
)
def test_what_is_wrong_and_where(line: str, column: int, message: str) -> None:
    caught = fails(ReadError, None, fm.parse, f"\n{GRAPH}\n{line}\n", dialect="mrp")
    assert caught.message.startswith(message) and (caught.line, caught.column) == (3, column)
    file = io.StringIO(f"{GRAPH}\n{line}\n{GRAPH}\n")
    emptied = fm.read(file, dialect="mrp", on_error="empty")
    assert [number for number, _ in emptied.problems] == [1]
    assert emptied.problems[0][1].startswith(f"<stream>:2:{column}: {message}")
    assert len(emptied[0].triples) == len(emptied[2].triples) == 6
    file.seek(0)
    assert len(fm.read(file, dialect="mrp", on_error="skip")) == 2


def test_one_graph_a_text() -> None:
    assert len(fm.parse([GRAPH + "\n"], dialect="mrp")) == 1
    for text in (f"{GRAPH}\n{GRAPH}", "", "\n"):
        fails(ReadError, r"expected a graph, found none|expected one graph", fm.parse, [text], dialect="mrp")


def test_damaged_lines_are_read_or_refused() -> None:
    """Whatever is done to a line, as the standard library: what it refuses is refused."""
    random = Random(0)
    for _ in range(3000 if NIGHT else 600):
        data = list(GRAPH)
        for _ in range(random.randint(1, 3)):
            data[random.randrange(len(data))] = random.choice('{}[]",:\\0a-. ')
        line = "".join(data)
        corpus = fm.parse([line], dialect="mrp", on_error="empty").validate()
        try:
            json.loads(line)
        except ValueError:
            assert corpus.problems, line


def test_scores(own_data: Path) -> None:
    pred, gold = (own_data / f"mrp-{side}.mrp" for side in ("pred", "gold"))
    scores = fm.aspects(pred, gold, kind="mrp")
    assert list(scores) == ["all", "tops", "labels", "properties", "anchors", "edges", "attributes"]
    assert scores["all"].certified
    assert sum(int(scores[row].matched) for row in scores if row != "all") == scores["all"].matched
    whole = fm.score(pred, gold, preset="mrp")
    assert (whole.matched, whole.f1) == (scores["all"].matched, scores["all"].f1)
    for kind in ("mrp", "edm", "sdp", "ucca"):
        assert all(score.f1 == 1 for score in fm.aspects(gold, gold, kind=kind).values())
    # consist-of and subset-of are turned around by the program only
    tool = fm.read(gold, dialect="mrp-tool")[2].triples
    assert ("n3", ":consist", "n0") in tool and ("n0", ":consist-of", "n3") in fm.read(gold, dialect="mrp")[2].triples


def test_the_command_line(own_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(own_data / f"mrp-{side}.mrp") for side in ("pred", "gold")]
    assert main(["score", *files]) == 2
    assert "this is MRP JSON: --dialect mrp (dialect='mrp') reads it, and" in capsys.readouterr().err
    assert main(["score", *files, "--aspects", "edm", "--preset", "tool", "--pair-by", "id"]) == 0
    assert "arguments" in capsys.readouterr().out
    assert main(["score", *files, "--preset", "mrp"]) == 0
    fails(fm.OptionError, "have no such option", fm.aspects, *map(Path, files), kind="edm", duplicates="bag")
    fails(fm.OptionError, "expected None or 'tool'", fm.aspects, *map(Path, files), kind="mrp", preset="smatch")


def test_input_on_one_side_only_is_warned_of():
    """mtool, too, then compares anchors as they are written; here that costs points in silence."""
    without = GRAPH.replace('"input": "The “old” dog.", ', "")
    assert without != GRAPH
    pred, gold = (fm.parse([text, text], dialect="mrp") for text in (without, GRAPH))
    for call in (lambda: fm.score(pred, gold), lambda: fm.aspects(pred, gold, kind="edm")):
        with pytest.warns(PairingWarning, match="pred has 'input' in 0 graphs, gold in 2 of 2: without it blanks and"):
            call()
    with warnings.catch_warnings(action="error"):
        fm.score(pred, pred)
        fm.score(gold, gold)
