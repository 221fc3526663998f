"""What the program reads of a UMR file, against patterns."""

import pickle
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastmatch._ext.umr.reading import Reader, read_as_tool
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.umr.documents import joined_spans

from support.mutation import UMR, UMR2, mutated
from support.umr_sides import sides_as_tool
from twins import jumatch_reading as twin

#: What the program's rules are about, in pieces; white space and letters of several scripts among them.
PIECES = [
    *'()/:"#0,-\n\t aé_¼\x1c',
    "\u00a0",
    "\u3000",
    "\u0301",
    "漢",
    "𝒳",
    "\n\n",
    "\n\n\n",
    "(a / b",
    "(a / c :op1 x)",
    '(n / name :op2 z :op10 "y" :op1 a)',
    "(/ ( ) b :mod a",
    ":op1",
    ":op10 ",
    ":ARG0-of ",
    '"a b"',
    "Words: a b c\n\n",
    "a: 1-2",
    "a: 3-4, 1-1 , 2-2\n",
    "a: 0-0",
    "a: 2-1",
    "a: 1-99999999999",
    "(s / sentence ",
    ":coref (",
    "(a :same b)",
    "(a:bc)",
    "(a :b)",
    "((a :é-ü))",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
#: Four blocks with the pieces in them.
BLOCKS = st.lists(
    st.tuples(st.just("Words: a bé 漢 d"), TEXTS, TEXTS, TEXTS).map("\n\n".join), min_size=1, max_size=3
).map("\n\n\n".join)


def check(text: str, top: bool) -> None:
    expected = twin.read_as_tool(text, top)
    for side in expected:
        for node in side.nodes.values():
            node.length = node.length if node.spans else 0
            node.spans = joined_spans(node.spans)
    assert sides_as_tool(text, top) == expected


@given(st.one_of(TEXTS, BLOCKS, st.text()), st.booleans())
def test_as_the_patterns_say(text: str, top: bool) -> None:
    check(text, top)


@given(st.sampled_from([UMR, UMR2]), st.randoms(use_true_random=False), st.booleans())
def test_damaged_documents(text: str, random: Random, top: bool) -> None:
    check(mutated(random, text.encode()).decode("utf-8", "replace"), top)


def test_the_recorded_sample(own_data: Path) -> None:
    files = list((own_data / "recorded" / "umr").glob("*.umr"))
    assert files
    for file in files:
        check(file.read_text(encoding="utf-8"), True)


@pytest.mark.parametrize("letter", ["(", "a", '"', " ", "\n", "1-1,", "(a / b :c ", "(a /)) b ", "((a :b c) "])
def test_long_texts_take_linear_time(letter: str) -> None:
    """A quadratic reader would not end."""
    for text in (letter * 100_000, f"x\n\n{letter * 100_000}", f"x\n\n(a / b\n\na: {letter * 100_000}"):
        sentences, lines, _ = read_as_tool(text, Vocabulary().interner)
        assert len(sentences) == len(lines) <= 1


def test_a_lone_surrogate_is_a_character() -> None:
    (side,) = sides_as_tool("Words: \ud800\n\n(a / \ud800)")
    assert (side.tokens, side.nodes["a"].concept) == (["\ud800"], "\ud800")


def test_strings_are_shared_with_those_that_were_read_before() -> None:
    vocabulary = Vocabulary()
    first, _, _ = read_as_tool("Words: a\n\n(a / b :c d)\n", vocabulary.interner)
    n = len(vocabulary)
    second, _, _ = read_as_tool("Words: a\n\n(a / b :c d)\n", vocabulary.interner)
    assert n == len(vocabulary)
    np.testing.assert_array_equal(first.nodes, second.nodes)


def test_a_reader_cannot_be_pickled():
    """Kernels are built without the methods by which Cython would say so; Python says it too."""
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(Reader(Vocabulary().interner, False))
