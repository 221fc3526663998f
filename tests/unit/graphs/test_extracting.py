"""The graph in what a language model wrote: the rules in their order, what never counts, and any text at all."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fastmatch import Extraction, OptionError, extract, parse

from support.refusal import fails

GRAPH = '(w / want-01\n      :ARG0 (b / boy :name "Al (B)")\n      :ARG1 (g / go-02 :ARG0 b))'
OTHER = "(d / dog :mod (s / small))"
FENCED = f"```amr\n{GRAPH}\n```"


@pytest.mark.parametrize(
    ("text", "how"),
    [
        (f"<answer>{GRAPH}</answer> {OTHER}", "answer"),
        (f"<AMR>\n{GRAPH}\n</AMR>", "amr"),
        (f"{OTHER} <graph>{GRAPH}", "graph"),
        (f"<answer>{OTHER}</answer>, no: <answer>{GRAPH}</answer>", "answer"),
        (f"<answer>{GRAPH}</answer> and <answer> \n </answer>", "answer"),
        (f"<answer>So it is <amr>{GRAPH}</amr></answer>", "amr"),
        (f"<answer>{OTHER}\n~~~\n{GRAPH}\n~~~\nor so.</answer>", "answer"),
        (f"<answer>Here it is: {GRAPH} (I hope).</answer>", "answer"),
        (f"<answer># ::snt The boy :)\n{GRAPH}</answer>", "answer"),
        (f"<answer>{OTHER} <answer>{GRAPH}", "answer"),
        (f"<think>{OTHER}</think>\n\n{GRAPH}", "think"),
        (f"{OTHER}</thinking>Well, {GRAPH}.", "think"),
        (f"<think>{OTHER}</think>\n{OTHER}\n{FENCED}\n{OTHER}", "think"),
        (f"<think>x</think> {OTHER} <answer>{GRAPH}</answer>", "answer"),
        (f"{OTHER}\n{FENCED}\n{OTHER}", "fence"),
        (f"```\n{OTHER}\n```\n{FENCED}\n```python\nprint(1)\n```", "fence"),
        (f"````\n{GRAPH}\n```\n````\n", "fence"),
        (f"   ~~~\n{GRAPH}\n~~~", "fence"),
        (f"```\n{GRAPH}", "fence"),
        (f"{OTHER} and then {GRAPH} (see above)", "block"),
        (f"He said: {GRAPH} (a / an animal, perhaps)", "block"),
        (f"`{GRAPH}`", "block"),
        (f"{GRAPH} or (c / cat :mod (d / dog)", "block"),
        (f"(c / cat :mod (d / dog\n\n{GRAPH}", "block"),
        (f"Bär 狗 🐕 {GRAPH}", "block"),
        (f"狗 {GRAPH}", "block"),
    ],
)
def test_rules_in_their_order(text: str, how: str) -> None:
    found = extract(text)
    assert found == (GRAPH, text.rindex(GRAPH), text.rindex(GRAPH) + len(GRAPH), how) and found
    assert len(parse(found.text)) == 1


@pytest.mark.parametrize(
    ("text", "found", "how"),
    [
        ("It is (c / cat :mod (d / dog ", "(c / cat :mod (d / dog", "open"),
        ("```amr\n(c / cat :mod (d / dog\n```\n", "(c / cat :mod (d / dog", "fence"),
        ("<answer>As follows (c / cat :mod (d / dog", "(c / cat :mod (d / dog", "answer"),
        ('(c / cat :name "open :op1\n :mod (d / dog))', '(c / cat :name "open :op1\n :mod (d / dog))', "block"),
        ("<answer> 42 </answer>", "42", "answer"),
        ("<answer>(c)</answer>", "(c)", "answer"),
        ("<think>x</think> I cannot tell.", "I cannot tell.", "think"),
        ("(c :mod (d / dog))", "(c :mod (d / dog))", "block"),
        ("(/ cat)", "(/ cat)", "block"),
        ("(c / cat~e.1)", "(c / cat~e.1)", "block"),
        ('(c / "New (York" :mod d)', '(c / "New (York" :mod d)', "block"),
        ("(c / cat\n# ::snt :) and (\n:mod (d / dog))", "(c / cat\n# ::snt :) and (\n:mod (d / dog))", "block"),
    ],
)
def test_what_is_found_need_not_be_a_graph(text: str, found: str, how: str) -> None:
    assert extract(text)[::3] == (found, how)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "No graph.",
        "(see above) and (and / or both) (1/2 of it)",
        "()",
        "((((",
        "<answer></answer>",
        "<answer>\n</answer> (see above)",
        "```\n```",
        "</think>",
        f"<think>{GRAPH}",
        f"{GRAPH} <think> hm",
        f"<think>x</think> {GRAPH} <think>no: {OTHER}",
        f"<answer>{GRAPH}</answer><think>",
        f"<THINKING>\n{GRAPH}",
    ],
)
def test_nothing_is_found(text: str) -> None:
    found = extract(text)
    assert not found and found == Extraction("", 0, 0, "")


def test_a_text_that_begins_within_thoughts() -> None:
    assert not extract(f"{GRAPH} hm", thinking=True)
    assert extract(f"{OTHER} hm </think> {GRAPH}", thinking=True)[::3] == (GRAPH, "think")


@pytest.mark.parametrize(
    ("where", "found"),
    [("tag", GRAPH), ("think", OTHER), ("fence", ""), ("block", OTHER), ("text", f"<answer>{GRAPH}</answer> {OTHER}")],
)
def test_one_rule_alone(where: str, found: str) -> None:
    assert extract(f"<think>hm</think><answer>{GRAPH}</answer> {OTHER}\n", where=where).text == found  # type: ignore[arg-type]


def test_wrong_arguments() -> None:
    fails(OptionError, r"where='here': expected one of 'auto', 'tag', ", extract, GRAPH, where="here")
    fails(TypeError, "not NoneType", extract, None)


PIECES = [
    *("<think>", "</think>", "<answer>", "</answer>", "<amr>", "```", "~~~~", "\n\n", "(a / b", ":x", GRAPH),
    *'\n() "\\#é狗🐕',
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.booleans())
@example("```\n(a / b", False)
@example("<answer>(a / b\n\n\n(", False)
def test_any_text(text: str, thinking: bool) -> None:
    found = extract(text, thinking=thinking)
    assert text[found.start : found.stop] == found.text == found.text.strip()
    tags = list(re.finditer("</?think>", text))
    if tags[-1].group() == "<think>" if tags else thinking:
        assert not found
    elif found and tags:
        assert found.start >= tags[-1].end()
    assert bool(found) == bool(found.text) == bool(found.how)
    if found.how == "block":
        assert found.text[0] + found.text[-1] == "()"


@pytest.mark.parametrize(
    "piece", [*PIECES, "(a ", "(a /", '(a / "', '"\\', "<", "\n\n(a / b", "```\n(a / b\n", "<answer>(", "( "]
)
def test_long_texts(piece: str) -> None:
    """A search that went through a part again and again would take hours here."""
    text = piece * (1_000_000 // len(piece))
    found = extract(text)
    assert text[found.start : found.stop] == found.text


def test_subclasses_of_str_are_texts() -> None:
    """Those of numpy, of which arrays and data frames are made, were refused."""
    found = extract(np.str_(f"It is {GRAPH}."))
    assert found == extract(f"It is {GRAPH}.") and type(found.text) is str


@pytest.mark.parametrize("thinking", ["false", 1, None])
def test_thinking_is_true_or_false(thinking: object) -> None:
    """Any text would count as True, and everything before ``</think>`` as thoughts."""
    fails(OptionError, r"^thinking=.*: expected True or False$", extract, GRAPH, thinking=thinking)
