"""``fastmatch.compat.amr`` against the module ``amr`` of the package smatch 1.0.4, on graphs and on damaged text."""

import io

from hypothesis import example, given
from hypothesis import strategies as st

from fastmatch.compat import amr

from support import published_smatch
from support.nightly import examples
from support.published_smatch import TEXTS


def outcome(module, text: str):
    """What the reader of a module gives for a text: lists, or what it raises; and what it prints."""
    log = io.StringIO()
    kept, module.ERROR_LOG = module.ERROR_LOG, log
    try:
        graph = module.AMR.parse_AMR_line(text)
    except Exception as error:
        return type(error), str(error), log.getvalue()
    finally:
        module.ERROR_LOG = kept
    if graph is None:
        return None, log.getvalue()
    before = (*vars(graph).values(), graph.get_triples(), graph.get_triples2(), str(graph), log.getvalue())
    before = repr(before), vars(graph).keys()
    try:
        graph.rename_node("x")
    except KeyError as error:
        return (*before, str(error))
    return (*before, repr(graph.get_triples()), repr(graph.get_triples2()))


@examples(60)
@given(TEXTS)
@example("")
@example("(a / b :ARG0 (c / d) :ARG1 c :op1 5 :mod 6 :mod c :ARG2-of c :polarity -)")
@example("(a / b :ARG0-of (c / d :ARG1 (e / f :prep-out-of a)))")
@example(":ARG0 (a / b)")  # a role that leads to the first node
@example("(a :ARG0 (b / c))")  # no concept
@example("(a / b :ARG0 :ARG1 c)")  # no value
@example("(a / b :ARG0 x :ARG1 (a / c))")  # a name twice
@example("(a / b :x-of y))")  # a bracket too many
@example("(a / b :c (d / 1/2))")  # a slash
@example("( / b :ARG0-of (c / d))")  # a name without letters
@example("(a / b :ARG0 :x (c / d))")
def test_any_text(text: str) -> None:
    assert outcome(amr, text) == outcome(published_smatch.amr, text)


@given(st.lists(st.sampled_from(["(a / b", " :c d)", "# ::id 1", " # x", "", "  ", "\t", "x\n"]), max_size=12))
def test_lines_of_graphs(lines: list[str]) -> None:
    mine, theirs = iter(lines), iter(lines)
    for _ in range(len(lines) + 1):
        assert amr.AMR.get_amr_line(mine) == published_smatch.amr.AMR.get_amr_line(theirs)


def test_a_graph_made_by_hand() -> None:
    lists = (["a", "c"], ["b", "d"], [[["ARG0", "c"]], []], [[["TOP", "top"]], []])
    mine, theirs = amr.AMR(*lists), published_smatch.amr.AMR(*lists)
    assert vars(mine) == vars(theirs) and repr(mine) == repr(theirs)
    assert vars(amr.AMR()) == vars(published_smatch.amr.AMR())
    lists[0].append("e")
    assert mine.nodes == ["a", "c"]  # the lists were copied


def test_output(monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(amr, "DEBUG_LOG", log)
    graph = amr.AMR.parse_AMR_line("(a / b)")
    graph.output_amr()
    assert log.getvalue() == f"{graph}\n"
